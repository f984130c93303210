//===- PartialReductions.h - Few long rows, cut into parts ----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_CPU_PARTIALREDUCTIONS_H
#define OURC_STRATEGY_CPU_PARTIALREDUCTIONS_H

#include "dialects/kernel/KernelDialect.h"

namespace ourc {

/// Into how many parts, at most, the reductions of `kernel` are to be cut: 0
/// where it has rows enough for threads, or where parts cannot be merged.
int64_t chooseParts(kernel::FuncOp kernel, int64_t lanes);

/// The loop of a reduction whose range is cut.
unsigned getCutLoop(mlir::Operation *op);

/// The workspace of a kernel whose reductions are cut into up to `parts` parts,
/// as in an Assignment: for each reduction `getPartsBytes` for each component
/// of its state, then `kFinalBytes` for each result, all times its rows. Null
/// where the number of rows is not a product of the arguments' sizes.
mlir::AffineExpr getPartsWorkspace(kernel::FuncOp kernel, int64_t parts);

/// The bytes that one component of a row's state takes in all parts.
int64_t getPartsBytes(mlir::Type type, int64_t parts);
inline constexpr int64_t kFinalBytes = 8;

} // namespace ourc

#endif // OURC_STRATEGY_CPU_PARTIALREDUCTIONS_H
