//===- Reduction.cpp - What the loops of a reduction need to know ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Reduction.h"
#include "conversion/KernelToCPU/BodyEmitter.h"
#include "conversion/KernelToCPU/CoupledReduction.h"
#include "conversion/KernelToCPU/Memory.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;
using Values = Reduction::Values;

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

namespace {
class LinalgReduction : public Reduction {
public:
  explicit LinalgReduction(linalg::LinalgOp op) : Reduction(op), op(op) {
    numLoops = op.getNumLoops();
    SmallVector<unsigned> dims;
    op.getReductionDims(dims);
    reduced = dims;
    for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
      SmallVector<Operation *> combiner;
      if (!matchReduction(op.getRegionOutputArgs(), i, combiner) ||
          combiner.size() != 1) {
        combiners.clear();
        return;
      }
      std::optional<TypedAttr> value = arith::getNeutralElement(combiner[0]);
      if (!value) {
        combiners.clear();
        return;
      }
      combiners.push_back(combiner[0]);
      neutral.push_back(*value);
    }
    findClip();
  }

  std::optional<SmallVector<unsigned>>
  getResultLoops(unsigned result) const override {
    AffineMap map = op.getMatchingIndexingMap(initOf(result));
    if (!map.isProjectedPermutation() ||
        map.getNumResults() + reduced.size() != numLoops)
      return std::nullopt;
    SmallVector<unsigned> loops;
    for (AffineExpr expr : map.getResults()) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      if (llvm::is_contained(reduced, dim))
        return std::nullopt;
      loops.push_back(dim);
    }
    return loops;
  }

  Value getSize(KernelABI &abi, unsigned loop) const override {
    AffineExpr dim = getAffineDimExpr(loop, op.getContext());
    for (OpOperand &operand : op->getOpOperands()) {
      if (op.isScalar(&operand))
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      if (std::optional<unsigned> at = map.getResultPosition(dim))
        return abi.getDim(operand.get(), *at);
    }
    op.emitError("the size of loop ") << loop << " is not that of a dimension";
    return abi.getConstant(0);
  }

  std::pair<Value, Value> getBounds(KernelABI &abi, OpBuilder &builder,
                                    unsigned loop,
                                    Indices loops) const override;

  unsigned getUnitLoop() const override {
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (op.isScalar(input) || op.getMatchingBlockArgument(input).use_empty())
        continue;
      int64_t unit = getUnitDim(input->get());
      if (unit < 0)
        continue;
      AffineExpr expr = op.getMatchingIndexingMap(input).getResult(unit);
      for (unsigned dim : reduced)
        if (expr.isFunctionOfDim(dim))
          return dim;
    }
    return reduced.back();
  }

  bool canMerge() const override { return !combiners.empty(); }

  FailureOr<Values> emitNeutral(OpBuilder &builder) const override {
    Values values;
    for (TypedAttr value : neutral)
      values.push_back(arith::ConstantOp::create(builder, op.getLoc(), value));
    return values;
  }

  FailureOr<Values> readInitial(OperandReader &reader, OpBuilder &builder,
                                Indices loops, Value mask) const override {
    Values values;
    for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
      SmallVector<LaneIndex> at;
      std::optional<SmallVector<unsigned>> places = getResultLoops(i);
      if (!places) {
        op.emitError("result ") << i << " is not indexed by parallel loops";
        return failure();
      }
      for (unsigned dim : *places)
        at.push_back(loops[dim]);
      FailureOr<Value> value =
          reader.read(builder, op.getLoc(), initOf(i)->get(), at, mask);
      if (failed(value))
        return failure();
      values.push_back(*value);
    }
    return values;
  }

  FailureOr<Values> accumulate(OperandReader &reader, OpBuilder &builder,
                               ValueRange state, Indices loops, Value mask,
                               bool clipped) const override {
    Values arguments;
    for (OpOperand *input : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(input);
      if (argument.use_empty()) {
        arguments.push_back(Value());
        continue;
      }
      FailureOr<Value> value = failure();
      if (op.isScalar(input)) {
        value = reader.readScalar(builder, op.getLoc(), input->get());
      } else {
        FailureOr<SmallVector<LaneIndex>> at =
            applyMap(builder, op.getLoc(), op.getMatchingIndexingMap(input),
                     loops, reader.getLanes());
        Value from = input->get();
        if (succeeded(at) && clipped && input == clippedInput) {
          auto pad = from.getDefiningOp<tensor::PadOp>();
          from = pad.getSource();
          for (auto [index, low] : llvm::zip(*at, pad.getMixedLowPad()))
            index = index + LaneIndex(reader.getABI().getIndex(low)) * -1;
        }
        if (succeeded(at))
          value = reader.read(builder, op.getLoc(), from, *at, mask);
      }
      if (failed(value))
        return failure();
      arguments.push_back(*value);
    }
    arguments.append(state.begin(), state.end());
    return reader.emitBody(builder, *op.getBlock(), arguments, loops, mask);
  }

  FailureOr<Values> merge(OpBuilder &builder, ValueRange x, ValueRange y,
                          int64_t width) const override {
    Values merged;
    for (auto [combiner, a, b] : llvm::zip(combiners, x, y)) {
      FailureOr<Value> value =
          BodyEmitter(builder, width).emitOp(combiner, {a, b});
      if (failed(value))
        return failure();
      merged.push_back(*value);
    }
    return merged;
  }

  FailureOr<Values> finish(OperandReader &reader, OpBuilder &builder,
                           ValueRange state, Indices loops, Value mask,
                           int64_t width) const override {
    if (!canMerge())
      return Values(state);
    FailureOr<Values> initial = readInitial(reader, builder, loops, mask);
    if (failed(initial))
      return failure();
    return merge(builder, *initial, state, width);
  }

