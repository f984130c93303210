//===- Pipelines.cpp - From kernels to CUDA -------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/GPUToCUDA/Pipelines.h"

#include "conversion/GPUToCUDA/Passes.h"
#include "conversion/KernelToGPU/Passes.h"
#include "conversion/KernelToGPU/Pipelines.h"
#include "target/gpu/GPUDescription.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace ourc;

void ourc::buildNVVMToCUDAPipeline(OpPassManager &manager,
                                   const CUDAPipelineOptions &options) {
  GPUToCUDAPassOptions cuda;
  std::string error;
  if (auto gpu = GPUDescription::parse(options.target, error);
      gpu && !gpu->isSIMT) {
    cuda.chip = gpu->chip;
    cuda.features = gpu->features;
  } else {
    cuda.chip = options.target; // the pass says that it is none
  }
  cuda.assemble = options.assemble;
  cuda.twins = options.twins;
  cuda.dumpStem = options.dumpStem;
  manager.addPass(createGPUToCUDAPass(cuda));
  if (options.twins)
    buildNVVMToSIMTPipeline(manager, {});
}

void ourc::buildKernelToCUDAPipeline(OpPassManager &manager,
                                     const CUDAPipelineOptions &options) {
  manager.addPass(createKernelToGPUPass());
  buildGPUToNVVMPipeline(manager);
  buildNVVMToCUDAPipeline(manager, options);
}

void ourc::registerGPUToCUDAPipelines() {
  PassPipelineRegistration<CUDAPipelineOptions>(
      "ourc-nvvm-to-cuda-pipeline",
      "Make machine code of GPU modules in NVVM, and launches that load it",
      buildNVVMToCUDAPipeline);
  PassPipelineRegistration<CUDAPipelineOptions>(
      "ourc-kernel-to-cuda-pipeline",
      "Make machine code and launches of kernels with a GPU schedule",
      buildKernelToCUDAPipeline);
}
