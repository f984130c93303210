// RUN: ourc-opt %s -ourc-form-kernels='target=cpu:x86-64-v4' -cse | FileCheck %s

// Attention reads queries, keys and values where they lie in one buffer: what takes them apart goes into its kernel through the
// reshapes between, once all that read it are there. Reshapes that nobody took in are one again.
// CHECK-LABEL: kernel.func @
// CHECK-SAME: (%[[QKV:[a-z0-9]+]]: tensor<1x9x3x16xf32>, %[[OUT:[a-z0-9]+]]: tensor<2x9x8xf32>) -> tensor<2x9x8xf32>
// CHECK: linalg.transpose ins(%[[QKV]]
// CHECK-COUNT-3: tensor.extract_slice
// CHECK: kernel.attention
// CHECK: kernel.return
// CHECK: func.func @main(%[[X:[a-z0-9]+]]: tensor<1x9x48xf32>
// CHECK-NEXT: %[[E:.*]] = tensor.expand_shape %[[X]]
// CHECK-NEXT: %[[O:.*]] = tensor.empty
// CHECK-NEXT: %[[A:.*]] = kernel.launch @{{.*}}(%[[E]]) outs(%[[O]])
// CHECK-NEXT: return %[[A]]
func.func @main(%x: tensor<1x9x48xf32> {ourc.name = "x"}) -> tensor<2x9x8xf32> {
  %split = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [1, 9, 3, 16] : tensor<1x9x48xf32> into tensor<1x9x3x16xf32>
  %e0 = tensor.empty() : tensor<3x1x9x16xf32>
  %t = linalg.transpose ins(%split : tensor<1x9x3x16xf32>) outs(%e0 : tensor<3x1x9x16xf32>) permutation = [2, 0, 1, 3]
  %c = tensor.collapse_shape %t [[0], [1, 2], [3]] : tensor<3x1x9x16xf32> into tensor<3x9x16xf32>
  %q0 = tensor.extract_slice %c[0, 0, 0] [1, 9, 16] [1, 1, 1] : tensor<3x9x16xf32> to tensor<1x9x16xf32>
  %k0 = tensor.extract_slice %c[1, 0, 0] [1, 9, 16] [1, 1, 1] : tensor<3x9x16xf32> to tensor<1x9x16xf32>
  %v0 = tensor.extract_slice %c[2, 0, 0] [1, 9, 16] [1, 1, 1] : tensor<3x9x16xf32> to tensor<1x9x16xf32>
  %q1 = tensor.expand_shape %q0 [[0], [1], [2, 3]] output_shape [1, 9, 2, 8] : tensor<1x9x16xf32> into tensor<1x9x2x8xf32>
  %k1 = tensor.expand_shape %k0 [[0], [1], [2, 3]] output_shape [1, 9, 2, 8] : tensor<1x9x16xf32> into tensor<1x9x2x8xf32>
  %v1 = tensor.expand_shape %v0 [[0], [1], [2, 3]] output_shape [1, 9, 2, 8] : tensor<1x9x16xf32> into tensor<1x9x2x8xf32>
  %q = tensor.collapse_shape %q1 [[0, 1], [2], [3]] : tensor<1x9x2x8xf32> into tensor<9x2x8xf32>
  %k = tensor.collapse_shape %k1 [[0, 1], [2], [3]] : tensor<1x9x2x8xf32> into tensor<9x2x8xf32>
  %v = tensor.collapse_shape %v1 [[0, 1], [2], [3]] : tensor<1x9x2x8xf32> into tensor<9x2x8xf32>
  %e = tensor.empty() : tensor<2x9x8xf32>
  %a = kernel.attention queries(%q : tensor<9x2x8xf32>) keys(%k : tensor<9x2x8xf32>)
      values(%v : tensor<9x2x8xf32>) outs(%e : tensor<2x9x8xf32>) scale = 0.25
      maps = [affine_map<(h, s, t, d, e) -> (s, h, d)>, affine_map<(h, s, t, d, e) -> (t, h, d)>,
              affine_map<(h, s, t, d, e) -> (t, h, e)>, affine_map<(h, s, t, d, e) -> (h, s, e)>] {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<2x9x8xf32>
  return %a : tensor<2x9x8xf32>
}
