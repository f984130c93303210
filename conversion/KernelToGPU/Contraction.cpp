//===- Contraction.cpp - A contraction on tensor cores -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/ElementEmitter.h"
#include "conversion/KernelToGPU/Emitters.h"
#include "conversion/KernelToGPU/OperandCopy.h"
#include "conversion/KernelToGPU/TileMultiplier.h"
#include "strategy/gpu/ContractionStructure.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

namespace {

/// What both schedules of contractions say.
struct Tiling {
  int64_t m, n, k, stages;
};

/// Emits the tile of one block: a ring of stages that copies fill ahead of the
/// multiplications, then the results through the kernel's epilogue.
class ContractionEmitter {
public:
  ContractionEmitter(kernel::FuncOp kernel, Tiling tiling,
                     ContractionStructure structure, int64_t numThreads)
      : kernel(kernel), tiling(tiling), structure(std::move(structure)),
        op(cast<linalg::GenericOp>(this->structure.op.getOperation())),
        frame(kernel, numThreads), elements(frame), loc(kernel.getLoc()),
        body(frame.getBodyBuilder()) {}

  KernelFrame &getFrame() { return frame; }
  LogicalResult emit(TileMultiplier &multiplier);

private:
  SmallVector<Value> pick(ArrayRef<unsigned> loops);
  void placeBlock();
  Value getLeft(ArrayRef<unsigned> loops, Value base, int64_t tile);
  LogicalResult multiply(TileMultiplier &multiplier);
  LogicalResult emitResults(TileMultiplier &multiplier);
  LogicalResult emitResult(OpBuilder &builder, Value sum,
                           ArrayRef<Value> mCoordinates,
                           ArrayRef<Value> nCoordinates);
  void finish();

  kernel::FuncOp kernel;
  Tiling tiling;
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
  /// The thread's sums after the loop.
  SmallVector<Value> sums;
};

} // namespace

static bool isPowerOf2(int64_t x) { return x > 0 && (x & (x - 1)) == 0; }

/// Checks what all schedules of contractions share: `least` elements of m and n
/// and `leastK` of k.
static LogicalResult checkTiling(kernel::FuncOp kernel, Tiling tiling,
                                 int64_t least, int64_t leastK) {
  for (auto [size, smallest] :
       {std::pair(tiling.m, least), std::pair(tiling.n, least),
        std::pair(tiling.k, leastK)})
    if (!isPowerOf2(size) || size < smallest)
      return kernel.emitOpError("has a schedule with a tile of ")
             << size << ": a power of two from " << smallest << " on is right";
  if (tiling.stages < 2)
    return kernel.emitOpError("has a schedule with ")
           << tiling.stages << " stages: at least 2 is right";
  return success();
}

SmallVector<Value> ContractionEmitter::pick(ArrayRef<unsigned> loops) {
  SmallVector<Value> picked;
  for (unsigned loop : loops)
    picked.push_back(sizes[loop]);
  return picked;
}

/// What is left of the free dimension from `base` on, as i32; null when whole
/// tiles fill it.
Value ContractionEmitter::getLeft(ArrayRef<unsigned> loops, Value base,
                                  int64_t tile) {
  Value size = frame.device().getProduct(pick(loops));
  auto known = getConstantIntValue(size);
  if (known && *known % tile == 0)
    return {};
  LaneMath math(body, frame);
  return math.fromIndex(
      arith::MinSIOp::create(body, loc, subIndex(body, loc, size, base),
                             frame.device().getConstant(tile)));
}

/// Blocks are numbered along n, then m, then the batch.
void ContractionEmitter::placeBlock() {
  SizeValues &device = frame.device();
  Value tilesM = ceilDivIndex(body, loc, device.getProduct(pick(structure.m)),
                              device.getConstant(tiling.m));
  Value tilesN = ceilDivIndex(body, loc, device.getProduct(pick(structure.n)),
                              device.getConstant(tiling.n));
  SmallVector<Value> shape = pick(structure.batch);
  shape.push_back(tilesM);
  shape.push_back(tilesN);
  SmallVector<Value> place =
      delinearize(body, loc, frame.getBlockId(gpu::Dimension::x), shape);
  iteration.assign(op.getNumLoops(), device.getConstant(0));
  for (auto [i, loop] : llvm::enumerate(structure.batch))
    iteration[loop] = place[i];
  size_t numBatch = structure.batch.size();
  mBase = mulIndex(body, loc, place[numBatch], device.getConstant(tiling.m));
  nBase =
      mulIndex(body, loc, place[numBatch + 1], device.getConstant(tiling.n));
}

