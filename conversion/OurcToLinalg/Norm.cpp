//===- Norm.cpp - Softmax and layer norm to coupled reductions ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/OurcToLinalg/LoopBuilder.h"
#include "conversion/OurcToLinalg/Patterns.h"
#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace ourc;

using RegionBody =
    llvm::function_ref<SmallVector<Value>(ImplicitLocOpBuilder &, ValueRange)>;

/// Fills one region of a coupled reduction.
static void fillRegion(OpBuilder &builder, Location loc, Region &region,
                       TypeRange arguments, RegionBody body) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(arguments.size(), loc);
  Block *block = builder.createBlock(&region, {}, arguments, locations);
  ImplicitLocOpBuilder nested(loc, builder);
  SmallVector<Value> results = body(nested, block->getArguments());
  kernel::YieldOp::create(nested, results);
}

/// The map that drops `dims`.
static AffineMap dropDims(Builder &builder, unsigned rank,
                          ArrayRef<int64_t> dims) {
  SmallVector<AffineExpr> kept;
  for (unsigned i = 0; i < rank; ++i)
    if (!llvm::is_contained(dims, i))
      kept.push_back(builder.getAffineDimExpr(i));
  return AffineMap::get(rank, 0, kept, builder.getContext());
}

/// Two destinations with the shape of `like` without `dims`, of `element`s.
static SmallVector<Value, 2>
createStatistics(OpBuilder &builder, SymbolicShapes &shapes, Location loc,
                 Value like, ArrayRef<int64_t> dims, Type element) {
  SmallVector<OpFoldResult> sizes;
  for (auto [i, size] :
       llvm::enumerate(shapes.materializeShape(builder, loc, like)))
    if (!llvm::is_contained(dims, static_cast<int64_t>(i)))
      sizes.push_back(size);
  SmallVector<Value, 2> results;
  for (int i = 0; i < 2; ++i)
    results.push_back(tensor::EmptyOp::create(builder, loc, sizes, element));
  return results;
}

static Value constant(ImplicitLocOpBuilder &b, Type type, double value) {
  return createFloat(b, b.getLoc(), type, value);
}

static Value add(ImplicitLocOpBuilder &b, Value x, Value y) {
  return createAdd(b, b.getLoc(), x, y);
}
static Value sub(ImplicitLocOpBuilder &b, Value x, Value y) {
  return createSub(b, b.getLoc(), x, y);
}
static Value mul(ImplicitLocOpBuilder &b, Value x, Value y) {
  return createMul(b, b.getLoc(), x, y);
}

/// What to subtract before the exponential: the maximum, but 0 where all so far
/// is -inf, so that its exponentials are 0 and not NaN.
static Value finiteMaximum(ImplicitLocOpBuilder &b, Value maximum) {
  Type type = maximum.getType();
  Value lowest = constant(b, type, -std::numeric_limits<double>::infinity());
  Value isLowest =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, maximum, lowest);
  return arith::SelectOp::create(b, isLowest, constant(b, type, 0.0), maximum);
}

static Value expOfDifference(ImplicitLocOpBuilder &b, Value x, Value y) {
  return math::ExpOp::create(b, sub(b, x, y));
}

namespace {
/// The maximum and the sum of exponentials, then the quotients.
struct LowerSoftmax : LoweringPattern<SoftmaxOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(SoftmaxOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getType();
    unsigned rank = type.getRank();
    int64_t dim = op.getDim();
    Type state = getComputeType(type.getElementType());
    SmallVector<Value, 2> outs =
        createStatistics(rewriter, shapes, loc, op.getX(), dim, state);
    auto reduce = kernel::CoupledReduceOp::create(
        rewriter, loc, ValueRange(outs).getTypes(), adaptor.getX(), outs,
        ArrayRef<int64_t>(dim));
    fillRegion(
        rewriter, loc, reduce.getInit(), {},
        [&](ImplicitLocOpBuilder &b, ValueRange) {
          return SmallVector<Value>{
              constant(b, state, -std::numeric_limits<double>::infinity()),
              constant(b, state, 0.0)};
        });
    fillRegion(rewriter, loc, reduce.getAccumulate(),
               {state, state, type.getElementType()},
               [&](ImplicitLocOpBuilder &b, ValueRange v) {
                 Value x = widen(b, loc, v[2]);
                 Value maximum = arith::MaximumFOp::create(b, v[0], x);
                 Value shift = finiteMaximum(b, maximum);
                 Value sum = mul(b, v[1], expOfDifference(b, v[0], shift));
                 return SmallVector<Value>{
                     maximum, add(b, sum, expOfDifference(b, x, shift))};
               });
    fillRegion(rewriter, loc, reduce.getMerge(), {state, state, state, state},
               [&](ImplicitLocOpBuilder &b, ValueRange v) {
                 Value maximum = arith::MaximumFOp::create(b, v[0], v[2]);
                 Value shift = finiteMaximum(b, maximum);
                 Value x = mul(b, v[1], expOfDifference(b, v[0], shift));
                 Value y = mul(b, v[3], expOfDifference(b, v[2], shift));
                 return SmallVector<Value>{maximum, add(b, x, y)};
               });
    fillRegion(rewriter, loc, reduce.getFinish(), {state, state},
               [](ImplicitLocOpBuilder &, ValueRange v) {
                 return SmallVector<Value>(v);
               });

    AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
    AffineMap perLine = dropDims(rewriter, rank, dim);
    LoopInputs inputs(rewriter, shapes);
    inputs.addLowered(adaptor.getX(), identity);
    inputs.addLowered(reduce.getResult(0), perLine);
    inputs.addLowered(reduce.getResult(1), perLine);
    Value empty = createEmptyLike(rewriter, shapes, loc, op.getResult());
    rewriter.replaceOp(
        op,
        createLoops(rewriter, loc, inputs, empty, identity, rank,
                    [&](OpBuilder &nested, Location loc, ValueRange v, Value) {
                      ImplicitLocOpBuilder b(loc, nested);
                      // As the sum's terms are.
                      Value e = expOfDifference(b, widen(b, loc, v[0]),
                                                finiteMaximum(b, v[1]));
                      // One division for each line; the products are within
                      // 1.5 ulp of the quotients.
                      Value inverse = arith::DivFOp::create(
                          b, constant(b, state, 1.0), v[2]);
                      return narrow(b, loc, mul(b, e, inverse),
                                    type.getElementType());
                    }));
    return success();
  }
};

