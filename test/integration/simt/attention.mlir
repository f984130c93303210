// Attention on tensor cores: layouts, masks, causal, sizes that fill no tile,
// keys that several heads share, results that are reshaped.

// RUN: kernel-run --target=simt --check --assign "--dims=S=0,1,17,70;T=0,1,33,130" %s
// RUN: env OURC_SIMT_SEED=3 kernel-run --target=simt --check --assign "--dims=S=65;T=64" %s
// RUN: kernel-run --target=simt --check --assign --special "--dims=S=9;T=20" %s

#queries = affine_map<(b, h, s, t, d, e) -> (b, h, s, d)>
#keys = affine_map<(b, h, s, t, d, e) -> (b, h, t, d)>
#values = affine_map<(b, h, s, t, d, e) -> (b, h, t, e)>
#result = affine_map<(b, h, s, t, d, e) -> (b, h, s, e)>
#queries_late = affine_map<(b, h, s, t, d, e) -> (b, s, h, d)>
#keys_late = affine_map<(b, h, s, t, d, e) -> (b, t, h, d)>
#values_late = affine_map<(b, h, s, t, d, e) -> (b, t, h, e)>
#result_late = affine_map<(b, h, s, t, d, e) -> (b, s, h, e)>
#queries_transposed = affine_map<(b, h, s, t, d, e) -> (b, h, d, s)>
#keys_transposed = affine_map<(b, h, s, t, d, e) -> (b, h, d, t)>
#values_transposed = affine_map<(b, h, s, t, d, e) -> (b, h, e, t)>
#result_transposed = affine_map<(b, h, s, t, d, e) -> (b, h, e, s)>
#mask = affine_map<(b, h, s, t, d, e) -> (b, 0, 0, t)>
#bias = affine_map<(b, h, s, t, d, e) -> (h, s, t)>

