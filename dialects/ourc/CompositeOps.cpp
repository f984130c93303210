//===- CompositeOps.cpp - Composite operations
//--------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/Inference.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ourc;

//===----------------------------------------------------------------------===//
// LinearOp
//===----------------------------------------------------------------------===//

LogicalResult LinearOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  InferenceError fail{loc, getOperationName()};
  auto x = cast<RankedTensorType>(adaptor.getX().getType());
  auto weight = cast<RankedTensorType>(adaptor.getWeight().getType());
  // C1
  if (x.getRank() < 1 || weight.getRank() != 2 ||
      x.getElementType() != weight.getElementType())
    return fail("needs x of rank 1 or more and a weight of rank 2 with its "
                "element type, but has ",
                x, " and ", weight);
  // C2
  if (failed(joinSizes(x.getShape().back(), weight.getDimSize(1))))
    return fail("x has ", x.getShape().back(), " features, but the weight ",
                weight.getDimSize(1));
  if (adaptor.getBias()) {
    auto bias = cast<RankedTensorType>(adaptor.getBias().getType());
    if (bias.getRank() != 1 || bias.getElementType() != x.getElementType() ||
        failed(joinSizes(bias.getDimSize(0), weight.getDimSize(0))))
      return fail("bias is ", bias, ", but the weight is ", weight);
  }
  SmallVector<int64_t> shape(x.getShape());
  shape.back() = weight.getDimSize(0);
  inferred.push_back(x.clone(shape));
  return success();
}

LogicalResult LinearOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  auto sizes = tensor::getMixedSizes(builder, getLoc(), getX());
  sizes.back() = tensor::getMixedSize(builder, getLoc(), getWeight(), 0);
  shapes.push_back(sizes);
  return success();
}

std::optional<int64_t> LinearOp::getFlops() {
  int64_t in = getX().getType().getShape().back();
  if (!getType().hasStaticShape() || ShapedType::isDynamic(in))
    return std::nullopt;
  return getType().getNumElements() * (2 * in + (getBias() ? 1 : 0));
}

//===----------------------------------------------------------------------===//
// SoftmaxOp
//===----------------------------------------------------------------------===//

LogicalResult SoftmaxOp::verify() {
  // C1
  int64_t dim = getDim();
  if (dim < 0 || dim >= getX().getType().getRank())
    return emitOpError("dim ")
           << dim << " is out of range for rank " << getX().getType().getRank();
  return success();
}

LogicalResult
SoftmaxOp::reifyResultShapes(OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &shapes) {
  return reifyLikeFirst(*this, builder, shapes);
}

//===----------------------------------------------------------------------===//
// LayerNormOp, BatchNormOp, GroupNormOp
//===----------------------------------------------------------------------===//

LogicalResult LayerNormOp::verify() {
  RankedTensorType type = getType();
  // C1
  int64_t numDims = getNumDims();
  if (numDims < 1 || numDims > type.getRank())
    return emitOpError("normalises ")
           << numDims << " dimensions of " << type.getRank();
  // C3
  if (getEpsilon().isNegative())
    return emitOpError("epsilon must not be negative");
  // C2
  for (Value vector : {getWeight(), getBias()}) {
    if (!vector)
      continue;
    auto given = cast<RankedTensorType>(vector.getType());
    if (given.getElementType() != type.getElementType() ||
        failed(verifyCompatibleShape(given.getShape(),
                                     type.getShape().take_back(numDims))))
      return emitOpError("weight and bias must have the shape and elements of "
                         "the last ")
             << numDims << " dimensions of " << type << ", but one is "
             << given;
  }
  return success();
}

LogicalResult
LayerNormOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  return reifyLikeFirst(*this, builder, shapes);
}

LogicalResult BatchNormOp::verify() {
  RankedTensorType type = getType();
  // C1
  int64_t channel = getChannel();
  if (channel < 0 || channel >= type.getRank())
    return emitOpError("channel ")
           << channel << " is out of range for rank " << type.getRank();
  // C3
  if (getEpsilon().isNegative())
    return emitOpError("epsilon must not be negative");
  // C2
  for (Value vector : getOperands().drop_front()) {
    auto given = cast<RankedTensorType>(vector.getType());
    if (given.getRank() != 1 ||
        given.getElementType() != type.getElementType() ||
        failed(joinSizes(given.getDimSize(0), type.getDimSize(channel))))
      return emitOpError(
                 "vectors must have the size and elements of dimension ")
             << channel << " of " << type << ", but one is " << given;
  }
  return success();
}

LogicalResult
BatchNormOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  return reifyLikeFirst(*this, builder, shapes);
}

