// Products in AMX tiles: blocks of rows and sums that fill no tile, columns that
// fill one tile and a part of another, packed and gathered weights. Where the
// machine has no AMX the same schedule runs on tiles in memory.

// RUN: kernel-run --check \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 32, nr = 32, kb = 0, lanes = 16, splitN = true, depth = 32>' %s
// RUN: kernel-run --check --num-threads=2 \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 16, nr = 32, kb = 0, lanes = 16, splitN = false, depth = 32>' %s
// RUN: kernel-run --check --num-threads=2 --target=cpu:x86-64-v3 \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 29, nr = 32, kb = 0, lanes = 16, splitN = false, depth = 32, mb = 1>' %s

// 41 rows are two blocks, of 21 and 20; 37 steps are a tile and five more.
kernel.func @packed(%x: tensor<41x37xbf16>, %packed: tensor<4x19x32x2xbf16>, %bias: tensor<101xf32>, %out: tensor<41x101xbf16>)
    -> tensor<41x101xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<101x37xbf16>
  %w = linalg.unpack %packed outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [32, 2] into %empty
    : tensor<4x19x32x2xbf16> -> tensor<101x37xbf16>
  %sums = tensor.empty() : tensor<41x101xf32>
  %init = linalg.fill ins(%zero : f32) outs(%sums : tensor<41x101xf32>) -> tensor<41x101xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<41x37xbf16>, tensor<101x37xbf16>) outs(%init : tensor<41x101xf32>) {
  ^bb0(%p: bf16, %q: bf16, %sum: f32):
    %pe = arith.extf %p : bf16 to f32
    %qe = arith.extf %q : bf16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<41x101xf32>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%0, %bias : tensor<41x101xf32>, tensor<101xf32>) outs(%out : tensor<41x101xbf16>) {
  ^bb0(%sum: f32, %b: f32, %o: bf16):
    %y = arith.addf %sum, %b : f32
    %t = arith.truncf %y : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<41x101xbf16>
  kernel.return %1 : tensor<41x101xbf16>
}

// Fewer rows than a tile has, and sums that do not start from zero.
kernel.func @gathered(%a: tensor<2x7x64xbf16>, %b: tensor<2x64x19xbf16>, %out: tensor<2x7x19xf32>)
    -> tensor<2x7x19xf32> {
  %one = arith.constant 1.0 : f32
  %init = linalg.fill ins(%one : f32) outs(%out : tensor<2x7x19xf32>) -> tensor<2x7x19xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(g, m, n, k) -> (g, m, k)>, affine_map<(g, m, n, k) -> (g, k, n)>,
                     affine_map<(g, m, n, k) -> (g, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<2x7x64xbf16>, tensor<2x64x19xbf16>) outs(%init : tensor<2x7x19xf32>) {
  ^bb0(%p: bf16, %q: bf16, %sum: f32):
    %pe = arith.extf %p : bf16 to f32
    %qe = arith.extf %q : bf16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2x7x19xf32>
  kernel.return %0 : tensor<2x7x19xf32>
}
