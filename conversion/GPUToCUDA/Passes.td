//===- Passes.td - GPU modules and launches for CUDA ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_GPUTOCUDA_PASSES_TD
#define OURC_CONVERSION_GPUTOCUDA_PASSES_TD

include "mlir/Pass/PassBase.td"

def GPUToCUDAPass : Pass<"ourc-gpu-to-cuda", "::mlir::ModuleOp"> {
  let summary = "Make machine code of GPU modules, and launches that load it";
  let description = [{
    Takes each `gpu.module` in NVVM to PTX and, where ptxas is found, to machine
    code (a cubin) for `chip`. Both become constant data of the enclosing
    module, which an `OurcDeviceKernel` (runtime/abi/ProgramABI.h) for each kernel
    points to.

    `gpu.launch_func <%ctx : !llvm.ptr> @m::@k` becomes a call of
    ourc_device_launch with the context `%ctx`; a code other than zero is
    returned at once, so the enclosing function must return `i32`. The host's
    functions must be in the LLVM dialect already.

    With `twins` the GPU module stays, and a function `@k_twin` launches each
    kernel of it with the arguments, grid and block that it is given:
    -ourc-nvvm-to-simt makes code of both for the machine that compiles, by
    which drivers that play kernels run them.

    ptxas is the one that OURC_PTXAS names ("none": none), else the first on
    PATH, in $CUDA_HOME/bin or in /usr/local/cuda/bin. Without one the driver compiles
    the PTX when the kernel is first launched.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
           "Architecture: sm_80, sm_89, sm_90, sm_100">,
    Option<"features", "features", "std::string", /*default=*/"\"+ptx80\"",
           "PTX version: at least the one that the architecture needs">,
    Option<"assemble", "assemble", "bool", /*default=*/"true",
           "Make machine code with ptxas where it is found">,
    Option<"twins", "twins", "bool", /*default=*/"true",
           "Keep each kernel for the SIMT machine, too">,
    Option<"dumpStem", "dump-stem", "std::string", /*default=*/"\"\"",
           "Write each GPU module's PTX and machine code to files of this name "
           "with .ptx and .cubin">,
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "Number of kernels in the table">,
    Statistic<"numLaunches", "launches", "Number of launches lowered">,
    Statistic<"numCubins", "cubins", "Number of modules that ptxas assembled">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // OURC_CONVERSION_GPUTOCUDA_PASSES_TD
