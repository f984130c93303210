//===- Contraction.cpp - A contraction on tensor cores -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/ElementEmitter.h"
#include "conversion/KernelToGPU/Emitters.h"
#include "conversion/KernelToGPU/OperandCopy.h"
#include "conversion/KernelToGPU/WarpTile.h"
#include "strategy/gpu/ContractionStructure.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

namespace {

/// Emits the tile of one block: a ring of stages that copies fill ahead of the
/// multiplications, then the results through the kernel's epilogue.
class ContractionEmitter {
public:
  ContractionEmitter(kernel::FuncOp kernel, kernel::GPUContractionAttr schedule,
                     ContractionStructure structure)
      : kernel(kernel), schedule(schedule), structure(std::move(structure)),
        op(this->structure.op),
        frame(kernel, schedule.getWarpsM() * schedule.getWarpsN() * 32),
        elements(frame), loc(kernel.getLoc()), body(frame.getBodyBuilder()) {}

  LogicalResult emit();

private:
  /// Elements of the tile that belong to one warp.
  int64_t getWarpM() { return schedule.getTileM() / schedule.getWarpsM(); }
  int64_t getWarpN() { return schedule.getTileN() / schedule.getWarpsN(); }
  /// Tiles of mma: 16 x 8.
  int64_t getStepsM() { return getWarpM() / 16; }
  int64_t getStepsN() { return getWarpN() / 8; }

  LogicalResult checkSchedule();
  SmallVector<Value> pick(ArrayRef<unsigned> loops);
  void placeBlock();
  LogicalResult multiply();
  SmallVector<Value> step(OpBuilder &builder, Value stage, ValueRange sums);
  LogicalResult emitResults();
  LogicalResult emitResult(OpBuilder &builder, Value sum,
                           ArrayRef<Value> mCoordinates,
                           ArrayRef<Value> nCoordinates);
  void finish();

  kernel::FuncOp kernel;
  kernel::GPUContractionAttr schedule;
  ContractionStructure structure;
  linalg::GenericOp op;
  KernelFrame frame;
  ElementEmitter elements;
  Location loc;
  OpBuilder body;
  SmallVector<Value> sizes;

  /// The block's place: coordinates of batch loops, first elements of m and n.
  SmallVector<Value> iteration;
  Value mBase, nBase;
  /// The warp's place in the tile and the lane's number, 32 bits.
  Value warpM, warpN, lane;
  SharedTile leftTile, rightTile;
  SmallVector<FragmentLoader> loaders;
  /// The accumulators after the loop: c0..c3 of each mma tile.
  SmallVector<Value> sums;
};

} // namespace

LogicalResult ContractionEmitter::checkSchedule() {
  auto isPowerOf2 = [](int64_t x) { return x > 0 && (x & (x - 1)) == 0; };
  for (int64_t size :
       {schedule.getTileM(), schedule.getTileN(), schedule.getTileK()})
    if (!isPowerOf2(size) || size < 32)
      return kernel.emitOpError("has a schedule with a tile of ")
             << size << ": a power of two from 32 on is right";
  if (!isPowerOf2(schedule.getWarpsM()) || !isPowerOf2(schedule.getWarpsN()) ||
      frame.getNumThreads() > 1024 || getWarpM() < 16 || getWarpN() < 16)
    return kernel.emitOpError(
        "has a schedule whose warps do not divide the tile into parts of at "
        "least 16 x 16");
  if (schedule.getStages() < 2)
    return kernel.emitOpError("has a schedule with ")
           << schedule.getStages() << " stages: at least 2 is right";
  return success();
}

SmallVector<Value> ContractionEmitter::pick(ArrayRef<unsigned> loops) {
  SmallVector<Value> picked;
  for (unsigned loop : loops)
    picked.push_back(sizes[loop]);
  return picked;
}

