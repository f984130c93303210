//===- Pipelines.h - From kernels to CUDA ---------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_GPUTOCUDA_PIPELINES_H
#define OURC_CONVERSION_GPUTOCUDA_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace ourc {

/// Options of `ourc-nvvm-to-cuda-pipeline` and `ourc-kernel-to-cuda-pipeline`.
struct CUDAPipelineOptions : mlir::PassPipelineOptions<CUDAPipelineOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("cuda:sm_80, cuda:sm_89, cuda:sm_90 or cuda:sm_100"),
      llvm::cl::init("cuda:sm_80")};
  Option<bool> assemble{*this, "assemble",
                        llvm::cl::desc("Make machine code with ptxas"),
                        llvm::cl::init(true)};
  Option<bool> twins{*this, "twins",
                     llvm::cl::desc("Keep kernels for the SIMT machine, too"),
                     llvm::cl::init(true)};
  Option<std::string> dumpStem{
      *this, "dump-stem",
      llvm::cl::desc("Write PTX and machine code to files of this name")};
};

/// GPU modules in NVVM become data, launches become calls of the runtime, and
/// twins functions of the machine that compiles. A target that is not known
/// gives a pass that says so.
void buildNVVMToCUDAPipeline(mlir::OpPassManager &manager,
                             const CUDAPipelineOptions &options);

/// All of the way from scheduled kernels.
void buildKernelToCUDAPipeline(mlir::OpPassManager &manager,
                               const CUDAPipelineOptions &options);

/// Makes both known by name.
void registerGPUToCUDAPipelines();

} // namespace ourc

#endif // OURC_CONVERSION_GPUTOCUDA_PIPELINES_H
