//===- Pipelines.cpp - From loops and vectors to the LLVM dialect ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void ourc::buildCPUToLLVMPipeline(OpPassManager &manager,
                                  const CPUToLLVMOptions &options) {
  LowerAMXOptions amx;
  amx.target = options.target;
  manager.addPass(createLowerAMX(amx));
  LowerBF16Options bf16;
  bf16.target = options.target;
  manager.addPass(createLowerBF16(bf16));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createLoopInvariantCodeMotionPass());
  LocalizeConstantsOptions constants;
  constants.target = options.target;
  manager.addPass(createLocalizeConstants(constants));
  manager.addPass(createSingleLaneStores());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertMathToLLVMPass());
  // What is left is f64: libm is as accurate as it gets.
  manager.addPass(createConvertMathToLibmPass());
  ConvertVectorToLLVMPassOptions vectors;
  vectors.x86Vector = true;
  manager.addPass(createConvertVectorToLLVMPass(vectors));
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createUBToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addPass(createCSEPass());
}

void ourc::registerKernelToCPUPipelines() {
  PassPipelineRegistration<CPUToLLVMOptions>(
      "ourc-cpu-to-llvm",
      "Lower what ourc-kernel-to-cpu emits to the LLVM dialect",
      buildCPUToLLVMPipeline);
}
