//===- ReductionOps.cpp - Reductions and windows
//------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/Inference.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace ourc;

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  InferenceError fail{loc, getOperationName()};
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  ArrayRef<int64_t> dims = adaptor.getDimensions();
  // C1
  if (!areUniqueDims(dims, type.getRank()) || !llvm::is_sorted(dims))
    return fail("dimensions must be unique, ascending and in range for rank ",
                type.getRank());
  // C3
  bool logical = adaptor.getCombiner() == Combiner::And ||
                 adaptor.getCombiner() == Combiner::Or;
  Type element = type.getElementType();
  if (logical ? !element.isInteger() : element.isInteger(1))
    return fail(stringifyCombiner(adaptor.getCombiner()),
                logical ? " takes integers or i1, not " : " does not take ",
                element);
  // C2
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (!llvm::is_contained(dims, i))
      shape.push_back(type.getDimSize(i));
  inferred.push_back(type.clone(shape));
  return success();
}

LogicalResult ReduceOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t i = 0; i < getX().getType().getRank(); ++i)
    if (!llvm::is_contained(getDimensions(), i))
      sizes.push_back(tensor::getMixedSize(builder, getLoc(), getX(), i));
  shapes.push_back(sizes);
  return success();
}

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  if (getDimensions().empty() && getX().getType() == getType())
    return getX();
  return {};
}

//===----------------------------------------------------------------------===//
// PoolOp
//===----------------------------------------------------------------------===//

LogicalResult PoolOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  InferenceError fail{loc, getOperationName()};
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  int64_t count = type.getRank() - 2;
  if (count < 1)
    return fail("needs an operand of rank 3 or more, but has rank ",
                type.getRank());
  // C1
  if (static_cast<int64_t>(adaptor.getWindow().size()) != count ||
      llvm::any_of(adaptor.getWindow(), [](int64_t w) { return w < 1; }))
    return fail("needs a positive window size for each of the ", count,
                " spatial dimensions");
  if (failed(verifyWindow(loc, getOperationName(), count, adaptor.getStrides(),
                          adaptor.getDilations(), adaptor.getLow(),
                          adaptor.getHigh())))
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t i = 0; i < count; ++i) {
    int64_t window = adaptor.getWindow()[i], low = adaptor.getLow()[i],
            high = adaptor.getHigh()[i], dilation = adaptor.getDilations()[i];
    std::optional<int64_t> span =
        llvm::checkedMulAdd<int64_t>(dilation, window - 1, 1);
    if (!span)
      return fail("window of spatial dimension ", i, " is too large");
    // C2
    if (low >= *span || high >= *span)
      return fail("padding of spatial dimension ", i,
                  " must be less than the window's ", *span, " elements");
    // C3
    FailureOr<int64_t> size =
        windowOutputSize(type.getDimSize(i + 1), window,
                         adaptor.getStrides()[i], dilation, low, high);
    if (failed(size))
      return fail("window of spatial dimension ", i, " spans ", *span,
                  " elements, more than the padded operand has");
    shape[i + 1] = *size;
  }
  inferred.push_back(type.clone(shape));
  return success();
}

LogicalResult PoolOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  auto sizes = tensor::getMixedSizes(builder, getLoc(), getX());
  for (auto [i, window] : llvm::enumerate(getWindow()))
    sizes[i + 1] = windowOutputSize(builder, getLoc(), sizes[i + 1], window,
                                    getStrides()[i], getDilations()[i],
                                    getLow()[i], getHigh()[i]);
  shapes.push_back(sizes);
  return success();
}
