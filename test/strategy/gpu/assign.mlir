// RUN: ourc-opt %s -ourc-assign-strategies=target=simt | FileCheck %s
// RUN: ourc-opt %s -ourc-assign-strategies=target=cuda:sm_90 | FileCheck %s
// RUN: not ourc-opt %s -ourc-assign-strategies=target=cuda:sm_10 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: unknown GPU target 'cuda:sm_10': expected 'simt', 'cuda:sm_80', 'cuda:sm_89', 'cuda:sm_90' or 'cuda:sm_100'

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#pixels = affine_map<(b, p, c) -> (b, p, c)>
#channels = affine_map<(b, p, c) -> (b, c)>

// f16 on tensor cores.
// CHECK: kernel.func @half
// CHECK-SAME: schedule = #kernel.gpu_contraction<tileM = 64, tileN = 64, tileK = 32, warpsM = 2, warpsN = 2, stages = 3>
kernel.func @half(%x: tensor<?x40xf16>, %w: tensor<72x40xf16>, %out: tensor<?x72xf32>) -> tensor<?x72xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%out : tensor<?x72xf32>) -> tensor<?x72xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x40xf16>, tensor<72x40xf16>) outs(%f : tensor<?x72xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %1 = arith.extf %p : f16 to f32
    %2 = arith.extf %q : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?x72xf32>
  kernel.return %0 : tensor<?x72xf32>
}

// Large sizes: larger tiles.
// CHECK: kernel.func @large
// CHECK-SAME: schedule = #kernel.gpu_contraction<tileM = 128, tileN = 128
kernel.func @large(%x: tensor<1024x64xf16>, %w: tensor<2048x64xf16>, %out: tensor<1024x2048xf32>) -> tensor<1024x2048xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%out : tensor<1024x2048xf32>) -> tensor<1024x2048xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1024x64xf16>, tensor<2048x64xf16>) outs(%f : tensor<1024x2048xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %1 = arith.extf %p : f16 to f32
    %2 = arith.extf %q : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1024x2048xf32>
  kernel.return %0 : tensor<1024x2048xf32>
}

// f32 has no tensor cores here: tiles in registers, no higher than the rows.
// CHECK: kernel.func @single
// CHECK-SAME: schedule = #kernel.gpu_tile<tileM = 16, tileN = 64, tileK = 16, threadsM = 8, threadsN = 16, stages = 3>
kernel.func @single(%x: tensor<9x40xf32>, %w: tensor<72x40xf32>, %out: tensor<9x72xf32>) -> tensor<9x72xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%out : tensor<9x72xf32>) -> tensor<9x72xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<9x40xf32>, tensor<72x40xf32>) outs(%f : tensor<9x72xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %3 = arith.mulf %p, %q : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<9x72xf32>
  kernel.return %0 : tensor<9x72xf32>
}

// A convolution is a contraction; a depthwise one is not.
// CHECK: kernel.func @convolution
// CHECK-SAME: schedule = #kernel.gpu_contraction<tileM = 64, tileN = 32, tileK = 32, warpsM = 4, warpsN = 1, stages = 3>
kernel.func @convolution(%x: tensor<2x10x10x16xf16>, %w: tensor<24x3x3x16xf16>, %out: tensor<2x8x8x24xf16>) -> tensor<2x8x8x24xf16> {
  %zero = arith.constant 0.0 : f16
  %f = linalg.fill ins(%zero : f16) outs(%out : tensor<2x8x8x24xf16>) -> tensor<2x8x8x24xf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<2x10x10x16xf16>, tensor<24x3x3x16xf16>) outs(%f : tensor<2x8x8x24xf16>) -> tensor<2x8x8x24xf16>
  kernel.return %0 : tensor<2x8x8x24xf16>
}

// CHECK: kernel.func @depthwise
// CHECK-SAME: schedule = #kernel.gpu_pointwise<threads = 128>
kernel.func @depthwise(%x: tensor<2x10x10x16xf16>, %w: tensor<3x3x16xf16>, %out: tensor<2x8x8x16xf16>) -> tensor<2x8x8x16xf16> {
  %zero = arith.constant 0.0 : f16
  %f = linalg.fill ins(%zero : f16) outs(%out : tensor<2x8x8x16xf16>) -> tensor<2x8x8x16xf16>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<2x10x10x16xf16>, tensor<3x3x16xf16>) outs(%f : tensor<2x8x8x16xf16>) -> tensor<2x8x8x16xf16>
  kernel.return %0 : tensor<2x8x8x16xf16>
}

// A short row: one warp, moved with its neighbours.
// CHECK: kernel.func @short_row
// CHECK-SAME: schedule = #kernel.gpu_row<threads = 32, rows = 4, chunks = 2, staged = true>
kernel.func @short_row(%x: tensor<?x64xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x64xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  kernel.return %0 : tensor<?xf32>
}

// A row and an elementwise result of the row's shape.
// CHECK: kernel.func @residual
// CHECK-SAME: schedule = #kernel.gpu_row<threads = 128, width = 4, chunks = 2>
kernel.func @residual(%x: tensor<?x1000xf32>, %y: tensor<?x1000xf32>, %o0: tensor<?x1000xf32>, %o1: tensor<?x1000xf32>)
    -> (tensor<?x1000xf32>, tensor<?x1000xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x1000xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<?x1000xf32>, tensor<?x1000xf32>) outs(%o0 : tensor<?x1000xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?x1000xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %total = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%sum : tensor<?x1000xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %total : tensor<?x1000xf32>, tensor<?xf32>) outs(%o1 : tensor<?x1000xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?x1000xf32>
  kernel.return %sum, %r : tensor<?x1000xf32>, tensor<?x1000xf32>
}

// The channels come last: their sums are neighbours, a warp makes 32 of them.
// CHECK: kernel.func @pixels
// CHECK-SAME: schedule = #kernel.gpu_row<threads = 8, columns = 32>
kernel.func @pixels(%x: tensor<?x49x64xf16>, %out: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%out : tensor<?x64xf32>) -> tensor<?x64xf32>
  %0 = linalg.generic {indexing_maps = [#pixels, #channels], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : tensor<?x49x64xf16>) outs(%f : tensor<?x64xf32>) {
  ^bb0(%a: f16, %b: f32):
    %1 = arith.extf %a : f16 to f32
    %2 = arith.addf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<?x64xf32>
  kernel.return %0 : tensor<?x64xf32>
}

// Channels last: a pool goes over a window once for eight of them.
// CHECK: kernel.func @pool
// CHECK-SAME: schedule = #kernel.gpu_pointwise<threads = 128, width = 8>
kernel.func @pool(%x: tensor<1x66x66x64xf16>, %out: tensor<1x64x64x64xf16>) -> tensor<1x64x64x64xf16> {
  %least = arith.constant 0xFC00 : f16
  %window = tensor.empty() : tensor<3x3xf16>
  %f = linalg.fill ins(%least : f16) outs(%out : tensor<1x64x64x64xf16>) -> tensor<1x64x64x64xf16>
  %0 = linalg.pooling_nhwc_max ins(%x, %window : tensor<1x66x66x64xf16>, tensor<3x3xf16>) outs(%f : tensor<1x64x64x64xf16>) -> tensor<1x64x64x64xf16>
  kernel.return %0 : tensor<1x64x64x64xf16>
}
