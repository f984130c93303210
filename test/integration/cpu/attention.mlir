// Attention in several layouts and types, with additive and boolean masks, for
// sizes around those of tiles and blocks.

// RUN: kernel-run --check "--dims=S=0,1,7,13;T=0,1,20,130" \
// RUN:   '--schedule=#kernel.cpu_attention<mr = 6, kb = 128, lanes = 16>' %s
// RUN: kernel-run --check "--dims=S=0,1,7;T=0,1,65" \
// RUN:   '--schedule=#kernel.cpu_attention<mr = 6, kb = 64, lanes = 8>' --target=cpu:x86-64-v3 %s
// RUN: kernel-run --check "--dims=S=5;T=7,64" \
// RUN:   '--schedule=#kernel.cpu_attention<mr = 4, kb = 512, lanes = 16>' --num-threads=3 %s
// RUN: kernel-run --check "--dims=S=9;T=20" --special \
// RUN:   '--schedule=#kernel.cpu_attention<mr = 6, kb = 128, lanes = 16>' %s

#queries = affine_map<(b, h, s, t, d, e) -> (b, h, s, d)>
#keys = affine_map<(b, h, s, t, d, e) -> (b, h, t, d)>
#values = affine_map<(b, h, s, t, d, e) -> (b, h, t, e)>
#result = affine_map<(b, h, s, t, d, e) -> (b, h, s, e)>
#queries_late = affine_map<(b, h, s, t, d, e) -> (b, s, h, d)>
#keys_late = affine_map<(b, h, s, t, d, e) -> (b, t, h, d)>
#values_late = affine_map<(b, h, s, t, d, e) -> (b, t, h, e)>
#result_late = affine_map<(b, h, s, t, d, e) -> (b, s, h, e)>
#keys_transposed = affine_map<(b, h, s, t, d, e) -> (b, h, d, t)>
#values_transposed = affine_map<(b, h, s, t, d, e) -> (b, h, e, t)>
#result_transposed = affine_map<(b, h, s, t, d, e) -> (b, h, e, s)>
#mask = affine_map<(b, h, s, t, d, e) -> (b, 0, 0, t)>
#bias = affine_map<(b, h, s, t, d, e) -> (h, s, t)>
#bias_of_query = affine_map<(b, h, s, t, d, e) -> (h, s, 0)>

