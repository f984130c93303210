//===- Row.cpp - One block a row ---------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/BlockReduction.h"
#include "conversion/KernelToGPU/ElementEmitter.h"
#include "conversion/KernelToGPU/Emitters.h"
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
      : kernel(kernel), frame(kernel, schedule.getThreads()), elements(frame),
        rows(std::move(rows)), loc(kernel.getLoc()),
        body(frame.getBodyBuilder()) {}

  LogicalResult emit();

private:
  using StepFn = llvm::function_ref<std::optional<SmallVector<Value>>(
      OpBuilder &, ArrayRef<Value>, ValueRange)>;

  /// Runs step(point, state) for the thread's share of the box `sizes`. Steps
  /// return nothing after an error, and so does this.
  std::optional<SmallVector<Value>> accumulate(ArrayRef<Value> sizes,
                                               ValueRange init, StepFn step);
  LogicalResult reduceCoupled(kernel::CoupledReduceOp op);
  LogicalResult reduceNest(linalg::GenericOp op);
  LogicalResult emitResult(unsigned i);
  LogicalResult emitAsideResult(unsigned i);

  kernel::FuncOp kernel;
  KernelFrame frame;
  ElementEmitter elements;
  RowStructure rows;
  Location loc;
  OpBuilder body;
  SmallVector<Value> row;
};
} // namespace

static int64_t getRank(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getRank();
}

LogicalResult RowEmitter::emit() {
  Value tensor = rows.getRowTensor();
  SmallVector<Value> shape;
  for (int64_t dim = 0; dim < getRank(tensor); ++dim)
    shape.push_back(frame.device().getDim(tensor, dim));
  row = delinearize(body, loc, frame.getBlockId(gpu::Dimension::x), shape);

  for (Operation *op : rows.reductions) {
    auto coupled = dyn_cast<kernel::CoupledReduceOp>(op);
    if (failed(coupled ? reduceCoupled(coupled)
                       : reduceNest(cast<linalg::GenericOp>(op))))
      return failure();
  }
  for (unsigned i = 0; i < rows.resultDims.size(); ++i)
    if (failed(rows.asideResults.contains(i) ? emitAsideResult(i)
                                             : emitResult(i)))
      return failure();

  Value one = frame.host().getConstant(1);
  frame.finish({frame.host().getNumElements(tensor), one, one});
  return success();
}

std::optional<SmallVector<Value>>
RowEmitter::accumulate(ArrayRef<Value> sizes, ValueRange init, StepFn step) {
  Value count = frame.device().getProduct(sizes);
  // Made without a callback, which would run before the loop is in its block
  // and so could not see what the block holds.
  auto loop = scf::ForOp::create(
      body, loc, frame.getThreadId(), count,
      frame.device().getConstant(frame.getNumThreads()), init);
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
  SmallVector<Value> state = reduceBlock(
      body, frame, *partial, [&](OpBuilder &inner, ValueRange a, ValueRange b) {
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
  SmallVector<Value> state =
      merge(body, init, reduceBlock(body, frame, *partial, merge));
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
  return success(
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
                 })
          .has_value());
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
