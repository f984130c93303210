//===- Sizes.h - Sizes of tensors as values -------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_ATENTOOURC_SIZES_H
#define OURC_CONVERSION_ATENTOOURC_SIZES_H

#include "dialects/ourc/OurcDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir {
class FunctionOpInterface;
} // namespace mlir

namespace ourc::aten {

/// Finds the size of a tensor's dimension as a constant or as a value that is
/// available wherever the tensor is: the `ourc.dim` of a symbol where one names
/// the dimension, what the tensor's producer computed it from, or `tensor.dim`.
/// Every size is found once.
class SizeResolver {
public:
  /// Moves the function's `ourc.dim` ops to its start and merges them, so that
  /// equal sizes are one value.
  void prepare(mlir::FunctionOpInterface func);

  mlir::OpFoldResult getSize(mlir::Value tensor, int64_t dim);
  llvm::SmallVector<mlir::OpFoldResult> getSizes(mlir::Value tensor);

private:
  mlir::OpFoldResult compute(mlir::Value tensor, int64_t dim);
  mlir::OpFoldResult computeFromProducer(mlir::OpResult tensor, int64_t dim);
  mlir::Value getSymbolSize(mlir::Block &entry, mlir::FlatSymbolRefAttr symbol);

  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::OpFoldResult> known;
  llvm::DenseMap<std::pair<mlir::Block *, mlir::Attribute>, mlir::Value>
      symbols;
};

/// Arithmetic on sizes: constants are folded, the rest is `arith` on index.
class SizeMath {
public:
  SizeMath(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::OpFoldResult constant(int64_t value);
  mlir::Value materialize(mlir::OpFoldResult size);

  mlir::OpFoldResult add(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult sub(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult mul(mlir::OpFoldResult a, mlir::OpFoldResult b);
  /// Rounded down and up; the divisor is positive.
  mlir::OpFoldResult floorDiv(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult ceilDiv(mlir::OpFoldResult a, mlir::OpFoldResult b);
  /// Of two sizes whose order is known from their bounds, one of them.
  mlir::OpFoldResult min(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult max(mlir::OpFoldResult a, mlir::OpFoldResult b);
  /// The product of `numerators` over that of `denominators`, equal factors
  /// cancelled first; the division is exact.
  mlir::OpFoldResult quotient(llvm::ArrayRef<mlir::OpFoldResult> numerators,
                              llvm::ArrayRef<mlir::OpFoldResult> denominators);
  /// A position counted from the end where it is negative.
  mlir::OpFoldResult wrap(mlir::OpFoldResult index, mlir::OpFoldResult size);
  /// A position of Python's slices: wrapped, then moved into [0, size].
  mlir::OpFoldResult clampPosition(mlir::OpFoldResult position,
                                   mlir::OpFoldResult size);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The least and the greatest value that an index can have, as far as symbols
/// and arithmetic tell.
struct SizeBounds {
  int64_t min, max;
};
SizeBounds getBounds(mlir::OpFoldResult size);

} // namespace ourc::aten

#endif // OURC_CONVERSION_ATENTOOURC_SIZES_H
