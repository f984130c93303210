//===- Row.cpp - One block a row ---------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/BlockReduction.h"
#include "conversion/KernelToGPU/ElementEmitter.h"
#include "conversion/KernelToGPU/Emitters.h"
#include "conversion/KernelToGPU/RowTiles.h"
#include "strategy/gpu/RowStructure.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

namespace {
/// Emits the reductions of one row, then its results.
class RowEmitter {
public:
  RowEmitter(kernel::FuncOp kernel, kernel::GPURowAttr schedule,
             RowStructure rows)
      : kernel(kernel), schedule(schedule),
        frame(kernel, schedule.getThreads() * schedule.getRows() *
                          schedule.getColumns()),
        elements(frame), rows(std::move(rows)), loc(kernel.getLoc()),
        body(frame.getBodyBuilder()) {}

  LogicalResult emit();

private:
  using StepFn = llvm::function_ref<std::optional<SmallVector<Value>>(
      OpBuilder &, ArrayRef<Value>, ValueRange)>;

  /// A thread's elements of a row that it holds in registers.
  struct Chunk {
    /// Full coordinates in the space of rows and their elements.
    Lanes lanes;
    /// Positions in the row.
    SmallVector<Value> positions;
    /// Whether they exist; null: all do. Positions are of such that do.
    Value exists;
  };

  int64_t getRowsOfBlock() {
    return schedule.getRows() * schedule.getColumns();
  }
  void findRow();
  LogicalResult emitBody();
  /// Runs step(point, state) for the thread's share of the box `sizes`. Steps
  /// return nothing after an error, and so does this.
  std::optional<SmallVector<Value>> accumulate(ArrayRef<Value> sizes,
                                               ValueRange init, StepFn step);
  std::optional<SmallVector<Value>>
  accumulateHeld(ArrayRef<Value> sizes, ValueRange init, StepFn step);
  /// Whether the box is a row that the thread's chunks cover.
  bool isHeld(ArrayRef<Value> sizes);
  /// The thread's share of a row, with points of the box `sizes`.
  ArrayRef<Chunk> getChunks(ArrayRef<Value> sizes);
  /// The state of the whole row from those of the threads that share it.
  SmallVector<Value> joinThreads(ValueRange state, MergeFn merge);
  LogicalResult reduceCoupled(kernel::CoupledReduceOp op);
  LogicalResult reduceNest(linalg::GenericOp op);
  LogicalResult emitResult(unsigned i);
  LogicalResult emitHeldResult(unsigned i, ArrayRef<Value> coordinates,
                               ArrayRef<size_t> inner, ArrayRef<Value> sizes);
  LogicalResult emitAsideResult(unsigned i);

  kernel::FuncOp kernel;
  kernel::GPURowAttr schedule;
  KernelFrame frame;
  ElementEmitter elements;
  RowStructure rows;
  Location loc;
  OpBuilder body;
  SmallVector<Value> row;
  /// The thread's number among those of its row, the row's in the block.
  Value thread, rowInBlock;
  /// Whether there is the thread's row, else another one is made again and not
  /// stored; null: there is.
  Value rowExists;
  /// The number of rows, and of the block's first row.
  Value numRows, firstRow;
  /// Whether chunks are held: the code for aligned operands.
  bool holds = false;
  /// By the sizes of the box.
  std::vector<std::pair<SmallVector<Value>, SmallVector<Chunk>>> chunksOf;
  std::optional<RowTiles> tiles;
};
} // namespace

static int64_t getRank(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getRank();
}

void RowEmitter::findRow() {
  SizeValues &sizes = frame.device();
  Value tensor = rows.getRowTensor();
  SmallVector<Value> shape;
  for (int64_t dim = 0; dim < getRank(tensor); ++dim)
    shape.push_back(sizes.getDim(tensor, dim));
  thread = frame.getThreadId();
  numRows = sizes.getProduct(shape);
  Value number = firstRow = frame.getBlockId(gpu::Dimension::x);
  rowInBlock = sizes.getConstant(0);
  if (getRowsOfBlock() > 1) {
    bool columns = schedule.getColumns() > 1;
    Value inner = sizes.getConstant(columns ? schedule.getColumns()
                                            : schedule.getThreads());
    firstRow =
        mulIndex(body, loc, firstRow, sizes.getConstant(getRowsOfBlock()));
    Value quotient = divIndex(body, loc, thread, inner);
    Value remainder = remIndex(body, loc, thread, inner);
    number = addIndex(body, loc, firstRow, columns ? remainder : quotient);
    thread = columns ? quotient : remainder;
    rowExists = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult,
                                      number, numRows);
    Value last = subIndex(body, loc, numRows, sizes.getConstant(1));
    number = arith::MinUIOp::create(body, loc, number, last);
    rowInBlock = subIndex(body, loc, number, firstRow);
  }
  row = delinearize(body, loc, number, shape);
}

