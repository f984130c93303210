//===- ShapeFolds.cpp - Folders of operations that move elements --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/Inference.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace ourc;

/// A splat constant under another shape, which must be static.
static OpFoldResult resizeSplat(Attribute x, RankedTensorType type) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(x);
  if (!splat || !type.hasStaticShape())
    return {};
  return splat.resizeSplat(type);
}

/// Constants of more elements are not moved at compile time.
static constexpr int64_t kMostFoldedElements = 1 << 16;

/// Elements of constants, in order, as a constant.
class ConstantElements {
public:
  explicit ConstantElements(RankedTensorType type) : type(type) {}

  void add(DenseElementsAttr from, int64_t index) {
    if (isa<FloatType>(type.getElementType()))
      floats.push_back(from.value_begin<APFloat>()[index]);
    else
      integers.push_back(from.value_begin<APInt>()[index]);
  }
  Attribute get() const {
    if (isa<FloatType>(type.getElementType()))
      return DenseElementsAttr::get(type, floats);
    return DenseElementsAttr::get(type, integers);
  }

private:
  RankedTensorType type;
  SmallVector<APFloat> floats;
  SmallVector<APInt> integers;
};

static bool isFoldable(RankedTensorType type) {
  return type.hasStaticShape() && type.getNumElements() > 0 &&
         type.getNumElements() <= kMostFoldedElements &&
         type.getElementType().isIntOrFloat();
}

/// The constant whose element at an index is that of `x` at
/// `offset + Σ index[i] * strides[i]`.
static Attribute moveElements(DenseElementsAttr x, RankedTensorType type,
                              int64_t offset, ArrayRef<int64_t> strides) {
  if (!isFoldable(type))
    return {};
  ConstantElements elements(type);
  SmallVector<int64_t> index(type.getRank(), 0);
  for (int64_t i = 0, n = type.getNumElements(); i < n; ++i) {
    int64_t from = offset;
    for (auto [at, stride] : llvm::zip(index, strides))
      from += at * stride;
    elements.add(x, from);
    for (int64_t dim = type.getRank(); dim-- > 0;) {
      if (++index[dim] < type.getDimSize(dim))
        break;
      index[dim] = 0;
    }
  }
  return elements.get();
}

static bool areAll(ArrayRef<int64_t> values, int64_t wanted) {
  return llvm::all_of(values, [&](int64_t x) { return x == wanted; });
}

namespace {
/// A view of one element repeated is that element repeated.
template <typename OpTy> struct ViewOfScalarBroadcast : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getX().template getDefiningOp<BroadcastOp>();
    if (!producer || producer.getX().getType().getRank() != 0)
      return rewriter.notifyMatchFailure(
          op, "operand is not a broadcast of a tensor of rank 0");
    RankedTensorType type = op.getType();
    if (type.getRank() == 0) {
      rewriter.replaceOp(op, producer.getX());
      return success();
    }
    SmallVector<Value> dynamic;
    SmallVector<int64_t> shape;
    dispatchIndexOpFoldResults(getSizes(op, producer), dynamic, shape);
    rewriter.replaceOpWithNewOp<BroadcastOp>(
        op, type, producer.getX(), ArrayRef<int64_t>(), dynamic, shape);
    return success();
  }

private:
  static SmallVector<OpFoldResult> getSizes(OpTy op, BroadcastOp producer) {
    if constexpr (std::is_same_v<OpTy, TransposeOp>) {
      SmallVector<OpFoldResult> sizes = producer.getMixedSizes();
      applyPermutationToVector(sizes, op.getPermutation());
      return sizes;
    } else {
      return op.getMixedSizes();
    }
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  // With one dynamic dimension the number of elements gives its size.
  if (getX().getType() == getType() && getType().getNumDynamicDims() <= 1 &&
      !llvm::is_contained(getType().getShape(), 0))
    return getX();
  if (auto value = dyn_cast_if_present<DenseElementsAttr>(adaptor.getX()))
    if (getType().hasStaticShape())
      return value.reshape(getType());
  return {};
}

