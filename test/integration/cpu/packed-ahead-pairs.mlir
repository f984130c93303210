// A weight packed in pairs whose next panel is fetched meanwhile; the last step
// is half of a pair.

// RUN: kernel-run --check --num-threads=2 \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 6, nr = 32, kb = 0, lanes = 16, splitN = true, prefetch = 2, depth = 2>' %s
// RUN: kernel-run --check \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 3, nr = 32, kb = 0, lanes = 16, splitN = true, prefetch = 6, depth = 2>' %s
// RUN: kernel-run --check --num-threads=2 --target=cpu:x86-64-v3 \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 3, nr = 32, kb = 0, lanes = 8, splitN = true, prefetch = 4, depth = 2>' %s

kernel.func @product(%x: tensor<13x37xbf16>, %packed: tensor<4x19x32x2xbf16>, %out: tensor<13x101xbf16>)
    -> tensor<13x101xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<101x37xbf16>
  %w = linalg.unpack %packed outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [32, 2] into %empty
    : tensor<4x19x32x2xbf16> -> tensor<101x37xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<13x101xbf16>) -> tensor<13x101xbf16>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<13x37xbf16>, tensor<101x37xbf16>) outs(%init : tensor<13x101xbf16>) {
  ^bb0(%p: bf16, %q: bf16, %sum: bf16):
    %product = arith.mulf %p, %q : bf16
    %next = arith.addf %sum, %product : bf16
    linalg.yield %next : bf16
  } -> tensor<13x101xbf16>
  kernel.return %0 : tensor<13x101xbf16>
}