/// Blocks are numbered along n, then m, then the batch.
void ContractionEmitter::placeBlock() {
  SizeValues &device = frame.device();
  Value tilesM = ceilDivIndex(body, loc, device.getProduct(pick(structure.m)),
                              device.getConstant(schedule.getTileM()));
  Value tilesN = ceilDivIndex(body, loc, device.getProduct(pick(structure.n)),
                              device.getConstant(schedule.getTileN()));
  SmallVector<Value> shape = pick(structure.batch);
  shape.push_back(tilesM);
  shape.push_back(tilesN);
  SmallVector<Value> place =
      delinearize(body, loc, frame.getBlockId(gpu::Dimension::x), shape);
  iteration.assign(op.getNumLoops(), device.getConstant(0));
  for (auto [i, loop] : llvm::enumerate(structure.batch))
    iteration[loop] = place[i];
  size_t numBatch = structure.batch.size();
  mBase = mulIndex(body, loc, place[numBatch],
                   device.getConstant(schedule.getTileM()));
  nBase = mulIndex(body, loc, place[numBatch + 1],
                   device.getConstant(schedule.getTileN()));

  LaneMath math(body, frame);
  Value thread = math.fromIndex(frame.getThreadId());
  lane = math.bitAnd(thread, 31);
  Value warp = math.shiftRight(thread, 5);
  warpN = math.mul(math.bitAnd(warp, schedule.getWarpsN() - 1), getWarpN());
  warpM = math.mul(math.shiftRight(warp, llvm::Log2_64(schedule.getWarpsN())),
                   getWarpM());
}

/// One stage's multiplications.
SmallVector<Value> ContractionEmitter::step(OpBuilder &builder, Value stage,
                                            ValueRange carried) {
  LaneMath math(builder, frame);
  SmallVector<Value> next(carried);
  Type element = getElementTypeOrSelf(op.getInputs()[0].getType());
  bool half = element.isF16();
  Type pair = VectorType::get({2}, element);
  auto asOperand = [&](Value bits) -> Value {
    return half ? LLVM::BitcastOp::create(builder, loc, pair, bits) : bits;
  };
  auto multiplicand = half ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  auto result = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(4, builder.getF32Type()));
  for (int64_t k = 0; k < schedule.getTileK() / 16; ++k) {
    SmallVector<SmallVector<Value>> left;
    for (int64_t m = 0; m < getStepsM(); ++m) {
      left.push_back(loaders[0].load(builder, math, frame, stage, m, k));
      for (Value &value : left.back())
        value = asOperand(value);
    }
    for (int64_t n = 0; n < getStepsN(); n += 2) {
      SmallVector<Value> right =
          loaders[1].load(builder, math, frame, stage, n / 2, k);
      for (Value &value : right)
        value = asOperand(value);
      for (int64_t m = 0; m < getStepsM(); ++m)
        for (int64_t h = 0; h < 2; ++h) {
          auto first = static_cast<size_t>((m * getStepsN() + n + h) * 4);
          SmallVector<Value> c(next.begin() + first, next.begin() + first + 4);
          SmallVector<Value> b{right[static_cast<size_t>(2 * h)],
                               right[static_cast<size_t>(2 * h + 1)]};
          Value product = NVVM::MmaOp::create(
              builder, loc, result, left[static_cast<size_t>(m)], b, c,
              ArrayRef<int64_t>{16, 8, 16}, std::nullopt, std::nullopt,
              std::array<NVVM::MMATypes, 2>{multiplicand, multiplicand},
              std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                             NVVM::MMALayout::col});
          for (size_t i = 0; i < 4; ++i)
            next[first + i] = LLVM::ExtractValueOp::create(
                builder, loc, product, static_cast<int64_t>(i));
        }
    }
  }
  return next;
}

