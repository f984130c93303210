//===- Pipelines.cpp - From kernels to NVVM, PTX and the SIMT machine --===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/Pipelines.h"

#include "conversion/KernelToGPU/Passes.h"
#include "conversion/NVVMToSIMT/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ourc;

void ourc::buildGPUToNVVMPipeline(OpPassManager &manager) {
  // Duplicate arithmetic of coordinates goes while it is small.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  // Functions must be polynomials before NVVM's patterns see them.
  manager.addNestedPass<gpu::GPUModuleOp>(
      math::createMathExtendToSupportedTypes());
  manager.addNestedPass<gpu::GPUModuleOp>(createExpandGPUScalarsPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createLoopInvariantCodeMotionPass());
  manager.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToNVVMOpsOptions toNVVM;
  toNVVM.indexBitwidth = 64;
  // For kernels written by hand: a memref is the address of its first element.
  toNVVM.useBarePtrCallConv = true;
  manager.addNestedPass<gpu::GPUModuleOp>(createConvertGpuOpsToNVVMOps(toNVVM));
  // The entries, and what the conversion of GPU modules leaves.
  manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createUBToLLVMConversionPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

void ourc::buildNVVMToPTXPipeline(OpPassManager &manager,
                                  const PTXPipelineOptions &options) {
  GpuNVVMAttachTargetOptions target;
  target.triple = "nvptx64-nvidia-cuda";
  target.chip = options.chip;
  target.features = options.features;
  target.optLevel = static_cast<unsigned>(options.optLevel.getValue());
  manager.addPass(createGpuNVVMAttachTarget(target));
  GpuModuleToBinaryPassOptions binary;
  binary.compilationTarget = options.format;
  manager.addPass(createGpuModuleToBinaryPass(binary));
}

void ourc::buildNVVMToSIMTPipeline(OpPassManager &manager,
                                   const SIMTPipelineOptions &options) {
  NVVMToSIMTPassOptions simt;
  simt.checkAccesses = options.checkAccesses;
  simt.kernelSource = options.kernelSource;
  manager.addPass(createNVVMToSIMTPass(simt));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void ourc::buildKernelToSIMTPipeline(OpPassManager &manager,
                                     const SIMTPipelineOptions &options) {
  manager.addPass(createKernelToGPUPass());
  buildGPUToNVVMPipeline(manager);
  buildNVVMToSIMTPipeline(manager, options);
}

void ourc::buildKernelToPTXPipeline(OpPassManager &manager,
                                    const PTXPipelineOptions &options) {
  manager.addPass(createKernelToGPUPass());
  buildGPUToNVVMPipeline(manager);
  buildNVVMToPTXPipeline(manager, options);
}

void ourc::registerKernelToGPUPipelines() {
  PassPipelineRegistration<>(
      "ourc-gpu-to-nvvm-pipeline",
      "Lower what ourc-kernel-to-gpu emits to NVVM and the LLVM dialect",
      buildGPUToNVVMPipeline);
  PassPipelineRegistration<PTXPipelineOptions>(
      "ourc-nvvm-to-ptx-pipeline", "Make PTX of GPU modules in NVVM",
      buildNVVMToPTXPipeline);
  PassPipelineRegistration<SIMTPipelineOptions>(
      "ourc-nvvm-to-simt-pipeline",
      "Lower GPU modules in NVVM to functions of the SIMT machine",
      buildNVVMToSIMTPipeline);
  PassPipelineRegistration<PTXPipelineOptions>(
      "ourc-kernel-to-ptx-pipeline", "Make PTX of kernels with a GPU schedule",
      buildKernelToPTXPipeline);
  PassPipelineRegistration<SIMTPipelineOptions>(
      "ourc-kernel-to-simt-pipeline",
      "Lower kernels with a GPU schedule to the SIMT machine",
      buildKernelToSIMTPipeline);
}

void ourc::registerGPUCodegenInterfaces(DialectRegistry &registry) {
  // convert-gpu-to-nvvm takes the patterns of other dialects from these.
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  // gpu-module-to-binary translates with these.
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
}
