//===- RaiseLinear.cpp - Form ourc.linear from contractions ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/OurcDialect.h"
#include "transforms/graph/Passes.h"
#include "transforms/graph/SymbolicShapes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "ourc-raise-linear"

namespace ourc {
#define GEN_PASS_DEF_RAISELINEAR
#include "transforms/graph/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

/// The vector that a value repeats along its last dimension, or null.
static Value getLastDimVector(Value value) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return {};
  RankedTensorType from = broadcast.getX().getType(), to = broadcast.getType();
  if (from.getRank() != 1 || broadcast.getDimensions()[0] != to.getRank() - 1 ||
      from.getDimSize(0) != to.getShape().back() || from.isDynamicDim(0))
    return {};
  return broadcast.getX();
}

/// The sizes of a reshape, with another last one.
static ReshapeOp createReshape(OpBuilder &builder, Location loc,
                               RankedTensorType type, Value x,
                               SmallVector<OpFoldResult> sizes) {
  SmallVector<int64_t> staticSizes;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  return ReshapeOp::create(builder, loc, type, x, dynamicSizes, staticSizes);
}

/// `type` with another last size.
static RankedTensorType withLast(RankedTensorType type, int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = size;
  return type.clone(shape);
}

namespace {
/// contract(x, w) over the last dimension of x, with w a matrix.
struct ContractToLinear : OpRewritePattern<ContractOp> {
  ContractToLinear(MLIRContext *context, Pass::Statistic &numRaised)
      : OpRewritePattern(context), numRaised(numRaised) {}

  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType x = op.getLhs().getType(), w = op.getRhs().getType();
    if (!isa<FloatType>(x.getElementType()))
      return rewriter.notifyMatchFailure(op, "not of floats");
    if (!op.getLhsBatch().empty() || w.getRank() != 2 ||
        op.getLhsContract() != ArrayRef<int64_t>(x.getRank() - 1))
      return rewriter.notifyMatchFailure(
          op, "not the last dimension of x with a matrix");
    Value weight = op.getRhs();
    if (op.getRhsContract()[0] == 0)
      weight = TransposeOp::create(rewriter, op.getLoc(),
                                   w.clone({w.getDimSize(1), w.getDimSize(0)}),
                                   weight, ArrayRef<int64_t>{1, 0});
    rewriter.replaceOpWithNewOp<LinearOp>(op, op.getType(), op.getLhs(), weight,
                                          Value());
    ++numRaised;
    return success();
  }

private:
  Pass::Statistic &numRaised;
};

/// linear(x, w) + broadcast(bias) is linear(x, w, bias).
struct AddBias : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddOp op,
                                PatternRewriter &rewriter) const override {
    for (auto [sum, vector] : {std::pair(op.getLhs(), op.getRhs()),
                               std::pair(op.getRhs(), op.getLhs())}) {
      auto linear = sum.getDefiningOp<LinearOp>();
      if (!linear || linear.getBias() || !linear->hasOneUse())
        continue;
      Value bias = getLastDimVector(vector);
      if (!bias)
        continue;
      rewriter.replaceOpWithNewOp<LinearOp>(op, op.getType(), linear.getX(),
                                            linear.getWeight(), bias);
      return success();
    }
    return rewriter.notifyMatchFailure(
        op, "no operand is a linear without bias that only this op uses, and "
            "the other a broadcast vector");
  }
};

/// linear(reshape(x)) is reshape(linear(x)) where the reshape keeps the last
/// dimension.
struct MoveReshapeAfter : OpRewritePattern<LinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LinearOp op,
                                PatternRewriter &rewriter) const override {
    auto reshape = op.getX().getDefiningOp<ReshapeOp>();
    if (!reshape)
      return rewriter.notifyMatchFailure(op, "operand is not a reshape");
    RankedTensorType from = reshape.getX().getType();
    int64_t features = reshape.getType().getShape().back();
    if (from.getRank() < 1 || ShapedType::isDynamic(features) ||
        from.getShape().back() != features)
      return rewriter.notifyMatchFailure(
          op, "the reshape changes the last dimension");
    int64_t out = op.getType().getShape().back();
    if (ShapedType::isDynamic(out))
      return rewriter.notifyMatchFailure(op, "dynamic number of outputs");
    auto linear =
        LinearOp::create(rewriter, op.getLoc(), withLast(from, out),
                         reshape.getX(), op.getWeight(), op.getBias());
    SmallVector<OpFoldResult> sizes = reshape.getMixedSizes();
    sizes.back() = rewriter.getIndexAttr(out);
    rewriter.replaceOp(op, createReshape(rewriter, reshape.getLoc(),
                                         op.getType(), linear, sizes));
    return success();
  }
};

