//===- Passes.h - Kernels to CPU code -------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_PASSES_H
#define OURC_CONVERSION_KERNELTOCPU_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

namespace ourc {

#define GEN_PASS_DECL
#include "conversion/KernelToCPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/KernelToCPU/Passes.h.inc"

/// Options of ourc-cpu-to-llvm.
struct CPUToLLVMOptions : public mlir::PassPipelineOptions<CPUToLLVMOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("Whose instructions are used: cpu:native, "
                     "cpu:x86-64-v3, …."),
      llvm::cl::init("cpu:native")};
};

/// What follows ourc-kernel-to-cpu: loops and vectors to the LLVM dialect.
void buildCPUToLLVMPipeline(mlir::OpPassManager &manager,
                            const CPUToLLVMOptions &options);

/// Registers `ourc-cpu-to-llvm`.
void registerKernelToCPUPipelines();

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_PASSES_H
