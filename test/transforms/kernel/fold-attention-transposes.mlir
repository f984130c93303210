// RUN: ourc-opt %s -ourc-fold-attention-transposes | FileCheck %s

// CHECK-DAG: #[[$Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d4)>
// CHECK-DAG: #[[$K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
// CHECK-DAG: #[[$V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d5)>
// CHECK-DAG: #[[$O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d5)>

// CHECK-LABEL: func.func @attention
// CHECK-SAME: %[[X:.*]]: tensor<2x9x12x32xf32>, %[[Y:.*]]: tensor<2x12x9x32xf32>
// CHECK-NOT: linalg.transpose
// CHECK: kernel.attention queries(%[[X]] : tensor<2x9x12x32xf32>) keys(%[[Y]] : tensor<2x12x9x32xf32>)
// CHECK-SAME: maps = [#[[$Q]], #[[$K]], #[[$V]], #[[$O]]]
// CHECK: -> tensor<2x9x12x32xf32>
// CHECK-NOT: linalg.transpose
func.func @attention(%x: tensor<2x9x12x32xf32>, %y: tensor<2x12x9x32xf32>) -> tensor<2x9x12x32xf32> {
  %e = tensor.empty() : tensor<2x12x9x32xf32>
  %q = linalg.transpose ins(%x : tensor<2x9x12x32xf32>) outs(%e : tensor<2x12x9x32xf32>) permutation = [0, 2, 1, 3]
  %a = kernel.attention queries(%q : tensor<2x12x9x32xf32>) keys(%y : tensor<2x12x9x32xf32>)
      values(%y : tensor<2x12x9x32xf32>) outs(%e : tensor<2x12x9x32xf32>) scale = 0.25
      maps = [affine_map<(b, h, s, t, d, e) -> (b, h, s, d)>, affine_map<(b, h, s, t, d, e) -> (b, h, t, d)>,
              affine_map<(b, h, s, t, d, e) -> (b, h, t, e)>, affine_map<(b, h, s, t, d, e) -> (b, h, s, e)>] {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<2x12x9x32xf32>
  %f = tensor.empty() : tensor<2x9x12x32xf32>
  %o = linalg.transpose ins(%a : tensor<2x12x9x32xf32>) outs(%f : tensor<2x9x12x32xf32>) permutation = [0, 2, 1, 3]
  return %o : tensor<2x9x12x32xf32>
}
