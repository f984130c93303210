// Attention whose keys are one block of known size, as of a window: what is masked throughout, values of more columns than a
// tile has, rows that fill several tiles of different sizes.

// RUN: kernel-run --check '--schedule=#kernel.cpu_attention<mr = 14, kb = 64, lanes = 16>' %s
// RUN: kernel-run --check '--schedule=#kernel.cpu_attention<mr = 6, kb = 512, lanes = 16>' --num-threads=3 %s
// RUN: kernel-run --check '--schedule=#kernel.cpu_attention<mr = 6, kb = 64, lanes = 8>' --target=cpu:x86-64-v3 %s
// RUN: kernel-run --check '--schedule=#kernel.cpu_attention<mr = 8, kb = 64, lanes = 8>' --target=cpu:x86-64-v3 %s
// RUN: kernel-run --check --special '--schedule=#kernel.cpu_attention<mr = 14, kb = 64, lanes = 16>' %s
// RUN: kernel-run --check --assign --target=cpu:native %s

#heads = affine_map<(w, h, s, t, d, e) -> (w, s, h, d)>
#keys = affine_map<(w, h, s, t, d, e) -> (w, t, h, d)>
#values = affine_map<(w, h, s, t, d, e) -> (w, t, h, e)>
#result = affine_map<(w, h, s, t, d, e) -> (w, s, h, e)>

// A bias of heads and a mask of windows.
kernel.func @window(%q: tensor<3x49x2x32xf32>, %k: tensor<3x49x2x32xf32>, %v: tensor<3x49x2x32xf32>,
    %bias: tensor<2x49x49xf32>, %mask: tensor<3x49x49xf32>, %out: tensor<3x49x2x32xf32>) -> tensor<3x49x2x32xf32> {
  %0 = kernel.attention queries(%q : tensor<3x49x2x32xf32>) keys(%k : tensor<3x49x2x32xf32>)
    values(%v : tensor<3x49x2x32xf32>) score_operands(%bias, %mask : tensor<2x49x49xf32>, tensor<3x49x49xf32>)
    outs(%out : tensor<3x49x2x32xf32>)
    scale = 0.3 maps = [#heads, #keys, #values, affine_map<(w, h, s, t, d, e) -> (h, s, t)>,
                        affine_map<(w, h, s, t, d, e) -> (w, s, t)>, #result] {
  ^bb0(%score: f32, %b: f32, %m: f32):
    %0 = arith.addf %score, %b : f32
    %1 = arith.addf %0, %m : f32
    kernel.yield %1 : f32
  } -> tensor<3x49x2x32xf32>
  kernel.return %0 : tensor<3x49x2x32xf32>
}

// Keys of a window are allowed or not: a window without any key is no number, or zero.
kernel.func @masked(%q: tensor<9x15x2x12xf32>, %k: tensor<9x5x2x12xf32>, %v: tensor<9x5x2x70xf32>,
    %mask: tensor<9xi8>, %out: tensor<9x15x2x70xf32>) -> tensor<9x15x2x70xf32> {
  %0 = kernel.attention queries(%q : tensor<9x15x2x12xf32>) keys(%k : tensor<9x5x2x12xf32>)
    values(%v : tensor<9x5x2x70xf32>) score_operands(%mask : tensor<9xi8>) outs(%out : tensor<9x15x2x70xf32>)
    scale = 0.3 maps = [#heads, #keys, #values, affine_map<(w, h, s, t, d, e) -> (w)>, #result] {
  ^bb0(%score: f32, %m: i8):
    %zero = arith.constant 0 : i8
    %lowest = arith.constant 0xFF800000 : f32
    %on = arith.cmpi ne, %m, %zero : i8
    %0 = arith.select %on, %score, %lowest : f32
    kernel.yield %0 : f32
  } -> tensor<9x15x2x70xf32>
  kernel.return %0 : tensor<9x15x2x70xf32>
}

kernel.func @masked_zero(%q: tensor<9x15x2x12xf32>, %k: tensor<9x5x2x12xf32>, %v: tensor<9x5x2x70xf32>,
    %mask: tensor<9xi8>, %out: tensor<9x15x2x70xf32>) -> tensor<9x15x2x70xf32> {
  %0 = kernel.attention queries(%q : tensor<9x15x2x12xf32>) keys(%k : tensor<9x5x2x12xf32>)
    values(%v : tensor<9x5x2x70xf32>) score_operands(%mask : tensor<9xi8>) outs(%out : tensor<9x15x2x70xf32>)
    scale = 0.3 zero_masked_rows maps = [#heads, #keys, #values, affine_map<(w, h, s, t, d, e) -> (w)>, #result] {
  ^bb0(%score: f32, %m: i8):
    %zero = arith.constant 0 : i8
    %lowest = arith.constant 0xFF800000 : f32
    %on = arith.cmpi ne, %m, %zero : i8
    %0 = arith.select %on, %score, %lowest : f32
    kernel.yield %0 : f32
  } -> tensor<9x15x2x70xf32>
  kernel.return %0 : tensor<9x15x2x70xf32>
}

// In f64.
kernel.func @doubles(%q: tensor<1x19x2x7xf64>, %k: tensor<1x19x2x7xf64>, %v: tensor<1x19x2x9xf64>,
    %out: tensor<1x19x2x9xf64>) -> tensor<1x19x2x9xf64> {
  %0 = kernel.attention queries(%q : tensor<1x19x2x7xf64>) keys(%k : tensor<1x19x2x7xf64>)
    values(%v : tensor<1x19x2x9xf64>) outs(%out : tensor<1x19x2x9xf64>)
    scale = 0.3 maps = [#heads, #keys, #values, #result] {
  ^bb0(%score: f64):
    kernel.yield %score : f64
  } -> tensor<1x19x2x9xf64>
  kernel.return %0 : tensor<1x19x2x9xf64>
}