// With S stages, step t multiplies stage t % S while the copies for step
// t + S - 1 go to the stage that step t - 1 has read. One barrier a step:
//
//   wait      until the copies of this thread for step t have landed
//   barrier   so have those of all threads, and all have finished step t - 1
//   copy      for step t + S - 1
//   multiply  stage t % S
LogicalResult ContractionEmitter::multiply(TileMultiplier &multiplier) {
  SizeValues &device = frame.device();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  OperandCopy left(frame, elements, op.getInputs()[0], maps[0], structure.m,
                   structure.k, sizes);
  OperandCopy right(frame, elements, op.getInputs()[1], maps[1], structure.n,
                    structure.k, sizes);
  SharedTile leftTile = left.getTile(tiling.m, tiling.k, 0);
  SharedTile rightTile = right.getTile(tiling.n, tiling.k, leftTile.getBytes());
  int64_t stageBytes = leftTile.getBytes() + rightTile.getBytes();
  int64_t numStages = tiling.stages;
  int64_t base = frame.shared.reserve(stageBytes * numStages, 1024);
  bool async = left.isAsync() || right.isAsync();

  multiplier.begin(body, leftTile, rightTile,
                   getLeft(structure.m, mBase, tiling.m),
                   getLeft(structure.n, nBase, tiling.n));
  Value shared = emitByteAddress(body, loc, frame.getSharedBase(), base);
  Value kSize = device.getProduct(pick(structure.k));
  Value tileK = device.getConstant(tiling.k);

  auto stageAt = [&](OpBuilder &builder, Value offset) -> Value {
    return emitByteAddress(builder, loc, shared, offset);
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
                    device.getConstant(s * tiling.k))))
      return failure();

  LaneMath math(body, frame);
  SmallVector<Value> init(multiplier.getRows().size() *
                              multiplier.getColumns().size(),
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
  Value ahead = addIndex(inner, loc, loop.getInductionVar(),
                         device.getConstant((numStages - 1) * tiling.k));
  LogicalResult copied = copy(inner, stageAt(inner, writeOffset), ahead);
  SmallVector<Value> next =
      multiplier.step(inner, stageAt(inner, readOffset), carried.drop_back(2));
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
  return elements.storeResults(builder, structure.resultDims, coordinates);
}

LogicalResult ContractionEmitter::emitResults(TileMultiplier &multiplier) {
  SizeValues &device = frame.device();
  LaneMath math(body, frame);
  struct Place {
    Value inside;
    SmallVector<Value> coordinates;
  };
  auto makePlaces = [&](Value own, ArrayRef<int64_t> offsets, Value base,
                        ArrayRef<unsigned> loops) {
    SmallVector<Value> shape = pick(loops);
    Value size = device.getProduct(shape);
    Value first = addIndex(body, loc, base, math.toIndex(own));
    SmallVector<Place> places;
    for (int64_t offset : offsets) {
      Value linear = addIndex(body, loc, first, device.getConstant(offset));
      places.push_back({arith::CmpIOp::create(
                            body, loc, arith::CmpIPredicate::ult, linear, size),
                        delinearize(body, loc, linear, shape)});
    }
    return places;
  };
  SmallVector<Place> rows = makePlaces(
      multiplier.getFirstRow(body), multiplier.getRows(), mBase, structure.m);
  SmallVector<Place> columns =
      makePlaces(multiplier.getFirstColumn(body), multiplier.getColumns(),
                 nBase, structure.n);

  // In blocks of two rows and columns: fewer coordinates are live at once.
  size_t perPair = 2 * columns.size();
  for (size_t i = 0; i < sums.size(); ++i) {
    size_t r = i / perPair * 2 + i / 2 % 2;
    size_t c = i % perPair / 4 * 2 + i % 2;
    const Place &row = rows[r], &column = columns[c];
    Value inside = arith::AndIOp::create(body, loc, row.inside, column.inside);
    auto guard = scf::IfOp::create(body, loc, inside, /*withElse=*/false);
    OpBuilder guarded = guard.getThenBodyBuilder();
    if (failed(emitResult(guarded, sums[multiplier.getNumber(r, c)],
                          row.coordinates, column.coordinates)))
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
                                 host.getConstant(tiling.m)));
  blocks = mulIndex(entry, loc, blocks,
                    ceilDivIndex(entry, loc, sizeOf(structure.n),
                                 host.getConstant(tiling.n)));
  Value one = host.getConstant(1);
  frame.finish({blocks, one, one});
}

