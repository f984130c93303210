//===- Tensor.h - Values of the reference interpreter ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_REFERENCE_TENSOR_H
#define OURC_REFERENCE_TENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include <vector>

namespace ourc::reference {

/// One element: `real` where the type is a float, else `integer`, sign-extended
/// from the type's width (a boolean is 0 or 1).
struct Element {
  double real = 0;
  int64_t integer = 0;
};

/// A tensor, row-major. An index value is a tensor of rank 0.
struct Tensor {
  mlir::Type element;
  llvm::SmallVector<int64_t> shape;
  std::vector<Element> data;

  Tensor() = default;
  Tensor(mlir::Type element, llvm::ArrayRef<int64_t> shape);
  static Tensor fromAttr(mlir::ElementsAttr attr);
  static Tensor fromIndex(mlir::MLIRContext *context, int64_t value);

  int64_t getRank() const { return shape.size(); }
  bool isFloat() const { return llvm::isa<mlir::FloatType>(element); }
  Element &at(llvm::ArrayRef<int64_t> index) { return data[offset(index)]; }
  const Element &at(llvm::ArrayRef<int64_t> index) const {
    return data[offset(index)];
  }
  int64_t offset(llvm::ArrayRef<int64_t> index) const;

  /// Calls `visit` with every index, in row-major order.
  void forEach(llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit) const;
};

/// An integer as an element of `type` holds it.
int64_t wrapInteger(int64_t value, mlir::Type type);

} // namespace ourc::reference

#endif // OURC_REFERENCE_TENSOR_H
