//===- BlockReduction.h - Partial results of a block's threads ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOGPU_BLOCKREDUCTION_H
#define OURC_CONVERSION_KERNELTOGPU_BLOCKREDUCTION_H

#include "conversion/KernelToGPU/KernelFrame.h"

namespace ourc::gpucodegen {

/// Merges two states; empty after an error.
using MergeFn = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::OpBuilder &, mlir::ValueRange, mlir::ValueRange)>;

/// Merges the states of all threads of a block, or, with `numThreads` = 32, of
/// each warp, in an order that is fixed: by shuffles in each warp, then warp
/// after warp through shared memory. Every thread gets the result. All threads
/// must come here together. Empty after an error.
llvm::SmallVector<mlir::Value>
reduceBlock(mlir::OpBuilder &builder, KernelFrame &frame, int64_t numThreads,
            mlir::ValueRange state, MergeFn merge);

/// The same for columns: `numSlices` threads that stand `numColumns` apart hold
/// parts of one state. They meet in shared memory, in their order.
llvm::SmallVector<mlir::Value>
reduceColumns(mlir::OpBuilder &builder, KernelFrame &frame, int64_t numColumns,
              int64_t numSlices, mlir::ValueRange state, MergeFn merge);

} // namespace ourc::gpucodegen

#endif // OURC_CONVERSION_KERNELTOGPU_BLOCKREDUCTION_H
