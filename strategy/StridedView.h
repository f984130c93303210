//===- StridedView.h - Tensors that are views of a kernel's arguments -----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_STRIDEDVIEW_H
#define OURC_STRATEGY_STRIDEDVIEW_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace ourc {

/// A product of an integer and of dynamic sizes.
struct Product {
  /// Dimension `dim` of the kernel argument `value`; or, where `dim` is -1, the
  /// index `value` itself.
  struct Factor {
    mlir::Value value;
    int64_t dim = -1;
    bool operator==(const Factor &other) const {
      return value == other.value && dim == other.dim;
    }
  };

  Product(int64_t constant = 1) : constant(constant) {}

  int64_t constant;
  /// Sorted, so that equal products compare equal.
  llvm::SmallVector<Factor, 2> factors;

  bool isConstant() const { return constant == 0 || factors.empty(); }
  bool isZero() const { return constant == 0; }
  bool isOne() const { return constant == 1 && factors.empty(); }
  bool operator==(const Product &other) const {
    return constant == other.constant &&
           (constant == 0 || factors == other.factors);
  }
  bool operator!=(const Product &other) const { return !(*this == other); }
  Product operator*(const Product &other) const;

  /// The size of a dimension of a tensor in a kernel. Dimensions that carry the
  /// same name in `ourc.shape` are the same size.
  static Product getSize(mlir::Value tensor, int64_t dim);
  static Product getSize(mlir::OpFoldResult size);
};

/// A tensor whose elements lie in one argument of the kernel, at
/// `offset + Σ index[d] * strides[d]`. A stride of 0 repeats the element.
struct StridedView {
  mlir::BlockArgument argument;
  llvm::SmallVector<Product> strides;
  llvm::SmallVector<Product, 1> offset; ///< a sum

  /// Looks through reshapes, slices, casts and generics that only move
  /// elements. None where `tensor` is computed, or is no such view; `reason`
  /// then says why.
  static std::optional<StridedView> get(mlir::Value tensor,
                                        std::string *reason = nullptr);
};

/// The elements that a loop nest reads of a view: the address in elements is
/// `offset + Σ loop[d] * strides[d]`.
struct LinearAccess {
  mlir::BlockArgument argument;
  llvm::SmallVector<Product> strides; ///< one a loop
  llvm::SmallVector<Product, 1> offset;

  /// The access of `tensor` at `map` (loops to indices).
  static std::optional<LinearAccess>
  get(mlir::Value tensor, mlir::AffineMap map, std::string *reason = nullptr);
  static std::optional<LinearAccess> get(const StridedView &view,
                                         mlir::AffineMap map,
                                         std::string *reason = nullptr);
};

} // namespace ourc

#endif // OURC_STRATEGY_STRIDEDVIEW_H
