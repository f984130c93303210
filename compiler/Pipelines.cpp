//===- Pipelines.cpp - The named pipelines of a compilation ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipelines.h"

#include "conversion/GPUToCUDA/Pipelines.h"
#include "conversion/GraphToLLVM/Passes.h"
#include "conversion/KernelToCPU/Passes.h"
#include "conversion/KernelToGPU/Pipelines.h"
#include "transforms/buffer/Passes.h"
#include "transforms/kernel/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ourc;

void ourc::buildFormationPipeline(OpPassManager &manager, StringRef target) {
  // Folded constants and no duplicates: each operation left becomes code.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addNestedPass<func::FuncOp>(createFuseElementwise());
  manager.addNestedPass<func::FuncOp>(createElideRoundings());
  manager.addNestedPass<func::FuncOp>(createFoldAttentionTransposes());
  FormKernelsOptions form;
  form.target = target.str();
  manager.addPass(createFormKernels(form));
}

void ourc::buildKernelPipeline(OpPassManager &manager,
                               const KernelPipelineOptions &options) {
  buildFormationPipeline(manager, options.target);
  AssignStrategiesOptions assign;
  assign.target = options.target;
  assign.pack = options.pack;
  assign.strict = options.strict;
  assign.schedules = options.schedules;
  manager.addPass(createAssignStrategies(assign));
  // After packs exist: they are most of what can be prepared.
  if (options.pack)
    manager.addPass(createHoistPreparation());
  // Last: equal kernels have equal schedules and layouts by now.
  manager.addPass(createDeduplicateKernels());
  manager.addNestedPass<func::FuncOp>(createCSEPass());
}

void ourc::buildPlanPipeline(OpPassManager &manager) {
  // Sizes are plain arithmetic from here on.
  manager.addNestedPass<func::FuncOp>(createLowerAffinePass());
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

void ourc::buildCodePipeline(OpPassManager &manager,
                             const CodePipelineOptions &options) {
  if (options.target == "simt") {
    buildKernelToSIMTPipeline(manager);
    return;
  }
  if (StringRef(options.target).starts_with("cuda:")) {
    CUDAPipelineOptions cuda;
    cuda.target = options.target;
    cuda.dumpStem = options.dumpStem;
    buildKernelToCUDAPipeline(manager, cuda);
    return;
  }
  manager.addNestedPass<kernel::FuncOp>(createSplitCoupledReductions());
  manager.addPass(createKernelToCPU());
  CPUToLLVMOptions lowering;
  lowering.target = options.target;
  buildCPUToLLVMPipeline(manager, lowering);
}

void ourc::buildCompilePipeline(OpPassManager &manager,
                                const CompilePipelineOptions &options) {
  GraphPipelineOptions graph;
  graph.target = options.target;
  graph.strict = options.strict;
  buildTensorPipeline(manager, graph);
  KernelPipelineOptions kernels;
  kernels.target = options.target;
  kernels.pack = options.pack;
  kernels.strict = options.strict;
  kernels.schedules = options.schedules;
  buildKernelPipeline(manager, kernels);
  BufferPipelineOptions buffers;
  buffers.target = options.target;
  buildBufferPipeline(manager, buffers);
  CodePipelineOptions code;
  code.target = options.target;
  buildCodePipeline(manager.nest<ModuleOp>(), code);
}

void ourc::registerCompilerPipelines() {
  registerGraphPipelines();
  PassPipelineRegistration<KernelPipelineOptions>(
      "ourc-kernel-pipeline",
      "Form kernels of linalg on tensors and decide how each is made",
      buildKernelPipeline);
  PassPipelineRegistration<BufferPipelineOptions>(
      "ourc-buffer-pipeline",
      "Bufferise the graph of launches, plan its memory, lower it to an "
      "OurcProgram",
      buildBufferPipeline);
  PassPipelineRegistration<CodePipelineOptions>(
      "ourc-code-pipeline",
      "Lower the module of one scheduled kernel to the LLVM dialect",
      buildCodePipeline);
  PassPipelineRegistration<CompilePipelineOptions>(
      "ourc-compile-pipeline",
      "Compile a program up to the LLVM dialect: all stages in their order",
      buildCompilePipeline);
}
