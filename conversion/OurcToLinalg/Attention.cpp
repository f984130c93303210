//===- Attention.cpp - Attention to the kernel dialect --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/OurcToLinalg/LoopBuilder.h"
#include "conversion/OurcToLinalg/Patterns.h"
#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ourc;

namespace {
/// Loops (batch…, s, t, d, e). Queries, keys and values are read through their
/// transposes, the mask through its broadcasts.
struct LowerAttention : LoweringPattern<AttentionOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(AttentionOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    unsigned batch = op.getType().getRank() - 2, numDims = batch + 4;
    unsigned s = batch, t = batch + 1, d = batch + 2, e = batch + 3;
    auto mapOf = [&](unsigned row, unsigned column) {
      SmallVector<AffineExpr> exprs;
      for (unsigned i = 0; i < batch; ++i)
        exprs.push_back(rewriter.getAffineDimExpr(i));
      exprs.push_back(rewriter.getAffineDimExpr(row));
      exprs.push_back(rewriter.getAffineDimExpr(column));
      return AffineMap::get(numDims, 0, exprs, getContext());
    };
    SmallVector<AffineMap> maps;
    auto operand = [&](Value value, AffineMap map, LookThrough through) {
      auto [source, sourceMap] = lookThrough(value, map, shapes, through);
      maps.push_back(sourceMap);
      return rewriter.getRemappedValue(source);
    };
    LookThrough transposes{/*broadcasts=*/false, /*transposes=*/true};
    Value queries = operand(op.getQueries(), mapOf(s, d), transposes);
    Value keys = operand(op.getKeys(), mapOf(t, d), transposes);
    Value values = operand(op.getValues(), mapOf(t, e), transposes);
    SmallVector<Value> scoreOperands;
    SmallVector<Value> masks;
    if (op.getMask())
      collectAddends(op.getMask(), masks);
    for (Value mask : masks) {
      // A size of 1 is read at 0, whatever the score's size is.
      SmallVector<AffineExpr> exprs(mapOf(s, t).getResults());
      for (auto [i, size] :
           llvm::enumerate(cast<RankedTensorType>(mask.getType()).getShape()))
        if (size == 1)
          exprs[i] = rewriter.getAffineConstantExpr(0);
      AffineMap map = AffineMap::get(numDims, 0, exprs, getContext());
      // Keys stay the last dimension: scores are computed along them.
      auto [source, sourceMap] = lookThrough(mask, map, shapes, {true, true});
      bool transposes =
          sourceMap.getNumResults() == 0 || !sourceMap.isFunctionOfDim(t) ||
          sourceMap.getResults().back() == rewriter.getAffineDimExpr(t);
      scoreOperands.push_back(operand(mask, map, {true, transposes}));
    }
    maps.push_back(mapOf(s, e));
    Value empty = createEmptyLike(rewriter, shapes, loc, op.getResult());
    auto attention = kernel::AttentionOp::create(
        rewriter, loc, op.getType(), queries, keys, values, scoreOperands,
        empty, rewriter.getAffineMapArrayAttr(maps), op.getScaleAttr(),
        op.getCausalAttr(), op.getZeroMaskedRowsAttr());
    buildScore(rewriter, attention);
    rewriter.replaceOp(op, attention);
    return success();
  }

private:
  /// A sum of tensors that repeat differently is added one by one: its elements
  /// are more than theirs.
  static void collectAddends(Value mask, SmallVectorImpl<Value> &addends) {
    auto sum = mask.getDefiningOp<AddOp>();
    if (!sum || !isa<FloatType>(sum.getType().getElementType()) ||
        !(sum.getLhs().getDefiningOp<BroadcastOp>() ||
          sum.getRhs().getDefiningOp<BroadcastOp>())) {
      addends.push_back(mask);
      return;
    }
    collectAddends(sum.getLhs(), addends);
    collectAddends(sum.getRhs(), addends);
  }

  /// A boolean keeps the score where it is true; a float is added.
  static void buildScore(OpBuilder &builder, kernel::AttentionOp op) {
    OpBuilder::InsertionGuard guard(builder);
    Location loc = op.getLoc();
    Type type = getComputeType(getElementTypeOrSelf(op.getQueries().getType()));
    SmallVector<Type> types{type};
    for (Value operand : op.getScoreOperands())
      types.push_back(getElementTypeOrSelf(operand.getType()));
    SmallVector<Location> locations(types.size(), loc);
    Block *block = builder.createBlock(&op.getScore(), {}, types, locations);
    Value score = block->getArgument(0);
    for (Value mask : block->getArguments().drop_front()) {
      if (mask.getType().isInteger(1)) {
        Value lowest = createFloat(builder, loc, type,
                                   -std::numeric_limits<double>::infinity());
        score = arith::SelectOp::create(builder, loc, mask, score, lowest);
      } else {
        score = createAdd(builder, loc, score, widen(builder, loc, mask));
      }
    }
    kernel::YieldOp::create(builder, loc, score);
  }
};
} // namespace

void ourc::populateAttentionPatterns(RewritePatternSet &patterns,
                                     SymbolicShapes &shapes) {
  patterns.add<LowerAttention>(patterns.getContext(), shapes);
}
