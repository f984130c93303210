//===- FoldAttentionTransposes.cpp - Transposes as indexing maps
//--------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/kernel/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "ourc-fold-attention-transposes"

namespace ourc {
#define GEN_PASS_DEF_FOLDATTENTIONTRANSPOSES
#include "transforms/kernel/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

/// The map of a tensor whose dimension `i` is dimension `order[i]` of what
/// `map` was made for.
static AffineMap permuteResults(AffineMap map, ArrayRef<int64_t> order) {
  SmallVector<AffineExpr> results;
  for (int64_t i : order)
    results.push_back(map.getResult(i));
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

static ArrayAttr replaceMap(kernel::AttentionOp op, unsigned index,
                            AffineMap map) {
  SmallVector<Attribute> maps(op.getIndexingMaps().getValue());
  maps[index] = AffineMapAttr::get(map);
  return ArrayAttr::get(op.getContext(), maps);
}

namespace {
/// attention(transpose(x)) reads x.
struct FoldOperandTranspose : OpRewritePattern<kernel::AttentionOp> {
  FoldOperandTranspose(MLIRContext *context, Pass::Statistic &numFolded)
      : OpRewritePattern(context), numFolded(numFolded) {}

  LogicalResult matchAndRewrite(kernel::AttentionOp op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto transpose = operand->get().getDefiningOp<linalg::TransposeOp>();
      if (!transpose)
        continue;
      unsigned i = operand->getOperandNumber();
      AffineMap map = permuteResults(
          op.getMap(i), invertPermutationVector(transpose.getPermutation()));
      // Scores are computed along the keys: what is read for them stays so.
      unsigned keys = op.getNumBatch() + 1;
      if (i > 2 && map.isFunctionOfDim(keys) &&
          map.getResults().back() != rewriter.getAffineDimExpr(keys))
        continue;
      rewriter.modifyOpInPlace(op, [&] {
        operand->set(transpose.getInput());
        op.setIndexingMapsAttr(replaceMap(op, i, map));
      });
      ++numFolded;
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no operand is a transpose");
  }

  Pass::Statistic &numFolded;
};

/// transpose(attention(…)) is attention that writes elsewhere.
struct FoldResultTranspose : OpRewritePattern<linalg::TransposeOp> {
  FoldResultTranspose(MLIRContext *context, Pass::Statistic &numFolded)
      : OpRewritePattern(context), numFolded(numFolded) {}

  LogicalResult matchAndRewrite(linalg::TransposeOp transpose,
                                PatternRewriter &rewriter) const override {
    auto op = transpose.getInput().getDefiningOp<kernel::AttentionOp>();
    if (!op)
      return rewriter.notifyMatchFailure(transpose,
                                         "operand is not an attention");
    if (!op->hasOneUse())
      return rewriter.notifyMatchFailure(transpose,
                                         "the attention has other users");
    unsigned last = op.getIndexingMaps().size() - 1;
    AffineMap map = permuteResults(op.getMap(last), transpose.getPermutation());
    IRMapping mapping;
    rewriter.setInsertionPoint(transpose);
    auto moved = cast<kernel::AttentionOp>(rewriter.clone(*op, mapping));
    rewriter.modifyOpInPlace(moved, [&] {
      moved.getOutputMutable().assign(transpose.getInit());
      moved.setIndexingMapsAttr(replaceMap(op, last, map));
      moved.getResult().setType(
          cast<RankedTensorType>(transpose.getInit().getType()));
    });
    rewriter.replaceOp(transpose, moved);
    rewriter.eraseOp(op);
    ++numFolded;
    return success();
  }

  Pass::Statistic &numFolded;
};

/// transpose(collapse(attention(…))) is collapse(transpose(attention(…))) where
/// the dimensions that are merged stay together.
struct TransposeBeforeCollapse : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp transpose,
                                PatternRewriter &rewriter) const override {
    auto collapse =
        transpose.getInput().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse || !collapse.getSrc().getDefiningOp<kernel::AttentionOp>())
      return rewriter.notifyMatchFailure(
          transpose, "operand is not a collapsed attention");
    if (!collapse->hasOneUse())
      return rewriter.notifyMatchFailure(transpose,
                                         "the attention has other users");
    SmallVector<ReassociationIndices> groups =
                                          collapse.getReassociationIndices(),
                                      merged;
    SmallVector<int64_t> permutation, shape;
    SmallVector<Value> sizes;
    Location loc = transpose.getLoc();
    for (int64_t dim : transpose.getPermutation()) {
      ReassociationIndices &group = merged.emplace_back();
      for (int64_t from : groups[dim]) {
        group.push_back(permutation.size());
        permutation.push_back(from);
        shape.push_back(collapse.getSrcType().getDimSize(from));
        if (ShapedType::isDynamic(shape.back()))
          sizes.push_back(
              tensor::DimOp::create(rewriter, loc, collapse.getSrc(), from));
      }
    }
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, shape, collapse.getSrcType().getElementType(), sizes);
    Value moved = linalg::TransposeOp::create(rewriter, loc, collapse.getSrc(),
                                              empty, permutation)
                      ->getResult(0);
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        transpose, transpose.getResult()[0].getType(), moved, merged);
    return success();
  }
};

