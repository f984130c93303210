// RUN: ourc-opt %s --ourc-decompose-kernel-ops | FileCheck %s

// That the numbers agree is tested in conversion/OurcToLinalg/composite.test.

// CHECK-LABEL: func.func @sums
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<4x?xf16>, %[[E:[a-z0-9]+]]: tensor<4xf32>
// CHECK:         %[[A:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4xf32>)
// CHECK:         %[[B:.*]] = linalg.fill ins(%{{.*}} : i32) outs(%{{.*}} : tensor<4xi32>)
// CHECK:         %[[R:.*]]:2 = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[X]] : tensor<4x?xf16>) outs(%[[A]], %[[B]] : tensor<4xf32>, tensor<4xi32>)
// CHECK-NEXT:    ^bb0(%[[V:.*]]: f16, %[[S:.*]]: f32, %[[N:.*]]: i32):
// CHECK-NEXT:      %[[W:.*]] = arith.extf %[[V]]
// CHECK-NEXT:      arith.addf %[[S]], %[[W]]
// CHECK:         linalg.generic {{.*}} ins(%[[R]]#0, %[[R]]#1 : tensor<4xf32>, tensor<4xi32>) outs(%[[E]] : tensor<4xf32>)
// CHECK:           arith.divf
// CHECK-NOT:     kernel.
func.func @sums(%x: tensor<4x?xf16>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %c1 = arith.constant 1 : i32
  %0 = kernel.coupled_reduce ins(%x : tensor<4x?xf16>) outs(%e : tensor<4xf32>) dimensions = [1] init {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant 0 : i32
    kernel.yield %zero, %none : f32, i32
  } accumulate {
  ^bb0(%s: f32, %n: i32, %v: f16):
    %w = arith.extf %v : f16 to f32
    %1 = arith.addf %s, %w : f32
    %2 = arith.addi %n, %c1 : i32
    kernel.yield %1, %2 : f32, i32
  } merge {
  ^bb0(%s0: f32, %n0: i32, %s1: f32, %n1: i32):
    %1 = arith.addf %s0, %s1 : f32
    %2 = arith.addi %n0, %n1 : i32
    kernel.yield %1, %2 : f32, i32
  } finish {
  ^bb0(%s: f32, %n: i32):
    %f = arith.sitofp %n : i32 to f32
    %1 = arith.divf %s, %f : f32
    kernel.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @scatter
// CHECK-NOT: kernel.scatter
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[X:.*]]) -> (tensor<4x8xf32>)
// CHECK: scf.for
// CHECK: %[[AT:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK: tensor.insert %[[SUM]] into %{{.*}}[%{{.*}}, %[[AT]]]
func.func @scatter(%u: tensor<2x4xf32>, %i: tensor<2xi64>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = kernel.scatter updates(%u : tensor<2x4xf32>) at(%i : tensor<2xi64>) outs(%x : tensor<4x8xf32>) axes = [1] {
  ^bb0(%old: f32, %new: f32):
    %sum = arith.addf %old, %new : f32
    kernel.yield %sum : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
