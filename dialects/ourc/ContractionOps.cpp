//===- ContractionOps.cpp - Contractions and convolutions
//---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/Inference.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ourc;

/// Dimensions of [0, rank) in neither list, ascending.
static SmallVector<int64_t> freeDims(int64_t rank, ArrayRef<int64_t> batch,
                                     ArrayRef<int64_t> contracted) {
  SmallVector<int64_t> dims;
  for (int64_t i = 0; i < rank; ++i)
    if (!llvm::is_contained(batch, i) && !llvm::is_contained(contracted, i))
      dims.push_back(i);
  return dims;
}

/// 2 · (elements of the result) · (length of a sum), when all is static.
static std::optional<int64_t> multiplyAdds(RankedTensorType result,
                                           ArrayRef<int64_t> summed) {
  if (!result.hasStaticShape())
    return std::nullopt;
  int64_t flops = 2 * result.getNumElements();
  for (int64_t size : summed) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    flops *= size;
  }
  return flops;
}

//===----------------------------------------------------------------------===//
// ContractOp
//===----------------------------------------------------------------------===//

SmallVector<int64_t> ContractOp::getLhsFree() {
  return freeDims(getLhs().getType().getRank(), getLhsBatch(),
                  getLhsContract());
}

SmallVector<int64_t> ContractOp::getRhsFree() {
  return freeDims(getRhs().getType().getRank(), getRhsBatch(),
                  getRhsContract());
}

LogicalResult ContractOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &inferred) {
  InferenceError fail{loc, getOperationName()};
  auto lhs = cast<RankedTensorType>(adaptor.getLhs().getType());
  auto rhs = cast<RankedTensorType>(adaptor.getRhs().getType());
  // C3
  if (lhs.getElementType() != rhs.getElementType())
    return fail("operands must have one element type, but have ",
                lhs.getElementType(), " and ", rhs.getElementType());
  auto all = [](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    SmallVector<int64_t> dims(a);
    dims.append(b.begin(), b.end());
    return dims;
  };
  // C2
  if (!areUniqueDims(all(adaptor.getLhsBatch(), adaptor.getLhsContract()),
                     lhs.getRank()) ||
      !areUniqueDims(all(adaptor.getRhsBatch(), adaptor.getRhsContract()),
                     rhs.getRank()))
    return fail("batch and contract dimensions must be unique and in range");
  // C1
  auto paired = [&](ArrayRef<int64_t> l, ArrayRef<int64_t> r, StringRef what,
                    SmallVectorImpl<int64_t> &sizes) -> LogicalResult {
    if (l.size() != r.size())
      return fail("has ", l.size(), " ", what, " dimensions on the left, but ",
                  r.size(), " on the right");
    for (auto [a, b] : llvm::zip(l, r)) {
      FailureOr<int64_t> size = joinSizes(lhs.getDimSize(a), rhs.getDimSize(b));
      if (failed(size))
        return fail(what, " dimensions ", a, " and ", b, " have sizes ",
                    lhs.getDimSize(a), " and ", rhs.getDimSize(b));
      sizes.push_back(*size);
    }
    return success();
  };
  SmallVector<int64_t> shape, contracted;
  if (failed(paired(adaptor.getLhsBatch(), adaptor.getRhsBatch(), "batch",
                    shape)) ||
      failed(paired(adaptor.getLhsContract(), adaptor.getRhsContract(),
                    "contract", contracted)))
    return failure();
  for (int64_t i :
       freeDims(lhs.getRank(), adaptor.getLhsBatch(), adaptor.getLhsContract()))
    shape.push_back(lhs.getDimSize(i));
  for (int64_t i :
       freeDims(rhs.getRank(), adaptor.getRhsBatch(), adaptor.getRhsContract()))
    shape.push_back(rhs.getDimSize(i));
  inferred.push_back(lhs.clone(shape));
  return success();
}

