//===- BodyEmitter.h - Scalar regions on vectors --------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_BODYEMITTER_H
#define OURC_CONVERSION_KERNELTOCPU_BODYEMITTER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/ValueRange.h"

namespace ourc {

/// Puts a region of scalar `arith` and `math` operations on 1-D vectors. Math
/// functions become polynomials; every other elementwise operation is cloned
/// with vector types.
class BodyEmitter {
public:
  /// Emits at `builder`'s insertion point. `lanes` is the length of vectors.
  BodyEmitter(mlir::OpBuilder &builder, int64_t lanes)
      : builder(builder), lanes(lanes) {}

  /// Emits the operations of `body` but its terminator and returns the values
  /// that the terminator would pass on. An argument is a `vector<lanes x T>`,
  /// or a scalar where all lanes agree; so is each result, and an operation
  /// with scalar operands alone stays scalar. `index` gives the value of a
  /// `linalg.index` (i64, or a vector of i64).
  ///
  /// Values defined above the region (constants of the kernel's body) are
  /// cloned. Fails, with an error at the operation, where one is not
  /// elementwise.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emit(mlir::Block &body, mlir::ValueRange arguments,
       llvm::function_ref<mlir::Value(int64_t dim)> index = nullptr);

  /// `value` as a vector of `lanes`, whether it is one or a scalar.
  mlir::Value toVector(mlir::Location loc, mlir::Value value);

private:
  mlir::OpBuilder &builder;
  int64_t lanes;
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_BODYEMITTER_H
