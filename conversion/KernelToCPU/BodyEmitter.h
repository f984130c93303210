//===- BodyEmitter.h - Scalar regions on vectors --------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_BODYEMITTER_H
#define OURC_CONVERSION_KERNELTOCPU_BODYEMITTER_H

#include "conversion/KernelToCPU/LaneIndex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/DenseMap.h"

namespace ourc {

/// Puts a region of scalar `arith` and `math` operations on 1-D vectors. Math
/// functions become polynomials; f16 and bf16 are computed in f32 and rounded
/// after each operation; conversions to integers saturate; an integer division
/// that has no result gives 0 instead of a trap.
/// Additions and multiplications of floats may be contracted.
class BodyEmitter {
public:
  /// The index of the loop dimension `dim`.
  using IndexFn = llvm::function_ref<LaneIndex(int64_t dim)>;
  /// The elements that a `tensor.extract` reads.
  using ExtractFn = llvm::function_ref<mlir::FailureOr<mlir::Value>(
      mlir::tensor::ExtractOp, llvm::ArrayRef<LaneIndex>)>;
  /// The value of a scalar that the kernel's body computes outside the region.
  using OuterFn = llvm::function_ref<mlir::FailureOr<mlir::Value>(mlir::Value)>;

  /// Emits at `builder`'s insertion point. `lanes` is the length of vectors.
  BodyEmitter(mlir::OpBuilder &builder, int64_t lanes)
      : builder(builder), lanes(lanes) {}

  /// Emits the operations of `body` but its terminator and returns the values
  /// that the terminator would pass on. An argument is a `vector<lanes x T>`,
  /// or a scalar where all lanes agree; so is each result, and an operation
  /// with scalar operands alone stays scalar.
  ///
  /// Constants defined above the region are cloned. Fails, with an error at
  /// the operation, where one is not elementwise or a callback is missing.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emit(mlir::Block &body, mlir::ValueRange arguments, IndexFn index = nullptr,
       ExtractFn extract = nullptr, OuterFn outer = nullptr);

  /// Values of the region that are known already: what computes them is not
  /// emitted.
  void setKnown(llvm::ArrayRef<std::pair<mlir::Value, mlir::Value>> values) {
    known = values;
  }
  /// Which results are wanted; the others are null. Only what they need is
  /// emitted. All are when not called.
  void setWanted(llvm::ArrayRef<unsigned> results) { wanted = results; }

  /// Emits one operation on `operands`, each scalar or vector.
  mlir::FailureOr<mlir::Value> emitOp(mlir::Operation *op,
                                      llvm::ArrayRef<mlir::Value> operands);

  /// `value` as a vector of `lanes`, whether it is one or a scalar.
  mlir::Value toVector(mlir::Location loc, mlir::Value value);

private:
  mlir::OpBuilder &builder;
  int64_t lanes;
  llvm::ArrayRef<std::pair<mlir::Value, mlir::Value>> known;
  std::optional<llvm::ArrayRef<unsigned>> wanted;
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_BODYEMITTER_H