namespace {
/// reshape(reshape(x)) is reshape(x).
struct MergeReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getX().getDefiningOp<ReshapeOp>();
    if (!producer)
      return rewriter.notifyMatchFailure(op, "operand is not a reshape");
    rewriter.modifyOpInPlace(op,
                             [&] { op.getXMutable().assign(producer.getX()); });
    return success();
  }
};
} // namespace

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<MergeReshapes, ViewOfScalarBroadcast<ReshapeOp>>(context);
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (isIdentityPermutation(getPermutation()) && getX().getType() == getType())
    return getX();
  if (OpFoldResult splat = resizeSplat(adaptor.getX(), getType()))
    return splat;
  auto x = dyn_cast_if_present<DenseElementsAttr>(adaptor.getX());
  if (!x)
    return {};
  SmallVector<int64_t> strides = computeStrides(getX().getType().getShape());
  return moveElements(x, getType(), 0,
                      applyPermutation(strides, getPermutation()));
}

namespace {
/// transpose(transpose(x)) is transpose(x).
struct MergeTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getX().getDefiningOp<TransposeOp>();
    if (!producer)
      return rewriter.notifyMatchFailure(op, "operand is not a transpose");
    SmallVector<int64_t> permutation;
    for (int64_t dim : op.getPermutation())
      permutation.push_back(producer.getPermutation()[dim]);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), producer.getX(),
                                             permutation);
    return success();
  }
};
} // namespace

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<MergeTransposes, ViewOfScalarBroadcast<TransposeOp>>(context);
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  // Equal types: nothing is repeated, for a dynamic operand dimension has the
  // result's size.
  if (getX().getType() == getType())
    return getX();
  return resizeSplat(adaptor.getX(), getType());
}

namespace {
/// broadcast(broadcast(x)) is broadcast(x).
struct MergeBroadcasts : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getX().getDefiningOp<BroadcastOp>();
    if (!producer)
      return rewriter.notifyMatchFailure(op, "operand is not a broadcast");
    SmallVector<int64_t> dims;
    for (int64_t dim : producer.getDimensions())
      dims.push_back(op.getDimensions()[dim]);
    rewriter.modifyOpInPlace(op, [&] {
      op.getXMutable().assign(producer.getX());
      op.setDimensions(dims);
    });
    return success();
  }
};
} // namespace

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<MergeBroadcasts>(context);
}

//===----------------------------------------------------------------------===//
// SliceOp, PadOp, ConcatOp
//===----------------------------------------------------------------------===//

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  // The whole of a static operand.
  if (getX().getType() == getType() && getType().hasStaticShape() &&
      areAll(getStaticOffsets(), 0) && areAll(getStrides(), 1))
    return getX();
  if (OpFoldResult splat = resizeSplat(adaptor.getX(), getType()))
    return splat;
  auto x = dyn_cast_if_present<DenseElementsAttr>(adaptor.getX());
  if (!x || ShapedType::isDynamicShape(getStaticOffsets()))
    return {};
  SmallVector<int64_t> strides = computeStrides(getX().getType().getShape());
  int64_t first = 0;
  for (auto [stride, offset, step] :
       llvm::zip(strides, getStaticOffsets(), getStrides())) {
    first += stride * offset;
    stride *= step;
  }
  return moveElements(x, getType(), first, strides);
}

void SliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<ViewOfScalarBroadcast<SliceOp>>(context);
}

OpFoldResult PadOp::fold(FoldAdaptor adaptor) {
  if (areAll(getLow(), 0) && areAll(getHigh(), 0) &&
      getX().getType() == getType())
    return getX();
  auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getX());
  if (splat && splat.getSplatValue<Attribute>() == getValue())
    return resizeSplat(splat, getType());
  return {};
}

OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1 && getInputs().front().getType() == getType())
    return getInputs().front();
  SmallVector<DenseElementsAttr> inputs;
  for (Attribute input : adaptor.getInputs()) {
    inputs.push_back(dyn_cast_if_present<DenseElementsAttr>(input));
    if (!inputs.back())
      return {};
  }
  if (llvm::all_of(inputs, [&](DenseElementsAttr input) {
        return input.isSplat() && input.getSplatValue<Attribute>() ==
                                      inputs[0].getSplatValue<Attribute>();
      }))
    return resizeSplat(inputs[0], getType());
  if (!isFoldable(getType()))
    return {};
  // Each input in turn gives a run of the elements below one outer index.
  ConstantElements elements(getType());
  int64_t outer = 1, inner = 1;
  for (auto [dim, size] : llvm::enumerate(getType().getShape()))
    if (dim < getDim())
      outer *= size;
    else if (dim > getDim())
      inner *= size;
  for (int64_t i = 0; i < outer; ++i)
    for (DenseElementsAttr input : inputs) {
      int64_t run = input.getType().getShape()[getDim()] * inner;
      for (int64_t j = 0; j < run; ++j)
        elements.add(input, i * run + j);
    }
  return elements.get();
}