/// transpose(expand(attention(…))) is expand(transpose(attention(…))) where all
/// dimensions that are split off have size 1.
struct TransposeBeforeExpand : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp transpose,
                                PatternRewriter &rewriter) const override {
    auto expand = transpose.getInput().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || !expand.getSrc().getDefiningOp<kernel::AttentionOp>())
      return rewriter.notifyMatchFailure(
          transpose, "operand is not an expanded attention");
    if (!expand->hasOneUse())
      return rewriter.notifyMatchFailure(transpose,
                                         "the attention has other users");
    RankedTensorType from = expand.getSrcType(), to = expand.getResultType();
    // The operand's dimension that each dimension stands for; -1: none.
    SmallVector<int64_t> source(to.getRank(), -1);
    for (auto [dim, group] :
         llvm::enumerate(expand.getReassociationIndices())) {
      int64_t kept = group.front();
      for (int64_t split : group)
        if (to.getDimSize(split) != 1) {
          if (to.getDimSize(kept) != 1 && kept != split)
            return rewriter.notifyMatchFailure(
                transpose, "the reshape splits a dimension");
          kept = split;
        }
      source[kept] = dim;
    }
    SmallVector<ReassociationIndices> groups;
    SmallVector<int64_t> permutation, shape;
    SmallVector<Value> sizes;
    Location loc = transpose.getLoc();
    ReassociationIndices pending;
    for (auto [at, dim] : llvm::enumerate(transpose.getPermutation())) {
      pending.push_back(at);
      if (source[dim] < 0)
        continue;
      permutation.push_back(source[dim]);
      shape.push_back(from.getDimSize(source[dim]));
      if (ShapedType::isDynamic(shape.back()))
        sizes.push_back(
            tensor::DimOp::create(rewriter, loc, expand.getSrc(), source[dim]));
      groups.push_back(std::move(pending));
      pending.clear();
    }
    llvm::append_range(groups.back(), pending);
    Value empty = tensor::EmptyOp::create(rewriter, loc, shape,
                                          from.getElementType(), sizes);
    Value moved = linalg::TransposeOp::create(rewriter, loc, expand.getSrc(),
                                              empty, permutation)
                      ->getResult(0);
    SmallVector<OpFoldResult> outputs = expand.getMixedOutputShape();
    applyPermutationToVector(outputs, transpose.getPermutation());
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        transpose, transpose.getResult()[0].getType(), moved, groups, outputs);
    return success();
  }
};

struct FoldAttentionTransposesPass
    : ourc::impl::FoldAttentionTransposesBase<FoldAttentionTransposesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldOperandTranspose, FoldResultTranspose>(&getContext(),
                                                            numFolded);
    patterns.add<TransposeBeforeCollapse, TransposeBeforeExpand>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
