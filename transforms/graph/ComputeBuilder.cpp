//===- ComputeBuilder.cpp - Builds primitive operations -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/ComputeBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ourc;

static RankedTensorType typeOf(Value x) {
  return mlir::cast<RankedTensorType>(x.getType());
}

Type ComputeBuilder::getComputeType(Type type) {
  auto floating = dyn_cast<FloatType>(type);
  if (!floating || floating.getWidth() >= 32)
    return type;
  return Float32Type::get(type.getContext());
}

Value ComputeBuilder::cast(Value x, Type element) {
  if (typeOf(x).getElementType() == element)
    return x;
  bool rounds =
      element.getIntOrFloatBitWidth() < typeOf(x).getElementTypeBitWidth();
  return CastOp::create(builder, loc, typeOf(x).clone(element), x,
                        /*unsignedSource=*/false, /*unsignedResult=*/false,
                        /*implicit=*/rounds);
}

Value ComputeBuilder::splat(double value, Value like) {
  RankedTensorType type = typeOf(like);
  auto attr = builder.getFloatAttr(type.getElementType(), value);
  if (type.hasStaticShape())
    return ConstantOp::create(builder, loc, type,
                              DenseElementsAttr::get(type, attr));
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Value constant = ConstantOp::create(builder, loc, scalar,
                                      DenseElementsAttr::get(scalar, attr));
  return broadcastLike(constant, {}, like);
}

Value ComputeBuilder::count(Value x, ArrayRef<int64_t> dims, Value like) {
  int64_t known = 1;
  Value dynamic;
  for (int64_t dim : dims) {
    if (!typeOf(x).isDynamicDim(dim)) {
      known *= typeOf(x).getDimSize(dim);
      continue;
    }
    Value size = tensor::DimOp::create(builder, loc, x, dim);
    dynamic =
        dynamic ? arith::MulIOp::create(builder, loc, dynamic, size) : size;
  }
  if (!dynamic)
    return splat(known, like);
  Value factor = arith::ConstantIndexOp::create(builder, loc, known);
  Value size = arith::MulIOp::create(builder, loc, dynamic, factor);
  Type integer = builder.getI64Type();
  Value scalar = tensor::FromElementsOp::create(
      builder, loc, RankedTensorType::get({}, integer),
      ValueRange(arith::IndexCastOp::create(builder, loc, integer, size)));
  return broadcastLike(cast(scalar, typeOf(like).getElementType()), {}, like);
}

Value ComputeBuilder::reshape(Value x, ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> staticSizes;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  return ReshapeOp::create(builder, loc, typeOf(x).clone(staticSizes), x,
                           dynamicSizes, staticSizes);
}

Value ComputeBuilder::broadcastLike(Value x, ArrayRef<int64_t> dims,
                                    Value like) {
  return broadcast(x, dims, tensor::getMixedSizes(builder, loc, like));
}

Value ComputeBuilder::broadcast(Value x, ArrayRef<int64_t> dims,
                                ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> staticSizes;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  return BroadcastOp::create(builder, loc, typeOf(x).clone(staticSizes), x,
                             dims, dynamicSizes, staticSizes);
}

Value ComputeBuilder::reduce(Combiner combiner, Value x,
                             ArrayRef<int64_t> dims) {
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(typeOf(x).getShape()))
    if (!llvm::is_contained(dims, static_cast<int64_t>(i)))
      shape.push_back(size);
  return ReduceOp::create(builder, loc, typeOf(x).clone(shape), combiner, x,
                          dims);
}

Value ComputeBuilder::reduceAndRepeat(Combiner combiner, Value x,
                                      ArrayRef<int64_t> dims) {
  SmallVector<int64_t> kept;
  for (int64_t i = 0; i < typeOf(x).getRank(); ++i)
    if (!llvm::is_contained(dims, i))
      kept.push_back(i);
  return broadcastLike(reduce(combiner, x, dims), kept, x);
}

std::pair<Value, Value> ComputeBuilder::batchNormScaleAndShift(BatchNormOp op) {
  Type compute = getComputeType(op.getType().getElementType());
  Value variance = cast(op.getVariance(), compute);
  Value scale =
      unary<RsqrtOp>(shift(variance, op.getEpsilon().convertToDouble()));
  if (op.getWeight())
    scale = mul(cast(op.getWeight(), compute), scale);
  Value product = mul(cast(op.getMean(), compute), scale);
  Value offset = op.getBias() ? sub(cast(op.getBias(), compute), product)
                              : unary<NegOp>(product);
  return {scale, offset};
}
