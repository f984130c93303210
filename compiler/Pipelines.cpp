//===- Pipelines.cpp - The named pipelines of a compilation ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipelines.h"

#include "conversion/GraphToLLVM/Passes.h"
#include "conversion/KernelToCPU/Passes.h"
#include "transforms/buffer/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ourc;

void ourc::buildPlanPipeline(OpPassManager &manager) {
  // Results first: a launch that writes its result's memory needs no buffer.
  manager.addPass(createPassDestinations());
  manager.addPass(createBufferizeGraph());
  manager.addPass(createPlanMemory());
}

void ourc::buildProgramPipeline(OpPassManager &manager, StringRef target) {
  GraphToLLVMOptions lowering;
  lowering.target = target.str();
  manager.addPass(createGraphToLLVM(lowering));
}

void ourc::buildBufferPipeline(OpPassManager &manager,
                               const BufferPipelineOptions &options) {
  buildPlanPipeline(manager);
  buildProgramPipeline(manager, options.target);
}

void ourc::buildKernelCodePipeline(OpPassManager &manager,
                                   const CompileTarget &target) {
  manager.addPass(createKernelToCPU());
  buildCPUToLLVMPipeline(manager);
}

void ourc::registerCompilerPipelines() {
  PassPipelineRegistration<BufferPipelineOptions>(
      "ourc-buffer-pipeline",
      "Bufferise the graph of launches, plan its memory, lower it to an "
      "OurcProgram",
      buildBufferPipeline);
}
