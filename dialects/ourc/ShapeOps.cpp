//===- ShapeOps.cpp - Operations that move elements
//---------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/Inference.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace ourc;

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  auto from = getX().getType(), to = getType();
  // C1
  if (from.getElementType() != to.getElementType())
    return emitOpError("must keep the element type, but takes ")
           << from << " to " << to;
  if (from.hasStaticShape() && to.hasStaticShape() &&
      from.getNumElements() != to.getNumElements())
    return emitOpError("must keep the number of elements, but takes ")
           << from.getNumElements() << " to " << to.getNumElements();
  // C2
  return verifySizes(*this, getStaticSizes(), getSizes(), to);
}

LogicalResult
ReshapeOp::reifyResultShapes(OpBuilder &, ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(getMixedSizes());
  return success();
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  InferenceError fail{loc, getOperationName()};
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  // C1
  if (static_cast<int64_t>(permutation.size()) != type.getRank() ||
      !areUniqueDims(permutation, type.getRank()))
    return fail("permutation must hold each of the ", type.getRank(),
                " dimensions once");
  // C2
  inferred.push_back(
      type.clone(applyPermutation(type.getShape(), permutation)));
  return success();
}

LogicalResult
TransposeOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  auto sizes = tensor::getMixedSizes(builder, getLoc(), getX());
  applyPermutationToVector(sizes, getPermutation());
  shapes.push_back(sizes);
  return success();
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  auto from = getX().getType(), to = getType();
  if (from.getElementType() != to.getElementType())
    return emitOpError("must keep the element type, but takes ")
           << from << " to " << to;
  // C1
  if (static_cast<int64_t>(getDimensions().size()) != from.getRank())
    return emitOpError("has ")
           << getDimensions().size() << " dims, but the operand has rank "
           << from.getRank();
  int64_t previous = -1;
  for (auto [i, dim] : llvm::enumerate(getDimensions())) {
    if (dim <= previous || dim >= to.getRank())
      return emitOpError("dims must be ascending and below the result's rank ")
             << to.getRank();
    previous = dim;
    // C2
    int64_t size = from.getDimSize(i);
    if (size != 1 && failed(joinSizes(size, to.getDimSize(dim))))
      return emitOpError("operand dimension ")
             << i << " has size " << size << ", which is neither 1 nor "
             << to.getDimSize(dim);
  }
  // C3
  return verifySizes(*this, getStaticSizes(), getSizes(), to);
}

LogicalResult
BroadcastOp::reifyResultShapes(OpBuilder &,
                               ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(getMixedSizes());
  return success();
}

//===----------------------------------------------------------------------===//
// SliceOp
//===----------------------------------------------------------------------===//

LogicalResult SliceOp::verify() {
  auto from = getX().getType(), to = getType();
  if (from.getElementType() != to.getElementType())
    return emitOpError("must keep the element type, but takes ")
           << from << " to " << to;
  // C1
  int64_t rank = from.getRank();
  if (static_cast<int64_t>(getStaticOffsets().size()) != rank ||
      static_cast<int64_t>(getStrides().size()) != rank || to.getRank() != rank)
    return emitOpError("needs an offset, a size and a stride for each of the ")
           << rank << " dimensions";
  if (llvm::any_of(getStrides(), [](int64_t s) { return s < 1; }))
    return emitOpError("strides must be positive");
  if (llvm::count(getStaticOffsets(), ShapedType::kDynamic) !=
      static_cast<int64_t>(getOffsets().size()))
    return emitOpError("has ")
           << getOffsets().size() << " offset operands for "
           << llvm::count(getStaticOffsets(), ShapedType::kDynamic)
           << " dynamic offsets";
  // C2
  if (failed(verifySizes(*this, getStaticSizes(), getSizes(), to)))
    return failure();
  // C3
  for (int64_t i = 0; i < rank; ++i) {
    int64_t offset = getStaticOffsets()[i], size = getStaticSizes()[i];
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size))
      continue;
    if (offset < 0)
      return emitOpError("offset ") << i << " is negative";
    if (from.isDynamicDim(i) || size == 0)
      continue;
    std::optional<int64_t> last =
        llvm::checkedMulAdd(size - 1, getStrides()[i], offset);
    if (!last)
      return emitOpError("reaches beyond all elements of dimension ") << i;
    if (*last >= from.getDimSize(i))
      return emitOpError("reaches element ")
             << *last << " of dimension " << i << ", which has size "
             << from.getDimSize(i);
  }
  return success();
}

LogicalResult SliceOp::reifyResultShapes(OpBuilder &,
                                         ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(getMixedSizes());
  return success();
}

