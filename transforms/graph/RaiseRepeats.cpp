//===- RaiseRepeats.cpp - Form ourc.repeat from gathers -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/OurcDialect.h"
#include "transforms/graph/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "ourc-raise-repeats"

namespace ourc {
#define GEN_PASS_DEF_RAISEREPEATS
#include "transforms/graph/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

/// Of longer ones nobody makes indices one by one.
static constexpr int64_t kMostIndices = 1 << 16;

/// Element `position` (in row-major order) of a value that is known when
/// compiling, or null. What an operation makes of one element is
/// what its folder makes of a tensor full of it.
static Attribute evaluate(Value value, int64_t position) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Operation *op = value.getDefiningOp();
  if (!op || !type || !type.hasStaticShape())
    return {};
  if (type.getNumElements() == 1)
    position = 0;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValueAttr());
    return elements ? elements.getValues<Attribute>()[position] : Attribute();
  }
  if (auto iota = dyn_cast<IotaOp>(op)) {
    if (type.getRank() != 1)
      return {};
    Type element = type.getElementType();
    if (auto real = dyn_cast<FloatType>(element))
      return FloatAttr::get(real, static_cast<double>(position));
    return IntegerAttr::get(element, position);
  }
  // The same elements in the same order, or one repeated.
  if (isa<BroadcastOp, ReshapeOp>(op)) {
    auto from = cast<RankedTensorType>(op->getOperand(0).getType());
    if (!from.hasStaticShape() ||
        (from.getNumElements() != 1 &&
         from.getNumElements() != type.getNumElements()))
      return {};
    return evaluate(op->getOperand(0), position);
  }
  if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1)
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    Attribute element = evaluate(operand, position);
    if (!element)
      return {};
    operands.push_back(SplatElementsAttr::get(
        cast<RankedTensorType>(operand.getType()), element));
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return {};
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(
          dyn_cast<Attribute>(results[0])))
    return splat.getSplatValue<Attribute>();
  if (auto same = dyn_cast<Value>(results[0]))
    for (auto [operand, element] : llvm::zip(op->getOperands(), operands))
      if (operand == same)
        return cast<SplatElementsAttr>(element).getSplatValue<Attribute>();
  return {};
}

/// How many times in a row `indices` names each of 0 … size - 1, if along its
/// dimension `dim` alone it names them so.
static FailureOr<int64_t> matchRepeated(Value indices, int64_t dim,
                                        int64_t size) {
  auto type = cast<RankedTensorType>(indices.getType());
  int64_t count = type.getDimSize(dim);
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(count) ||
      size == 0 || count % size != 0 || count > kMostIndices)
    return failure();
  // One line of indices along `dim`.
  Value line = indices;
  while (cast<RankedTensorType>(line.getType()).getNumElements() != count) {
    auto broadcast = line.getDefiningOp<BroadcastOp>();
    if (!broadcast)
      return failure();
    RankedTensorType from = broadcast.getX().getType();
    for (auto [i, to] : llvm::enumerate(broadcast.getDimensions()))
      if (from.getDimSize(i) != 1 && to != dim)
        return failure();
    line = broadcast.getX();
    if (from.getNumElements() != count)
      return failure();
  }
  for (int64_t i = 0; i < count; ++i) {
    auto index = dyn_cast_if_present<IntegerAttr>(evaluate(line, i));
    if (!index || index.getValue().getSExtValue() != i / (count / size))
      return failure();
  }
  return count / size;
}

namespace {
struct GatherToRepeat : OpRewritePattern<GatherOp> {
  GatherToRepeat(MLIRContext *context, Pass::Statistic &numRaised)
      : OpRewritePattern(context), numRaised(numRaised) {}

  LogicalResult matchAndRewrite(GatherOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getX().getType();
    auto indexType = cast<RankedTensorType>(op.getIndices()[0].getType());
    ArrayRef<int64_t> axes = op.getAxes();
    if (indexType.getRank() != static_cast<int64_t>(axes.size()) ||
        !indexType.hasStaticShape())
      return rewriter.notifyMatchFailure(
          op, "indices have no static dimension for each axis");
    SmallVector<int64_t> factors(type.getRank(), 1), shape(type.getShape());
    for (auto [k, axis] : llvm::enumerate(axes)) {
      FailureOr<int64_t> factor =
          matchRepeated(op.getIndices()[k], k, type.getDimSize(axis));
      if (failed(factor))
        return rewriter.notifyMatchFailure(
            op, "indices do not name each element a number of times in turn");
      factors[axis] = *factor;
      shape[axis] *= *factor;
    }
    SmallVector<int64_t> order(axes);
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (!llvm::is_contained(axes, dim))
        order.push_back(dim);
    Value repeated = RepeatOp::create(rewriter, op.getLoc(), type.clone(shape),
                                      op.getX(), factors);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), repeated, order);
    ++numRaised;
    return success();
  }

private:
  Pass::Statistic &numRaised;
};

struct RaiseRepeatsPass : ourc::impl::RaiseRepeatsBase<RaiseRepeatsPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<GatherToRepeat>(context, numRaised);
    TransposeOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
