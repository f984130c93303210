//===- Reduction.cpp - Reductions and windows to linalg -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/OurcToLinalg/LoopBuilder.h"
#include "conversion/OurcToLinalg/Patterns.h"
#include "conversion/OurcToLinalg/Windows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ourc;

Value ourc::createCombined(OpBuilder &b, Location loc, Combiner combiner,
                           Value x, Value y) {
  bool isFloat = isa<FloatType>(x.getType());
  switch (combiner) {
  case Combiner::Add:
    return createAdd(b, loc, x, y);
  case Combiner::Mul:
    return createMul(b, loc, x, y);
  case Combiner::Maximum:
    return isFloat ? arith::MaximumFOp::create(b, loc, x, y).getResult()
                   : arith::MaxSIOp::create(b, loc, x, y).getResult();
  case Combiner::Minimum:
    return isFloat ? arith::MinimumFOp::create(b, loc, x, y).getResult()
                   : arith::MinSIOp::create(b, loc, x, y).getResult();
  case Combiner::And:
    return arith::AndIOp::create(b, loc, x, y);
  case Combiner::Or:
    return arith::OrIOp::create(b, loc, x, y);
  }
  llvm_unreachable("unknown combiner");
}

/// The result of joining nothing.
static TypedAttr getNeutral(OpBuilder &b, Combiner combiner, Type type) {
  if (auto floating = dyn_cast<FloatType>(type)) {
    if (combiner == Combiner::Maximum || combiner == Combiner::Minimum)
      return b.getFloatAttr(
          type, APFloat::getInf(floating.getFloatSemantics(),
                                /*Negative=*/combiner == Combiner::Maximum));
    return b.getFloatAttr(type, combiner == Combiner::Mul ? 1.0 : 0.0);
  }
  unsigned width = type.getIntOrFloatBitWidth();
  APInt value(width, 0);
  switch (combiner) {
  case Combiner::Add:
  case Combiner::Or:
    break;
  case Combiner::Mul:
    value = APInt(width, 1);
    break;
  case Combiner::Maximum:
    value = APInt::getSignedMinValue(width);
    break;
  case Combiner::Minimum:
    value = APInt::getSignedMaxValue(width);
    break;
  case Combiner::And:
    value = APInt::getAllOnes(width);
    break;
  }
  return b.getIntegerAttr(type, value);
}

namespace {
struct LowerReduce : LoweringPattern<ReduceOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(ReduceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getX().getType();
    unsigned rank = type.getRank();
    unsigned numKept = rank - op.getDimensions().size();
    Type accumulator = getComputeType(type.getElementType());
    // Kept dimensions are the outer loops.
    SmallVector<AffineExpr> operandExprs;
    unsigned kept = 0, reduced = numKept;
    for (unsigned i = 0; i < rank; ++i)
      operandExprs.push_back(rewriter.getAffineDimExpr(
          llvm::is_contained(op.getDimensions(), i) ? reduced++ : kept++));
    LoopInputs inputs(rewriter, shapes);
    // The operand's own shape bounds the reduction: nothing is looked through.
    inputs.add(op.getX(), AffineMap::get(rank, 0, operandExprs, getContext()),
               {/*broadcasts=*/false, /*transposes=*/true, /*splats=*/false,
                /*constants=*/false});
    AffineMap resultMap = AffineMap::get(
        rank, 0,
        rewriter.getMultiDimIdentityMap(rank).getResults().take_front(numKept),
        getContext());
    Combiner combiner = op.getCombiner();
    Value init = createFilled(
        rewriter, loc,
        createEmptyLike(rewriter, shapes, loc, op.getResult(), accumulator),
        getNeutral(rewriter, combiner, accumulator));
    Value result =
        createLoops(rewriter, loc, inputs, init, resultMap, numKept,
                    [&](OpBuilder &nested, Location loc, ValueRange elements,
                        Value accumulated) {
                      return createCombined(nested, loc, combiner, accumulated,
                                            widen(nested, loc, elements[0]));
                    });
    rewriter.replaceOp(
        op, narrowTensor(rewriter, shapes, loc, result, op.getResult()));
    return success();
  }
};

/// Windows over a padded operand: the named op for images, loops for others.
struct LowerPool : LoweringPattern<PoolOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(PoolOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getType();
    bool isMax = op.getKind() == PoolKind::Max;
    Combiner combiner = isMax ? Combiner::Maximum : Combiner::Add;
    Type element = type.getElementType();
    // The greatest element is one of the elements: no need to widen.
    Type accumulator = isMax ? element : getComputeType(element);
    Value input =
        padSpatial(rewriter, loc, adaptor.getX(), op.getLow(), op.getHigh(),
                   getNeutral(rewriter, combiner, element));
    Value window =
        tensor::EmptyOp::create(rewriter, loc, op.getWindow(), element);
    Value init = createFilled(
        rewriter, loc,
        createEmptyLike(rewriter, shapes, loc, op.getResult(), accumulator),
        getNeutral(rewriter, combiner, accumulator));
    Value result;
    if (op.getWindow().size() == 2) {
      auto strides = rewriter.getI64TensorAttr(op.getStrides()),
           dilations = rewriter.getI64TensorAttr(op.getDilations());
      if (isMax)
        result = linalg::PoolingNhwcMaxOp::create(rewriter, loc, init.getType(),
                                                  ValueRange{input, window},
                                                  init, strides, dilations)
                     .getResult(0);
      else
        result = linalg::PoolingNhwcSumOp::create(rewriter, loc, init.getType(),
                                                  ValueRange{input, window},
                                                  init, strides, dilations)
                     .getResult(0);
    } else {
      result = createPoolLoops(rewriter, op, input, window, init, combiner);
    }
    rewriter.replaceOp(
        op, narrowTensor(rewriter, shapes, loc, result, op.getResult()));
    return success();
  }

private:
  /// Loops (batch, out…, channel, window…).
  Value createPoolLoops(ConversionPatternRewriter &rewriter, PoolOp op,
                        Value input, Value window, Value init,
                        Combiner combiner) const {
    unsigned count = op.getWindow().size(), numParallel = count + 2;
    unsigned numDims = numParallel + count;
    SmallVector<AffineExpr> in{rewriter.getAffineDimExpr(0)}, at;
    for (unsigned i = 0; i < count; ++i) {
      AffineExpr tap = rewriter.getAffineDimExpr(numParallel + i);
      in.push_back(rewriter.getAffineDimExpr(1 + i) * op.getStrides()[i] +
                   tap * op.getDilations()[i]);
      at.push_back(tap);
    }
    in.push_back(rewriter.getAffineDimExpr(count + 1));
    LoopInputs inputs(rewriter, shapes);
    inputs.addLowered(input, AffineMap::get(numDims, 0, in, getContext()));
    inputs.addLowered(window, AffineMap::get(numDims, 0, at, getContext()));
    AffineMap out =
        rewriter.getMultiDimIdentityMap(numDims).getMajorSubMap(numParallel);
    return createLoops(rewriter, op.getLoc(), inputs, init, out, numParallel,
                       [&](OpBuilder &nested, Location loc, ValueRange elements,
                           Value accumulated) {
                         Value x = elements[0];
                         if (x.getType() != accumulated.getType())
                           x = widen(nested, loc, x);
                         return createCombined(nested, loc, combiner,
                                               accumulated, x);
                       });
  }
};
} // namespace

void ourc::populateReductionPatterns(RewritePatternSet &patterns,
                                     SymbolicShapes &shapes) {
  patterns.add<LowerReduce, LowerPool>(patterns.getContext(), shapes);
}