//===----------------------------------------------------------------------===//
// PadOp
//===----------------------------------------------------------------------===//

LogicalResult PadOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &inferred) {
  InferenceError fail{loc, getOperationName()};
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  // C1
  ArrayRef<int64_t> low = adaptor.getLow(), high = adaptor.getHigh();
  if (static_cast<int64_t>(low.size()) != type.getRank() ||
      static_cast<int64_t>(high.size()) != type.getRank())
    return fail("needs low and high for each of the ", type.getRank(),
                " dimensions");
  auto negative = [](int64_t x) { return x < 0; };
  if (llvm::any_of(low, negative) || llvm::any_of(high, negative))
    return fail("padding must not be negative");
  // C2
  if (adaptor.getValue().getType() != type.getElementType())
    return fail("value is ", adaptor.getValue().getType(),
                ", but the elements are ", type.getElementType());
  // C3
  SmallVector<int64_t> shape(type.getShape());
  for (auto [i, size] : llvm::enumerate(shape)) {
    std::optional<int64_t> border = llvm::checkedAdd(low[i], high[i]);
    std::optional<int64_t> padded = border && !ShapedType::isDynamic(size)
                                        ? llvm::checkedAdd(size, *border)
                                        : border;
    if (!padded)
      return fail("padding of dimension ", i, " is too large");
    if (!ShapedType::isDynamic(size))
      size = *padded;
  }
  inferred.push_back(type.clone(shape));
  return success();
}

LogicalResult PadOp::reifyResultShapes(OpBuilder &builder,
                                       ReifiedRankedShapedTypeDims &shapes) {
  auto sizes = tensor::getMixedSizes(builder, getLoc(), getX());
  AffineExpr s = builder.getAffineSymbolExpr(0);
  for (auto [i, size] : llvm::enumerate(sizes))
    size = affine::makeComposedFoldedAffineApply(
        builder, getLoc(), s + (getLow()[i] + getHigh()[i]), {size});
  shapes.push_back(sizes);
  return success();
}

//===----------------------------------------------------------------------===//
// RepeatOp
//===----------------------------------------------------------------------===//

LogicalResult RepeatOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  InferenceError fail{loc, getOperationName()};
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  ArrayRef<int64_t> factors = adaptor.getFactors();
  // C1
  if (static_cast<int64_t>(factors.size()) != type.getRank() ||
      llvm::any_of(factors, [](int64_t factor) { return factor < 1; }))
    return fail("needs a factor of 1 or more for each of the ", type.getRank(),
                " dimensions");
  // C2
  SmallVector<int64_t> shape(type.getShape());
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (ShapedType::isDynamic(size))
      continue;
    std::optional<int64_t> repeated = llvm::checkedMul(size, factors[i]);
    if (!repeated)
      return fail("dimension ", i, " is too large");
    size = *repeated;
  }
  inferred.push_back(type.clone(shape));
  return success();
}

LogicalResult RepeatOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  auto sizes = tensor::getMixedSizes(builder, getLoc(), getX());
  AffineExpr s = builder.getAffineSymbolExpr(0);
  for (auto [size, factor] : llvm::zip(sizes, getFactors()))
    size = affine::makeComposedFoldedAffineApply(builder, getLoc(), s * factor,
                                                 {size});
  shapes.push_back(sizes);
  return success();
}

//===----------------------------------------------------------------------===//
// ConcatOp
//===----------------------------------------------------------------------===//

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  InferenceError fail{loc, getOperationName()};
  // C1
  if (adaptor.getInputs().empty())
    return fail("needs an operand");
  auto first = cast<RankedTensorType>(adaptor.getInputs().front().getType());
  // C2
  int64_t dim = adaptor.getDim();
  if (dim < 0 || dim >= first.getRank())
    return fail("dim ", dim, " is out of range for rank ", first.getRank());
  SmallVector<int64_t> shape(first.getShape());
  shape[dim] = 0;
  for (auto [n, input] : llvm::enumerate(adaptor.getInputs())) {
    auto type = cast<RankedTensorType>(input.getType());
    if (type.getRank() != first.getRank() ||
        type.getElementType() != first.getElementType())
      return fail("operand ", n, " is ", type, ", but operand 0 is ", first);
    for (int64_t i = 0; i < first.getRank(); ++i) {
      // C3
      if (i == dim) {
        if (ShapedType::isDynamic(shape[i]) || type.isDynamicDim(i)) {
          shape[i] = ShapedType::kDynamic;
          continue;
        }
        std::optional<int64_t> sum =
            llvm::checkedAdd(shape[i], type.getDimSize(i));
        if (!sum)
          return fail("the result is too large");
        shape[i] = *sum;
        continue;
      }
      FailureOr<int64_t> size = joinSizes(shape[i], type.getDimSize(i));
      if (failed(size))
        return fail("operand ", n, " has size ", type.getDimSize(i),
                    " in dimension ", i, ", but another has ", shape[i]);
      shape[i] = *size;
    }
  }
  inferred.push_back(first.clone(shape));
  return success();
}

