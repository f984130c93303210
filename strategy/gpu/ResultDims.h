//===- ResultDims.h - How results run along an operation's --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_GPU_RESULTDIMS_H
#define OURC_STRATEGY_GPU_RESULTDIMS_H

#include "dialects/kernel/KernelDialect.h"

#include <functional>
#include <optional>
#include <string>

namespace ourc {

/// The tensor whose elements, in the same order, are those of `result`: what
/// is reshaped at the end of a kernel.
mlir::Value peelReshapes(mlir::Value result);

/// For each result of `kernel`, before reshapes, and each dimension of the
/// result of its one operation for which `isTarget` holds: the dimension of the
/// kernel's result that runs along it. Nothing when an element of the kernel's
/// results needs another element than one of the operation's, when several need
/// the same one, or when `operands` (the operation's) depend on it; then
/// `reason` (where given) says why.
std::optional<llvm::SmallVector<llvm::SmallVector<int64_t>>>
findResultDims(kernel::FuncOp kernel, mlir::ValueRange operands,
               const std::function<bool(mlir::Operation *)> &isTarget,
               std::string *reason);

} // namespace ourc

#endif // OURC_STRATEGY_GPU_RESULTDIMS_H
