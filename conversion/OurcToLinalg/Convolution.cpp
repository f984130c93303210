//===- Convolution.cpp - Convolutions to linalg ---------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/OurcToLinalg/LoopBuilder.h"
#include "conversion/OurcToLinalg/Patterns.h"
#include "conversion/OurcToLinalg/Windows.h"

using namespace mlir;
using namespace ourc;

/// Dimension `dim` of `value` as [groups, size / groups].
static Value splitGroups(OpBuilder &builder, Location loc, Value value,
                         int64_t dim, int64_t groups) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= groups;
  shape.insert(shape.begin() + dim, groups);
  SmallVector<ReassociationIndices> reassociation;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    int64_t at = i > dim ? i + 1 : i;
    if (i == dim)
      reassociation.push_back({at, at + 1});
    else
      reassociation.push_back({at});
  }
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                       reassociation);
}

/// Whether each channel of the result comes from one channel of the input and
/// no other result does.
static bool isDepthwise(ConvolutionOp op) {
  auto filter = cast<RankedTensorType>(op.getFilter().getType());
  return op.getGroups() != 1 &&
         filter.getDimSize(0) == static_cast<int64_t>(op.getGroups()) &&
         filter.getDimSize(filter.getRank() - 1) == 1;
}

namespace {
/// The named op for images, loops for others. Groups are a dimension of their
/// own, but where they are the channels.
struct LowerConvolution : LoweringPattern<ConvolutionOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(ConvolutionOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getType();
    int64_t rank = type.getRank(), groups = op.getGroups();
    Type element = type.getElementType(), accumulator = getComputeType(element);
    Value input = padSpatial(rewriter, loc, adaptor.getInput(), op.getLow(),
                             op.getHigh(), rewriter.getZeroAttr(element));
    Value filter = adaptor.getFilter();
    Value empty =
        createEmptyLike(rewriter, shapes, loc, op.getResult(), accumulator);
    bool depthwise = isDepthwise(op), grouped = groups != 1 && !depthwise;
    if (depthwise) {
      SmallVector<ReassociationIndices> reassociation;
      for (int64_t i = 0; i + 1 < rank; ++i)
        reassociation.push_back({i});
      reassociation.back().push_back(rank - 1);
      filter =
          tensor::CollapseShapeOp::create(rewriter, loc, filter, reassociation);
    }
    if (grouped) {
      auto isDynamic = [](Value value, int64_t dim) {
        return cast<RankedTensorType>(value.getType()).isDynamicDim(dim);
      };
      if (isDynamic(input, rank - 1) || isDynamic(filter, 0) ||
          isDynamic(empty, rank - 1))
        return op.emitOpError("in groups needs static channels to be lowered");
      input = splitGroups(rewriter, loc, input, rank - 1, groups);
      filter = splitGroups(rewriter, loc, filter, 0, groups);
      auto flat = cast<RankedTensorType>(empty.getType());
      SmallVector<int64_t> shape(flat.getShape());
      shape.back() /= groups;
      shape.insert(shape.end() - 1, groups);
      empty = tensor::EmptyOp::create(
          rewriter, loc, shape, accumulator,
          shapes.materializeDynamicSizes(rewriter, loc, op.getResult()));
    }
    Value init =
        createFilled(rewriter, loc, empty, rewriter.getZeroAttr(accumulator));
    Value result = createNest(rewriter, op, input, filter, init);
    if (grouped) {
      SmallVector<ReassociationIndices> reassociation;
      for (int64_t i = 0; i < rank; ++i)
        reassociation.push_back({i});
      reassociation.back().push_back(rank);
      result =
          tensor::CollapseShapeOp::create(rewriter, loc, result, reassociation);
    }
    rewriter.replaceOp(
        op, narrowTensor(rewriter, shapes, loc, result, op.getResult()));
    return success();
  }

private:
  Value createNest(ConversionPatternRewriter &rewriter, ConvolutionOp op,
                   Value input, Value filter, Value init) const {
    Location loc = op.getLoc();
    unsigned count = op.getStrides().size();
    bool depthwise = isDepthwise(op);
    bool grouped = op.getGroups() != 1 && !depthwise;
    if (count == 2 && !depthwise) {
      auto strides = rewriter.getI64TensorAttr(op.getStrides()),
           dilations = rewriter.getI64TensorAttr(op.getDilations());
      if (grouped)
        return linalg::Conv2DNhwgcGfhwcOp::create(rewriter, loc, init.getType(),
                                                  ValueRange{input, filter},
                                                  init, strides, dilations)
            .getResult(0);
      return linalg::Conv2DNhwcFhwcOp::create(rewriter, loc, init.getType(),
                                              ValueRange{input, filter}, init,
                                              strides, dilations)
          .getResult(0);
    }
    // Loops (batch, out…, [group], out channel, taps…, in channel); depthwise,
    // (batch, out…, channel, taps…).
    unsigned numParallel = count + 2 + grouped;
    unsigned numDims = numParallel + count + !depthwise;
    auto dim = [&](unsigned i) { return rewriter.getAffineDimExpr(i); };
    SmallVector<AffineExpr> in{dim(0)}, taps;
    for (unsigned i = 0; i < count; ++i) {
      taps.push_back(dim(numParallel + i));
      in.push_back(dim(1 + i) * op.getStrides()[i] +
                   taps.back() * op.getDilations()[i]);
    }
    SmallVector<AffineExpr> at;
    if (grouped) {
      in.push_back(dim(count + 1));
      at.push_back(dim(count + 1));
    }
    in.push_back(dim(depthwise ? numParallel - 1 : numDims - 1));
    at.push_back(dim(numParallel - 1));
    at.append(taps);
    if (!depthwise)
      at.push_back(dim(numDims - 1));
    LoopInputs inputs(rewriter, shapes);
    inputs.addLowered(input, AffineMap::get(numDims, 0, in, getContext()));
    inputs.addLowered(filter, AffineMap::get(numDims, 0, at, getContext()));
    AffineMap out =
        rewriter.getMultiDimIdentityMap(numDims).getMajorSubMap(numParallel);
    return createLoops(rewriter, loc, inputs, init, out, numParallel,
                       [](OpBuilder &nested, Location loc, ValueRange elements,
                          Value accumulated) {
                         Value product = createMul(
                             nested, loc, widen(nested, loc, elements[0]),
                             widen(nested, loc, elements[1]));
                         return createAdd(nested, loc, accumulated, product);
                       });
  }
};
} // namespace

void ourc::populateConvolutionPatterns(RewritePatternSet &patterns,
                                       SymbolicShapes &shapes) {
  patterns.add<LowerConvolution>(patterns.getContext(), shapes);
}
