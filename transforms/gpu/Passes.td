//===- Passes.td - Passes over kernels in NVVM -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GPU_PASSES_TD
#define OURC_TRANSFORMS_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def MutateGPU : Pass<"ourc-mutate-gpu", "::mlir::ModuleOp"> {
  let summary = "Make one small fault in GPU kernels, to test what finds faults";
  let description = [{
    Numbers the faults that can be made in the GPU modules of the module, which
    must be in NVVM and the LLVM dialect, and makes the one that is asked for:

    - `drop-sync`: a barrier, commit, wait or fence is gone;
    - `shift-wait`: a wait leaves one group of copies more outstanding;
    - `drop-predicate`: a comparison that decides where control goes or what is
      chosen is always true;
    - `shift-predicate`: such a comparison is with one more;
    - `drop-stage`: an index of addresses that a loop carries does not advance;
    - `shift-stage`: such an index starts one step further.

    Without a number, a remark for each.
  }];
  let options = [
    Option<"mutant", "mutant", "int", /*default=*/"-1",
           "The number of the fault; -1: list them">,
  ];
  let statistics = [
    Statistic<"numMutants", "mutants", "Number of faults that can be made">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // OURC_TRANSFORMS_GPU_PASSES_TD
