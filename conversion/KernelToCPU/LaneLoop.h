//===- LaneLoop.h - Loops that advance by a vector ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_LANELOOP_H
#define OURC_CONVERSION_KERNELTOCPU_LANELOOP_H

#include "conversion/KernelToCPU/LaneIndex.h"

namespace ourc {

using LaneBody = llvm::function_ref<mlir::LogicalResult(
    mlir::OpBuilder &, const LaneIndex &index, mlir::Value mask)>;

/// Runs `body` over [lower, upper): for whole vectors with a null mask, then
/// once more with a mask for the rest, where there is one. `lower` must be a
/// multiple of `lanes`. With one lane, a plain loop.
mlir::LogicalResult emitLaneLoop(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value lower, mlir::Value upper,
                                 int64_t lanes, LaneBody body);

/// Runs `body` once at `index` (i64, a multiple of `lanes`), with a mask where
/// not all lanes are below `size`.
mlir::LogicalResult emitLaneBlock(mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::Value index, mlir::Value size,
                                  int64_t lanes, LaneBody body);

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_LANELOOP_H
