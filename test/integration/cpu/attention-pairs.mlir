// Attention of bf16 in pairs: odd numbers of keys, features and columns, several blocks and one; with the instruction and without.

// RUN: kernel-run --check "--dims=S=0,1,7,13;T=0,1,20,65,130" \
// RUN:   '--schedule=#kernel.cpu_attention<mr = 6, kb = 64, lanes = 16, depth = 2>' %s
// RUN: kernel-run --check "--dims=S=7,13;T=1,20,65" \
// RUN:   '--schedule=#kernel.cpu_attention<mr = 14, kb = 64, lanes = 16, depth = 2>' --target=cpu:x86-64-v4 %s
// RUN: kernel-run --check "--dims=S=0,1,7;T=0,1,65" \
// RUN:   '--schedule=#kernel.cpu_attention<mr = 6, kb = 64, lanes = 8, depth = 2>' --target=cpu:x86-64-v3 %s
// RUN: kernel-run --check "--dims=S=9;T=21" --special \
// RUN:   '--schedule=#kernel.cpu_attention<mr = 6, kb = 64, lanes = 16, depth = 2>' %s

#queries = affine_map<(b, h, s, t, d, e) -> (b, s, h, d)>
#keys = affine_map<(b, h, s, t, d, e) -> (b, t, h, d)>
#values = affine_map<(b, h, s, t, d, e) -> (b, t, h, e)>
#result = affine_map<(b, h, s, t, d, e) -> (b, s, h, e)>
#bias = affine_map<(b, h, s, t, d, e) -> (h, s, t)>
#keys_transposed = affine_map<(b, h, s, t, d, e) -> (b, h, d, t)>
#values_transposed = affine_map<(b, h, s, t, d, e) -> (b, h, e, t)>

// Even features, contiguous; any number of keys; a bias.
kernel.func @even(%q: tensor<2x?x3x32xbf16> {ourc.shape = [2, @S, 3, 32]},
    %k: tensor<2x?x3x32xbf16> {ourc.shape = [2, @T, 3, 32]},
    %v: tensor<2x?x3x24xbf16> {ourc.shape = [2, @T, 3, 24]},
    %m: tensor<3x?x?xbf16> {ourc.shape = [3, @S, @T]},
    %out: tensor<2x?x3x24xbf16> {ourc.shape = [2, @S, 3, 24]}) -> tensor<2x?x3x24xbf16> {
  %0 = kernel.attention queries(%q : tensor<2x?x3x32xbf16>) keys(%k : tensor<2x?x3x32xbf16>)
    values(%v : tensor<2x?x3x24xbf16>) score_operands(%m : tensor<3x?x?xbf16>)
    outs(%out : tensor<2x?x3x24xbf16>)
    scale = 0.3 maps = [#queries, #keys, #values, #bias, #result] {
  ^bb0(%score: f32, %x: bf16):
    %w = arith.extf %x : bf16 to f32
    %all = arith.addf %score, %w : f32
    kernel.yield %all : f32
  } -> tensor<2x?x3x24xbf16>
  kernel.return %0 : tensor<2x?x3x24xbf16>
}

// Odd features; keys and values transposed.
kernel.func @odd(%q: tensor<1x?x2x7xbf16> {ourc.shape = [1, @S, 2, 7]},
    %k: tensor<1x2x7x?xbf16> {ourc.shape = [1, 2, 7, @T]},
    %v: tensor<1x2x19x?xbf16> {ourc.shape = [1, 2, 19, @T]},
    %out: tensor<1x?x2x19xbf16> {ourc.shape = [1, @S, 2, 19]}) -> tensor<1x?x2x19xbf16> {
  %0 = kernel.attention queries(%q : tensor<1x?x2x7xbf16>) keys(%k : tensor<1x2x7x?xbf16>)
    values(%v : tensor<1x2x19x?xbf16>) outs(%out : tensor<1x?x2x19xbf16>)
    scale = 0.3 maps = [#queries, #keys_transposed, #values_transposed, #result] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<1x?x2x19xbf16>
  kernel.return %0 : tensor<1x?x2x19xbf16>
}

// One block of keys, whose number is odd.
kernel.func @window(%q: tensor<3x49x2x32xbf16>, %k: tensor<3x49x2x32xbf16>, %v: tensor<3x49x2x32xbf16>,
    %out: tensor<3x49x2x32xbf16>) -> tensor<3x49x2x32xbf16> {
  %0 = kernel.attention queries(%q : tensor<3x49x2x32xbf16>) keys(%k : tensor<3x49x2x32xbf16>)
    values(%v : tensor<3x49x2x32xbf16>) outs(%out : tensor<3x49x2x32xbf16>)
    scale = 0.3 maps = [#queries, #keys, #values, #result] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<3x49x2x32xbf16>
  kernel.return %0 : tensor<3x49x2x32xbf16>
}
