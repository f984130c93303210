// RUN: ourc-opt %s -ourc-assign-strategies='target=cpu:x86-64-v4' | FileCheck %s
// RUN: ourc-opt %s -ourc-assign-strategies='target=cpu:x86-64-v3' | FileCheck %s --check-prefix=AVX2

// CHECK: kernel.func @elementwise
// CHECK-SAME: schedule = #kernel.cpu_pointwise<lanes = 16, grain = 16384, interleave = 4>
// AVX2: kernel.func @elementwise
// AVX2-SAME: schedule = #kernel.cpu_pointwise<lanes = 8, grain = 16384>
kernel.func @elementwise(%x: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : tensor<?xf32>) outs(%out : tensor<?xf32>) {
  ^bb0(%v: f32, %u: f32):
    %y = math.exp %v : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  kernel.return %r : tensor<?xf32>
}

// Rows enough to make some 10 µs of work for a thread.
// CHECK: kernel.func @sums
// CHECK-SAME: schedule = #kernel.cpu_row<lanes = 16, unroll = 4, grain = 16>
// AVX2: kernel.func @sums
// AVX2-SAME: schedule = #kernel.cpu_row<lanes = 8, unroll = 4, grain = 16>
kernel.func @sums(%x: tensor<?x1024xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<?x1024xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  kernel.return %r : tensor<?xf32>
}

// CHECK: kernel.func @windows
// CHECK-SAME: schedule = #kernel.cpu_pool<lanes = 16, grain = {{[0-9]+}}>
// AVX2: kernel.func @windows
// AVX2-SAME: schedule = #kernel.cpu_pool<lanes = 8, grain = {{[0-9]+}}>
kernel.func @windows(%x: tensor<1x8x8x16xf32>, %out: tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32> {
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<2x2xf32>
  %init = linalg.fill ins(%low : f32) outs(%out : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %window : tensor<1x8x8x16xf32>, tensor<2x2xf32>)
    outs(%init : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  kernel.return %r : tensor<1x4x4x16xf32>
}
