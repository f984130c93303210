// RUN: ourc-opt -ourc-kernel-to-cpu -canonicalize %s | FileCheck %s

// The first tile of a row leaves out the pixel before it, statically; rows outside of the image are left
// out by the bounds of the loop over taps. A row of weights is loaded once, each vector of the input once
// for all pixels that read it: 15 vectors for 14 pixels and 3 taps, 41 products.

// CHECK-LABEL: func.func private @packed.task0
// CHECK:         scf.for {{.*}} iter_args
// CHECK-COUNT-18:  llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT:       llvm.load
// CHECK:           scf.yield
// CHECK-NOT:     gather
// The last channels are half a vector.
// CHECK:         llvm.intr.masked.store
kernel.func @packed(%x: tensor<1x28x28x40xf32>, %w: tensor<3x3x3x16xf32>, %out: tensor<1x28x28x40xf32>) -> tensor<1x28x28x40xf32> attributes {schedule = #kernel.cpu_depthwise<mr = 14, vectors = 1, lanes = 16, rows = 8, panel = 2, splitChannels = false>} {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x28x28x40xf32> to tensor<1x30x30x40xf32>
  %empty = tensor.empty() : tensor<40x3x3xf32>
  %weight = linalg.unpack %w outer_dims_perm = [0, 1, 2] inner_dims_pos = [0] inner_tiles = [16] into %empty
    : tensor<3x3x3x16xf32> -> tensor<40x3x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x28x28x40xf32>) -> tensor<1x28x28x40xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(n, h, w, c, i, j) -> (n, h + i, w + j, c)>,
                     affine_map<(n, h, w, c, i, j) -> (c, i, j)>,
                     affine_map<(n, h, w, c, i, j) -> (n, h, w, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%padded, %weight : tensor<1x30x30x40xf32>, tensor<40x3x3xf32>) outs(%init : tensor<1x28x28x40xf32>) {
  ^bb0(%u: f32, %v: f32, %sum: f32):
    %product = arith.mulf %u, %v : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x28x28x40xf32>
  kernel.return %r : tensor<1x28x28x40xf32>
}
