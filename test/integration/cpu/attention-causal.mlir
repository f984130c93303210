// Attention in which a query sees the keys up to its own.

// RUN: kernel-run --check "--dims=S=0,1,2,6,7,13;T=0,1,7,16,65,130" \
// RUN:   '--schedule=#kernel.cpu_attention<mr = 6, kb = 128, lanes = 16>' %s
// RUN: kernel-run --check "--dims=S=0,1,2,6,7,13;T=0,1,7,16,65,130" \
// RUN:   '--schedule=#kernel.cpu_attention<mr = 6, kb = 64, lanes = 8>' --target=cpu:x86-64-v3 %s
// RUN: kernel-run --check "--dims=S=150;T=150" \
// RUN:   '--schedule=#kernel.cpu_attention<mr = 6, kb = 64, lanes = 16>' %s

#queries = affine_map<(b, h, s, t, d, e) -> (b, h, s, d)>
#keys = affine_map<(b, h, s, t, d, e) -> (b, h, t, d)>
#values = affine_map<(b, h, s, t, d, e) -> (b, h, t, e)>
#result = affine_map<(b, h, s, t, d, e) -> (b, h, s, e)>

kernel.func @causal(%q: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @S, 32]},
    %k: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @T, 32]},
    %v: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @T, 32]},
    %out: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @S, 32]}) -> tensor<2x3x?x32xf32> {
  %0 = kernel.attention queries(%q : tensor<2x3x?x32xf32>)
    keys(%k : tensor<2x3x?x32xf32>)
    values(%v : tensor<2x3x?x32xf32>)
    outs(%out : tensor<2x3x?x32xf32>)
    scale = 0.3 causal maps = [#queries, #keys, #values, #result] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x3x?x32xf32>
  kernel.return %0 : tensor<2x3x?x32xf32>
}

kernel.func @causal_zero(%q: tensor<1x2x?x16xf32> {ourc.shape = [1, 2, @S, 16]},
    %k: tensor<1x2x?x16xf32> {ourc.shape = [1, 2, @T, 16]},
    %v: tensor<1x2x?x16xf32> {ourc.shape = [1, 2, @T, 16]},
    %out: tensor<1x2x?x16xf32> {ourc.shape = [1, 2, @S, 16]}) -> tensor<1x2x?x16xf32> {
  %0 = kernel.attention queries(%q : tensor<1x2x?x16xf32>)
    keys(%k : tensor<1x2x?x16xf32>)
    values(%v : tensor<1x2x?x16xf32>)
    outs(%out : tensor<1x2x?x16xf32>)
    scale = 0.3 causal zero_masked_rows maps = [#queries, #keys, #values, #result] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<1x2x?x16xf32>
  kernel.return %0 : tensor<1x2x?x16xf32>
}
