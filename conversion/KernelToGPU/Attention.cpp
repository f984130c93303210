//===- Attention.cpp - Attention on tensor cores ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/ElementEmitter.h"
#include "conversion/KernelToGPU/Emitters.h"
#include "conversion/KernelToGPU/OperandCopy.h"
#include "conversion/KernelToGPU/WarpTile.h"
#include "strategy/gpu/AttentionStructure.h"
#include "strategy/gpu/ResultDims.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

namespace {

/// Emits what one block makes: 16 queries a warp against all keys, a tile of
/// keys and values at a time, with an online softmax.
///
/// Of each 16 x 8 tile of mma lane 4 g + t holds (g, 2 t), (g, 2 t + 1),
/// (g + 8, 2 t), (g + 8, 2 t + 1): a lane has two queries, and four lanes share
/// one. Two such tiles of probabilities side by side are the left operand of
/// the next mma as they are.
class AttentionEmitter {
public:
  AttentionEmitter(kernel::FuncOp kernel, kernel::GPUAttentionAttr schedule,
                   AttentionStructure structure)
      : kernel(kernel), schedule(schedule), structure(std::move(structure)),
        op(this->structure.op), frame(kernel, schedule.getWarps() * 32),
        elements(frame), loc(kernel.getLoc()), body(frame.getBodyBuilder()),
        numBatch(op.getNumBatch()), s(numBatch), t(numBatch + 1),
        d(numBatch + 2), e(numBatch + 3) {}

  LogicalResult emit();

private:
  /// What the loop over keys carries, and where it lies among its values.
  struct State {
    /// Sums of the result, 4 a tile of mma; the greatest score and the lane's
    /// part of the sum of exponentials of each of its two queries.
    SmallVector<Value> sums, greatest, total;
  };

  Value sizeOf(SizeValues &values, unsigned loop);
  void placeBlock();
  LogicalResult emitLoop();
  void loadQueries(Value base);
  /// Whether the warp sees the whole tile of keys at `firstKey`; null when it
  /// is known to.
  Value seesAll(OpBuilder &builder, Value firstKey);
  /// Runs `body(builder, guarded, values)`, guarded unless `whole` holds.
  LogicalResult
  emitGuarded(OpBuilder &builder, Value whole, SmallVectorImpl<Value> &values,
              llvm::function_ref<LogicalResult(OpBuilder &, bool,
                                               MutableArrayRef<Value>)>
                  body);
  /// Runs `body(builder, values)` if some key from `key` on is seen, or always
  /// when not `guarded`.
  void
  emitSeen(OpBuilder &builder, Value key, bool guarded,
           MutableArrayRef<Value> values,
           llvm::function_ref<void(OpBuilder &, MutableArrayRef<Value>)> body);
  void multiplyKeys(OpBuilder &builder, Value stage, Value firstKey,
                    bool guarded, MutableArrayRef<Value> scores);
  LogicalResult emitScores(OpBuilder &builder, Value firstKey, bool guarded,
                           MutableArrayRef<Value> scores);
  Value emitScore(OpBuilder &builder, Value product, Value query, Value key);
  void addSoftmax(OpBuilder &builder, SmallVectorImpl<Value> &scores,
                  State &state);
  void multiplyValues(OpBuilder &builder, Value stage, Value firstKey,
                      bool guarded, ArrayRef<Value> scores,
                      MutableArrayRef<Value> sums);
  LogicalResult emitResults();
  LogicalResult emitResult(OpBuilder &builder, Value query, Value feature,
                           Value value);
  void finish();

  /// d += a b, of one 16 x 8 x 16 tile.
  void multiply(OpBuilder &builder, ArrayRef<Value> a, ArrayRef<Value> b,
                MutableArrayRef<Value> sums);
  /// Joins a value with those of the lanes that share its query.
  Value joinLanes(OpBuilder &builder, Value value,
                  llvm::function_ref<Value(Value, Value)> join);
  /// Registers of ldmatrix as operands of mma.
  SmallVector<Value> load(OpBuilder &builder, const FragmentLoader &loader,
                          Value base, int64_t free, int64_t k);
  Value constant(double value) {
    return frame.device().getConstant(
        body.getF32FloatAttr(static_cast<float>(value)));
  }

