// RUN: kernel-run --assign --emit=assigned --target=cpu:x86-64-v4 %s | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: kernel-run --assign --emit=assigned --target=cpu:x86-64-v3 %s | FileCheck %s --check-prefixes=CHECK,NARROW

// Tasks own rows; the weights come with the channels of a vector innermost.

// CHECK-LABEL: kernel.func @images
// WIDE-SAME:     tensor<3x3x3x16xf32>
// WIDE-SAME:     #kernel.cpu_depthwise<mr = 14, vectors = 1, lanes = 16, rows = {{[0-9]+}}, panel = {{[0-9]+}}, splitChannels = false>
// NARROW-SAME:   tensor<5x3x3x8xf32>
// NARROW-SAME:   #kernel.cpu_depthwise<mr = 11, vectors = 1, lanes = 8, rows = {{[0-9]+}}, panel = {{[0-9]+}}, splitChannels = false>
// WIDE:          linalg.unpack {{.*}} outer_dims_perm = [0, 1, 2] inner_dims_pos = [0] inner_tiles = [16]
kernel.func @images(%x: tensor<1x28x28x40xf32>, %w: tensor<40x3x3xf32>, %out: tensor<1x28x28x40xf32>) -> tensor<1x28x28x40xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x28x28x40xf32> to tensor<1x30x30x40xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x28x28x40xf32>) -> tensor<1x28x28x40xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(n, h, w, c, i, j) -> (n, h + i, w + j, c)>,
                     affine_map<(n, h, w, c, i, j) -> (c, i, j)>,
                     affine_map<(n, h, w, c, i, j) -> (n, h, w, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%padded, %w : tensor<1x30x30x40xf32>, tensor<40x3x3xf32>) outs(%init : tensor<1x28x28x40xf32>) {
  ^bb0(%u: f32, %v: f32, %sum: f32):
    %product = arith.mulf %u, %v : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x28x28x40xf32>
  kernel.return %r : tensor<1x28x28x40xf32>
}

// There is one row: tasks own channels.

// CHECK-LABEL: kernel.func @signals
// WIDE-SAME:     #kernel.cpu_depthwise<mr = 14, vectors = 1, lanes = 16, rows = {{[0-9]+}}, panel = {{[0-9]+}}, splitChannels = true>
kernel.func @signals(%x: tensor<1x100x128xf32>, %w: tensor<128x5xf32>, %out: tensor<1x96x128xf32>) -> tensor<1x96x128xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x96x128xf32>) -> tensor<1x96x128xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(n, w, c, j) -> (n, w + j, c)>, affine_map<(n, w, c, j) -> (c, j)>,
                     affine_map<(n, w, c, j) -> (n, w, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<1x100x128xf32>, tensor<128x5xf32>) outs(%init : tensor<1x96x128xf32>) {
  ^bb0(%u: f32, %v: f32, %sum: f32):
    %product = arith.mulf %u, %v : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x96x128xf32>
  kernel.return %r : tensor<1x96x128xf32>
}

// A product of matrices has loops of one operand alone.

// CHECK-LABEL: kernel.func @matrices
// CHECK-SAME:    #kernel.cpu_contraction
kernel.func @matrices(%x: tensor<8x16xf32>, %w: tensor<16x48xf32>, %out: tensor<8x48xf32>) -> tensor<8x48xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<8x48xf32>) -> tensor<8x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x48xf32>) outs(%init : tensor<8x48xf32>) -> tensor<8x48xf32>
  kernel.return %0 : tensor<8x48xf32>
}
