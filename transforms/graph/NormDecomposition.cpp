//===- NormDecomposition.cpp - Softmax and norms as primitives ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/ComputeBuilder.h"
#include "transforms/graph/Decompositions.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace ourc;

using Results = FailureOr<SmallVector<Value>>;

namespace {
struct DecomposeSoftmax
    : DecomposableOpInterface::ExternalModel<DecomposeSoftmax, SoftmaxOp> {
  Results decompose(Operation *op, OpBuilder &builder) const {
    auto softmax = cast<SoftmaxOp>(op);
    ComputeBuilder b(builder, op->getLoc());
    Type element = softmax.getType().getElementType();
    int64_t dim = softmax.getDim();
    Value x = b.cast(softmax.getX(), b.getComputeType(element));
    Value e =
        b.unary<ExpOp>(b.sub(x, b.reduceAndRepeat(Combiner::Maximum, x, dim)));
    Value sum = b.reduceAndRepeat(Combiner::Add, e, dim);
    return SmallVector<Value>{b.cast(b.div(e, sum), element)};
  }
};

/// The number of elements that are normalised together, as the elements of
/// `like`.
Value countOf(OpBuilder &builder, ComputeBuilder &b, Location loc, Value x,
              ArrayRef<int64_t> dims, Value like) {
  auto type = cast<RankedTensorType>(x.getType());
  int64_t count = 1;
  for (int64_t dim : dims) {
    if (type.isDynamicDim(dim))
      return {};
    count *= type.getDimSize(dim);
  }
  return b.splat(count, like);
}

struct DecomposeLayerNorm
    : DecomposableOpInterface::ExternalModel<DecomposeLayerNorm, LayerNormOp> {
  Results decompose(Operation *op, OpBuilder &builder) const {
    auto norm = cast<LayerNormOp>(op);
    ComputeBuilder b(builder, op->getLoc());
    RankedTensorType type = norm.getType();
    Type element = type.getElementType(), compute = b.getComputeType(element);
    int64_t rank = type.getRank(), numDims = norm.getNumDims();
    SmallVector<int64_t> dims, kept;
    for (int64_t i = 0; i < rank; ++i)
      (i < rank - numDims ? kept : dims).push_back(i);
    Value x = b.cast(norm.getX(), compute);
    Value sum = b.reduce(Combiner::Add, x, dims);
    Value count = countOf(builder, b, op->getLoc(), x, dims, sum);
    if (!count)
      return op->emitOpError("over a dynamic dimension has no decomposition");
    Value mean = b.div(sum, count);
    Value distance = b.sub(x, b.broadcastLike(mean, kept, x));
    Value variance =
        b.div(b.reduce(Combiner::Add, b.mul(distance, distance), dims), count);
    Value rate = b.unary<RsqrtOp>(
        b.shift(variance, norm.getEpsilon().convertToDouble()));
    Value y = b.mul(distance, b.broadcastLike(rate, kept, x));
    if (norm.getWeight())
      y = b.mul(y, b.broadcastLike(b.cast(norm.getWeight(), compute), dims, x));
    if (norm.getBias())
      y = b.add(y, b.broadcastLike(b.cast(norm.getBias(), compute), dims, x));
    return SmallVector<Value>{b.cast(y, element)};
  }
};

/// x · scale + shift, with vectors of one element a channel.
struct DecomposeBatchNorm
    : DecomposableOpInterface::ExternalModel<DecomposeBatchNorm, BatchNormOp> {
  Results decompose(Operation *op, OpBuilder &builder) const {
    auto norm = cast<BatchNormOp>(op);
    ComputeBuilder b(builder, op->getLoc());
    Type element = norm.getType().getElementType();
    int64_t channel = norm.getChannel();
    auto [scale, shift] = b.batchNormScaleAndShift(norm);
    Value x = b.cast(norm.getX(), b.getComputeType(element));
    Value y = b.add(b.mul(x, b.broadcastLike(scale, channel, x)),
                    b.broadcastLike(shift, channel, x));
    return SmallVector<Value>{b.cast(y, element)};
  }
};
} // namespace

void ourc::registerNormDecompositions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, OurcDialect *) {
    SoftmaxOp::attachInterface<DecomposeSoftmax>(*context);
    LayerNormOp::attachInterface<DecomposeLayerNorm>(*context);
    BatchNormOp::attachInterface<DecomposeBatchNorm>(*context);
  });
}