  kernel::FuncOp kernel;
  kernel::GPUAttentionAttr schedule;
  AttentionStructure structure;
  kernel::AttentionOp op;
  KernelFrame frame;
  ElementEmitter elements;
  Location loc;
  OpBuilder body;
  unsigned numBatch, s, t, d, e;
  Type element;
  SmallVector<Value> sizes;

  /// Features of keys and values that tiles in shared memory hold (powers of
  /// two), and steps of 16 that are multiplied.
  int64_t tileD = 0, tileE = 0, stepsD = 0, stepsE = 0;
  /// The block's coordinates of batch loops; its first query.
  SmallVector<Value> iteration;
  Value firstQuery;
  Value lane, warp;
  /// The warp's first query; the keys that its last one sees, 0 where it has no
  /// query.
  Value warpQuery, keysSeen;
  SmallVector<SmallVector<Value>> queries;
  SmallVector<FragmentLoader> loaders;
  State last;
};

} // namespace

Value AttentionEmitter::sizeOf(SizeValues &values, unsigned loop) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMap(operand.getOperandNumber());
    if (auto dim = map.getResultPosition(body.getAffineDimExpr(loop)))
      return values.getDim(operand.get(), *dim);
  }
  return {};
}

/// Whether tiles fill a size.
static bool isWhole(Value size, int64_t tile) {
  auto known = getConstantIntValue(size);
  return known && *known % tile == 0;
}

/// Blocks are numbered along the queries, then the batch.
void AttentionEmitter::placeBlock() {
  SizeValues &device = frame.device();
  for (unsigned loop = 0; loop < numBatch + 4; ++loop)
    sizes.push_back(sizeOf(device, loop));
  int64_t tileS = 16 * schedule.getWarps();
  SmallVector<Value> shape(sizes.begin(), sizes.begin() + numBatch);
  shape.push_back(ceilDivIndex(body, loc, sizes[s], device.getConstant(tileS)));
  SmallVector<Value> place =
      delinearize(body, loc, frame.getBlockId(gpu::Dimension::x), shape);
  iteration.assign(numBatch + 4, device.getConstant(0));
  std::copy(place.begin(), place.begin() + numBatch, iteration.begin());
  firstQuery = mulIndex(body, loc, place.back(), device.getConstant(tileS));

  LaneMath math(body, frame);
  Value thread = math.fromIndex(frame.getThreadId());
  lane = math.bitAnd(thread, 31);
  warp = math.shiftRight(thread, 5);
  warpQuery = addIndex(body, loc, firstQuery, math.toIndex(math.mul(warp, 16)));
  keysSeen = sizes[t];
  if (op.getCausal())
    keysSeen = arith::MinUIOp::create(
        body, loc, keysSeen,
        addIndex(body, loc, warpQuery, device.getConstant(16)));
  if (!isWhole(sizes[s], tileS)) {
    Value some = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult,
                                       warpQuery, sizes[s]);
    keysSeen = arith::SelectOp::create(body, loc, some, keysSeen,
                                       device.getConstant(0));
  }
}

void AttentionEmitter::multiply(OpBuilder &builder, ArrayRef<Value> a,
                                ArrayRef<Value> b,
                                MutableArrayRef<Value> sums) {
  auto multiplicand =
      element.isF16() ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  auto type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(4, builder.getF32Type()));
  Value product = NVVM::MmaOp::create(
      builder, loc, type, a, b, sums, ArrayRef<int64_t>{16, 8, 16},
      std::nullopt, std::nullopt,
      std::array<NVVM::MMATypes, 2>{multiplicand, multiplicand},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  for (auto [i, sum] : llvm::enumerate(sums))
    sum = LLVM::ExtractValueOp::create(builder, loc, product,
                                       static_cast<int64_t>(i));
}

