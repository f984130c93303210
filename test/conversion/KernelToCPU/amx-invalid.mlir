// RUN: ourc-opt -ourc-kernel-to-cpu -split-input-file -verify-diagnostics %s

// expected-error @below {{'kernel.func' op has a schedule of AMX tiles, but its number of rows is not constant}}
kernel.func @refused(%x: tensor<?x64xbf16> {ourc.shape = [@m, 64]}, %w: tensor<8x64xbf16>,
    %out: tensor<?x8xf32> {ourc.shape = [@m, 8]}) -> tensor<?x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 32, nr = 32, kb = 0, lanes = 16, splitN = true, depth = 32>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x8xf32>) -> tensor<?x8xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<?x64xbf16>, tensor<8x64xbf16>) outs(%init : tensor<?x8xf32>) {
  ^bb0(%p: bf16, %q: bf16, %sum: f32):
    %pe = arith.extf %p : bf16 to f32
    %qe = arith.extf %q : bf16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x8xf32>
  kernel.return %0 : tensor<?x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op has a schedule of AMX tiles, which take 16 lanes, up to 32 rows and columns, and no prefetch}}
kernel.func @refused(%x: tensor<4x64xbf16>, %w: tensor<8x64xbf16>,
    %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 32, nr = 64, kb = 0, lanes = 16, splitN = true, depth = 32>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<4x64xbf16>, tensor<8x64xbf16>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%p: bf16, %q: bf16, %sum: f32):
    %pe = arith.extf %p : bf16 to f32
    %qe = arith.extf %q : bf16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op has a schedule of AMX tiles, which take 16 lanes, up to 32 rows and columns, and no prefetch}}
kernel.func @refused(%x: tensor<4x64xbf16>, %w: tensor<8x64xbf16>,
    %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 32, nr = 32, kb = 0, lanes = 8, splitN = true, depth = 32>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<4x64xbf16>, tensor<8x64xbf16>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%p: bf16, %q: bf16, %sum: f32):
    %pe = arith.extf %p : bf16 to f32
    %qe = arith.extf %q : bf16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op has a schedule of AMX tiles, which take 16 lanes, up to 32 rows and columns, and no prefetch}}
kernel.func @refused(%x: tensor<4x64xbf16>, %w: tensor<8x64xbf16>,
    %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 32, nr = 32, kb = 0, lanes = 16, splitN = true, prefetch = 32, depth = 32>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<4x64xbf16>, tensor<8x64xbf16>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%p: bf16, %q: bf16, %sum: f32):
    %pe = arith.extf %p : bf16 to f32
    %qe = arith.extf %q : bf16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op has a schedule whose depth is 32, but its sum cannot be taken in pairs of bf16}}
kernel.func @refused(%x: tensor<4x64xf32>, %w: tensor<8x64xf32>,
    %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 32, nr = 32, kb = 0, lanes = 16, splitN = true, depth = 32>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<4x64xf32>, tensor<8x64xf32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// The windows at the border read padding in some of their pixels.
// expected-error @below {{'kernel.func' op has a schedule of AMX tiles, but some of its rows read padding where others do not}}
kernel.func @refused(%x: tensor<1x8x8x32xbf16>, %w: tensor<3x3x32x16xbf16>, %out: tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 32, nr = 16, kb = 0, lanes = 16, splitN = true, depth = 32>} {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %none : bf16
  } : tensor<1x8x8x32xbf16> to tensor<1x10x10x32xbf16>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%padded, %w : tensor<1x10x10x32xbf16>, tensor<3x3x32x16xbf16>)
    outs(%init : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  kernel.return %0 : tensor<1x8x8x16xf32>
}