private:
  OpOperand *initOf(unsigned result) const {
    return const_cast<linalg::LinalgOp &>(op).getDpsInitOperand(result);
  }

  /// Finds the reduction loops that `getBounds` can narrow.
  void findClip();

  mutable linalg::LinalgOp op;
  /// From a reduction loop to the dimension of `clippedInput` that it clips;
  /// empty, or for all padded dimensions.
  DenseMap<unsigned, unsigned> clips;
  OpOperand *clippedInput = nullptr;
  SmallVector<Operation *> combiners; ///< empty: parts cannot be merged
  SmallVector<TypedAttr> neutral;
};
} // namespace

/// Whether the padding of `pad` is what the combiner ignores.
static bool isNeutralPadding(tensor::PadOp pad, TypedAttr neutral) {
  Value padding = pad.getConstantPaddingValue();
  Attribute value;
  if (!padding || !matchPattern(padding, m_Constant(&value)))
    return false;
  // Zero of either sign adds nothing but to -0.0, which no sum begins with.
  auto x = dyn_cast<FloatAttr>(value), y = dyn_cast<FloatAttr>(neutral);
  if (x && y && x.getValue().isZero() && y.getValue().isZero())
    return true;
  return value == neutral;
}

void LinalgReduction::findClip() {
  // One input that is padded with what changes nothing, reduced as it is: the
  // window is clipped to the data.
  if (combiners.size() != 1 || op.getBlock()->getOperations().size() != 2)
    return;
  OpOperand *padded = nullptr;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (op.getMatchingBlockArgument(input).use_empty())
      continue;
    if (padded)
      return;
    padded = input;
  }
  auto pad = padded ? padded->get().getDefiningOp<tensor::PadOp>() : nullptr;
  if (!pad || !isNeutralPadding(pad, neutral[0]))
    return;
  AffineMap map = op.getMatchingIndexingMap(padded);
  DenseMap<unsigned, unsigned> found;
  for (auto [d, expr] : llvm::enumerate(map.getResults())) {
    if (isConstantIntValue(pad.getMixedLowPad()[d], 0) &&
        isConstantIntValue(pad.getMixedHighPad()[d], 0))
      continue;
    int64_t clipping = -1;
    for (unsigned loop : reduced) {
      if (!expr.isFunctionOfDim(loop))
        continue;
      if (clipping >= 0)
        return;
      clipping = loop;
    }
    if (clipping < 0 || !found.try_emplace(clipping, d).second)
      return;
  }
  clips = std::move(found);
  clippedInput = padded;
}

std::pair<Value, Value> LinalgReduction::getBounds(KernelABI &abi,
                                                   OpBuilder &builder,
                                                   unsigned loop,
                                                   Indices loops) const {
  auto it = clips.find(loop);
  if (it == clips.end())
    return {};
  Location loc = op.getLoc();
  auto pad = clippedInput->get().getDefiningOp<tensor::PadOp>();
  AffineMap map =
      op.getMatchingIndexingMap(clippedInput).getSubMap({it->second});
  // The index is base + factor * loop, where the other loops make `base`.
  SmallVector<LaneIndex> others(loops);
  others[loop] = LaneIndex(0);
  FailureOr<SmallVector<LaneIndex>> zero =
      applyMap(builder, loc, map, others, 1);
  others[loop] = LaneIndex(1);
  FailureOr<SmallVector<LaneIndex>> one =
      applyMap(builder, loc, map, others, 1);
  assert(succeeded(zero) && succeeded(one) && "an affine map");
  LaneIndex base =
      zero->front() +
      LaneIndex(abi.getIndex(pad.getMixedLowPad()[it->second])) * -1;
  int64_t factor =
      (one->front() + zero->front() * -1).getConstant().value_or(1);
  // factor * i + base in [0, size): i from ceil(-base / factor) up to
  // ceil((size - base) / factor).
  auto ceilDiv = [&](const LaneIndex &value) -> Value {
    Value v = value.emitBase(builder, loc);
    v = arith::MaxSIOp::create(builder, loc, v, abi.getConstant(0));
    if (factor == 1)
      return v;
    v = arith::AddIOp::create(builder, loc, v, abi.getConstant(factor - 1));
    return arith::DivUIOp::create(builder, loc, v, abi.getConstant(factor));
  };
  Value lower = ceilDiv(base * -1);
  Value upper =
      ceilDiv(LaneIndex(abi.getDim(pad.getSource(), it->second)) + base * -1);
  upper = arith::MinSIOp::create(builder, loc, upper, getSize(abi, loop));
  return {lower, upper};
}

FailureOr<std::unique_ptr<Reduction>> Reduction::create(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return std::unique_ptr<Reduction>(new LinalgReduction(linalgOp));
  if (auto coupled = dyn_cast<kernel::CoupledReduceOp>(op))
    return std::unique_ptr<Reduction>(new CoupledReduction(coupled));
  op->emitError("is not a reduction that a kernel can compute");
  return failure();
}
