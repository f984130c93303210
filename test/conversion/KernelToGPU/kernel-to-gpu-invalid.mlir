// RUN: ourc-opt %s -ourc-kernel-to-gpu -split-input-file -verify-diagnostics

#id = affine_map<(d0) -> (d0)>
// expected-error @+1 {{'kernel.func' op cannot be made by rows: there is no reduction}}
kernel.func @no_reduction(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32>
    attributes {schedule = #kernel.gpu_row<threads = 32>} {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  kernel.return %0 : tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
// expected-error @+1 {{cannot be made as a contraction: there is no contraction}}
kernel.func @no_contraction(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32>
    attributes {schedule = #kernel.gpu_contraction<tileM = 64, tileN = 64, tileK = 32, warpsM = 2, warpsN = 2, stages = 3>} {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  kernel.return %0 : tensor<4xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// expected-error @+1 {{has a schedule with a tile of 48: a power of two from 16 on is right}}
kernel.func @tile(%x: tensor<4x8xf16>, %w: tensor<4x8xf16>, %out: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {schedule = #kernel.gpu_contraction<tileM = 48, tileN = 64, tileK = 32, warpsM = 2, warpsN = 2, stages = 3>} {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xf16>, tensor<4x8xf16>) outs(%out : tensor<4x4xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %1 = arith.extf %p : f16 to f32
    %2 = arith.extf %q : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x4xf32>
  kernel.return %0 : tensor<4x4xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// expected-error @+1 {{has a schedule with 1 stages: at least 2 is right}}
kernel.func @stages(%x: tensor<4x8xf16>, %w: tensor<4x8xf16>, %out: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {schedule = #kernel.gpu_contraction<tileM = 64, tileN = 64, tileK = 32, warpsM = 2, warpsN = 2, stages = 1>} {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xf16>, tensor<4x8xf16>) outs(%out : tensor<4x4xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %1 = arith.extf %p : f16 to f32
    %2 = arith.extf %q : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x4xf32>
  kernel.return %0 : tensor<4x4xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// expected-error @+1 {{whose warps do not divide the tile into parts of at least 16 x 16}}
kernel.func @warps(%x: tensor<4x8xf16>, %w: tensor<4x8xf16>, %out: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {schedule = #kernel.gpu_contraction<tileM = 32, tileN = 64, tileK = 32, warpsM = 4, warpsN = 2, stages = 3>} {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xf16>, tensor<4x8xf16>) outs(%out : tensor<4x4xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %1 = arith.extf %p : f16 to f32
    %2 = arith.extf %q : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x4xf32>
  kernel.return %0 : tensor<4x4xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// expected-error @+1 {{tensor cores multiply f16 or bf16 and accumulate in f32}}
kernel.func @types(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>, %out: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {schedule = #kernel.gpu_contraction<tileM = 64, tileN = 64, tileK = 32, warpsM = 2, warpsN = 2, stages = 3>} {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xf32>, tensor<4x8xf32>) outs(%out : tensor<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %3 = arith.mulf %p, %q : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x4xf32>
  kernel.return %0 : tensor<4x4xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// expected-error @+1 {{cannot be made as a contraction: tiles in registers are of f32}}
kernel.func @tile_types(%x: tensor<4x8xf16>, %w: tensor<4x8xf16>, %out: tensor<4x4xf16>) -> tensor<4x4xf16>
    attributes {schedule = #kernel.gpu_tile<tileM = 64, tileN = 64, tileK = 16, threadsM = 16, threadsN = 8, stages = 3>} {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xf16>, tensor<4x8xf16>) outs(%out : tensor<4x4xf16>) {
  ^bb0(%p: f16, %q: f16, %acc: f16):
    %3 = arith.mulf %p, %q : f16
    %4 = arith.addf %acc, %3 : f16
    linalg.yield %4 : f16
  } -> tensor<4x4xf16>
  kernel.return %0 : tensor<4x4xf16>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// expected-error @+1 {{has a schedule with 4 x 8 threads: powers of two from 8 to the tile's size are right}}
kernel.func @tile_threads(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>, %out: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {schedule = #kernel.gpu_tile<tileM = 64, tileN = 64, tileK = 16, threadsM = 4, threadsN = 8, stages = 3>} {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xf32>, tensor<4x8xf32>) outs(%out : tensor<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %3 = arith.mulf %p, %q : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x4xf32>
  kernel.return %0 : tensor<4x4xf32>
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
// expected-error @+1 {{cannot be made as an attention: tensor cores multiply f16 or bf16 here}}
kernel.func @attention_types(%q: tensor<2x32x32xf32>, %k: tensor<2x32x32xf32>, %v: tensor<2x32x32xf32>, %out: tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    attributes {schedule = #kernel.gpu_attention<warps = 4, keys = 64, stages = 2>} {
  %0 = kernel.attention queries(%q : tensor<2x32x32xf32>) keys(%k : tensor<2x32x32xf32>) values(%v : tensor<2x32x32xf32>)
    outs(%out : tensor<2x32x32xf32>) scale = 0.125 maps = [#q, #k, #v, #o] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x32x32xf32>
  kernel.return %0 : tensor<2x32x32xf32>
}

// -----

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>
// expected-error @+1 {{has a schedule of 4 warps, 48 keys and 2 stages: powers of two, at least 16 keys and 2 stages are right}}
kernel.func @attention_keys(%q: tensor<2x32x32xf16>, %k: tensor<2x32x32xf16>, %v: tensor<2x32x32xf16>, %out: tensor<2x32x32xf16>) -> tensor<2x32x32xf16>
    attributes {schedule = #kernel.gpu_attention<warps = 4, keys = 48, stages = 2>} {
  %0 = kernel.attention queries(%q : tensor<2x32x32xf16>) keys(%k : tensor<2x32x32xf16>) values(%v : tensor<2x32x32xf16>)
    outs(%out : tensor<2x32x32xf16>) scale = 0.125 maps = [#q, #k, #v, #o] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x32x32xf16>
  kernel.return %0 : tensor<2x32x32xf16>
}

// -----

#id = affine_map<(d0) -> (d0)>
kernel.func @flow(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32>
    attributes {schedule = #kernel.gpu_pointwise<threads = 128>} {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %a, %zero : f32
    // expected-error @+1 {{cannot be part of the scalar body of a GPU kernel}}
    %1 = scf.if %c -> f32 {
      scf.yield %a : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  kernel.return %0 : tensor<4xf32>
}