// With S stages, step t multiplies stage t % S while the copies for step
// t + S - 1 go to the stage that step t - 1 has read. One barrier a step:
//
//   wait      until the copies of this thread for step t have landed
//   barrier   so have those of all threads, and all have finished step t - 1
//   copy      for step t + S - 1
//   multiply  stage t % S
LogicalResult ContractionEmitter::multiply() {
  SizeValues &device = frame.device();
  OperandCopy left(frame, elements, op, 0, structure.m, structure.k, sizes);
  OperandCopy right(frame, elements, op, 1, structure.n, structure.k, sizes);
  leftTile = left.getTile(schedule.getTileM(), schedule.getTileK(), 0);
  rightTile = right.getTile(schedule.getTileN(), schedule.getTileK(),
                            leftTile.getBytes());
  int64_t stageBytes = leftTile.getBytes() + rightTile.getBytes();
  int64_t numStages = schedule.getStages();
  int64_t base = frame.shared.reserve(stageBytes * numStages, 1024);
  bool async = left.isAsync() || right.isAsync();

  {
    LaneMath math(body, frame);
    loaders.emplace_back(math, leftTile, /*isLeft=*/true, lane, warpM);
    loaders.emplace_back(math, rightTile, /*isLeft=*/false, lane, warpN);
  }
  Value shared = emitByteAddress(body, loc, frame.getSharedBase(), base);
  Value kSize = device.getProduct(pick(structure.k));
  Value tileK = device.getConstant(schedule.getTileK());

  auto stageAt = [&](OpBuilder &builder, Value offset) -> Value {
    return LLVM::GEPOp::create(builder, loc, shared.getType(),
                               builder.getI8Type(), shared,
                               ArrayRef<LLVM::GEPArg>{offset});
  };
  auto copy = [&](OpBuilder &builder, Value stage,
                  Value kBase) -> LogicalResult {
    if (failed(left.emit(builder, leftTile, stage, iteration, mBase, kBase)) ||
        failed(right.emit(builder, rightTile, stage, iteration, nBase, kBase)))
      return failure();
    // Also an empty group counts: so the number of groups is that of steps.
    if (async)
      NVVM::CpAsyncCommitGroupOp::create(builder, loc);
    return success();
  };
  for (int64_t s = 0; s + 1 < numStages; ++s)
    if (failed(copy(body, emitByteAddress(body, loc, shared, s * stageBytes),
                    device.getConstant(s * schedule.getTileK()))))
      return failure();

  LaneMath math(body, frame);
  SmallVector<Value> init(static_cast<size_t>(getStepsM() * getStepsN() * 4),
                          device.getConstant(body.getF32FloatAttr(0)));
  init.push_back(math.constant(0));
  init.push_back(math.constant((numStages - 1) * stageBytes));
  auto loop =
      scf::ForOp::create(body, loc, device.getConstant(0), kSize, tileK, init);
  OpBuilder inner = OpBuilder::atBlockEnd(loop.getBody());
  ValueRange carried = loop.getRegionIterArgs();
  Value readOffset = carried[carried.size() - 2], writeOffset = carried.back();
  if (async)
    NVVM::CpAsyncWaitGroupOp::create(inner, loc,
                                     static_cast<uint32_t>(numStages - 2));
  gpu::BarrierOp::create(inner, loc);
  Value ahead =
      addIndex(inner, loc, loop.getInductionVar(),
               device.getConstant((numStages - 1) * schedule.getTileK()));
  LogicalResult copied = copy(inner, stageAt(inner, writeOffset), ahead);
  SmallVector<Value> next =
      step(inner, stageAt(inner, readOffset), carried.drop_back(2));
  LaneMath inside(inner, frame);
  auto advance = [&](Value offset) -> Value {
    Value moved = inside.add(offset, inside.constant(stageBytes));
    Value wraps =
        arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::eq, moved,
                              inside.constant(numStages * stageBytes));
    return arith::SelectOp::create(inner, loc, wraps, inside.constant(0),
                                   moved);
  };
  next.push_back(advance(readOffset));
  next.push_back(advance(writeOffset));
  scf::YieldOp::create(inner, loc, next);
  ResultRange results = loop.getResults().drop_back(2);
  sums.assign(results.begin(), results.end());
  return copied;
}

LogicalResult ContractionEmitter::emitResult(OpBuilder &builder, Value sum,
                                             ArrayRef<Value> mCoordinates,
                                             ArrayRef<Value> nCoordinates) {
  SmallVector<Value> full(iteration);
  for (auto [loop, value] : llvm::zip_equal(structure.m, mCoordinates))
    full[loop] = value;
  for (auto [loop, value] : llvm::zip_equal(structure.n, nCoordinates))
    full[loop] = value;
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap map = op.getMatchingIndexingMap(init);
  SmallVector<Value> coordinates = elements.applyMap(builder, map, full);
  Value start = elements.emit(builder, init->get(), coordinates);
  if (!start)
    return failure();
  Type type = start.getType();
  if (!matchPattern(start, m_AnyZeroFloat()))
    sum = arith::AddFOp::create(
        builder, loc, emitFloatCast(builder, loc, start, sum.getType()), sum);
  // All of k is accumulated in f32, also where the result is narrower.
  sum = emitFloatCast(builder, loc, sum, type);
  elements.supply(op.getResult(0), coordinates, sum);
  for (auto [i, result] : llvm::enumerate(kernel.getReturnOp().getOperands())) {
    SmallVector<Value> place(coordinates.size());
    for (auto [dim, coordinate] :
         llvm::zip_equal(structure.resultDims[i], coordinates))
      place[static_cast<size_t>(dim)] = coordinate;
    Value value = elements.emit(builder, result, place);
    if (!value)
      return failure();
    elements.store(builder, kernel.getDestination(static_cast<unsigned>(i)),
                   place, value);
  }
  return success();
}

