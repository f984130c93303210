//===- FoldAttentionTransposes.cpp - Transposes as indexing maps
//--------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/kernel/Passes.h"

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

struct FoldAttentionTransposesPass
    : ourc::impl::FoldAttentionTransposesBase<FoldAttentionTransposesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldOperandTranspose, FoldResultTranspose>(&getContext(),
                                                            numFolded);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
