// Causal attention of bf16 in pairs.

// RUN: kernel-run --check "--dims=S=0,1,7,13,70;T=0,1,20,65,130" \
// RUN:   '--schedule=#kernel.cpu_attention<mr = 6, kb = 64, lanes = 16, depth = 2>' %s
// RUN: kernel-run --check "--dims=S=7,70;T=1,65" \
// RUN:   '--schedule=#kernel.cpu_attention<mr = 6, kb = 64, lanes = 8, depth = 2>' --target=cpu:x86-64-v3 %s

#queries = affine_map<(b, h, s, t, d, e) -> (b, s, h, d)>
#keys = affine_map<(b, h, s, t, d, e) -> (b, t, h, d)>
#values = affine_map<(b, h, s, t, d, e) -> (b, t, h, e)>
#result = affine_map<(b, h, s, t, d, e) -> (b, s, h, e)>
#bias = affine_map<(b, h, s, t, d, e) -> (h, s, t)>
#keys_transposed = affine_map<(b, h, s, t, d, e) -> (b, h, d, t)>
#values_transposed = affine_map<(b, h, s, t, d, e) -> (b, h, e, t)>

// Odd features; keys and values transposed.
kernel.func @odd(%q: tensor<1x?x2x7xbf16> {ourc.shape = [1, @S, 2, 7]},
    %k: tensor<1x2x7x?xbf16> {ourc.shape = [1, 2, 7, @T]},
    %v: tensor<1x2x19x?xbf16> {ourc.shape = [1, 2, 19, @T]},
    %out: tensor<1x?x2x19xbf16> {ourc.shape = [1, @S, 2, 19]}) -> tensor<1x?x2x19xbf16> {
  %0 = kernel.attention queries(%q : tensor<1x?x2x7xbf16>) keys(%k : tensor<1x2x7x?xbf16>)
    values(%v : tensor<1x2x19x?xbf16>) outs(%out : tensor<1x?x2x19xbf16>)
    scale = 0.3 causal maps = [#queries, #keys_transposed, #values_transposed, #result] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<1x?x2x19xbf16>
  kernel.return %0 : tensor<1x?x2x19xbf16>
}