LogicalResult
ContractOp::reifyResultShapes(OpBuilder &builder,
                              ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t i : getLhsBatch())
    sizes.push_back(tensor::getMixedSize(builder, getLoc(), getLhs(), i));
  for (int64_t i : getLhsFree())
    sizes.push_back(tensor::getMixedSize(builder, getLoc(), getLhs(), i));
  for (int64_t i : getRhsFree())
    sizes.push_back(tensor::getMixedSize(builder, getLoc(), getRhs(), i));
  shapes.push_back(sizes);
  return success();
}

std::optional<int64_t> ContractOp::getFlops() {
  SmallVector<int64_t> summed;
  for (int64_t i : getLhsContract())
    summed.push_back(getLhs().getType().getDimSize(i));
  return multiplyAdds(getType(), summed);
}

//===----------------------------------------------------------------------===//
// ConvolutionOp
//===----------------------------------------------------------------------===//

LogicalResult ConvolutionOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> loc,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &inferred) {
  InferenceError fail{loc, getOperationName()};
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  auto filter = cast<RankedTensorType>(adaptor.getFilter().getType());
  int64_t rank = input.getRank(), count = rank - 2;
  // C1
  if (rank < 3 || filter.getRank() != rank ||
      filter.getElementType() != input.getElementType())
    return fail("input and filter must have one rank, at least 3, and one "
                "element type, but are ",
                input, " and ", filter);
  // C2
  if (failed(verifyWindow(loc, getOperationName(), count, adaptor.getStrides(),
                          adaptor.getDilations(), adaptor.getLow(),
                          adaptor.getHigh())))
    return failure();
  // C3
  int64_t groups = adaptor.getGroups();
  int64_t in = input.getDimSize(rank - 1), out = filter.getDimSize(0),
          perGroup = filter.getDimSize(rank - 1);
  if (groups < 1)
    return fail("groups must be positive");
  if (!ShapedType::isDynamic(in) && !ShapedType::isDynamic(perGroup) &&
      in != perGroup * groups)
    return fail("input has ", in, " channels, but the filter's ", perGroup,
                " by ", groups, " groups make ", perGroup * groups);
  if (!ShapedType::isDynamic(out) && out % groups != 0)
    return fail(groups, " groups do not divide the filter's ", out,
                " out channels");
  // C4
  SmallVector<int64_t> shape{input.getDimSize(0)};
  for (int64_t i = 0; i < count; ++i) {
    if (filter.isDynamicDim(i + 1))
      return fail("filter's spatial dimension ", i, " must have a static size");
    FailureOr<int64_t> size =
        windowOutputSize(input.getDimSize(i + 1), filter.getDimSize(i + 1),
                         adaptor.getStrides()[i], adaptor.getDilations()[i],
                         adaptor.getLow()[i], adaptor.getHigh()[i]);
    if (failed(size))
      return fail("filter is larger than the padded input in spatial "
                  "dimension ",
                  i);
    shape.push_back(*size);
  }
  shape.push_back(out);
  inferred.push_back(input.clone(shape));
  return success();
}

LogicalResult
ConvolutionOp::reifyResultShapes(OpBuilder &builder,
                                 ReifiedRankedShapedTypeDims &shapes) {
  auto sizes = tensor::getMixedSizes(builder, getLoc(), getInput());
  RankedTensorType filter = getFilter().getType();
  for (auto [i, stride] : llvm::enumerate(getStrides())) {
    // The verifier refuses it, but may not have run.
    if (filter.isDynamicDim(i + 1))
      return failure();
    sizes[i + 1] = windowOutputSize(
        builder, getLoc(), sizes[i + 1], filter.getDimSize(i + 1), stride,
        getDilations()[i], getLow()[i], getHigh()[i]);
  }
  sizes.back() = tensor::getMixedSize(builder, getLoc(), getFilter(), 0);
  shapes.push_back(sizes);
  return success();
}

std::optional<int64_t> ConvolutionOp::getFlops() {
  return multiplyAdds(getType(), getFilter().getType().getShape().drop_front());
}