kernel.func @plain(%q: tensor<2x2x?x64xf16> {ourc.shape = [2, 2, @S, 64]},
    %k: tensor<2x2x?x64xf16> {ourc.shape = [2, 2, @T, 64]},
    %v: tensor<2x2x?x64xf16> {ourc.shape = [2, 2, @T, 64]},
    %out: tensor<2x2x?x64xf16> {ourc.shape = [2, 2, @S, 64]}) -> tensor<2x2x?x64xf16> {
  %0 = kernel.attention queries(%q : tensor<2x2x?x64xf16>)
    keys(%k : tensor<2x2x?x64xf16>)
    values(%v : tensor<2x2x?x64xf16>)
    outs(%out : tensor<2x2x?x64xf16>)
    scale = 0.3 maps = [#queries, #keys, #values, #result] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x2x?x64xf16>
  kernel.return %0 : tensor<2x2x?x64xf16>
}

kernel.func @plain_bf16(%q: tensor<2x2x?x64xbf16> {ourc.shape = [2, 2, @S, 64]},
    %k: tensor<2x2x?x64xbf16> {ourc.shape = [2, 2, @T, 64]},
    %v: tensor<2x2x?x64xbf16> {ourc.shape = [2, 2, @T, 64]},
    %out: tensor<2x2x?x64xbf16> {ourc.shape = [2, 2, @S, 64]}) -> tensor<2x2x?x64xbf16> {
  %0 = kernel.attention queries(%q : tensor<2x2x?x64xbf16>)
    keys(%k : tensor<2x2x?x64xbf16>)
    values(%v : tensor<2x2x?x64xbf16>)
    outs(%out : tensor<2x2x?x64xbf16>)
    scale = 0.3 maps = [#queries, #keys, #values, #result] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x2x?x64xbf16>
  kernel.return %0 : tensor<2x2x?x64xbf16>
}

// Features that fill no chunk, or differ.
kernel.func @features(%q: tensor<2x2x?x20xf16> {ourc.shape = [2, 2, @S, 20]},
    %k: tensor<2x2x?x20xf16> {ourc.shape = [2, 2, @T, 20]},
    %v: tensor<2x2x?x33xf16> {ourc.shape = [2, 2, @T, 33]},
    %out: tensor<2x2x?x33xf16> {ourc.shape = [2, 2, @S, 33]}) -> tensor<2x2x?x33xf16> {
  %0 = kernel.attention queries(%q : tensor<2x2x?x20xf16>)
    keys(%k : tensor<2x2x?x20xf16>)
    values(%v : tensor<2x2x?x33xf16>)
    outs(%out : tensor<2x2x?x33xf16>)
    scale = 0.3 maps = [#queries, #keys, #values, #result] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x2x?x33xf16>
  kernel.return %0 : tensor<2x2x?x33xf16>
}

kernel.func @long_features(%q: tensor<2x2x?x128xbf16> {ourc.shape = [2, 2, @S, 128]},
    %k: tensor<2x2x?x128xbf16> {ourc.shape = [2, 2, @T, 128]},
    %v: tensor<2x2x?x96xbf16> {ourc.shape = [2, 2, @T, 96]},
    %out: tensor<2x2x?x96xbf16> {ourc.shape = [2, 2, @S, 96]}) -> tensor<2x2x?x96xbf16> {
  %0 = kernel.attention queries(%q : tensor<2x2x?x128xbf16>)
    keys(%k : tensor<2x2x?x128xbf16>)
    values(%v : tensor<2x2x?x96xbf16>)
    outs(%out : tensor<2x2x?x96xbf16>)
    scale = 0.3 maps = [#queries, #keys, #values, #result] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x2x?x96xbf16>
  kernel.return %0 : tensor<2x2x?x96xbf16>
}

kernel.func @transposed(%q: tensor<2x2x64x?xf16> {ourc.shape = [2, 2, 64, @S]},
    %k: tensor<2x2x64x?xf16> {ourc.shape = [2, 2, 64, @T]},
    %v: tensor<2x2x40x?xf16> {ourc.shape = [2, 2, 40, @T]},
    %out: tensor<2x2x40x?xf16> {ourc.shape = [2, 2, 40, @S]}) -> tensor<2x2x40x?xf16> {
  %0 = kernel.attention queries(%q : tensor<2x2x64x?xf16>)
    keys(%k : tensor<2x2x64x?xf16>)
    values(%v : tensor<2x2x40x?xf16>)
    outs(%out : tensor<2x2x40x?xf16>)
    scale = 0.3 maps = [#queries_transposed, #keys_transposed, #values_transposed, #result_transposed] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x2x40x?xf16>
  kernel.return %0 : tensor<2x2x40x?xf16>
}

kernel.func @masks(%q: tensor<2x?x2x64xf16> {ourc.shape = [2, @S, 2, 64]},
    %k: tensor<2x?x2x64xf16> {ourc.shape = [2, @T, 2, 64]},
    %v: tensor<2x?x2x64xf16> {ourc.shape = [2, @T, 2, 64]},
    %m0: tensor<2x1x1x?xf32> {ourc.shape = [2, 1, 1, @T]},
    %m1: tensor<2x?x?xf16> {ourc.shape = [2, @S, @T]},
    %out: tensor<2x?x2x64xf16> {ourc.shape = [2, @S, 2, 64]}) -> tensor<2x?x2x64xf16> {
  %0 = kernel.attention queries(%q : tensor<2x?x2x64xf16>)
    keys(%k : tensor<2x?x2x64xf16>)
    values(%v : tensor<2x?x2x64xf16>)
    score_operands(%m0, %m1 : tensor<2x1x1x?xf32>, tensor<2x?x?xf16>)
    outs(%out : tensor<2x?x2x64xf16>)
    scale = 0.3 maps = [#queries_late, #keys_late, #values_late, #mask, #bias, #result_late] {
  ^bb0(%score: f32, %x0: f32, %x1: f16):
    %s0 = arith.addf %score, %x0 : f32
    %w1 = arith.extf %x1 : f16 to f32
    %s1 = arith.addf %s0, %w1 : f32
    kernel.yield %s1 : f32
  } -> tensor<2x?x2x64xf16>
  kernel.return %0 : tensor<2x?x2x64xf16>
}

kernel.func @boolean(%q: tensor<2x2x?x32xf16> {ourc.shape = [2, 2, @S, 32]},
    %k: tensor<2x2x?x32xf16> {ourc.shape = [2, 2, @T, 32]},
    %v: tensor<2x2x?x32xf16> {ourc.shape = [2, 2, @T, 32]},
    %m0: tensor<2x1x1x?xi8> {ourc.shape = [2, 1, 1, @T]},
    %out: tensor<2x2x?x32xf16> {ourc.shape = [2, 2, @S, 32]}) -> tensor<2x2x?x32xf16> {
  %0 = kernel.attention queries(%q : tensor<2x2x?x32xf16>)
    keys(%k : tensor<2x2x?x32xf16>)
    values(%v : tensor<2x2x?x32xf16>)
    score_operands(%m0 : tensor<2x1x1x?xi8>)
    outs(%out : tensor<2x2x?x32xf16>)
    scale = 0.3 zero_masked_rows maps = [#queries, #keys, #values, #mask, #result] {
  ^bb0(%score: f32, %x0: i8):
    %lowest = arith.constant 0xFF800000 : f32
    %z0 = arith.constant 0 : i8
    %b0 = arith.cmpi ne, %x0, %z0 : i8
    %s0 = arith.select %b0, %score, %lowest : f32
    kernel.yield %s0 : f32
  } -> tensor<2x2x?x32xf16>
  kernel.return %0 : tensor<2x2x?x32xf16>
}

// Four heads share each key and value; heads become features at the end.
#grouped_queries = affine_map<(b, h, g, s, t, d, e) -> (b, s, h, g, d)>
#shared_keys = affine_map<(b, h, g, s, t, d, e) -> (b, h, g, t, d)>
#grouped_result = affine_map<(b, h, g, s, t, d, e) -> (b, s, h, g, e)>
#shared_values = affine_map<(b, h, g, s, t, d, e) -> (b, h, g, t, e)>
#once = affine_map<(b, h, g, t, d) -> (b, h, t, d)>
#all = affine_map<(b, h, g, t, d) -> (b, h, g, t, d)>
kernel.func @grouped(%q: tensor<2x?x2x4x32xf16> {ourc.shape = [2, @S, 2, 4, 32]},
    %k: tensor<2x2x?x32xf16> {ourc.shape = [2, 2, @T, 32]},
    %v: tensor<2x2x?x32xf16> {ourc.shape = [2, 2, @T, 32]},
    %out: tensor<2x?x256xf16> {ourc.shape = [2, @S, 256]}) -> tensor<2x?x256xf16> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c1 : tensor<2x?x2x4x32xf16>
  %m = tensor.dim %k, %c2 : tensor<2x2x?x32xf16>
  %e = tensor.empty(%m) : tensor<2x2x4x?x32xf16>
  %keys = linalg.generic {indexing_maps = [#once, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<2x2x?x32xf16>) outs(%e : tensor<2x2x4x?x32xf16>) {
  ^bb0(%a: f16, %b: f16):
    linalg.yield %a : f16
  } -> tensor<2x2x4x?x32xf16>
  %values = linalg.generic {indexing_maps = [#once, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%v : tensor<2x2x?x32xf16>) outs(%e : tensor<2x2x4x?x32xf16>) {
  ^bb0(%a: f16, %b: f16):
    linalg.yield %a : f16
  } -> tensor<2x2x4x?x32xf16>
  %init = tensor.empty(%n) : tensor<2x?x2x4x32xf16>
  %0 = kernel.attention queries(%q : tensor<2x?x2x4x32xf16>)
    keys(%keys : tensor<2x2x4x?x32xf16>)
    values(%values : tensor<2x2x4x?x32xf16>)
    outs(%init : tensor<2x?x2x4x32xf16>)
    scale = 0.3 maps = [#grouped_queries, #shared_keys, #shared_values, #grouped_result] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x?x2x4x32xf16>
  %r = tensor.collapse_shape %0 [[0], [1], [2, 3, 4]] : tensor<2x?x2x4x32xf16> into tensor<2x?x256xf16>
  kernel.return %r : tensor<2x?x256xf16>
}