/// reshape(linear(reshape(x))) is linear(reshape(x)) where the outer one keeps
/// the last dimension and the inner one does not (else it moves down).
struct MoveReshapeBefore : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto linear = op.getX().getDefiningOp<LinearOp>();
    if (!linear || !linear->hasOneUse())
      return rewriter.notifyMatchFailure(
          op, "operand is not a linear that only this op uses");
    RankedTensorType inner = linear.getType(), outer = op.getType();
    int64_t out = inner.getShape().back();
    if (outer.getRank() <= inner.getRank() || ShapedType::isDynamic(out) ||
        outer.getShape().back() != out)
      return rewriter.notifyMatchFailure(
          op, "it does not split dimensions before the last");
    auto reshape = linear.getX().getDefiningOp<ReshapeOp>();
    int64_t features = linear.getX().getType().getShape().back();
    if (!reshape || ShapedType::isDynamic(features) ||
        (reshape.getX().getType().getRank() > 0 &&
         reshape.getX().getType().getShape().back() == features))
      return rewriter.notifyMatchFailure(
          op, "the linear's operand is not a reshape of other features");
    SmallVector<OpFoldResult> sizes = op.getMixedSizes();
    sizes.back() = rewriter.getIndexAttr(features);
    Value x = createReshape(rewriter, reshape.getLoc(),
                            withLast(outer, features), reshape.getX(), sizes);
    rewriter.replaceOpWithNewOp<LinearOp>(op, outer, x, linear.getWeight(),
                                          linear.getBias());
    return success();
  }
};

/// contract(reshape(a), reshape(b)) whose reshapes merge the batch dimensions,
/// split again by a reshape of the result, is contract(a, b).
struct SplitBatch : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto contract = op.getX().getDefiningOp<ContractOp>();
    if (!contract || !contract->hasOneUse())
      return rewriter.notifyMatchFailure(
          op, "operand is not a contraction that only this op uses");
    auto lhs = contract.getLhs().getDefiningOp<ReshapeOp>();
    auto rhs = contract.getRhs().getDefiningOp<ReshapeOp>();
    SmallVector<int64_t> first{0};
    if (!lhs || !rhs || contract.getLhsBatch() != ArrayRef(first) ||
        contract.getRhsBatch() != ArrayRef(first))
      return rewriter.notifyMatchFailure(
          op, "operands are not reshapes with one batch dimension");
    int64_t rank = op.getType().getRank();
    int64_t count = rank - contract.getType().getRank() + 1;
    if (count < 2)
      return rewriter.notifyMatchFailure(op, "it splits no batch dimension");
    ArrayRef<int64_t> batch = op.getType().getShape().take_front(count);
    if (op.getType().getShape().drop_front(count) !=
        contract.getType().getShape().drop_front())
      return rewriter.notifyMatchFailure(op, "it changes other dimensions");
    for (ReshapeOp operand : {lhs, rhs}) {
      RankedTensorType from = operand.getX().getType(), to = operand.getType();
      if (from.getRank() != to.getRank() + count - 1 ||
          from.getShape().take_front(count) != batch ||
          from.getShape().drop_front(count) != to.getShape().drop_front())
        return rewriter.notifyMatchFailure(
            op, "an operand's reshape does more than merge its batch");
    }
    // Types agree; so must dynamic sizes.
    SymbolicShapes shapes(op->getParentOfType<FunctionOpInterface>());
    SmallVector<AffineExpr> result = shapes.getShape(op.getResult());
    SmallVector<AffineExpr> merged = shapes.getShape(contract.getResult());
    ArrayRef<AffineExpr> resultBatch = ArrayRef(result).take_front(count);
    if (ArrayRef(result).drop_front(count) != ArrayRef(merged).drop_front())
      return rewriter.notifyMatchFailure(op, "it changes other dimensions");
    for (ReshapeOp operand : {lhs, rhs}) {
      SmallVector<AffineExpr> from = shapes.getShape(operand.getX()),
                              to = shapes.getShape(operand.getResult());
      if (ArrayRef(from).take_front(count) != resultBatch ||
          ArrayRef(from).drop_front(count) != ArrayRef(to).drop_front())
        return rewriter.notifyMatchFailure(
            op, "an operand's reshape does more than merge its batch");
    }
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, count));
    auto moved = [&](ArrayRef<int64_t> old) {
      SmallVector<int64_t> result;
      for (int64_t dim : old)
        result.push_back(dim + count - 1);
      return result;
    };
    rewriter.replaceOpWithNewOp<ContractOp>(
        op, op.getType(), lhs.getX(), rhs.getX(), dims, dims,
        moved(contract.getLhsContract()), moved(contract.getRhsContract()));
    return success();
  }
};

struct RaiseLinearPass : ourc::impl::RaiseLinearBase<RaiseLinearPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<ContractToLinear>(context, numRaised);
    patterns.add<AddBias, MoveReshapeAfter, MoveReshapeBefore, SplitBatch>(
        context);
    ReshapeOp::getCanonicalizationPatterns(patterns, context);
    TransposeOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
