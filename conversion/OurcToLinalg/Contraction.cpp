//===- Contraction.cpp - Contractions to linalg ---------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/OurcToLinalg/LoopBuilder.h"
#include "conversion/OurcToLinalg/Patterns.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;

/// Zeros in the type that `like` is accumulated in.
static Value createAccumulator(OpBuilder &builder, SymbolicShapes &shapes,
                               Location loc, Value like) {
  Type type = getComputeType(getElementTypeOrSelf(like.getType()));
  return createFilled(builder, loc,
                      createEmptyLike(builder, shapes, loc, like, type),
                      builder.getZeroAttr(type));
}

static Value multiplyAdd(OpBuilder &b, Location loc, ValueRange elements,
                         Value accumulated) {
  Value product =
      createMul(b, loc, widen(b, loc, elements[0]), widen(b, loc, elements[1]));
  return createAdd(b, loc, accumulated, product);
}

/// Adds the two operands of a contraction. They may be read through broadcasts
/// and transposes as long as each reduction loop still has an operand that
/// bounds it and every map is a projected permutation.
static void addOperands(LoopInputs &inputs, SymbolicShapes &shapes, Value lhs,
                        AffineMap lhsMap, Value rhs, AffineMap rhsMap,
                        unsigned firstReduction) {
  LookThrough through{/*broadcasts=*/true, /*transposes=*/true,
                      /*splats=*/false, /*constants=*/false};
  AffineMap lhsTo = lookThrough(lhs, lhsMap, shapes, through).second;
  AffineMap rhsTo = lookThrough(rhs, rhsMap, shapes, through).second;
  for (unsigned i = firstReduction; i < lhsMap.getNumDims(); ++i)
    if (!lhsTo.isFunctionOfDim(i) && !rhsTo.isFunctionOfDim(i))
      through.broadcasts = false;
  inputs.add(lhs, lhsMap, through);
  inputs.add(rhs, rhsMap, through);
}

namespace {
/// Loops (batch…, free of lhs…, free of rhs…, contracted…).
struct LowerContract : LoweringPattern<ContractOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(ContractOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    unsigned numParallel = op.getType().getRank();
    unsigned numDims = numParallel + op.getLhsContract().size();
    SmallVector<AffineExpr> lhs(op.getLhs().getType().getRank()),
        rhs(op.getRhs().getType().getRank());
    unsigned next = 0;
    for (auto [l, r] : llvm::zip(op.getLhsBatch(), op.getRhsBatch()))
      lhs[l] = rhs[r] = rewriter.getAffineDimExpr(next++);
    for (int64_t l : op.getLhsFree())
      lhs[l] = rewriter.getAffineDimExpr(next++);
    for (int64_t r : op.getRhsFree())
      rhs[r] = rewriter.getAffineDimExpr(next++);
    for (auto [l, r] : llvm::zip(op.getLhsContract(), op.getRhsContract()))
      lhs[l] = rhs[r] = rewriter.getAffineDimExpr(next++);
    LoopInputs inputs(rewriter, shapes);
    addOperands(inputs, shapes, op.getLhs(),
                AffineMap::get(numDims, 0, lhs, getContext()), op.getRhs(),
                AffineMap::get(numDims, 0, rhs, getContext()), numParallel);
    AffineMap out = AffineMap::get(
        numDims, 0,
        rewriter.getMultiDimIdentityMap(numDims).getResults().take_front(
            numParallel),
        getContext());
    Value result =
        createLoops(rewriter, loc, inputs,
                    createAccumulator(rewriter, shapes, loc, op.getResult()),
                    out, numParallel, multiplyAdd);
    rewriter.replaceOp(
        op, narrowTensor(rewriter, shapes, loc, result, op.getResult()));
    return success();
  }
};

/// Loops (dimensions of x but the last…, out, in), then the bias.
struct LowerLinear : LoweringPattern<LinearOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(LinearOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    unsigned rank = op.getType().getRank(), out = rank - 1, in = rank;
    SmallVector<AffineExpr> x;
    for (unsigned i = 0; i + 1 < rank; ++i)
      x.push_back(rewriter.getAffineDimExpr(i));
    x.push_back(rewriter.getAffineDimExpr(in));
    SmallVector<AffineExpr> weight{rewriter.getAffineDimExpr(out),
                                   rewriter.getAffineDimExpr(in)};
    LoopInputs inputs(rewriter, shapes);
    addOperands(inputs, shapes, op.getX(),
                AffineMap::get(rank + 1, 0, x, getContext()), op.getWeight(),
                AffineMap::get(rank + 1, 0, weight, getContext()), rank);
    AffineMap resultMap = AffineMap::get(
        rank + 1, 0, rewriter.getMultiDimIdentityMap(rank).getResults(),
        getContext());
    Value result =
        createLoops(rewriter, loc, inputs,
                    createAccumulator(rewriter, shapes, loc, op.getResult()),
                    resultMap, rank, multiplyAdd);
    if (!op.getBias()) {
      rewriter.replaceOp(
          op, narrowTensor(rewriter, shapes, loc, result, op.getResult()));
      return success();
    }
    // The bias joins the accumulator, before the only rounding.
    AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
    LoopInputs withBias(rewriter, shapes);
    withBias.addLowered(result, identity);
    withBias.add(op.getBias(),
                 AffineMap::get(rank, 0, rewriter.getAffineDimExpr(out)));
    Type element = op.getType().getElementType();
    Value empty = createEmptyLike(rewriter, shapes, loc, op.getResult());
    rewriter.replaceOp(
        op, createLoops(rewriter, loc, withBias, empty, identity, rank,
                        [&](OpBuilder &nested, Location loc,
                            ValueRange elements, Value) {
                          Value sum =
                              createAdd(nested, loc, elements[0],
                                        widen(nested, loc, elements[1]));
                          return narrow(nested, loc, sum, element);
                        }));
    return success();
  }
};
} // namespace

void ourc::populateContractionPatterns(RewritePatternSet &patterns,
                                       SymbolicShapes &shapes) {
  patterns.add<LowerContract, LowerLinear>(patterns.getContext(), shapes);
}
