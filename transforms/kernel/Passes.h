//===- Passes.h - Passes that make kernels
//------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_KERNEL_PASSES_H
#define OURC_TRANSFORMS_KERNEL_PASSES_H

#include "dialects/kernel/KernelDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ourc {

/// Marks a boolean of the program's boundary that is a byte in memory.
inline constexpr llvm::StringLiteral kBooleanMarkName = "kernel.boolean";
/// On an argument of `@main`: the number of the result of `@init` that it is.
inline constexpr llvm::StringLiteral kPreparedMarkName = "kernel.prepared";

#define GEN_PASS_DECL
#include "transforms/kernel/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "transforms/kernel/Passes.h.inc"

} // namespace ourc

#endif // OURC_TRANSFORMS_KERNEL_PASSES_H