LogicalResult ConcatOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  auto sizes = tensor::getMixedSizes(builder, getLoc(), getInputs().front());
  AffineExpr sum = builder.getAffineConstantExpr(0);
  SmallVector<OpFoldResult> parts;
  for (Value input : getInputs()) {
    sum = sum + builder.getAffineSymbolExpr(parts.size());
    parts.push_back(tensor::getMixedSize(builder, getLoc(), input, getDim()));
  }
  sizes[getDim()] =
      affine::makeComposedFoldedAffineApply(builder, getLoc(), sum, parts);
  shapes.push_back(sizes);
  return success();
}

//===----------------------------------------------------------------------===//
// GatherOp
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  InferenceError fail{loc, getOperationName()};
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  ArrayRef<int64_t> axes = adaptor.getAxes();
  // C1, C2
  if (axes.empty() || axes.size() != adaptor.getIndices().size())
    return fail("needs one index tensor for each axis, at least one");
  if (!areUniqueDims(axes, type.getRank()))
    return fail("axes must be unique and in range for rank ", type.getRank());
  auto index = cast<RankedTensorType>(adaptor.getIndices().front().getType());
  SmallVector<int64_t> shape(index.getShape());
  for (Value other : adaptor.getIndices()) {
    if (getElementTypeOrSelf(other.getType()) != index.getElementType() ||
        failed(verifyCompatibleShape(other.getType(), index)))
      return fail("index tensors must have one type, but are ", index, " and ",
                  other.getType());
    for (auto [i, size] :
         llvm::enumerate(cast<RankedTensorType>(other.getType()).getShape()))
      if (ShapedType::isDynamic(shape[i]))
        shape[i] = size;
  }
  // C3
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (!llvm::is_contained(axes, i))
      shape.push_back(type.getDimSize(i));
  inferred.push_back(type.clone(shape));
  return success();
}

LogicalResult GatherOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  auto sizes = tensor::getMixedSizes(builder, getLoc(), getIndices().front());
  for (int64_t i = 0; i < getX().getType().getRank(); ++i)
    if (!llvm::is_contained(getAxes(), i))
      sizes.push_back(tensor::getMixedSize(builder, getLoc(), getX(), i));
  shapes.push_back(sizes);
  return success();
}

//===----------------------------------------------------------------------===//
// ScatterOp
//===----------------------------------------------------------------------===//

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &inferred) {
  InferenceError fail{loc, getOperationName()};
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  ArrayRef<int64_t> axes = adaptor.getAxes();
  // C1, C2
  if (axes.empty() || axes.size() != adaptor.getIndices().size())
    return fail("needs one index tensor for each axis, at least one");
  if (!areUniqueDims(axes, type.getRank()))
    return fail("axes must be unique and in range for rank ", type.getRank());
  auto index = cast<RankedTensorType>(adaptor.getIndices().front().getType());
  for (Value other : adaptor.getIndices())
    if (getElementTypeOrSelf(other.getType()) != index.getElementType() ||
        failed(verifyCompatibleShape(other.getType(), index)))
      return fail("index tensors must have one type, but are ", index, " and ",
                  other.getType());
  // C3
  SmallVector<int64_t> shape(index.getShape());
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (!llvm::is_contained(axes, i))
      shape.push_back(type.getDimSize(i));
  auto updates = cast<RankedTensorType>(adaptor.getUpdates().getType());
  if (updates.getElementType() != type.getElementType() ||
      failed(verifyCompatibleShape(updates.getShape(), shape)))
    return fail("updates must be ", type.clone(shape), ", but are ", updates);
  // C5
  if (std::optional<Combiner> combiner = adaptor.getCombiner()) {
    Type element = type.getElementType();
    bool isLogic = *combiner == Combiner::And || *combiner == Combiner::Or;
    if (isLogic ? !element.isInteger() : element.isInteger(1))
      return fail("combiner '", stringifyCombiner(*combiner),
                  "' does not take ", element);
  }
  inferred.push_back(type);
  return success();
}

LogicalResult
ScatterOp::reifyResultShapes(OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(tensor::getMixedSizes(builder, getLoc(), getX()));
  return success();
}
