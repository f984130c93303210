//===- Passes.h - Passes over kernels in NVVM --------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GPU_PASSES_H
#define OURC_TRANSFORMS_GPU_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ourc {

#define GEN_PASS_DECL
#include "transforms/gpu/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "transforms/gpu/Passes.h.inc"

} // namespace ourc

#endif // OURC_TRANSFORMS_GPU_PASSES_H
