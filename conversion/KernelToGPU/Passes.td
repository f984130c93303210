//===- Passes.td - Emission of kernels for GPUs ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOGPU_PASSES_TD
#define OURC_CONVERSION_KERNELTOGPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandGPUScalarsPass
    : Pass<"ourc-gpu-expand-scalars", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Rewrite scalar operations that would need a device library";
  let description = [{
    After this, lowering to NVVM calls no function of libdevice: functions of
    the math dialect become polynomials (or the instruction that PTX has: square
    root, fused multiply-add, rounding, absolute value), on f32 for narrower
    types; minima and maxima become the intrinsics with the same treatment of
    NaN. Absolute values of integers become a maximum.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def KernelToGPUPass : Pass<"ourc-kernel-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Emit kernels with a GPU schedule";
  let description = [{
    Replaces each `kernel.func` whose schedule is for a GPU by

    - a `gpu.module` with one kernel, which takes the address of each operand
      and each dynamic size;
    - the entry, a `func.func` of the kernel's name and of the type
      `OurcKernelFn` of runtime/abi/ProgramABI.h: `(ctx, buffers, sizes) -> i32`.
      It computes the grid and launches: `gpu.launch_func <%ctx : !llvm.ptr>`.

    The code is scalar `arith` and `scf`, loads and stores of the LLVM dialect
    and, for tensor cores, NVVM operations. The schedule attribute selects the
    emitter. A kernel whose body its emitter cannot make is an error. Schedules
    for other targets are left alone.

    `ourc-gpu-to-nvvm-pipeline` is the pipeline that follows.
  }];
  let statistics = [
    Statistic<"numPointwise", "pointwise", "Kernels emitted one thread an element">,
    Statistic<"numRow", "row", "Kernels emitted one block a row">,
    Statistic<"numScatter", "scatter", "Kernels emitted that write at computed places">,
    Statistic<"numContraction", "contraction", "Kernels emitted on tensor cores">,
    Statistic<"numAttention", "attention", "Attentions emitted on tensor cores">,
    Statistic<"numTile", "tile", "Contractions emitted with tiles in registers">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::ub::UBDialect",
  ];
}

#endif // OURC_CONVERSION_KERNELTOGPU_PASSES_TD
