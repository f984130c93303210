//===- NormDecomposition.cpp - Softmax and norms as primitives ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/ComputeBuilder.h"
#include "transforms/graph/Decompositions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace ourc;

using Results = FailureOr<SmallVector<Value>>;

namespace {
struct DecomposeSoftmax
    : DecomposableOpInterface::ExternalModel<DecomposeSoftmax, SoftmaxOp> {
  bool isLoweredWhole(Operation *) const { return true; }

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

struct DecomposeLayerNorm
    : DecomposableOpInterface::ExternalModel<DecomposeLayerNorm, LayerNormOp> {
  bool isLoweredWhole(Operation *) const { return true; }

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
    Value count = b.count(x, dims, sum);
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

/// Channels first, a group is one run of memory: a row of a layer norm. Else
/// the statistics of each channel are summed to those of its group, and the
/// mean is known before distances to it are squared.
struct DecomposeGroupNorm
    : DecomposableOpInterface::ExternalModel<DecomposeGroupNorm, GroupNormOp> {
  Results decompose(Operation *op, OpBuilder &builder) const {
    auto norm = cast<GroupNormOp>(op);
    Location loc = op->getLoc();
    ComputeBuilder b(builder, loc);
    Type element = norm.getType().getElementType();
    int64_t rank = norm.getType().getRank(), channel = norm.getChannel();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(builder, loc, norm.getX());
    OpFoldResult groups = builder.getIndexAttr(norm.getGroups());
    OpFoldResult inGroup = divide(builder, loc, sizes[channel], groups);
    Value x = b.cast(norm.getX(), b.getComputeType(element));

    if (channel == 1) {
      SmallVector<OpFoldResult> split{sizes[0], groups, inGroup};
      llvm::append_range(split, ArrayRef(sizes).drop_front(2));
      Value rows = b.reshape(x, split);
      Value y = LayerNormOp::create(builder, loc, rows.getType(), rows, Value(),
                                    Value(), static_cast<uint64_t>(rank - 1),
                                    norm.getEpsilon());
      return finish(b, norm, b.reshape(y, sizes), norm.getWeight());
    }

    SmallVector<int64_t> spatial;
    for (int64_t dim = 1; dim < rank; ++dim)
      if (dim != channel)
        spatial.push_back(dim);
    auto average = [&](Value v) {
      Value sums = b.reduce(Combiner::Add, v, spatial);
      Value split = b.reshape(sums, {sizes[0], groups, inGroup});
      Value sum = b.reduce(Combiner::Add, split, 2);
      Value first = b.div(sum, b.count(x, spatial, sum));
      return b.div(first, b.count(split, 2, sum));
    };
    // Repeats each group's value for its channels.
    auto ofChannels = [&](Value v) {
      return b.reshape(b.broadcast(v, {0, 1}, {sizes[0], groups, inGroup}),
                       {sizes[0], sizes[channel]});
    };
    Value mean = ofChannels(average(x));
    Value distance = b.sub(x, b.broadcastLike(mean, {0, channel}, x));
    Value variance = average(b.mul(distance, distance));
    Value rate = ofChannels(b.unary<RsqrtOp>(
        b.shift(variance, norm.getEpsilon().convertToDouble())));
    if (norm.getWeight())
      rate = b.mul(rate, b.broadcastLike(b.cast(norm.getWeight(),
                                                b.getComputeType(element)),
                                         1, rate));
    Value y = b.mul(distance, b.broadcastLike(rate, {0, channel}, x));
    return finish(b, norm, y, Value());
  }

private:
  static OpFoldResult divide(OpBuilder &builder, Location loc,
                             OpFoldResult size, OpFoldResult by) {
    int64_t divisor = *getConstantIntValue(by);
    if (std::optional<int64_t> known = getConstantIntValue(size))
      return builder.getIndexAttr(*known / divisor);
    Value value = getValueOrCreateConstantIndexOp(builder, loc, size);
    return arith::DivUIOp::create(
               builder, loc, value,
               arith::ConstantIndexOp::create(builder, loc, divisor))
        .getResult();
  }

  /// `y`, times `weight` where given, plus the bias, as the result's elements.
  static SmallVector<Value> finish(ComputeBuilder &b, GroupNormOp norm, Value y,
                                   Value weight) {
    int64_t channel = norm.getChannel();
    Type element = norm.getType().getElementType();
    Type compute = b.getComputeType(element);
    if (weight)
      y = b.mul(y, b.broadcastLike(b.cast(weight, compute), channel, y));
    if (norm.getBias())
      y = b.add(y,
                b.broadcastLike(b.cast(norm.getBias(), compute), channel, y));
    return {b.cast(y, element)};
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
    GroupNormOp::attachInterface<DecomposeGroupNorm>(*context);
  });
}
