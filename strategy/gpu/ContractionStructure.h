//===- ContractionStructure.h - The contraction of a kernel ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_GPU_CONTRACTIONSTRUCTURE_H
#define OURC_STRATEGY_GPU_CONTRACTIONSTRUCTURE_H

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>
#include <string>

namespace ourc {

/// A kernel that is one contraction, elementwise prologues of its operands and
/// elementwise epilogues of its result. A convolution is one: its loops over
/// positions of the result are free, those over the window contracted, and one
/// operand is read at sums of both.
struct ContractionStructure {
  mlir::linalg::LinalgOp op;
  /// Loops by kind: in both operands and the result; in the left operand and
  /// the result; in the right operand and the result; in the operands alone.
  llvm::SmallVector<unsigned> batch, m, n, k;
  /// For each result of the kernel and each dimension of the contraction's
  /// result: the dimension of the kernel's result that runs along it.
  llvm::SmallVector<llvm::SmallVector<int64_t>> resultDims;

  /// Whether an operand is read at sums of loops.
  bool hasWindow() const;
  /// The number of iterations of some loops, where it is known.
  int64_t getSize(llvm::ArrayRef<unsigned> loops) const;
};

/// Whether `op` multiplies two operands and adds the products up, and its loops
/// are those of a contraction.
bool isContraction(mlir::Operation *op);

/// The contraction of `kernel`; nothing when it is not one, and then `reason`
/// (where given) says why.
std::optional<ContractionStructure> analyzeContraction(kernel::FuncOp kernel,
                                                       std::string *reason);

/// Whether tensor cores multiply these types: two operands of f16 or bf16, a
/// result of theirs or f32.
mlir::LogicalResult checkTensorCoreTypes(const ContractionStructure &structure,
                                         std::string *reason);

/// Whether all are f32.
mlir::LogicalResult checkSingleTypes(const ContractionStructure &structure,
                                     std::string *reason);

} // namespace ourc

#endif // OURC_STRATEGY_GPU_CONTRACTIONSTRUCTURE_H
