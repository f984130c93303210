// Packed weights whose next panel is fetched meanwhile: a product with a panel
// that is cut, and a convolution whose reduction has clipped and skipped parts.

// RUN: kernel-run --check --num-threads=2 \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 6, nr = 32, kb = 0, lanes = 16, splitN = true, prefetch = 1>' %s
// RUN: kernel-run --check \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 3, nr = 32, kb = 0, lanes = 16, splitN = true, prefetch = 3>' %s
// RUN: kernel-run --check --num-threads=2 --target=cpu:x86-64-v3 \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 3, nr = 32, kb = 0, lanes = 8, splitN = true, prefetch = 5>' %s
// RUN: kernel-run --check --num-threads=2 --target=cpu:x86-64-v3 \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 1, nr = 32, kb = 0, lanes = 8, splitN = false, prefetch = 2>' %s

kernel.func @product(%x: tensor<13x37xf32>, %packed: tensor<4x37x32xf32>, %out: tensor<13x101xf32>)
    -> tensor<13x101xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<101x37xf32>
  %w = linalg.unpack %packed outer_dims_perm = [0, 1] inner_dims_pos = [0] inner_tiles = [32] into %empty
    : tensor<4x37x32xf32> -> tensor<101x37xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<13x101xf32>) -> tensor<13x101xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<13x37xf32>, tensor<101x37xf32>) outs(%init : tensor<13x101xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<13x101xf32>
  kernel.return %0 : tensor<13x101xf32>
}

kernel.func @convolution(%x: tensor<1x5x7x11xf32>, %packed: tensor<3x3x3x11x32xf32>,
    %out: tensor<1x5x7x96xf32>) -> tensor<1x5x7x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<96x3x3x11xf32>
  %w = linalg.unpack %packed outer_dims_perm = [0, 1, 2, 3] inner_dims_pos = [0] inner_tiles = [32] into %empty
    : tensor<3x3x3x11x32xf32> -> tensor<96x3x3x11xf32>
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x5x7x11xf32> to tensor<1x7x9x11xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x5x7x96xf32>) -> tensor<1x5x7x96xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<1x7x9x11xf32>, tensor<96x3x3x11xf32>) outs(%init : tensor<1x5x7x96xf32>)
    -> tensor<1x5x7x96xf32>
  kernel.return %0 : tensor<1x5x7x96xf32>
}
