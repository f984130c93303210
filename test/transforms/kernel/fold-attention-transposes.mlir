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

#q3 = affine_map<(w, h, s, t, d, e) -> (w, h, s, d)>
#k3 = affine_map<(w, h, s, t, d, e) -> (w, h, t, d)>
#v3 = affine_map<(w, h, s, t, d, e) -> (w, h, t, e)>
#m3 = affine_map<(w, h, s, t, d, e) -> (h, s, t)>
#o3 = affine_map<(w, h, s, t, d, e) -> (w, h, s, e)>

// Windows are merged between the attention and the transpose; a mask keeps its keys last.
// CHECK-LABEL: func.func @merged
// CHECK-SAME: %[[X:.*]]: tensor<2x3x7x8xf32>, %[[M:.*]]: tensor<7x7x3xf32>
// CHECK: %[[MASK:.*]] = linalg.transpose ins(%[[M]]
// CHECK: %[[A:.*]] = kernel.attention queries(%[[X]]
// CHECK-SAME: score_operands(%[[MASK]]
// CHECK-SAME: outs(%{{.*}} : tensor<2x7x3x8xf32>)
// CHECK: return %[[A]]
func.func @merged(%x: tensor<2x3x7x8xf32>, %m: tensor<7x7x3xf32>) -> tensor<2x7x3x8xf32> {
  %e = tensor.empty() : tensor<2x3x7x8xf32>
  %me = tensor.empty() : tensor<3x7x7xf32>
  %mt = linalg.transpose ins(%m : tensor<7x7x3xf32>) outs(%me : tensor<3x7x7xf32>) permutation = [2, 0, 1]
  %a = kernel.attention queries(%x : tensor<2x3x7x8xf32>) keys(%x : tensor<2x3x7x8xf32>)
      values(%x : tensor<2x3x7x8xf32>) score_operands(%mt : tensor<3x7x7xf32>) outs(%e : tensor<2x3x7x8xf32>) scale = 0.25
      maps = [#q3, #k3, #v3, #m3, #o3] {
  ^bb0(%s: f32, %b: f32):
    %0 = arith.addf %s, %b : f32
    kernel.yield %0 : f32
  } -> tensor<2x3x7x8xf32>
  %split = tensor.expand_shape %a [[0, 1], [2], [3], [4]] output_shape [1, 2, 3, 7, 8] : tensor<2x3x7x8xf32> into tensor<1x2x3x7x8xf32>
  %f = tensor.empty() : tensor<1x2x7x3x8xf32>
  %o = linalg.transpose ins(%split : tensor<1x2x3x7x8xf32>) outs(%f : tensor<1x2x7x3x8xf32>) permutation = [0, 1, 3, 2, 4]
  %c = tensor.collapse_shape %o [[0, 1], [2], [3], [4]] : tensor<1x2x7x3x8xf32> into tensor<2x7x3x8xf32>
  return %c : tensor<2x7x3x8xf32>
}

// CHECK-LABEL: func.func @collapsed
// CHECK: %[[A:.*]] = kernel.attention
// CHECK-SAME: outs(%{{.*}} : tensor<7x2x3x8xf32>)
// CHECK: tensor.collapse_shape %[[A]] {{\[}}[0], [1, 2], [3]]
// CHECK-NOT: linalg.transpose
func.func @collapsed(%x: tensor<2x3x7x8xf32>) -> tensor<7x6x8xf32> {
  %e = tensor.empty() : tensor<2x3x7x8xf32>
  %a = kernel.attention queries(%x : tensor<2x3x7x8xf32>) keys(%x : tensor<2x3x7x8xf32>)
      values(%x : tensor<2x3x7x8xf32>) outs(%e : tensor<2x3x7x8xf32>) scale = 0.25
      maps = [#q3, #k3, #v3, #o3] {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<2x3x7x8xf32>
  %merged = tensor.collapse_shape %a [[0, 1], [2], [3]] : tensor<2x3x7x8xf32> into tensor<6x7x8xf32>
  %f = tensor.empty() : tensor<7x6x8xf32>
  %o = linalg.transpose ins(%merged : tensor<6x7x8xf32>) outs(%f : tensor<7x6x8xf32>) permutation = [1, 0, 2]
  return %o : tensor<7x6x8xf32>
}
