//===- RowStructure.h - What rows a kernel has -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_GPU_ROWSTRUCTURE_H
#define OURC_STRATEGY_GPU_ROWSTRUCTURE_H

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/ADT/DenseSet.h"
#include <optional>
#include <string>

namespace ourc {

/// The rows of a kernel: all its reductions have results of one shape, the
/// shape of rows, and each element of the kernel's results needs exactly one
/// element of each reduction's result.
struct RowStructure {
  /// The reductions, each after the ones that it uses.
  llvm::SmallVector<mlir::Operation *> reductions;
  /// For each result of the kernel and each dimension of the shape of rows: the
  /// dimension of the result that runs along it; -1 where it has size 1.
  llvm::SmallVector<llvm::SmallVector<int64_t>> resultDims;
  /// Small results that no reduction has to do with (the number of elements of
  /// a mean, as a tensor): the first block makes them. Their resultDims are
  /// empty.
  llvm::SmallDenseSet<unsigned> asideResults;

  /// A tensor of the shape of rows.
  mlir::Value getRowTensor() const { return reductions.front()->getResult(0); }
};

/// Whether `op` reduces in the sense of the row strategy: a loop nest that goes
/// over all of one input and whose results combine by one associative operation
/// each, or a coupled reduction.
bool isRowReduction(mlir::Operation *op);

/// The operation that combines two partial values of result `i` of a reduction
/// nest; null when there is no single one.
mlir::Operation *getCombiner(mlir::linalg::GenericOp op, unsigned i);

/// The rows of `kernel`; nothing when it has none, and then `reason` (where
/// given) says why.
std::optional<RowStructure> analyzeRows(kernel::FuncOp kernel,
                                        std::string *reason);

/// The sizes of what the first reduction reduces, in the order of its input.
llvm::SmallVector<int64_t> getRowSizes(const RowStructure &rows);

/// The elements of one row of the first reduction's input; ShapedType::kDynamic
/// where they are not known.
int64_t getRowLength(const RowStructure &rows);

} // namespace ourc

#endif // OURC_STRATEGY_GPU_ROWSTRUCTURE_H
