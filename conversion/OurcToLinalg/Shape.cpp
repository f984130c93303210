//===- Shape.cpp - Operations that move elements to tensor and linalg -----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/OurcToLinalg/LoopBuilder.h"
#include "conversion/OurcToLinalg/Patterns.h"
#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ourc;

namespace {
/// A broadcast that is not part of a loop nest's map.
struct LowerBroadcast : LoweringPattern<BroadcastOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(BroadcastOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getType();
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    LoopInputs inputs(rewriter, shapes);
    inputs.add(op.getResult(), identity);
    Value empty = createEmptyLike(rewriter, shapes, loc, op.getResult());
    rewriter.replaceOp(
        op, createLoops(rewriter, loc, inputs, empty, identity, type.getRank(),
                        [](OpBuilder &, Location, ValueRange elements, Value) {
                          return elements[0];
                        }));
    return success();
  }
};

struct LowerTranspose : LoweringPattern<TransposeOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(TransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // linalg wants a destination exactly as static as the operand.
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> sizes;
    RankedTensorType from = op.getX().getType();
    for (int64_t dim : op.getPermutation())
      sizes.push_back(from.isDynamicDim(dim)
                          ? shapes.materialize(rewriter, loc,
                                               shapes.getSize(op.getX(), dim))
                          : rewriter.getIndexAttr(from.getDimSize(dim)));
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, sizes, from.getElementType());
    // A size that folds to a constant is more than linalg wants to know.
    SmallVector<int64_t> shape;
    for (int64_t dim : op.getPermutation())
      shape.push_back(from.getDimSize(dim));
    empty = castTo(rewriter, loc, empty, from.clone(shape));
    Value transpose = linalg::TransposeOp::create(rewriter, loc, adaptor.getX(),
                                                  empty, op.getPermutation())
                          ->getResult(0);
    rewriter.replaceOp(op, castTo(rewriter, loc, transpose, op.getType()));
    return success();
  }
};

struct LowerSlice : LoweringPattern<SliceOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(SliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<OpFoldResult> strides;
    for (int64_t stride : op.getStrides())
      strides.push_back(rewriter.getIndexAttr(stride));
    SmallVector<OpFoldResult> sizes =
        shapes.materializeShape(rewriter, op.getLoc(), op.getResult());
    Value slice =
        tensor::ExtractSliceOp::create(rewriter, op.getLoc(), adaptor.getX(),
                                       op.getMixedOffsets(), sizes, strides);
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), slice, op.getType()));
    return success();
  }
};

struct LowerPad : LoweringPattern<PadOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(PadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value value = arith::ConstantOp::create(rewriter, op.getLoc(),
                                            cast<TypedAttr>(op.getValue()));
    Value pad = tensor::PadOp::create(
        rewriter, op.getLoc(), Type(), adaptor.getX(),
        getAsIndexOpFoldResult(getContext(), op.getLow()),
        getAsIndexOpFoldResult(getContext(), op.getHigh()), value);
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), pad, op.getType()));
    return success();
  }
};

struct LowerConcat : LoweringPattern<ConcatOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(ConcatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value concat = tensor::ConcatOp::create(rewriter, op.getLoc(),
                                            static_cast<int64_t>(op.getDim()),
                                            adaptor.getInputs());
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), concat, op.getType()));
    return success();
  }
};

/// Reads the operand at computed positions. A position out of bounds is found
/// by what runs the `tensor.extract`.
struct LowerGather : LoweringPattern<GatherOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getType();
    int64_t rank = type.getRank();
    int64_t indexRank =
        cast<RankedTensorType>(op.getIndices().front().getType()).getRank();
    LoopInputs inputs(rewriter, shapes);
    AffineMap indexMap = AffineMap::getMultiDimIdentityMap(rank, getContext())
                             .getMajorSubMap(indexRank);
    if (!indexMap) // no results
      indexMap = AffineMap::get(rank, 0, getContext());
    for (Value index : op.getIndices())
      inputs.add(index, indexMap);
    Value x = adaptor.getX();
    ArrayRef<int64_t> axes = op.getAxes();
    auto body = [&](OpBuilder &nested, Location loc, ValueRange elements,
                    Value) -> Value {
      SmallVector<Value> at;
      int64_t rest = indexRank;
      for (int64_t i = 0; i < op.getX().getType().getRank(); ++i) {
        const auto *axis = llvm::find(axes, i);
        at.push_back(
            axis == axes.end()
                ? linalg::IndexOp::create(nested, loc, rest++).getResult()
                : arith::IndexCastOp::create(nested, loc, nested.getIndexType(),
                                             elements[axis - axes.begin()])
                      .getResult());
      }
      return tensor::ExtractOp::create(nested, loc, x, at);
    };
    Value empty = createEmptyLike(rewriter, shapes, loc, op.getResult());
    rewriter.replaceOp(op, createLoops(rewriter, loc, inputs, empty,
                                       rewriter.getMultiDimIdentityMap(rank),
                                       rank, body));
    return success();
  }
};
/// The destination is the operand itself: whether it may be overwritten is seen
/// where memory is assigned.
struct LowerScatter : LoweringPattern<ScatterOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(ScatterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = adaptor.getX();
    auto scatter = kernel::ScatterOp::create(
        rewriter, loc, x.getType(), adaptor.getUpdates(), adaptor.getIndices(),
        x, op.getAxes());
    Type element = getElementTypeOrSelf(x.getType());
    OpBuilder::InsertionGuard guard(rewriter);
    Block *body = rewriter.createBlock(&scatter.getCombine(), {},
                                       {element, element}, {loc, loc});
    Value value = body->getArgument(1);
    if (std::optional<Combiner> combiner = op.getCombiner())
      value = narrow(rewriter, loc,
                     createCombined(rewriter, loc, *combiner,
                                    widen(rewriter, loc, body->getArgument(0)),
                                    widen(rewriter, loc, value)),
                     element);
    kernel::YieldOp::create(rewriter, loc, value);
    rewriter.setInsertionPointAfter(scatter);
    rewriter.replaceOp(
        op, castTo(rewriter, loc, scatter.getResult(), op.getType()));
    return success();
  }
};
} // namespace

void ourc::populateShapePatterns(RewritePatternSet &patterns,
                                 SymbolicShapes &shapes) {
  patterns.add<LowerBroadcast, LowerTranspose, LowerSlice, LowerPad,
               LowerConcat, LowerGather, LowerScatter>(patterns.getContext(),
                                                       shapes);
}
