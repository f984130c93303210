//===- ReductionParts.h - Reductions that threads share -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_REDUCTIONPARTS_H
#define OURC_CONVERSION_KERNELTOCPU_REDUCTIONPARTS_H

#include "conversion/KernelToCPU/Nest.h"

namespace ourc {

/// Computes the reductions of a kernel before its nests: threads reduce parts
/// of them into the kernel's workspace, where the parts are then merged in
/// their order. How many parts there are follows from sizes alone.
class ReductionParts {
public:
  ReductionParts(KernelABI &abi, const NestOptions &options, int64_t maxParts)
      : abi(abi), options(options), maxParts(maxParts) {}

  /// Emits all reductions of the kernel; what comes after them finds their
  /// results by `bind`.
  mlir::LogicalResult emit();

  /// Lets `reader` load the results that were computed.
  void bind(OperandReader &reader, mlir::Block *home) const;

  /// Whether `tensor` is a result that was computed.
  bool isComputed(mlir::Value tensor) const { return results.contains(tensor); }

private:
  mlir::LogicalResult emitReduction(mlir::Operation *op);
  /// The next `bytes * rows` bytes of the workspace.
  mlir::Value allocate(int64_t bytes, mlir::Value rows);

  KernelABI &abi;
  const NestOptions &options;
  int64_t maxParts;
  mlir::Value used; ///< bytes of the workspace
  /// Where the elements of each result are.
  llvm::MapVector<mlir::Value, mlir::Value> results;
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_REDUCTIONPARTS_H
