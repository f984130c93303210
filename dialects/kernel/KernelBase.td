//===- KernelBase.td - The kernel dialect -------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_KERNEL_KERNELBASE_TD
#define OURC_DIALECTS_KERNEL_KERNELBASE_TD

include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::ourc::kernel";
  let summary = "Fused kernels over linalg, and what linalg cannot say";
  let description = [{
    A program in this dialect is a graph function that holds `kernel.launch`
    ops, and one `kernel.func` for each distinct kernel. The body of a
    `kernel.func` is linalg and tensor ops (and the ops below) on tensors; its
    schedule attribute says how a target's emitter turns it into loops.

    `kernel.coupled_reduce` and `kernel.attention` are the loops that linalg's
    single-combiner reductions cannot express, `kernel.scatter` the writes at
    computed places that its affine maps cannot.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // OURC_DIALECTS_KERNEL_KERNELBASE_TD