LogicalResult ContractionEmitter::emit(TileMultiplier &multiplier) {
  sizes = elements.getLoopSizes(op);
  placeBlock();
  if (failed(multiply(multiplier)) || failed(emitResults(multiplier)))
    return failure();
  finish();
  return success();
}

/// The kernel's contraction if `check` accepts the types of its operands and
/// result; else an error is reported.
static std::optional<ContractionStructure> getContraction(
    kernel::FuncOp kernel,
    LogicalResult (*check)(const ContractionStructure &, std::string *)) {
  std::string reason;
  std::optional<ContractionStructure> structure =
      analyzeContraction(kernel, &reason);
  if (structure && succeeded(check(*structure, &reason)))
    return structure;
  kernel.emitOpError("cannot be made as a contraction: ") << reason;
  return std::nullopt;
}

LogicalResult gpucodegen::emitContraction(kernel::FuncOp kernel,
                                          kernel::GPUContractionAttr schedule) {
  auto structure = getContraction(kernel, checkTensorCoreTypes);
  Tiling tiling{schedule.getTileM(), schedule.getTileN(), schedule.getTileK(),
                schedule.getStages()};
  if (!structure || failed(checkTiling(kernel, tiling, 16, 32)))
    return failure();
  int64_t warpsM = schedule.getWarpsM(), warpsN = schedule.getWarpsN();
  if (!isPowerOf2(warpsM) || !isPowerOf2(warpsN) || warpsM * warpsN > 32 ||
      tiling.m / warpsM < 16 || tiling.n / warpsN < 16)
    return kernel.emitOpError(
        "has a schedule whose warps do not divide the tile into parts of at "
        "least 16 x 16");
  Type element = getElementTypeOrSelf(structure->op.getDpsInputs()[0]);
  ContractionEmitter emitter(kernel, tiling, std::move(*structure),
                             warpsM * warpsN * 32);
  return emitter.emit(
      *createMmaMultiplier(emitter.getFrame(), element, warpsM, warpsN));
}

LogicalResult gpucodegen::emitTile(kernel::FuncOp kernel,
                                   kernel::GPUTileAttr schedule) {
  auto structure = getContraction(kernel, checkSingleTypes);
  Tiling tiling{schedule.getTileM(), schedule.getTileN(), schedule.getTileK(),
                schedule.getStages()};
  if (!structure || failed(checkTiling(kernel, tiling, 8, 8)))
    return failure();
  int64_t threadsM = schedule.getThreadsM(), threadsN = schedule.getThreadsN();
  if (!isPowerOf2(threadsM) || !isPowerOf2(threadsN) || threadsM < 8 ||
      threadsN < 8 || threadsM > tiling.m || threadsN > tiling.n)
    return kernel.emitOpError("has a schedule with ")
           << threadsM << " x " << threadsN
           << " threads: powers of two from 8 to the tile's size are right";
  ContractionEmitter emitter(kernel, tiling, std::move(*structure),
                             threadsM * threadsN);
  return emitter.emit(
      *createFmaMultiplier(emitter.getFrame(), threadsM, threadsN));
}
