//===- Passes.td - Kernels to CPU code ----------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_PASSES_TD
#define OURC_CONVERSION_KERNELTOCPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelToCPU : Pass<"ourc-kernel-to-cpu", "::mlir::ModuleOp"> {
  let summary = "Emit each kernel with a CPU schedule as loops over vectors";
  let description = [{
    Replaces each `kernel.func` whose schedule is for a CPU by functions:

    - the entry, a `func.func` of the kernel's name and of the type
      `OurcKernelFn` of runtime/abi/ProgramABI.h:
      `(ctx, buffers, sizes) -> i32`;
    - private tasks, which the entry passes to `ourc_parallel_for`.

    The code is `scf` loops on `i64`, 1-D vectors of the schedule's `lanes`, and
    loads and stores of the LLVM dialect; tails are masked, so there is no scalar
    remainder loop. The schedule attribute selects the emitter. A kernel without
    a schedule, or whose body its emitter cannot make, is an error. Schedules for
    other targets are left alone.

    `ourc-cpu-to-llvm` is the pipeline that follows.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::affine::AffineDialect", "::mlir::tensor::TensorDialect",
    "::mlir::ub::UBDialect",
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels emitted">,
  ];
}

def SingleLaneStores : Pass<"ourc-single-lane-stores"> {
  let summary = "Store the only lane of a constant mask as a scalar";
  let description = [{
    A masked store of a vector in which a constant mask has one lane on becomes
    a store of that element. It is shorter; and LLVM 22's code generator for
    AVX-512 writes four bytes where such a store narrows its lanes to one or two
    bytes, beyond the end of a row of 17 bf16, say.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect",
  ];
  let statistics = [
    Statistic<"numStores", "stores", "Masked stores made scalar">,
  ];
}

#endif // OURC_CONVERSION_KERNELTOCPU_PASSES_TD
