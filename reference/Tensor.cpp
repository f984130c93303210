//===- Tensor.cpp - Values of the reference interpreter -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Tensor.h"

using namespace mlir;
using namespace ourc::reference;

Tensor::Tensor(Type element, ArrayRef<int64_t> shape)
    : element(element), shape(shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  data.resize(count);
}

Tensor Tensor::fromAttr(ElementsAttr attr) {
  auto type = cast<RankedTensorType>(attr.getType());
  Tensor result(type.getElementType(), type.getShape());
  if (result.isFloat()) {
    for (auto [place, value] :
         llvm::zip(result.data, attr.getValues<APFloat>())) {
      bool losesInfo;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      place.real = value.convertToDouble();
    }
    return result;
  }
  for (auto [place, value] : llvm::zip(result.data, attr.getValues<APInt>()))
    place.integer = value.getBitWidth() == 1
                        ? static_cast<int64_t>(value.getZExtValue())
                        : value.getSExtValue();
  return result;
}

Tensor Tensor::fromIndex(MLIRContext *context, int64_t value) {
  Tensor result(IndexType::get(context), {});
  result.data[0].integer = value;
  return result;
}

int64_t Tensor::offset(ArrayRef<int64_t> index) const {
  int64_t offset = 0;
  for (auto [i, size] : llvm::zip(index, shape))
    offset = offset * size + i;
  return offset;
}

void Tensor::forEach(llvm::function_ref<void(ArrayRef<int64_t>)> visit) const {
  SmallVector<int64_t> index(shape.size(), 0);
  for (size_t n = data.size(); n > 0; --n) {
    visit(index);
    for (int64_t dim = getRank() - 1; dim >= 0; --dim) {
      if (++index[dim] < shape[dim])
        break;
      index[dim] = 0;
    }
  }
}

int64_t ourc::reference::wrapInteger(int64_t value, Type type) {
  if (isa<IndexType>(type))
    return value;
  unsigned width = cast<IntegerType>(type).getWidth();
  if (width == 1)
    return value & 1;
  return llvm::SignExtend64(static_cast<uint64_t>(value), width);
}
