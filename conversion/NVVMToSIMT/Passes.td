//===- Passes.td - Lowering of NVVM to the SIMT machine ----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_NVVMTOSIMT_PASSES_TD
#define OURC_CONVERSION_NVVMTOSIMT_PASSES_TD

include "mlir/Pass/PassBase.td"

def NVVMToSIMTPass : Pass<"ourc-nvvm-to-simt", "::mlir::ModuleOp"> {
  let summary = "Lower GPU modules to functions of the SIMT machine";
  let description = [{
    Takes each `gpu.module` of LLVM dialect functions with NVVM operations (the
    form from which PTX is made) to plain LLVM dialect functions of the
    enclosing module, for the machine that compiles it:

    - Every NVVM operation becomes a call of runtime/simt/SimtOps.h. What the
      machine does not have is an error that names the operation.
    - Address spaces disappear. Variables in shared memory become offsets from
      the block's base; the array of dynamic size comes last.
    - A call before each load, store and atomic operation lets the machine check
      it. What buffers the kernel gets comes from its attribute
      `kernel.extents`: for each argument an `array<i64: elementBytes, sizes…>`,
      in which -1 - i stands for the value of argument i; empty: no buffer, or
      of unknown extent.
    - `llvm.intr.trap` ends the launch with an error, which says the text of the
      operation's attribute `kernel.reason` where it has one.
    - Arithmetic and conversions of bf16 become f32 and integer operations.
    - A kernel `@k` gets a thunk, `@k_simt`, of the type OurcSimtKernelFn.
    - `gpu.launch_func <%ctx : !llvm.ptr> @m::@k` becomes a call of
      ourc_simt_launch with the context `%ctx`; a code other than zero is
      returned at once, so the enclosing function must return `i32`.

    The host's functions must be in the LLVM dialect already.
  }];
  let options = [
    Option<"checkAccesses", "check-accesses", "bool", /*default=*/"true",
           "Let the machine check loads and stores: a call for each one">,
    Option<"kernelSource", "kernel-source", "std::string", /*default=*/"",
           "Print the GPU module to this file, and name its lines in the "
           "machine's messages beside the user's">,
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "Number of kernels lowered">,
    Statistic<"numInstructions", "instructions",
              "Number of NVVM operations that became calls">,
    Statistic<"numChecks", "checks", "Number of accesses that are checked">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // OURC_CONVERSION_NVVMTOSIMT_PASSES_TD
