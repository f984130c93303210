// RUN: ourc-opt %s --ourc-to-linalg --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @softmax
// CHECK:         %[[R:.*]]:2 = kernel.coupled_reduce ins(%{{.*}} : tensor<4x8xf16>) outs(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>) dimensions = [1] init {
// CHECK:         } accumulate {
// CHECK-NEXT:    ^bb0(%[[M:.*]]: f32, %[[S:.*]]: f32, %[[V:.*]]: f16):
// CHECK:         } merge {
// CHECK:         } finish {
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[R]]#0, %[[R]]#1 : tensor<4x8xf16>, tensor<4xf32>, tensor<4xf32>)
func.func @softmax(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %0 = ourc.softmax %x dim 1 : tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// -----

// CHECK-LABEL: func.func @layer_norm
// CHECK:         %[[R:.*]]:2 = kernel.coupled_reduce {{.*}} dimensions = [1, 2] init {
// CHECK:         } finish {
// CHECK:           math.sqrt
// CHECK:         linalg.generic
func.func @layer_norm(%x: tensor<4x3x8xf32>, %w: tensor<3x8xf32>) -> tensor<4x3x8xf32> {
  %0 = ourc.layer_norm %x weight %w : tensor<3x8xf32> dims 2 epsilon 1.0e-5 : tensor<4x3x8xf32>
  return %0 : tensor<4x3x8xf32>
}

// -----

// Heads are read where they lie, and the mask along the keys alone.
// CHECK-DAG: #[[$Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d4)>
// CHECK-DAG: #[[$K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d4)>
// CHECK-DAG: #[[$V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d5)>
// CHECK-DAG: #[[$M:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, 0, 0, d3)>
// CHECK-DAG: #[[$O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func.func @attention
// CHECK-NOT:     linalg.transpose
// CHECK:         kernel.attention {{.*}} scale = 2.500000e-01 causal zero_masked_rows maps = [#[[$Q]], #[[$K]], #[[$V]], #[[$M]], #[[$O]]] {
// CHECK-NEXT:    ^bb0(%[[S:.*]]: f32, %[[B:.*]]: i1):
// CHECK-NEXT:      %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT:      %[[R:.*]] = arith.select %[[B]], %[[S]], %[[LOW]] : f32
// CHECK-NEXT:      kernel.yield %[[R]]
func.func @attention(%q: tensor<2x9x3x8xf32>, %m: tensor<2x1x1x9xi1>) -> tensor<2x3x9x8xf32> {
  %0 = ourc.transpose %q [0, 2, 1, 3] : tensor<2x9x3x8xf32> -> tensor<2x3x9x8xf32>
  %1 = ourc.attention %0, %0, %0 mask %m : tensor<2x1x1x9xi1> scale 0.25 causal zero_masked_rows
      : tensor<2x3x9x8xf32>, tensor<2x3x9x8xf32>, tensor<2x3x9x8xf32> -> tensor<2x3x9x8xf32>
  return %1 : tensor<2x3x9x8xf32>
}
