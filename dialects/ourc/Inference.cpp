//===- Inference.cpp - What result types are compatible
//-----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/Inference.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;

bool ourc::areCompatibleResults(TypeRange inferred, TypeRange declared) {
  if (inferred.size() != declared.size())
    return false;
  for (auto [a, b] : llvm::zip(inferred, declared))
    if (getElementTypeOrSelf(a) != getElementTypeOrSelf(b) ||
        failed(verifyCompatibleShape(a, b)))
      return false;
  return true;
}

LogicalResult ourc::reifyLikeFirst(Operation *op, OpBuilder &builder,
                                   ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(
      tensor::getMixedSizes(builder, op->getLoc(), op->getOperand(0)));
  return success();
}

FailureOr<int64_t> ourc::joinSizes(int64_t a, int64_t b) {
  if (ShapedType::isDynamic(a))
    return b;
  if (!ShapedType::isDynamic(b) && a != b)
    return failure();
  return a;
}

bool ourc::areUniqueDims(ArrayRef<int64_t> dims, int64_t rank) {
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= rank || seen.test(dim))
      return false;
    seen.set(dim);
  }
  return true;
}

LogicalResult ourc::verifySizes(Operation *op, ArrayRef<int64_t> staticSizes,
                                ValueRange dynamicSizes,
                                RankedTensorType type) {
  if (static_cast<int64_t>(staticSizes.size()) != type.getRank())
    return op->emitOpError("has ")
           << staticSizes.size() << " sizes, but the result has rank "
           << type.getRank();
  if (llvm::count(staticSizes, ShapedType::kDynamic) !=
      static_cast<int64_t>(dynamicSizes.size()))
    return op->emitOpError("has ")
           << dynamicSizes.size() << " size operands for "
           << llvm::count(staticSizes, ShapedType::kDynamic)
           << " dynamic sizes";
  for (auto [i, size] : llvm::enumerate(staticSizes)) {
    if (!ShapedType::isDynamic(size) && size < 0)
      return op->emitOpError("size ") << i << " is negative";
    if (failed(joinSizes(size, type.getDimSize(i))))
      return op->emitOpError("size ")
             << i << " is " << size << ", but the result's is "
             << type.getDimSize(i);
  }
  return success();
}

FailureOr<int64_t> ourc::windowOutputSize(int64_t size, int64_t window,
                                          int64_t stride, int64_t dilation,
                                          int64_t low, int64_t high) {
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(window))
    return ShapedType::kDynamic;
  // Attributes may be anything: what overflows has no size.
  auto border = llvm::checkedAdd(low, high);
  auto padded = border ? llvm::checkedAdd(size, *border) : border;
  auto reach = llvm::checkedMul(dilation, window - 1);
  if (!padded || !reach || *padded - 1 < *reach)
    return failure();
  return (*padded - 1 - *reach) / stride + 1;
}

OpFoldResult ourc::windowOutputSize(OpBuilder &builder, Location loc,
                                    OpFoldResult size, int64_t window,
                                    int64_t stride, int64_t dilation,
                                    int64_t low, int64_t high) {
  AffineExpr s = builder.getAffineSymbolExpr(0);
  AffineExpr out =
      (s + (low + high - dilation * (window - 1) - 1)).floorDiv(stride) + 1;
  return affine::makeComposedFoldedAffineApply(builder, loc, out, {size});
}

LogicalResult ourc::verifyWindow(std::optional<Location> loc, StringRef op,
                                 int64_t count, ArrayRef<int64_t> strides,
                                 ArrayRef<int64_t> dilations,
                                 ArrayRef<int64_t> low,
                                 ArrayRef<int64_t> high) {
  for (ArrayRef<int64_t> list : {strides, dilations, low, high})
    if (static_cast<int64_t>(list.size()) != count)
      return emitOptionalError(loc, "'", op,
                               "' op needs one stride, dilation, low and high "
                               "padding for each of the ",
                               count, " spatial dimensions");
  auto below = [](ArrayRef<int64_t> list, int64_t least) {
    return llvm::any_of(list, [&](int64_t x) { return x < least; });
  };
  if (below(strides, 1) || below(dilations, 1))
    return emitOptionalError(loc, "'", op,
                             "' op strides and dilations must be positive");
  if (below(low, 0) || below(high, 0))
    return emitOptionalError(loc, "'", op, "' op padding must not be negative");
  return success();
}