kernel.func @plain(%q: tensor<2x3x?x20xf32> {ourc.shape = [2, 3, @S, 20]},
    %k: tensor<2x3x?x20xf32> {ourc.shape = [2, 3, @T, 20]},
    %v: tensor<2x3x?x17xf32> {ourc.shape = [2, 3, @T, 17]},
    %out: tensor<2x3x?x17xf32> {ourc.shape = [2, 3, @S, 17]}) -> tensor<2x3x?x17xf32> {
  %0 = kernel.attention queries(%q : tensor<2x3x?x20xf32>)
    keys(%k : tensor<2x3x?x20xf32>)
    values(%v : tensor<2x3x?x17xf32>)
    outs(%out : tensor<2x3x?x17xf32>)
    scale = 0.3 maps = [#queries, #keys, #values, #result] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x3x?x17xf32>
  kernel.return %0 : tensor<2x3x?x17xf32>
}

// Heads inside of the sequence; a mask of keys and a bias of positions.
kernel.func @masks(%q: tensor<2x?x3x64xf32> {ourc.shape = [2, @S, 3, 64]},
    %k: tensor<2x?x3x64xf32> {ourc.shape = [2, @T, 3, 64]},
    %v: tensor<2x?x3x64xf32> {ourc.shape = [2, @T, 3, 64]},
    %m0: tensor<2x1x1x?xf32> {ourc.shape = [2, 1, 1, @T]},
    %m1: tensor<3x?x?xf32> {ourc.shape = [3, @S, @T]},
    %out: tensor<2x?x3x64xf32> {ourc.shape = [2, @S, 3, 64]}) -> tensor<2x?x3x64xf32> {
  %0 = kernel.attention queries(%q : tensor<2x?x3x64xf32>)
    keys(%k : tensor<2x?x3x64xf32>)
    values(%v : tensor<2x?x3x64xf32>)
    score_operands(%m0, %m1 : tensor<2x1x1x?xf32>, tensor<3x?x?xf32>)
    outs(%out : tensor<2x?x3x64xf32>)
    scale = 0.3 maps = [#queries_late, #keys_late, #values_late, #mask, #bias, #result_late] {
  ^bb0(%score: f32, %x0: f32, %x1: f32):
    %sum = arith.addf %score, %x0 : f32
    %all = arith.addf %sum, %x1 : f32
    kernel.yield %all : f32
  } -> tensor<2x?x3x64xf32>
  kernel.return %0 : tensor<2x?x3x64xf32>
}

kernel.func @query_bias(%q: tensor<2x3x?x8xf32> {ourc.shape = [2, 3, @S, 8]},
    %k: tensor<2x3x?x8xf32> {ourc.shape = [2, 3, @T, 8]},
    %v: tensor<2x3x?x8xf32> {ourc.shape = [2, 3, @T, 8]},
    %m0: tensor<3x?x1xf32> {ourc.shape = [3, @S, 1]},
    %out: tensor<2x3x?x8xf32> {ourc.shape = [2, 3, @S, 8]}) -> tensor<2x3x?x8xf32> {
  %0 = kernel.attention queries(%q : tensor<2x3x?x8xf32>)
    keys(%k : tensor<2x3x?x8xf32>)
    values(%v : tensor<2x3x?x8xf32>)
    score_operands(%m0 : tensor<3x?x1xf32>)
    outs(%out : tensor<2x3x?x8xf32>)
    scale = 0.3 maps = [#queries, #keys, #values, #bias_of_query, #result] {
  ^bb0(%score: f32, %x0: f32):
    %sum = arith.mulf %score, %x0 : f32
    kernel.yield %sum : f32
  } -> tensor<2x3x?x8xf32>
  kernel.return %0 : tensor<2x3x?x8xf32>
}

// Keys, values and the result with their features outermost.
kernel.func @transposed(%q: tensor<2x3x?x33xf32> {ourc.shape = [2, 3, @S, 33]},
    %k: tensor<2x3x33x?xf32> {ourc.shape = [2, 3, 33, @T]},
    %v: tensor<2x3x18x?xf32> {ourc.shape = [2, 3, 18, @T]},
    %out: tensor<2x3x18x?xf32> {ourc.shape = [2, 3, 18, @S]}) -> tensor<2x3x18x?xf32> {
  %0 = kernel.attention queries(%q : tensor<2x3x?x33xf32>)
    keys(%k : tensor<2x3x33x?xf32>)
    values(%v : tensor<2x3x18x?xf32>)
    outs(%out : tensor<2x3x18x?xf32>)
    scale = 0.3 maps = [#queries, #keys_transposed, #values_transposed, #result_transposed] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x3x18x?xf32>
  kernel.return %0 : tensor<2x3x18x?xf32>
}

// A row that sees no key is not a number, or zero.
kernel.func @boolean(%q: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @S, 32]},
    %k: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @T, 32]},
    %v: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @T, 32]},
    %m0: tensor<3x?x?xi8> {ourc.shape = [3, @S, @T]},
    %out: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @S, 32]}) -> tensor<2x3x?x32xf32> {
  %0 = kernel.attention queries(%q : tensor<2x3x?x32xf32>)
    keys(%k : tensor<2x3x?x32xf32>)
    values(%v : tensor<2x3x?x32xf32>)
    score_operands(%m0 : tensor<3x?x?xi8>)
    outs(%out : tensor<2x3x?x32xf32>)
    scale = 0.3 maps = [#queries, #keys, #values, #bias, #result] {
  ^bb0(%score: f32, %x0: i8):
    %zero = arith.constant 0 : i8
    %lowest = arith.constant 0xff800000 : f32
    %on = arith.cmpi ne, %x0, %zero : i8
    %kept = arith.select %on, %score, %lowest : f32
    kernel.yield %kept : f32
  } -> tensor<2x3x?x32xf32>
  kernel.return %0 : tensor<2x3x?x32xf32>
}

kernel.func @boolean_zero(%q: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @S, 32]},
    %k: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @T, 32]},
    %v: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @T, 32]},
    %m0: tensor<3x?x?xi8> {ourc.shape = [3, @S, @T]},
    %out: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @S, 32]}) -> tensor<2x3x?x32xf32> {
  %0 = kernel.attention queries(%q : tensor<2x3x?x32xf32>)
    keys(%k : tensor<2x3x?x32xf32>)
    values(%v : tensor<2x3x?x32xf32>)
    score_operands(%m0 : tensor<3x?x?xi8>)
    outs(%out : tensor<2x3x?x32xf32>)
    scale = 0.3 zero_masked_rows maps = [#queries, #keys, #values, #bias, #result] {
  ^bb0(%score: f32, %x0: i8):
    %zero = arith.constant 0 : i8
    %lowest = arith.constant 0xff800000 : f32
    %on = arith.cmpi ne, %x0, %zero : i8
    %kept = arith.select %on, %score, %lowest : f32
    kernel.yield %kept : f32
  } -> tensor<2x3x?x32xf32>
  kernel.return %0 : tensor<2x3x?x32xf32>
}

