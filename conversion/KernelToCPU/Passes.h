//===- Passes.h - Kernels to CPU code -------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_PASSES_H
#define OURC_CONVERSION_KERNELTOCPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ourc {

#define GEN_PASS_DECL
#include "conversion/KernelToCPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/KernelToCPU/Passes.h.inc"

/// What follows ourc-kernel-to-cpu: loops and vectors to the LLVM dialect.
void buildCPUToLLVMPipeline(mlir::OpPassManager &manager);

/// Registers `ourc-cpu-to-llvm`.
void registerKernelToCPUPipelines();

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_PASSES_H
