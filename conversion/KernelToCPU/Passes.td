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
    "::mlir::ub::UBDialect", "::mlir::x86vector::X86VectorDialect",
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

def SplitCoupledReductions
    : Pass<"ourc-split-coupled-reductions", "::ourc::kernel::FuncOp"> {
  let summary = "Compute the terms of a sum once where they are needed again";
  let description = [{
    In a kernel of rows, takes apart a `kernel.coupled_reduce` of an extremum and
    a sum that depends on it (softmax's), where a loop over the same elements
    computes the terms of the sum again: first the extremum, then the terms, as
    elements of a tensor that both the sum and the loop read. Its emitter keeps
    them in scratch memory of the thread, so an element of softmax takes one
    exponential. Rows that do not fit a cache stay as they are.
  }];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
  ];
  let statistics = [
    Statistic<"numSplit", "split", "Coupled reductions taken apart">,
  ];
}

def LocalizeConstants : Pass<"ourc-localize-constants"> {
  let summary = "Keep constants out of loops that carry many vectors";
  let description = [{
    Beside a loop that carries vectors in half of the registers or more (a tile of
    sums), vectors of one f32 constant are made from a scalar that passes through
    an empty `llvm.inline_asm`: LLVM cannot move it out of the loops around, where
    it would take a register in the loop of sums, too.
  }];
  let options = [
    Option<"target", "target", "std::string", [{"cpu:native"}],
           "The machine: cpu:native, cpu:x86-64-v3, …">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::vector::VectorDialect",
  ];
  let statistics = [
    Statistic<"numLocalized", "localized", "Constants made beside such a loop">,
  ];
}

def LowerAMX : Pass<"ourc-lower-amx"> {
  let summary = "Make AMX tiles memory where the target has none";
  let description = [{
    Calls of LLVM's intrinsics for AMX tiles stay where the target has AMX for
    bf16. Else each tile becomes 1 KiB on the stack, and a product of tiles loops
    of `x86vector.avx512.dot` over their rows and pairs: the same sums in the
    same order, so that a schedule of AMX tiles can be checked on any machine. It
    is slow: strategies give such schedules only to machines that have AMX.
  }];
  let options = [
    Option<"target", "target", "std::string", [{"cpu:native"}],
           "The machine: cpu:native, cpu:sapphirerapids, …">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::x86vector::X86VectorDialect",
  ];
  let statistics = [
    Statistic<"numTiles", "tiles", "Operations on tiles made loops">,
  ];
}

def LowerBF16 : Pass<"ourc-lower-bf16"> {
  let summary = "Round to bf16 and multiply pairs as the target can";
  let description = [{
    `arith.truncf` from f32 to bf16 becomes integer arithmetic: to nearest,
    between two to even, NaN to NaN. AVX512-BF16's instruction for it is not
    used: it makes zero of denormals, whose magnitude is below 1.2e-38.

    `x86vector.avx512.dot` stays where the target has an instruction that makes
    products at least as fast as f32 multiply-adds do (on the machine at hand
    that is measured). Else each becomes two f32 multiply-adds with the same
    roundings; they keep denormals, which the instruction takes for zero.
  }];
  let options = [
    Option<"target", "target", "std::string", [{"cpu:native"}],
           "The machine: cpu:native, cpu:x86-64-v3, …">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect",
    "::mlir::x86vector::X86VectorDialect",
  ];
  let statistics = [
    Statistic<"numRoundings", "roundings", "Roundings to bf16 lowered">,
    Statistic<"numPairs", "pairs", "Products of pairs made of multiply-adds">,
  ];
}

#endif // OURC_CONVERSION_KERNELTOCPU_PASSES_TD