LogicalResult RowEmitter::emit() {
  findRow();
  if (schedule.getChunks() == 0) {
    if (failed(emitBody()))
      return failure();
  } else {
    OpBuilder top = body;
    auto branch = scf::IfOp::create(top, loc, frame.areOperandsAligned(),
                                    /*withElse=*/true);
    body = branch.getThenBodyBuilder();
    holds = true;
    if (failed(emitBody()))
      return failure();
    holds = false;
    elements.clearLanes();
    body = branch.getElseBodyBuilder();
    if (failed(emitBody()))
      return failure();
    body = top;
  }

  SizeValues &host = frame.host();
  OpBuilder entry = frame.getEntryBuilder();
  Value one = host.getConstant(1);
  Value blocks =
      ceilDivIndex(entry, loc, host.getNumElements(rows.getRowTensor()),
                   host.getConstant(getRowsOfBlock()));
  frame.finish({blocks, one, one});
  return success();
}

LogicalResult RowEmitter::emitBody() {
  bool staged = holds && schedule.getStaged();
  if (staged) {
    int64_t length = getRowLength(rows);
    SizeValues &sizes = frame.device();
    Value left = subIndex(body, loc, numRows, firstRow);
    Value count = arith::MinUIOp::create(body, loc, left,
                                         sizes.getConstant(schedule.getRows()));
    Operation *barrier = gpu::BarrierOp::create(body, loc);
    tiles.emplace(frame, schedule.getRows(), length, firstRow, count, barrier);
    elements.setTiles([this](OpBuilder &builder, BlockArgument argument,
                             ArrayRef<Value> coordinates) -> Value {
      Type type = cast<RankedTensorType>(argument.getType()).getElementType();
      if (!tiles->canHold(type))
        return {};
      for (auto &[sizes, chunks] : chunksOf)
        for (const Chunk &chunk : chunks)
          if (elements.isPoint(chunk.lanes, 0, argument, coordinates))
            return tiles->getInput(builder, argument, rowInBlock,
                                   chunk.positions[0]);
      return {};
    });
  }
  auto finish = [&](LogicalResult result) {
    elements.setTiles(nullptr);
    tiles.reset();
    chunksOf.clear();
    return result;
  };
  for (Operation *op : rows.reductions) {
    auto coupled = dyn_cast<kernel::CoupledReduceOp>(op);
    if (failed(coupled ? reduceCoupled(coupled)
                       : reduceNest(cast<linalg::GenericOp>(op))))
      return finish(failure());
  }
  for (unsigned i = 0; i < rows.resultDims.size(); ++i)
    if (failed(rows.asideResults.contains(i) ? emitAsideResult(i)
                                             : emitResult(i)))
      return finish(failure());
  if (staged && tiles->hasResults()) {
    gpu::BarrierOp::create(body, loc);
    tiles->writeResults(body);
  }
  return finish(success());
}

bool RowEmitter::isHeld(ArrayRef<Value> sizes) {
  if (!holds)
    return false;
  int64_t length = 1;
  for (Value size : sizes) {
    auto known = getConstantIntValue(size);
    if (!known)
      return false;
    length *= *known;
  }
  return length > 1 && length == getRowLength(rows) &&
         length % schedule.getWidth() == 0 &&
         length <=
             schedule.getChunks() * schedule.getThreads() * schedule.getWidth();
}

