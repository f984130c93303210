// Attention in which a query sees the keys up to its own: others are neither
// multiplied nor, tile by tile, read.

// RUN: kernel-run --target=simt --check --assign "--dims=S=0,1,17,70;T=0,1,33,130" %s
// RUN: env OURC_SIMT_SEED=3 kernel-run --target=simt --check --assign "--dims=S=130;T=130" %s

#queries = affine_map<(b, h, s, t, d, e) -> (b, h, s, d)>
#keys = affine_map<(b, h, s, t, d, e) -> (b, h, t, d)>
#values = affine_map<(b, h, s, t, d, e) -> (b, h, t, e)>
#result = affine_map<(b, h, s, t, d, e) -> (b, h, s, e)>
#queries_late = affine_map<(b, h, s, t, d, e) -> (b, s, h, d)>
#keys_late = affine_map<(b, h, s, t, d, e) -> (b, t, h, d)>
#values_late = affine_map<(b, h, s, t, d, e) -> (b, t, h, e)>
#result_late = affine_map<(b, h, s, t, d, e) -> (b, s, h, e)>
#bias = affine_map<(b, h, s, t, d, e) -> (h, s, t)>

kernel.func @causal(%q: tensor<2x2x?x32xf16> {ourc.shape = [2, 2, @S, 32]},
    %k: tensor<2x2x?x32xf16> {ourc.shape = [2, 2, @T, 32]},
    %v: tensor<2x2x?x32xf16> {ourc.shape = [2, 2, @T, 32]},
    %out: tensor<2x2x?x32xf16> {ourc.shape = [2, 2, @S, 32]}) -> tensor<2x2x?x32xf16> {
  %0 = kernel.attention queries(%q : tensor<2x2x?x32xf16>)
    keys(%k : tensor<2x2x?x32xf16>)
    values(%v : tensor<2x2x?x32xf16>)
    outs(%out : tensor<2x2x?x32xf16>)
    scale = 0.3 causal maps = [#queries, #keys, #values, #result] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x2x?x32xf16>
  kernel.return %0 : tensor<2x2x?x32xf16>
}

kernel.func @causal_bf16(%q: tensor<2x?x2x64xbf16> {ourc.shape = [2, @S, 2, 64]},
    %k: tensor<2x?x2x64xbf16> {ourc.shape = [2, @T, 2, 64]},
    %v: tensor<2x?x2x64xbf16> {ourc.shape = [2, @T, 2, 64]},
    %out: tensor<2x?x2x64xbf16> {ourc.shape = [2, @S, 2, 64]}) -> tensor<2x?x2x64xbf16> {
  %0 = kernel.attention queries(%q : tensor<2x?x2x64xbf16>)
    keys(%k : tensor<2x?x2x64xbf16>)
    values(%v : tensor<2x?x2x64xbf16>)
    outs(%out : tensor<2x?x2x64xbf16>)
    scale = 0.3 causal maps = [#queries_late, #keys_late, #values_late, #result_late] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x?x2x64xbf16>
  kernel.return %0 : tensor<2x?x2x64xbf16>
}

kernel.func @causal_bias(%q: tensor<2x2x?x16xbf16> {ourc.shape = [2, 2, @S, 16]},
    %k: tensor<2x2x?x16xbf16> {ourc.shape = [2, 2, @T, 16]},
    %v: tensor<2x2x?x16xbf16> {ourc.shape = [2, 2, @T, 16]},
    %m0: tensor<2x?x?xf32> {ourc.shape = [2, @S, @T]},
    %out: tensor<2x2x?x16xbf16> {ourc.shape = [2, 2, @S, 16]}) -> tensor<2x2x?x16xbf16> {
  %0 = kernel.attention queries(%q : tensor<2x2x?x16xbf16>)
    keys(%k : tensor<2x2x?x16xbf16>)
    values(%v : tensor<2x2x?x16xbf16>)
    score_operands(%m0 : tensor<2x?x?xf32>)
    outs(%out : tensor<2x2x?x16xbf16>)
    scale = 0.3 causal maps = [#queries, #keys, #values, #bias, #result] {
  ^bb0(%score: f32, %x0: f32):
    %s0 = arith.addf %score, %x0 : f32
    kernel.yield %s0 : f32
  } -> tensor<2x2x?x16xbf16>
  kernel.return %0 : tensor<2x2x?x16xbf16>
}
