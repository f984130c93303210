// A program with prepared weights and two kernels, on GPUs of the architecture that it was compiled
// for and of later ones, from machine code and from PTX.

// RUN: %python %testlib/run_on_double.py %s | FileCheck %s
// RUN: %python %testlib/run_on_double.py %s --chip=sm_80 --gpu=80 | FileCheck %s
// RUN: %python %testlib/run_on_double.py %s --chip=sm_80 --gpu=89 | FileCheck %s
// RUN: %python %testlib/run_on_double.py %s --chip=sm_89 --gpu=90 | FileCheck %s
// RUN: %python %testlib/run_on_double.py %s --chip=sm_100 --gpu=100 | FileCheck %s
// RUN: %python %testlib/run_on_double.py %s --no-ptxas | FileCheck %s
// CHECK: y: right
// Two calls of two launches each; code is loaded once.
// CHECK-DAG: cuLaunchKernel: 4
// CHECK-DAG: cuModuleLoadDataEx: 2
// CHECK-DAG: cuMemHostAlloc: 1
// CHECK: live 0; misuse: none

// IN x: f16(randn(33, 72))
// WEIGHT w: f16(randn(40, 72))
// WEIGHT b: f16(randn(40))
// REF y: softmax(x @ w.T + b)

func.func @main(%x: tensor<33x72xf16> {ourc.name = "x"}, %w: tensor<40x72xf16> {ourc.parameter = "w", ourc.frozen}, %b: tensor<40xf16> {ourc.parameter = "b"}) -> (tensor<33x40xf16> {ourc.name = "y"}) {
  %0 = ourc.linear %x, %w bias %b : tensor<33x72xf16>, tensor<40x72xf16>, tensor<40xf16> -> tensor<33x40xf16>
  %1 = ourc.softmax %0 dim 1 : tensor<33x40xf16>
  return %1 : tensor<33x40xf16>
}
