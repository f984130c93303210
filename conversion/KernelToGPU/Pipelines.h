//===- Pipelines.h - From kernels to NVVM, PTX and the SIMT machine ----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOGPU_PIPELINES_H
#define OURC_CONVERSION_KERNELTOGPU_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace ourc {

/// Options of `ourc-nvvm-to-ptx-pipeline`.
struct PTXPipelineOptions : mlir::PassPipelineOptions<PTXPipelineOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("Architecture: sm_80, sm_90, …"),
                           llvm::cl::init("sm_80")};
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc("PTX version: at least +ptx80, which sm_90 needs"),
      llvm::cl::init("+ptx80")};
  Option<int> optLevel{*this, "opt-level",
                       llvm::cl::desc("LLVM's optimisation level, 0 to 3"),
                       llvm::cl::init(2)};
  Option<std::string> format{
      *this, "format",
      llvm::cl::desc("isa: PTX text; bin: cubin, made by ptxas"),
      llvm::cl::init("isa")};
};

/// Options of `ourc-nvvm-to-simt-pipeline`.
struct SIMTPipelineOptions : mlir::PassPipelineOptions<SIMTPipelineOptions> {
  Option<bool> checkAccesses{
      *this, "check-accesses",
      llvm::cl::desc("Let the machine check loads and stores"),
      llvm::cl::init(true)};
  Option<std::string> kernelSource{
      *this, "kernel-source",
      llvm::cl::desc("Print GPU modules to this file, and name its lines in "
                     "messages")};
};

/// From the output of `ourc-kernel-to-gpu` to GPU modules in NVVM and entries
/// in the LLVM dialect: the form from which PTX and the SIMT machine's code are
/// both made.
void buildGPUToNVVMPipeline(mlir::OpPassManager &manager);

/// GPU modules become `gpu.binary` objects that hold PTX or cubins.
void buildNVVMToPTXPipeline(mlir::OpPassManager &manager,
                            const PTXPipelineOptions &options);

/// GPU modules become functions of the machine that compiles.
void buildNVVMToSIMTPipeline(mlir::OpPassManager &manager,
                             const SIMTPipelineOptions &options);

/// All of the way from scheduled kernels.
void buildKernelToSIMTPipeline(mlir::OpPassManager &manager,
                               const SIMTPipelineOptions &options = {});
void buildKernelToPTXPipeline(mlir::OpPassManager &manager,
                              const PTXPipelineOptions &options = {});

/// Makes the pipelines known by name:
/// ourc-{gpu-to-nvvm,nvvm-to-ptx,nvvm-to-simt,kernel-to-simt,kernel-to-ptx}-pipeline.
void registerKernelToGPUPipelines();

/// What these pipelines need in a context besides dialects.
void registerGPUCodegenInterfaces(mlir::DialectRegistry &registry);

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOGPU_PIPELINES_H