// Lane 4 g + t holds, of each 16 x 8 tile, (g, 2 t), (g, 2 t + 1),
// (g + 8, 2 t), (g + 8, 2 t + 1).
LogicalResult ContractionEmitter::emitResults() {
  SizeValues &device = frame.device();
  LaneMath math(body, frame);
  Value mSize = device.getProduct(pick(structure.m));
  Value nSize = device.getProduct(pick(structure.n));
  Value m0 = addIndex(body, loc, mBase,
                      math.toIndex(math.add(warpM, math.shiftRight(lane, 2))));
  Value n0 = addIndex(
      body, loc, nBase,
      math.toIndex(math.add(warpN, math.mul(math.bitAnd(lane, 3), 2))));

  struct Place {
    Value inside;
    SmallVector<Value> coordinates;
  };
  auto makePlace = [&](Value first, int64_t step, Value size,
                       ArrayRef<unsigned> loops) {
    Value linear = addIndex(body, loc, first, device.getConstant(step));
    Place place;
    place.inside = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult,
                                         linear, size);
    place.coordinates = delinearize(body, loc, linear, pick(loops));
    return place;
  };
  SmallVector<Place> rows, columns;
  for (int64_t m = 0; m < getStepsM() * 2; ++m)
    rows.push_back(makePlace(m0, 8 * m, mSize, structure.m));
  for (int64_t n = 0; n < getStepsN(); ++n)
    for (int64_t i = 0; i < 2; ++i)
      columns.push_back(makePlace(n0, 8 * n + i, nSize, structure.n));

  for (auto [number, sum] : llvm::enumerate(sums)) {
    size_t tile = number / 4, i = number % 4;
    auto stepsN = static_cast<size_t>(getStepsN());
    const Place &row = rows[tile / stepsN * 2 + i / 2];
    const Place &column = columns[tile % stepsN * 2 + i % 2];
    Value inside = arith::AndIOp::create(body, loc, row.inside, column.inside);
    auto guard = scf::IfOp::create(body, loc, inside, /*withElse=*/false);
    OpBuilder guarded = guard.getThenBodyBuilder();
    if (failed(emitResult(guarded, sum, row.coordinates, column.coordinates)))
      return failure();
  }
  return success();
}

void ContractionEmitter::finish() {
  SizeValues &host = frame.host();
  OpBuilder entry = frame.getEntryBuilder();
  auto sizeOf = [&](ArrayRef<unsigned> loops) {
    SmallVector<Value> factors;
    for (unsigned loop : loops)
      for (OpOperand &operand : op->getOpOperands()) {
        AffineMap map = op.getMatchingIndexingMap(&operand);
        auto dim = map.getResultPosition(entry.getAffineDimExpr(loop));
        if (!dim)
          continue;
        factors.push_back(host.getDim(operand.get(), *dim));
        break;
      }
    return host.getProduct(factors);
  };
  Value blocks = sizeOf(structure.batch);
  blocks = mulIndex(entry, loc, blocks,
                    ceilDivIndex(entry, loc, sizeOf(structure.m),
                                 host.getConstant(schedule.getTileM())));
  blocks = mulIndex(entry, loc, blocks,
                    ceilDivIndex(entry, loc, sizeOf(structure.n),
                                 host.getConstant(schedule.getTileN())));
  Value one = host.getConstant(1);
  frame.finish({blocks, one, one});
}

LogicalResult ContractionEmitter::emit() {
  if (failed(checkSchedule()))
    return failure();
  sizes = elements.getLoopSizes(op);
  placeBlock();
  if (failed(multiply()) || failed(emitResults()))
    return failure();
  finish();
  return success();
}

LogicalResult gpucodegen::emitContraction(kernel::FuncOp kernel,
                                          kernel::GPUContractionAttr schedule) {
  std::string reason;
  std::optional<ContractionStructure> structure =
      analyzeContraction(kernel, &reason);
  if (!structure)
    return kernel.emitOpError("cannot be made as a contraction: ") << reason;
  Type a = getElementTypeOrSelf(structure->op.getInputs()[0].getType());
  Type b = getElementTypeOrSelf(structure->op.getInputs()[1].getType());
  Type result = getElementTypeOrSelf(structure->op.getResultTypes()[0]);
  if (a != b || !(a.isF16() || a.isBF16()) || (!result.isF32() && result != a))
    return kernel.emitOpError("cannot be made as a contraction: tensor cores "
                              "multiply f16 or bf16 and accumulate in f32");
  return ContractionEmitter(kernel, schedule, std::move(*structure)).emit();
}