ArrayRef<RowEmitter::Chunk> RowEmitter::getChunks(ArrayRef<Value> sizes) {
  for (auto &[known, chunks] : chunksOf)
    if (llvm::equal(known, sizes, isSameIndex))
      return chunks;
  SizeValues &values = frame.device();
  int64_t length = getRowLength(rows), width = schedule.getWidth();
  int64_t step = schedule.getThreads() * width;
  SmallVector<Chunk> chunks;
  SmallVector<Value> shape;
  Value tensor = rows.getRowTensor();
  for (int64_t dim = 0; dim < getRank(tensor); ++dim)
    shape.push_back(values.getDim(tensor, dim));
  llvm::append_range(shape, sizes);
  Value own = mulIndex(body, loc, thread, values.getConstant(width));
  for (int64_t begin = 0; begin < length; begin += step) {
    Chunk &chunk = chunks.emplace_back();
    Value first = addIndex(body, loc, own, values.getConstant(begin));
    if (begin + step > length) {
      chunk.exists = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult,
                                           first, values.getConstant(length));
      // Others' elements again, which are not counted.
      first = arith::MinUIOp::create(body, loc, first,
                                     values.getConstant(length - width));
    }
    chunk.lanes.shape = shape;
    chunk.lanes.alongLast = sizes.size() == 1;
    for (int64_t lane = 0; lane < width; ++lane) {
      Value position = addIndex(body, loc, first, values.getConstant(lane));
      chunk.positions.push_back(position);
      SmallVector<Value> point(row);
      llvm::append_range(point, delinearize(body, loc, position, sizes));
      chunk.lanes.points.push_back(std::move(point));
    }
    Value linear = values.getConstant(0);
    for (auto [i, size] :
         llvm::enumerate(ArrayRef(shape).take_front(row.size())))
      linear = addIndex(body, loc, mulIndex(body, loc, linear, size), row[i]);
    chunk.lanes.linear = addIndex(
        body, loc, mulIndex(body, loc, linear, values.getConstant(length)),
        first);
    elements.addLanes(chunk.lanes);
  }
  chunksOf.push_back({SmallVector<Value>(sizes), std::move(chunks)});
  return chunksOf.back().second;
}

std::optional<SmallVector<Value>>
RowEmitter::accumulateHeld(ArrayRef<Value> sizes, ValueRange init,
                           StepFn step) {
  SmallVector<Value> state(init);
  // Steps may ask for chunks of other boxes.
  SmallVector<Chunk> chunks(getChunks(sizes));
  for (const Chunk &chunk : chunks)
    for (const SmallVector<Value> &point : chunk.lanes.points) {
      std::optional<SmallVector<Value>> next =
          step(body, ArrayRef(point).drop_front(row.size()), state);
      if (!next)
        return std::nullopt;
      for (auto [value, updated] : llvm::zip_equal(state, *next))
        value = chunk.exists ? Value(arith::SelectOp::create(
                                   body, loc, chunk.exists, updated, value))
                             : updated;
    }
  return state;
}

std::optional<SmallVector<Value>>
RowEmitter::accumulate(ArrayRef<Value> sizes, ValueRange init, StepFn step) {
  if (!init.empty() && isHeld(sizes))
    return accumulateHeld(sizes, init, step);
  Value count = frame.device().getProduct(sizes);
  // Made without a callback, which would run before the loop is in its block
  // and so could not see what the block holds.
  auto loop = scf::ForOp::create(
      body, loc, thread, count,
      frame.device().getConstant(schedule.getThreads()), init);
  if (init.empty())
    loop.getBody()->getTerminator()->erase();
  OpBuilder inner = OpBuilder::atBlockEnd(loop.getBody());
  ValueRange state = loop.getRegionIterArgs();
  std::optional<SmallVector<Value>> next = step(
      inner, delinearize(inner, loc, loop.getInductionVar(), sizes), state);
  scf::YieldOp::create(inner, loc, next ? ValueRange(*next) : state);
  if (!next)
    return std::nullopt;
  return SmallVector<Value>(loop.getResults());
}

SmallVector<Value> RowEmitter::joinThreads(ValueRange state, MergeFn merge) {
  if (schedule.getColumns() > 1)
    return reduceColumns(body, frame, schedule.getColumns(),
                         schedule.getThreads(), state, merge);
  return reduceBlock(body, frame, schedule.getThreads(), state, merge);
}