LogicalResult GroupNormOp::verify() {
  RankedTensorType type = getType();
  // C1
  int64_t channel = getChannel();
  if (channel < 1 || channel >= type.getRank())
    return emitOpError("channel ")
           << channel << " must be from 1 to " << type.getRank() - 1;
  // C2
  int64_t groups = getGroups(), size = type.getDimSize(channel);
  if (groups < 1 || (!ShapedType::isDynamic(size) && size % groups != 0))
    return emitOpError("dimension ")
           << channel << " of " << type << " does not split into " << groups
           << " equal groups";
  // C4
  if (getEpsilon().isNegative())
    return emitOpError("epsilon must not be negative");
  // C3
  for (Value vector : getOperands().drop_front()) {
    auto given = cast<RankedTensorType>(vector.getType());
    if (given.getRank() != 1 ||
        given.getElementType() != type.getElementType() ||
        failed(joinSizes(given.getDimSize(0), size)))
      return emitOpError("weight and bias must have the size and elements of "
                         "dimension ")
             << channel << " of " << type << ", but one is " << given;
  }
  return success();
}

LogicalResult
GroupNormOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  return reifyLikeFirst(*this, builder, shapes);
}

LogicalResult GeluOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  return reifyLikeFirst(*this, builder, shapes);
}

LogicalResult SiluOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  return reifyLikeFirst(*this, builder, shapes);
}

//===----------------------------------------------------------------------===//
// AttentionOp
//===----------------------------------------------------------------------===//

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  InferenceError fail{loc, getOperationName()};
  auto q = cast<RankedTensorType>(adaptor.getQueries().getType());
  auto k = cast<RankedTensorType>(adaptor.getKeys().getType());
  auto v = cast<RankedTensorType>(adaptor.getValues().getType());
  int64_t rank = q.getRank();
  // C1
  if (rank < 3 || k.getRank() != rank || v.getRank() != rank ||
      k.getElementType() != q.getElementType() ||
      v.getElementType() != q.getElementType())
    return fail("queries, keys and values must have one rank, at least 3, and "
                "one element type, but are ",
                q, ", ", k, " and ", v);
  // C2
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < rank - 2; ++i) {
    FailureOr<int64_t> size = joinSizes(q.getDimSize(i), k.getDimSize(i));
    if (succeeded(size))
      size = joinSizes(*size, v.getDimSize(i));
    if (failed(size))
      return fail("batch dimension ", i, " has sizes ", q.getDimSize(i), ", ",
                  k.getDimSize(i), " and ", v.getDimSize(i));
    shape.push_back(*size);
  }
  if (failed(joinSizes(q.getDimSize(rank - 1), k.getDimSize(rank - 1))))
    return fail("queries have ", q.getDimSize(rank - 1), " features, but keys ",
                k.getDimSize(rank - 1));
  FailureOr<int64_t> t =
      joinSizes(k.getDimSize(rank - 2), v.getDimSize(rank - 2));
  if (failed(t))
    return fail("there are ", k.getDimSize(rank - 2), " keys, but ",
                v.getDimSize(rank - 2), " values");
  // C3
  if (adaptor.getMask()) {
    auto mask = cast<RankedTensorType>(adaptor.getMask().getType());
    if (mask.getRank() != rank || (!mask.getElementType().isInteger(1) &&
                                   mask.getElementType() != q.getElementType()))
      return fail("mask must have rank ", rank,
                  " and i1 or the queries' elements, but is ", mask);
    SmallVector<int64_t> score(shape);
    score.push_back(q.getDimSize(rank - 2));
    score.push_back(*t);
    for (int64_t i = 0; i < rank; ++i)
      if (mask.getDimSize(i) != 1 &&
          failed(joinSizes(mask.getDimSize(i), score[i])))
        return fail("mask has size ", mask.getDimSize(i), " in dimension ", i,
                    ", which is neither 1 nor ", score[i]);
  }
  shape.push_back(q.getDimSize(rank - 2));
  shape.push_back(v.getDimSize(rank - 1));
  inferred.push_back(q.clone(shape));
  return success();
}

LogicalResult
AttentionOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  auto sizes = tensor::getMixedSizes(builder, getLoc(), getQueries());
  sizes.back() = tensor::getMixedSize(builder, getLoc(), getValues(),
                                      getValues().getType().getRank() - 1);
  shapes.push_back(sizes);
  return success();
}

std::optional<int64_t> AttentionOp::getFlops() {
  RankedTensorType q = getQueries().getType(), k = getKeys().getType();
  if (!q.hasStaticShape() || !k.hasStaticShape() || !getType().hasStaticShape())
    return std::nullopt;
  int64_t keys = k.getDimSize(k.getRank() - 2);
  return 2 * keys * (q.getNumElements() + getType().getNumElements());
}
