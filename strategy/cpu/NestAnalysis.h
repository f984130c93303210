//===- NestAnalysis.h - Which loops a result of a kernel wants ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_CPU_NESTANALYSIS_H
#define OURC_STRATEGY_CPU_NESTANALYSIS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace ourc {

/// What is known of a tensor in a kernel's body from all that it is computed
/// from.
struct NestAnalysis {
  /// Dimensions on which the results of reductions depend.
  llvm::SmallBitVector rows;
  /// Whether anything is reduced at all.
  bool hasReduction = false;
  /// Whether some operation costs more than a few instructions an element.
  bool isExpensive = false;
  /// The dimension to put on lanes; -1: none, reductions use the lanes.
  int64_t laneDim = -1;
  /// Operands in memory that are contiguous along `transposedDim`, not along
  /// the lanes' dimension, but are read along both; only without reductions.
  llvm::SetVector<mlir::Value> transposed;
  int64_t transposedDim = -1;
  /// Whether dimension d and d + 1 are one dimension in all memory.
  llvm::SmallBitVector collapsible;
  /// Elementwise values that several loops of a row need and that cost more to
  /// compute again than to keep.
  llvm::SetVector<mlir::Value> kept;

  /// Why one nest of loops would compute something over and over; empty where
  /// it does not.
  std::string objection;

  /// Tensors that `isGiven` are at hand, as if they were in memory.
  explicit NestAnalysis(mlir::Value root,
                        llvm::function_ref<bool(mlir::Value)> isGiven = {});
};

/// The tensor in memory of which `tensor` is another shape, or null: an
/// argument of the kernel, through reshapes and casts.
mlir::Value getStorage(mlir::Value tensor);

} // namespace ourc

#endif // OURC_STRATEGY_CPU_NESTANALYSIS_H