/// Welford's mean and sum of squared differences, then the normalisation.
struct LowerLayerNorm : LoweringPattern<LayerNormOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(LayerNormOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getType();
    unsigned rank = type.getRank();
    SmallVector<int64_t> dims = llvm::to_vector(
        llvm::seq<int64_t>(rank - static_cast<int64_t>(op.getNumDims()), rank));
    Type state = getComputeType(type.getElementType());
    Value statistics =
        createReduction(rewriter, op, adaptor.getX(), dims, state);
    auto reduce = statistics.getDefiningOp<kernel::CoupledReduceOp>();

    AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
    AffineMap perRow = dropDims(rewriter, rank, dims);
    AffineMap perColumn = AffineMap::get(
        rank, 0, identity.getResults().take_back(dims.size()), getContext());
    LoopInputs inputs(rewriter, shapes);
    inputs.addLowered(adaptor.getX(), identity);
    inputs.addLowered(reduce.getResult(0), perRow);
    inputs.addLowered(reduce.getResult(1), perRow);
    if (op.getWeight())
      inputs.add(op.getWeight(), perColumn);
    if (op.getBias())
      inputs.add(op.getBias(), perColumn);
    Value empty = createEmptyLike(rewriter, shapes, loc, op.getResult());
    auto body = [&](OpBuilder &nested, Location loc, ValueRange v,
                    Value) -> Value {
      ImplicitLocOpBuilder b(loc, nested);
      Value y = mul(b, sub(b, widen(b, loc, v[0]), v[1]), v[2]);
      unsigned next = 3;
      if (op.getWeight())
        y = mul(b, y, widen(b, loc, v[next++]));
      if (op.getBias())
        y = add(b, y, widen(b, loc, v[next++]));
      return narrow(b, loc, y, type.getElementType());
    };
    rewriter.replaceOp(
        op, createLoops(rewriter, loc, inputs, empty, identity, rank, body));
    return success();
  }

private:
  /// The state is (count, mean, sum of squared differences to it); the results
  /// are the mean and 1 / √(variance + epsilon).
  Value createReduction(ConversionPatternRewriter &rewriter, LayerNormOp op,
                        Value x, ArrayRef<int64_t> dims, Type state) const {
    Location loc = op.getLoc();
    double epsilon = op.getEpsilon().convertToDouble();
    SmallVector<Value, 2> outs =
        createStatistics(rewriter, shapes, loc, op.getX(), dims, state);
    auto reduce = kernel::CoupledReduceOp::create(
        rewriter, loc, ValueRange(outs).getTypes(), x, outs, dims);
    fillRegion(rewriter, loc, reduce.getInit(), {},
               [&](ImplicitLocOpBuilder &b, ValueRange) {
                 return SmallVector<Value>(3, constant(b, state, 0.0));
               });
    fillRegion(rewriter, loc, reduce.getAccumulate(),
               {state, state, state, op.getType().getElementType()},
               [&](ImplicitLocOpBuilder &b, ValueRange v) {
                 Value element = widen(b, loc, v[3]);
                 Value count = add(b, v[0], constant(b, state, 1.0));
                 Value before = sub(b, element, v[1]);
                 Value step = arith::DivFOp::create(b, before, count);
                 Value mean = add(b, v[1], step);
                 Value after = sub(b, element, mean);
                 Value squares = add(b, v[2], mul(b, before, after));
                 return SmallVector<Value>{count, mean, squares};
               });
    fillRegion(rewriter, loc, reduce.getMerge(),
               {state, state, state, state, state, state},
               [&](ImplicitLocOpBuilder &b, ValueRange v) {
                 Value count = add(b, v[0], v[3]);
                 Value zero = constant(b, state, 0.0);
                 Value share = arith::DivFOp::create(b, v[3], count);
                 Value none = arith::CmpFOp::create(
                     b, arith::CmpFPredicate::OEQ, count, zero);
                 share = arith::SelectOp::create(b, none, zero, share);
                 Value difference = sub(b, v[4], v[1]);
                 Value mean = add(b, v[1], mul(b, difference, share));
                 Value between = mul(b, mul(b, difference, difference),
                                     mul(b, v[0], share));
                 Value squares = add(b, add(b, v[2], v[5]), between);
                 return SmallVector<Value>{count, mean, squares};
               });
    fillRegion(rewriter, loc, reduce.getFinish(), {state, state, state},
               [&](ImplicitLocOpBuilder &b, ValueRange v) {
                 Value variance = arith::DivFOp::create(b, v[2], v[0]);
                 Value shifted = add(b, variance, constant(b, state, epsilon));
                 Value rate =
                     arith::DivFOp::create(b, constant(b, state, 1.0),
                                           math::SqrtOp::create(b, shifted));
                 return SmallVector<Value>{v[1], rate};
               });
    return reduce.getResult(0);
  }
};
} // namespace

void ourc::populateNormPatterns(RewritePatternSet &patterns,
                                SymbolicShapes &shapes) {
  patterns.add<LowerSoftmax, LowerLayerNorm>(patterns.getContext(), shapes);
}
