// Stage by stage through text gives the same program as all stages at once.
//
// RUN: ourc-opt %s --ourc-compile-pipeline="target=cpu:x86-64-v3" -o %t.once
// RUN: ourc-opt %s --mlir-print-debuginfo --ourc-tensor-pipeline \
// RUN: | ourc-opt --mlir-print-debuginfo --ourc-kernel-pipeline="target=cpu:x86-64-v3" \
// RUN: | ourc-opt --mlir-print-debuginfo --ourc-buffer-pipeline=target=cpu:x86-64-v3 \
// RUN: | ourc-opt --pass-pipeline='builtin.module(builtin.module(ourc-code-pipeline{target=cpu:x86-64-v3}))' -o %t.staged
// RUN: diff %t.once %t.staged
// RUN: FileCheck %s < %t.once

// CHECK: llvm.func @kernel_{{.*}}(!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK: module @
// CHECK: llvm.func @kernel_
// CHECK: llvm.func internal @ourc_run(
// CHECK: llvm.mlir.global external constant @ourc_program()
// CHECK-NOT: tensor<

ourc.symbol @rows {min = 1 : i64, max = 512 : i64, multiple_of = 1 : i64}
func.func @main(
  %x: tensor<?x96xf32> {ourc.name = "x", ourc.shape = [@rows, 96]},
  %w0: tensor<130x96xf32> {ourc.parameter = "0.weight", ourc.frozen},
  %b0: tensor<130xf32> {ourc.parameter = "0.bias", ourc.frozen},
  %w1: tensor<7x130xf32> {ourc.parameter = "1.weight", ourc.frozen},
  %b1: tensor<7xf32> {ourc.parameter = "1.bias", ourc.frozen}
) -> (tensor<?x7xf32> {ourc.name = "y"}) {
  %0 = aten.call "linear.default"(input = %x, weight = %w0, bias = %b0)
      : (tensor<?x96xf32>, tensor<130x96xf32>, tensor<130xf32>) -> tensor<?x130xf32> loc("net.py":3:0)
  %1 = aten.call "relu.default"(self = %0) : (tensor<?x130xf32>) -> tensor<?x130xf32> loc("net.py":4:0)
  %2 = aten.call "linear.default"(input = %1, weight = %w1, bias = %b1)
      : (tensor<?x130xf32>, tensor<7x130xf32>, tensor<7xf32>) -> tensor<?x7xf32> loc("net.py":5:0)
  return %2 : tensor<?x7xf32>
}