SmallVector<Value> AttentionEmitter::load(OpBuilder &builder,
                                          const FragmentLoader &loader,
                                          Value base, int64_t free, int64_t k) {
  LaneMath math(builder, frame);
  SmallVector<Value> registers =
      loader.load(builder, math, frame, base, free, k);
  if (element.isF16())
    for (Value &value : registers)
      value = LLVM::BitcastOp::create(builder, loc,
                                      VectorType::get({2}, element), value);
  return registers;
}

Value AttentionEmitter::joinLanes(
    OpBuilder &builder, Value value,
    llvm::function_ref<Value(Value, Value)> join) {
  LaneMath math(builder, frame);
  for (int64_t distance : {1, 2}) {
    Value other =
        NVVM::ShflOp::create(builder, loc, value.getType(), math.constant(-1),
                             value, math.constant(distance), math.constant(31),
                             NVVM::ShflKind::bfly, UnitAttr());
    value = join(value, other);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// One step: a tile of keys
//===----------------------------------------------------------------------===//

Value AttentionEmitter::seesAll(OpBuilder &builder, Value firstKey) {
  SizeValues &device = frame.device();
  // Most do: they need no conditions.
  Value all;
  auto holds = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    Value one = arith::CmpIOp::create(builder, loc, predicate, a, b);
    all = all ? Value(arith::AndIOp::create(builder, loc, all, one)) : one;
  };
  Value lastKey = addIndex(builder, loc, firstKey,
                           device.getConstant(schedule.getKeys() - 1));
  if (!isWhole(sizes[t], schedule.getKeys()))
    holds(arith::CmpIPredicate::ult, lastKey, sizes[t]);
  if (op.getCausal())
    holds(arith::CmpIPredicate::ule, lastKey, warpQuery);
  if (!isWhole(sizes[s], 16 * schedule.getWarps()))
    holds(arith::CmpIPredicate::ule,
          addIndex(builder, loc, warpQuery, device.getConstant(16)), sizes[s]);
  return all;
}

LogicalResult AttentionEmitter::emitGuarded(
    OpBuilder &builder, Value whole, SmallVectorImpl<Value> &values,
    llvm::function_ref<LogicalResult(OpBuilder &, bool, MutableArrayRef<Value>)>
        body) {
  if (!whole)
    return body(builder, /*guarded=*/false, values);
  auto branch = scf::IfOp::create(builder, loc, ValueRange(values).getTypes(),
                                  whole, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  LogicalResult result = success();
  for (bool guarded : {false, true}) {
    OpBuilder inside = OpBuilder::atBlockEnd(guarded ? branch.elseBlock()
                                                     : branch.thenBlock());
    SmallVector<Value> own(values.begin(), values.end());
    if (failed(body(inside, guarded, own))) {
      result = failure();
      own.assign(values.begin(), values.end());
    }
    scf::YieldOp::create(inside, loc, own);
  }
  llvm::copy(branch.getResults(), values.begin());
  return result;
}

void AttentionEmitter::emitSeen(
    OpBuilder &builder, Value key, bool guarded, MutableArrayRef<Value> values,
    llvm::function_ref<void(OpBuilder &, MutableArrayRef<Value>)> body) {
  if (!guarded) {
    body(builder, values);
    return;
  }
  Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                     key, keysSeen);
  auto branch = scf::IfOp::create(builder, loc, ValueRange(values).getTypes(),
                                  some, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  OpBuilder then = OpBuilder::atBlockEnd(branch.thenBlock());
  SmallVector<Value> own(values.begin(), values.end());
  body(then, own);
  scf::YieldOp::create(then, loc, own);
  OpBuilder otherwise = OpBuilder::atBlockEnd(branch.elseBlock());
  scf::YieldOp::create(otherwise, loc, ValueRange(values));
  llvm::copy(branch.getResults(), values.begin());
}

void AttentionEmitter::multiplyKeys(OpBuilder &builder, Value stage,
                                    Value firstKey, bool guarded,
                                    MutableArrayRef<Value> scores) {
  for (int64_t n = 0; n < schedule.getKeys() / 16; ++n) {
    Value key =
        addIndex(builder, loc, firstKey, frame.device().getConstant(16 * n));
    emitSeen(builder, key, guarded, scores.slice(8 * static_cast<size_t>(n), 8),
             [&](OpBuilder &inside, MutableArrayRef<Value> own) {
               for (int64_t k = 0; k < stepsD; ++k) {
                 SmallVector<Value> right =
                     load(inside, loaders[0], stage, n, k);
                 for (size_t half = 0; half < 2; ++half)
                   multiply(inside, queries[static_cast<size_t>(k)],
                            ArrayRef(right).slice(2 * half, 2),
                            own.slice(4 * half, 4));
               }
             });
  }
}

Value AttentionEmitter::emitScore(OpBuilder &builder, Value product,
                                  Value query, Value key) {
  SmallVector<Value> place(iteration);
  place[s] = query;
  place[t] = key;
  SmallVector<Value> arguments{arith::MulFOp::create(
      builder, loc, product, constant(op.getScale().convertToDouble()))};
  for (unsigned i = 3; i + 1 < op->getNumOperands(); ++i) {
    arguments.push_back(
        elements.emit(builder, op->getOperand(i),
                      elements.applyMap(builder, op.getMap(i), place)));
    if (!arguments.back())
      return {};
  }
  SmallVector<Value> yielded =
      elements.inlineRegion(builder, op.getScore(), arguments, place);
  return yielded.empty() ? Value() : yielded.front();
}

LogicalResult AttentionEmitter::emitScores(OpBuilder &builder, Value firstKey,
                                           bool guarded,
                                           MutableArrayRef<Value> scores) {
  LaneMath math(builder, frame);
  Value lowest = constant(-std::numeric_limits<double>::infinity());
  Value query =
      addIndex(builder, loc, warpQuery, math.toIndex(math.shiftRight(lane, 2)));
  Value key = addIndex(builder, loc, firstKey,
                       math.toIndex(math.mul(math.bitAnd(lane, 3), 2)));
  bool reads = op->getNumOperands() > 4;
  SmallVector<Value> queryOf, keyOf;
  for (int64_t i = 0; i < 2; ++i)
    queryOf.push_back(
        addIndex(builder, loc, query, frame.device().getConstant(8 * i)));
  for (int64_t n = 0; n < schedule.getKeys() / 8; ++n)
    for (int64_t j = 0; j < 2; ++j)
      keyOf.push_back(
          addIndex(builder, loc, key, frame.device().getConstant(8 * n + j)));
  auto compare = [&](arith::CmpIPredicate predicate, Value a,
                     Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  };
  for (size_t number = 0; number < scores.size(); ++number) {
    Value q = queryOf[number % 4 / 2];
    Value k = keyOf[number / 4 * 2 + number % 2];
    Value &score = scores[number];
    if (!guarded) {
      score = emitScore(builder, score, q, k);
      if (!score)
        return failure();
      continue;
    }
    Value visible = compare(arith::CmpIPredicate::ult, k, sizes[t]);
    auto also = [&](Value condition) {
      visible = arith::AndIOp::create(builder, loc, visible, condition);
    };
    if (op.getCausal())
      also(compare(arith::CmpIPredicate::ule, k, q));
    if (!reads) {
      Value value = emitScore(builder, score, q, k);
      if (!value)
        return failure();
      score = arith::SelectOp::create(builder, loc, visible, value, lowest);
      continue;
    }
    // What is beyond the operands must not be read.
    also(compare(arith::CmpIPredicate::ult, q, sizes[s]));
    auto branch = scf::IfOp::create(builder, loc, TypeRange(score.getType()),
                                    visible, /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    OpBuilder then = OpBuilder::atBlockEnd(branch.thenBlock());
    Value value = emitScore(then, score, q, k);
    scf::YieldOp::create(then, loc, value ? value : score);
    OpBuilder otherwise = OpBuilder::atBlockEnd(branch.elseBlock());
    scf::YieldOp::create(otherwise, loc, lowest);
    if (!value)
      return failure();
    score = branch.getResult(0);
  }
  return success();
}

// m' = max(m, scores), l' = l exp(m - m') + sum of exp(scores - m'), and sums
// of the result times exp(m - m').
void AttentionEmitter::addSoftmax(OpBuilder &builder,
                                  SmallVectorImpl<Value> &scores,
                                  State &state) {
  Value zero = constant(0);
  Value lowest = constant(-std::numeric_limits<double>::infinity());
  auto max = [&](Value a, Value b) -> Value {
    return arith::MaximumFOp::create(builder, loc, a, b);
  };
  auto exponential = [&](Value x, Value origin) -> Value {
    return math::ExpOp::create(builder, loc,
                               arith::SubFOp::create(builder, loc, x, origin));
  };
  for (size_t i = 0; i < 2; ++i) {
    auto isOwn = [&](size_t number) { return number % 4 / 2 == i; };
    Value greatest;
    for (auto [number, score] : llvm::enumerate(scores))
      if (isOwn(number))
        greatest = greatest ? max(greatest, score) : score;
    greatest = max(state.greatest[i], joinLanes(builder, greatest, max));
    // Before the first score that is not -inf, -inf - -inf would be NaN.
    Value none = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                       greatest, lowest);
    Value origin = arith::SelectOp::create(builder, loc, none, zero, greatest);
    Value keep = exponential(state.greatest[i], origin);
    Value total = arith::MulFOp::create(builder, loc, state.total[i], keep);
    for (auto [number, score] : llvm::enumerate(scores))
      if (isOwn(number)) {
        score = exponential(score, origin);
        total = arith::AddFOp::create(builder, loc, total, score);
      }
    for (auto [number, sum] : llvm::enumerate(state.sums))
      if (isOwn(number))
        sum = arith::MulFOp::create(builder, loc, sum, keep);
    state.greatest[i] = greatest;
    state.total[i] = total;
  }
}

void AttentionEmitter::multiplyValues(OpBuilder &builder, Value stage,
                                      Value firstKey, bool guarded,
                                      ArrayRef<Value> scores,
                                      MutableArrayRef<Value> sums) {
  LaneMath math(builder, frame);
  Type pair = VectorType::get({2}, element);
  auto pack = [&](OpBuilder &inside, Value low, Value high) -> Value {
    Value packed = LLVM::PoisonOp::create(inside, loc, pair);
    const Value parts[] = {low, high};
    for (auto [i, value] : llvm::enumerate(parts))
      packed = LLVM::InsertElementOp::create(
          inside, loc, packed,
          arith::TruncFOp::create(inside, loc, element, value),
          math.constant(static_cast<int64_t>(i)));
    if (element.isF16())
      return packed;
    return LLVM::BitcastOp::create(inside, loc, inside.getI32Type(), packed);
  };
  for (int64_t k = 0; k < schedule.getKeys() / 16; ++k) {
    Value key =
        addIndex(builder, loc, firstKey, frame.device().getConstant(16 * k));
    emitSeen(
        builder, key, guarded, sums,
        [&](OpBuilder &inside, MutableArrayRef<Value> own) {
          SmallVector<Value> left;
          for (size_t i = 0; i < 8; i += 2) {
            size_t first = 8 * static_cast<size_t>(k) + i;
            left.push_back(pack(inside, scores[first], scores[first + 1]));
          }
          for (int64_t n = 0; n < stepsE; ++n) {
            SmallVector<Value> right = load(inside, loaders[1], stage, n, k);
            for (size_t half = 0; half < 2; ++half)
              multiply(inside, left, ArrayRef(right).slice(2 * half, 2),
                       own.slice(8 * static_cast<size_t>(n) + 4 * half, 4));
          }
        });
  }
}

//===----------------------------------------------------------------------===//
// The loop over keys
//===----------------------------------------------------------------------===//

// With S stages, step i multiplies stage i % S while the copies for step
// i + S - 1 go to the stage that step i - 1 has read: as in a contraction. The
// queries come first and stay in registers.
LogicalResult AttentionEmitter::emitLoop() {
  SizeValues &device = frame.device();
  int64_t numStages = schedule.getStages(), tileT = schedule.getKeys();
  OperandCopy copyQ(frame, elements, op.getQueries(), op.getMap(0), {s}, {d},
                    sizes);
  OperandCopy copyK(frame, elements, op.getKeys(), op.getMap(1), {t}, {d},
                    sizes);
  OperandCopy copyV(frame, elements, op.getValues(), op.getMap(2), {e}, {t},
                    sizes);
  SharedTile tileQ = copyQ.getTile(16 * schedule.getWarps(), tileD, 0);
  SharedTile tileK = copyK.getTile(tileT, tileD, 0);
  SharedTile tileV = copyV.getTile(tileE, tileT, tileK.getBytes());
  int64_t stageBytes = tileK.getBytes() + tileV.getBytes();
  int64_t baseQ = frame.shared.reserve(tileQ.getBytes(), 1024);
  int64_t base = frame.shared.reserve(numStages * stageBytes, 1024);
  Value sharedQ = emitByteAddress(body, loc, frame.getSharedBase(), baseQ);
  Value shared = emitByteAddress(body, loc, frame.getSharedBase(), base);
  bool async = copyQ.isAsync() || copyK.isAsync() || copyV.isAsync();
  auto commit = [&](OpBuilder &builder) {
    if (async)
      NVVM::CpAsyncCommitGroupOp::create(builder, loc);
  };
  auto wait = [&](OpBuilder &builder, int64_t groups) {
    if (async)
      NVVM::CpAsyncWaitGroupOp::create(builder, loc,
                                       static_cast<uint32_t>(groups));
    gpu::BarrierOp::create(builder, loc);
  };
  Value zero = device.getConstant(0);
  auto copy = [&](OpBuilder &builder, Value stage, Value key) -> LogicalResult {
    if (failed(copyK.emit(builder, tileK, stage, iteration, key, zero)) ||
        failed(copyV.emit(builder, tileV, stage, iteration, zero, key)))
      return failure();
    // Also an empty group counts: so the number of groups is that of steps.
    commit(builder);
    return success();
  };

  if (failed(copyQ.emit(body, tileQ, sharedQ, iteration, firstQuery, zero)))
    return failure();
  commit(body);
  for (int64_t i = 0; i + 1 < numStages; ++i)
    if (failed(copy(body, emitByteAddress(body, loc, shared, i * stageBytes),
                    device.getConstant(i * tileT))))
      return failure();
  {
    LaneMath math(body, frame);
    FragmentLoader loaderQ(math, tileQ, /*isLeft=*/true, lane,
                           math.mul(warp, 16));
    loaders.emplace_back(math, tileK, /*isLeft=*/false, lane, math.constant(0));
    loaders.emplace_back(math, tileV, /*isLeft=*/false, lane, math.constant(0));
    wait(body, numStages - 1);
    for (int64_t k = 0; k < stepsD; ++k)
      queries.push_back(load(body, loaderQ, sharedQ, 0, k));
  }

  // Keys behind the block's last query are not seen by any.
  Value end = sizes[t];
  if (op.getCausal())
    end = arith::MinUIOp::create(
        body, loc, end,
        addIndex(body, loc, firstQuery,
                 device.getConstant(16 * schedule.getWarps())));
  LaneMath math(body, frame);
  auto numSums = static_cast<size_t>(8 * stepsE);
  SmallVector<Value> init(numSums, constant(0));
  init.append(2, constant(-std::numeric_limits<double>::infinity()));
  init.append(2, constant(0));
  init.push_back(math.constant(0));
  init.push_back(math.constant((numStages - 1) * stageBytes));
  auto loop =
      scf::ForOp::create(body, loc, zero, end, device.getConstant(tileT), init);
  OpBuilder inner = OpBuilder::atBlockEnd(loop.getBody());
  auto getState = [&](ValueRange values) {
    State state;
    state.sums.assign(values.begin(), values.begin() + numSums);
    state.greatest.assign(values.begin() + numSums,
                          values.begin() + numSums + 2);
    state.total.assign(values.begin() + numSums + 2,
                       values.begin() + numSums + 4);
    return state;
  };
  ValueRange carried = loop.getRegionIterArgs();
  State state = getState(carried);
  Value readOffset = carried[numSums + 4], writeOffset = carried[numSums + 5];
  Value key = loop.getInductionVar();
  wait(inner, numStages - 2);
  LogicalResult result = copy(
      inner, emitByteAddress(inner, loc, shared, writeOffset),
      addIndex(inner, loc, key, device.getConstant((numStages - 1) * tileT)));
  Value stage = emitByteAddress(inner, loc, shared, readOffset);
  Value whole = seesAll(inner, key);
  SmallVector<Value> scores(static_cast<size_t>(tileT / 2), constant(0));
  if (failed(emitGuarded(
          inner, whole, scores,
          [&](OpBuilder &inside, bool guarded, MutableArrayRef<Value> values) {
            multiplyKeys(inside, stage, key, guarded, values);
            return emitScores(inside, key, guarded, values);
          })))
    result = failure();
  addSoftmax(inner, scores, state);
  (void)emitGuarded(
      inner, whole, state.sums,
      [&](OpBuilder &inside, bool guarded, MutableArrayRef<Value> values) {
        multiplyValues(inside, stage, key, guarded, scores, values);
        return success();
      });

  LaneMath inside(inner, frame);
  auto advance = [&](Value offset) -> Value {
    Value moved = inside.add(offset, inside.constant(stageBytes));
    Value wraps =
        arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::eq, moved,
                              inside.constant(numStages * stageBytes));
    return arith::SelectOp::create(inner, loc, wraps, inside.constant(0),
                                   moved);
  };
  SmallVector<Value> next = state.sums;
  llvm::append_range(next, state.greatest);
  llvm::append_range(next, state.total);
  next.push_back(advance(readOffset));
  next.push_back(advance(writeOffset));
  scf::YieldOp::create(inner, loc, next);
  last = getState(loop.getResults());
  return result;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

LogicalResult AttentionEmitter::emitResult(OpBuilder &builder, Value query,
                                           Value feature, Value value) {
  SmallVector<Value> place(iteration);
  place[s] = query;
  place[e] = feature;
  SmallVector<Value> coordinates =
      elements.applyMap(builder, op.getMap(op->getNumOperands() - 1), place);
  Type type = cast<RankedTensorType>(op.getType()).getElementType();
  elements.supply(op.getResult(), coordinates,
                  emitFloatCast(builder, loc, value, type));
  return elements.storeResults(builder, structure.resultDims, coordinates);
}

LogicalResult AttentionEmitter::emitResults() {
  SizeValues &device = frame.device();
  LaneMath math(body, frame);
  Value query =
      addIndex(body, loc, warpQuery, math.toIndex(math.shiftRight(lane, 2)));
  Value feature = math.toIndex(math.mul(math.bitAnd(lane, 3), 2));
  Value lowest = constant(-std::numeric_limits<double>::infinity());
  auto known = getConstantIntValue(sizes[e]);
  for (size_t i = 0; i < 2; ++i) {
    Value total =
        joinLanes(body, last.total[i], [&](Value a, Value b) -> Value {
          return arith::AddFOp::create(body, loc, a, b);
        });
    Value q = addIndex(body, loc, query,
                       device.getConstant(8 * static_cast<int64_t>(i)));
    Value inside = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult,
                                         q, sizes[s]);
    auto rowGuard = scf::IfOp::create(body, loc, inside, /*withElse=*/false);
    OpBuilder row = rowGuard.getThenBodyBuilder();
    Value masked;
    if (op.getZeroMaskedRows())
      masked = arith::CmpFOp::create(row, loc, arith::CmpFPredicate::OEQ,
                                     last.greatest[i], lowest);
    for (int64_t n = 0; n < 2 * stepsE; ++n)
      for (int64_t j = 0; j < 2; ++j) {
        Value column =
            addIndex(row, loc, feature, device.getConstant(8 * n + j));
        OpBuilder guarded = row;
        if (!known || *known < 8 * (n + 1)) {
          Value some = arith::CmpIOp::create(
              row, loc, arith::CmpIPredicate::ult, column, sizes[e]);
          guarded = scf::IfOp::create(row, loc, some, /*withElse=*/false)
                        .getThenBodyBuilder();
        }
        Value sum = last.sums[static_cast<size_t>(4 * n + j) + 2 * i];
        Value value = arith::DivFOp::create(guarded, loc, sum, total);
        if (masked)
          value =
              arith::SelectOp::create(guarded, loc, masked, constant(0), value);
        if (failed(emitResult(guarded, q, column, value)))
          return failure();
      }
  }
  return success();
}

void AttentionEmitter::finish() {
  SizeValues &host = frame.host();
  OpBuilder entry = frame.getEntryBuilder();
  SmallVector<Value> factors;
  for (unsigned loop = 0; loop < numBatch; ++loop)
    factors.push_back(sizeOf(host, loop));
  Value one = host.getConstant(1);
  Value blocks =
      mulIndex(entry, loc, host.getProduct(factors),
               ceilDivIndex(entry, loc, sizeOf(host, s),
                            host.getConstant(16 * schedule.getWarps())));
  frame.finish({blocks, one, one});
}

LogicalResult AttentionEmitter::emit() {
  auto isPowerOf2 = [](int64_t x) { return (x & (x - 1)) == 0; };
  if (!isPowerOf2(schedule.getWarps()) || !isPowerOf2(schedule.getKeys()) ||
      schedule.getKeys() < 16 || schedule.getStages() < 2)
    return kernel.emitOpError("has a schedule of ")
           << schedule.getWarps() << " warps, " << schedule.getKeys()
           << " keys and " << schedule.getStages()
           << " stages: powers of two, at least 16 keys and 2 stages are right";
  element = getElementTypeOrSelf(op.getQueries());
  auto tileOf = [](int64_t features) {
    return std::max<int64_t>(16, static_cast<int64_t>(llvm::PowerOf2Ceil(
                                     static_cast<uint64_t>(features))));
  };
  int64_t numD = structure.getSize(d), numE = structure.getSize(e);
  tileD = tileOf(numD);
  tileE = tileOf(numE);
  stepsD = llvm::divideCeil(numD, 16);
  stepsE = llvm::divideCeil(numE, 16);
  placeBlock();
  if (failed(emitLoop()) || failed(emitResults()))
    return failure();
  finish();
  return success();
}

LogicalResult gpucodegen::emitAttention(kernel::FuncOp kernel,
                                        kernel::GPUAttentionAttr schedule) {
  std::string reason;
  std::optional<AttentionStructure> structure =
      analyzeAttention(kernel, &reason);
  if (!structure)
    return kernel.emitOpError("cannot be made as an attention: ") << reason;
  return AttentionEmitter(kernel, schedule, std::move(*structure)).emit();
}