LogicalResult RowEmitter::reduceCoupled(kernel::CoupledReduceOp op) {
  Value first = op.getInputs().front();
  SmallVector<Value> sizes;
  for (int64_t dim : op.getDimensions())
    sizes.push_back(frame.device().getDim(first, dim));
  SmallVector<Value> init = elements.inlineRegion(body, op.getInit(), {});
  if (init.empty())
    return failure();
  std::optional<SmallVector<Value>> partial = accumulate(
      sizes, init,
      [&](OpBuilder &inner, ArrayRef<Value> point,
          ValueRange carried) -> std::optional<SmallVector<Value>> {
        SmallVector<Value> coordinates;
        size_t nextRow = 0, nextPoint = 0;
        for (int64_t dim = 0; dim < getRank(first); ++dim)
          coordinates.push_back(llvm::is_contained(op.getDimensions(), dim)
                                    ? point[nextPoint++]
                                    : row[nextRow++]);
        SmallVector<Value> arguments(carried);
        for (Value input : op.getInputs()) {
          arguments.push_back(elements.emit(inner, input, coordinates));
          if (!arguments.back())
            return std::nullopt;
        }
        SmallVector<Value> next =
            elements.inlineRegion(inner, op.getAccumulate(), arguments);
        if (next.empty())
          return std::nullopt;
        return next;
      });
  if (!partial)
    return failure();
  SmallVector<Value> state =
      joinThreads(*partial, [&](OpBuilder &inner, ValueRange a, ValueRange b) {
        SmallVector<Value> arguments(a);
        llvm::append_range(arguments, b);
        return elements.inlineRegion(inner, op.getMerge(), arguments);
      });
  if (state.empty())
    return failure();
  SmallVector<Value> results =
      elements.inlineRegion(body, op.getFinish(), state);
  if (results.empty())
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
    elements.supply(result, row, value);
  return success();
}

LogicalResult RowEmitter::reduceNest(linalg::GenericOp op) {
  AffineMap map = op.getIndexingMapMatchingResult(op->getResult(0));
  SmallVector<Value> iteration(op.getNumLoops());
  for (auto [i, expr] : llvm::enumerate(map.getResults()))
    iteration[cast<AffineDimExpr>(expr).getPosition()] = row[i];
  SmallVector<Value> sizes, loopSizes = elements.getLoopSizes(op);
  SmallVector<unsigned> reduced;
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
    if (!iteration[dim]) {
      reduced.push_back(dim);
      sizes.push_back(loopSizes[dim]);
    }

  SmallVector<Operation *> combiners;
  SmallVector<Value> neutral, init;
  for (OpOperand &operand : op.getDpsInitsMutable()) {
    combiners.push_back(
        getCombiner(op, static_cast<unsigned>(combiners.size())));
    neutral.push_back(frame.device().getConstant(
        *arith::getNeutralElement(combiners.back())));
    init.push_back(elements.emit(body, operand.get(), row));
    if (!init.back())
      return failure();
  }
  std::optional<SmallVector<Value>> partial =
      accumulate(sizes, neutral,
                 [&](OpBuilder &inner, ArrayRef<Value> point,
                     ValueRange carried) -> std::optional<SmallVector<Value>> {
                   SmallVector<Value> full(iteration), arguments;
                   for (auto [dim, value] : llvm::zip_equal(reduced, point))
                     full[dim] = value;
                   if (failed(elements.emitInputs(inner, op, full, arguments)))
                     return std::nullopt;
                   llvm::append_range(arguments, carried);
                   SmallVector<Value> next = elements.inlineRegion(
                       inner, op.getRegion(), arguments, full);
                   if (next.empty())
                     return std::nullopt;
                   return next;
                 });
  if (!partial)
    return failure();
  auto merge = [&](OpBuilder &inner, ValueRange a, ValueRange b) {
    SmallVector<Value> merged;
    for (auto [combiner, x, y] : llvm::zip_equal(combiners, a, b)) {
      Operation *clone = inner.clone(*combiner);
      clone->setOperands({x, y});
      merged.push_back(clone->getResult(0));
    }
    return merged;
  };
  SmallVector<Value> state = merge(body, init, joinThreads(*partial, merge));
  for (auto [result, value] : llvm::zip_equal(op->getResults(), state))
    elements.supply(result, row, value);
  return success();
}