// The mask is a boolean that the kernel makes from bytes.
kernel.func @computed_mask(%q: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @S, 32]},
    %k: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @T, 32]},
    %v: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @T, 32]},
    %m0: tensor<3x?x?xi8> {ourc.shape = [3, @S, @T]},
    %out: tensor<2x3x?x32xf32> {ourc.shape = [2, 3, @S, 32]}) -> tensor<2x3x?x32xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = tensor.dim %m0, %c1 : tensor<3x?x?xi8>
  %t = tensor.dim %m0, %c2 : tensor<3x?x?xi8>
  %empty = tensor.empty(%s, %t) : tensor<3x?x?xi1>
  %bits = linalg.generic {
    indexing_maps = [affine_map<(h, s, t) -> (h, s, t)>, affine_map<(h, s, t) -> (h, s, t)>],
    iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%m0 : tensor<3x?x?xi8>) outs(%empty : tensor<3x?x?xi1>) {
  ^bb0(%p: i8, %o: i1):
    %zero = arith.constant 0 : i8
    %on = arith.cmpi ne, %p, %zero : i8
    linalg.yield %on : i1
  } -> tensor<3x?x?xi1>
  %0 = kernel.attention queries(%q : tensor<2x3x?x32xf32>)
    keys(%k : tensor<2x3x?x32xf32>)
    values(%v : tensor<2x3x?x32xf32>)
    score_operands(%bits : tensor<3x?x?xi1>)
    outs(%out : tensor<2x3x?x32xf32>)
    scale = 0.3 zero_masked_rows maps = [#queries, #keys, #values, #bias, #result] {
  ^bb0(%score: f32, %x0: i1):
    %lowest = arith.constant 0xff800000 : f32
    %kept = arith.select %x0, %score, %lowest : f32
    kernel.yield %kept : f32
  } -> tensor<2x3x?x32xf32>
  kernel.return %0 : tensor<2x3x?x32xf32>
}

kernel.func @halves(%q: tensor<2x3x?x33xf16> {ourc.shape = [2, 3, @S, 33]},
    %k: tensor<2x3x?x33xf16> {ourc.shape = [2, 3, @T, 33]},
    %v: tensor<2x3x?x80xf16> {ourc.shape = [2, 3, @T, 80]},
    %out: tensor<2x3x?x80xf16> {ourc.shape = [2, 3, @S, 80]}) -> tensor<2x3x?x80xf16> {
  %0 = kernel.attention queries(%q : tensor<2x3x?x33xf16>)
    keys(%k : tensor<2x3x?x33xf16>)
    values(%v : tensor<2x3x?x80xf16>)
    outs(%out : tensor<2x3x?x80xf16>)
    scale = 0.2 maps = [#queries, #keys, #values, #result] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x3x?x80xf16>
  kernel.return %0 : tensor<2x3x?x80xf16>
}

kernel.func @brain_floats(%q: tensor<2x3x?x33xbf16> {ourc.shape = [2, 3, @S, 33]},
    %k: tensor<2x3x?x33xbf16> {ourc.shape = [2, 3, @T, 33]},
    %v: tensor<2x3x?x80xbf16> {ourc.shape = [2, 3, @T, 80]},
    %out: tensor<2x3x?x80xbf16> {ourc.shape = [2, 3, @S, 80]}) -> tensor<2x3x?x80xbf16> {
  %0 = kernel.attention queries(%q : tensor<2x3x?x33xbf16>)
    keys(%k : tensor<2x3x?x33xbf16>)
    values(%v : tensor<2x3x?x80xbf16>)
    outs(%out : tensor<2x3x?x80xbf16>)
    scale = 0.2 maps = [#queries, #keys, #values, #result] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x3x?x80xbf16>
  kernel.return %0 : tensor<2x3x?x80xbf16>
}

kernel.func @doubles(%q: tensor<2x3x?x9xf64> {ourc.shape = [2, 3, @S, 9]},
    %k: tensor<2x3x?x9xf64> {ourc.shape = [2, 3, @T, 9]},
    %v: tensor<2x3x?x10xf64> {ourc.shape = [2, 3, @T, 10]},
    %out: tensor<2x3x?x10xf64> {ourc.shape = [2, 3, @S, 10]}) -> tensor<2x3x?x10xf64> {
  %0 = kernel.attention queries(%q : tensor<2x3x?x9xf64>)
    keys(%k : tensor<2x3x?x9xf64>)
    values(%v : tensor<2x3x?x10xf64>)
    outs(%out : tensor<2x3x?x10xf64>)
    scale = 0.2 maps = [#queries, #keys, #values, #result] {
  ^bb0(%score: f64):
    kernel.yield %score : f64
  } -> tensor<2x3x?x10xf64>
  kernel.return %0 : tensor<2x3x?x10xf64>
}
