//===- PropagateTransposes.cpp - Move transposes down until they cancel ---===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/OurcDialect.h"
#include "transforms/graph/Passes.h"
#include "transforms/graph/TransposableModels.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "ourc-propagate-transposes"

namespace ourc {
#define GEN_PASS_DEF_PROPAGATETRANSPOSES
#include "transforms/graph/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

/// The value before its transpose by `permutation`, where it has that.
static Value getUntransposed(Value value, ArrayRef<int64_t> permutation) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  if (transpose && transpose.getPermutation() == permutation)
    return transpose.getX();
  return {};
}

/// The dimensions of a broadcast's operand in the untransposed result:
/// ascending, or nothing (then the operand would have to be transposed).
static std::optional<SmallVector<int64_t>>
moveDims(ArrayRef<int64_t> dims, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> moved;
  for (int64_t dim : dims)
    moved.push_back(permutation[dim]);
  if (!llvm::is_sorted(moved))
    return std::nullopt;
  return moved;
}

/// Whether a value can be had untransposed for nothing.
static bool isFree(Value value, ArrayRef<int64_t> permutation) {
  SplatElementsAttr splat;
  if (matchPattern(value, m_Constant(&splat)))
    return true;
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  return broadcast && moveDims(broadcast.getDimensions(), permutation);
}

/// The value that `value` is the transpose of, built where it has no name.
static Value buildUntransposed(OpBuilder &builder, Value value,
                               ArrayRef<int64_t> permutation) {
  if (Value known = getUntransposed(value, permutation))
    return known;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> inverse = invertPermutationVector(permutation);
  RankedTensorType untransposed =
      type.clone(applyPermutation(type.getShape(), inverse));
  Location loc = value.getLoc();
  SplatElementsAttr splat;
  if (matchPattern(value, m_Constant(&splat)))
    return ConstantOp::create(builder, loc, untransposed,
                              splat.resizeSplat(untransposed));
  if (auto broadcast = value.getDefiningOp<BroadcastOp>())
    if (auto dims = moveDims(broadcast.getDimensions(), permutation)) {
      SmallVector<OpFoldResult> sizes = broadcast.getMixedSizes();
      applyPermutationToVector(sizes, inverse);
      SmallVector<int64_t> staticSizes;
      SmallVector<Value> dynamicSizes;
      dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
      return BroadcastOp::create(builder, loc, untransposed, broadcast.getX(),
                                 *dims, dynamicSizes, staticSizes);
    }
  return TransposeOp::create(builder, loc, untransposed, value, inverse);
}

/// The permutation that most operands have, if moving it past the operation
/// leaves fewer transposes than there are.
static std::optional<SmallVector<int64_t>>
choosePermutation(ValueRange values) {
  for (Value value : values) {
    auto transpose = value.getDefiningOp<TransposeOp>();
    if (!transpose)
      continue;
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    int64_t have = 0, others = 0;
    for (Value other : values) {
      if (getUntransposed(other, permutation))
        ++have;
      else if (!isFree(other, permutation))
        ++others;
    }
    if (have > others)
      return SmallVector<int64_t>(permutation);
  }
  return std::nullopt;
}

namespace {
/// op(transpose(x), …) becomes transpose(op(x, …)) for elementwise operations.
struct SinkThroughElementwise : RewritePattern {
  SinkThroughElementwise(MLIRContext *context, Pass::Statistic &numSunk)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context), numSunk(numSunk) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1 ||
        op->getNumOperands() == 0)
      return rewriter.notifyMatchFailure(op, "not elementwise");
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type ||
        !llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>))
      return rewriter.notifyMatchFailure(op, "not on ranked tensors");
    auto permutation = choosePermutation(op->getOperands());
    if (!permutation)
      return rewriter.notifyMatchFailure(
          op, "operands have no transpose, or too few have the same");
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(buildUntransposed(rewriter, operand, *permutation));
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(operands);
    state.addTypes(type.clone(applyPermutation(
        type.getShape(), invertPermutationVector(*permutation))));
    state.addAttributes(op->getAttrs());
    Operation *moved = rewriter.create(state);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, type, moved->getResult(0),
                                             *permutation);
    ++numSunk;
    return success();
  }

private:
  Pass::Statistic &numSunk;
};

/// The same for operations that say how.
struct SinkThroughInterface
    : OpInterfaceRewritePattern<TransposableOpInterface> {
  SinkThroughInterface(MLIRContext *context, Pass::Statistic &numSunk)
      : OpInterfaceRewritePattern(context), numSunk(numSunk) {}

  LogicalResult matchAndRewrite(TransposableOpInterface op,
                                PatternRewriter &rewriter) const override {
    auto operands = op->getOperands().take_front(op.getNumTransposable());
    auto permutation = choosePermutation(operands);
    if (!permutation)
      return rewriter.notifyMatchFailure(
          op, "operands have no transpose, or too few have the same");
    SmallVector<Value> untransposed;
    for (Value operand : operands)
      untransposed.push_back(
          buildUntransposed(rewriter, operand, *permutation));
    FailureOr<Value> result =
        op.buildOnUntransposed(rewriter, untransposed, *permutation);
    if (failed(result))
      return rewriter.notifyMatchFailure(op, "its form keeps the transpose");
    rewriter.replaceOp(op, *result);
    ++numSunk;
    return success();
  }

private:
  Pass::Statistic &numSunk;
};

/// A transpose that keeps the order of dimensions other than 1 is a reshape.
struct UnitTransposeIsReshape : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getX().getType();
    int64_t previous = -1;
    for (int64_t dim : op.getPermutation()) {
      if (type.getDimSize(dim) == 1)
        continue;
      if (dim < previous)
        return rewriter.notifyMatchFailure(op, "it moves elements");
      previous = dim;
    }
    SmallVector<OpFoldResult> sizes;
    for (int64_t dim : op.getPermutation())
      sizes.push_back(
          tensor::getMixedSize(rewriter, op.getLoc(), op.getX(), dim));
    SmallVector<int64_t> staticSizes;
    SmallVector<Value> dynamicSizes;
    dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX(),
                                           dynamicSizes, staticSizes);
    return success();
  }
};

/// A broadcast operand needs no dimensions of size 1: without them it can be
/// read in more orders.
struct DropUnitDimsOfBroadcast : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getX().getType();
    if (!type.hasStaticShape() || !llvm::is_contained(type.getShape(), 1))
      return rewriter.notifyMatchFailure(op, "operand has no unit dimension");
    SmallVector<int64_t> shape, dims;
    for (auto [size, dim] : llvm::zip(type.getShape(), op.getDimensions()))
      if (size != 1) {
        shape.push_back(size);
        dims.push_back(dim);
      }
    Value x = ReshapeOp::create(rewriter, op.getLoc(), type.clone(shape),
                                op.getX(), ValueRange(), shape);
    rewriter.modifyOpInPlace(op, [&] {
      op.getXMutable().assign(x);
      op.setDimensions(dims);
    });
    return success();
  }
};

struct PropagateTransposesPass
    : ourc::impl::PropagateTransposesBase<PropagateTransposesPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<SinkThroughElementwise, SinkThroughInterface>(context,
                                                               numSunk);
    patterns.add<UnitTransposeIsReshape, DropUnitDimsOfBroadcast>(context);
    TransposeOp::getCanonicalizationPatterns(patterns, context);
    ReshapeOp::getCanonicalizationPatterns(patterns, context);
    BroadcastOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