LogicalResult RowEmitter::emitResult(unsigned i) {
  BlockArgument destination = kernel.getDestination(i);
  Value tensor = kernel.getReturnOp().getOperand(i);
  SmallVector<Value> coordinates(static_cast<size_t>(getRank(destination)));
  for (auto [dim, coordinate] : llvm::zip_equal(rows.resultDims[i], row))
    if (dim >= 0)
      coordinates[static_cast<size_t>(dim)] = coordinate;
  SmallVector<Value> sizes;
  SmallVector<size_t> inner;
  for (auto [dim, coordinate] : llvm::enumerate(coordinates))
    if (!coordinate) {
      inner.push_back(dim);
      sizes.push_back(
          frame.device().getDim(destination, static_cast<int64_t>(dim)));
    }
  if (isHeld(sizes))
    return emitHeldResult(i, coordinates, inner, sizes);
  OpBuilder outside = body;
  if (rowExists) {
    auto guard = scf::IfOp::create(body, loc, rowExists, /*withElse=*/false);
    body = guard.getThenBodyBuilder();
  }
  std::optional<SmallVector<Value>> done =
      accumulate(sizes, {},
                 [&](OpBuilder &builder, ArrayRef<Value> point,
                     ValueRange) -> std::optional<SmallVector<Value>> {
                   SmallVector<Value> full(coordinates);
                   for (auto [dim, value] : llvm::zip_equal(inner, point))
                     full[dim] = value;
                   Value value = elements.emit(builder, tensor, full);
                   if (!value)
                     return std::nullopt;
                   elements.store(builder, destination, full, value);
                   return SmallVector<Value>();
                 });
  body = outside;
  return success(done.has_value());
}

LogicalResult RowEmitter::emitHeldResult(unsigned i,
                                         ArrayRef<Value> coordinates,
                                         ArrayRef<size_t> inner,
                                         ArrayRef<Value> sizes) {
  BlockArgument destination = kernel.getDestination(i);
  Type type = cast<RankedTensorType>(destination.getType()).getElementType();
  SmallVector<Chunk> chunks(getChunks(sizes));
  for (const Chunk &chunk : chunks) {
    SmallVector<SmallVector<Value>> points;
    SmallVector<Value> values;
    for (const SmallVector<Value> &point : chunk.lanes.points) {
      SmallVector<Value> &full = points.emplace_back(coordinates);
      for (auto [dim, value] :
           llvm::zip_equal(inner, ArrayRef(point).drop_front(row.size())))
        full[dim] = value;
      values.push_back(
          elements.emit(body, kernel.getReturnOp().getOperand(i), full));
      if (!values.back())
        return failure();
    }
    OpBuilder builder = body;
    Value exists = chunk.exists;
    if (rowExists)
      exists = exists
                   ? Value(arith::AndIOp::create(body, loc, exists, rowExists))
                   : rowExists;
    if (exists) {
      auto guard = scf::IfOp::create(body, loc, exists, /*withElse=*/false);
      builder = guard.getThenBodyBuilder();
    }
    if (tiles && tiles->canHold(type) &&
        elements.isPoint(chunk.lanes, 0, destination, points[0]))
      LLVM::StoreOp::create(builder, loc, values[0],
                            tiles->getResult(builder, destination, rowInBlock,
                                             chunk.positions[0]));
    else
      elements.storeLanes(builder, destination, chunk.lanes, points, values);
  }
  return success();
}

LogicalResult RowEmitter::emitAsideResult(unsigned i) {
  BlockArgument destination = kernel.getDestination(i);
  SizeValues &sizes = frame.device();
  SmallVector<Value> shape;
  for (int64_t dim = 0; dim < getRank(destination); ++dim)
    shape.push_back(sizes.getDim(destination, dim));
  // The first threads of the first block, an element each.
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(body, loc, predicate, a, b);
  };
  Value first =
      compare(arith::CmpIPredicate::eq, frame.getBlockId(gpu::Dimension::x),
              sizes.getConstant(0));
  Value below = compare(arith::CmpIPredicate::ult, frame.getThreadId(),
                        sizes.getProduct(shape));
  auto guard = scf::IfOp::create(body, loc,
                                 arith::AndIOp::create(body, loc, first, below),
                                 /*withElse=*/false);
  OpBuilder inside = guard.getThenBodyBuilder();
  SmallVector<Value> coordinates =
      delinearize(inside, loc, frame.getThreadId(), shape);
  Value value =
      elements.emit(inside, kernel.getReturnOp().getOperand(i), coordinates);
  if (!value)
    return failure();
  elements.store(inside, destination, coordinates, value);
  return success();
}

LogicalResult gpucodegen::emitRow(kernel::FuncOp kernel,
                                  kernel::GPURowAttr schedule) {
  std::string reason;
  std::optional<RowStructure> rows = analyzeRows(kernel, &reason);
  if (!rows)
    return kernel.emitOpError("cannot be made by rows: ") << reason;
  return RowEmitter(kernel, schedule, std::move(*rows)).emit();
}
