// RUN: ourc-opt %s -ourc-assign-strategies=target=simt | FileCheck %s

// Warps by the number of queries, tiles by the number of keys and features.

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>

// CHECK: kernel.func @many
// CHECK-SAME: schedule = #kernel.gpu_attention<warps = 4, keys = 64, stages = 2>
kernel.func @many(%q: tensor<2x197x64xf16>, %k: tensor<2x197x64xf16>, %v: tensor<2x197x64xf16>, %out: tensor<2x197x64xf16>) -> tensor<2x197x64xf16> {
  %0 = kernel.attention queries(%q : tensor<2x197x64xf16>) keys(%k : tensor<2x197x64xf16>) values(%v : tensor<2x197x64xf16>)
    outs(%out : tensor<2x197x64xf16>) scale = 0.125 maps = [#q, #k, #v, #o] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x197x64xf16>
  kernel.return %0 : tensor<2x197x64xf16>
}

// CHECK: kernel.func @long
// CHECK-SAME: schedule = #kernel.gpu_attention<warps = 4, keys = 32, stages = 2>
kernel.func @long(%q: tensor<2x512x128xbf16>, %k: tensor<2x512x128xbf16>, %v: tensor<2x512x128xbf16>, %out: tensor<2x512x128xbf16>) -> tensor<2x512x128xbf16> {
  %0 = kernel.attention queries(%q : tensor<2x512x128xbf16>) keys(%k : tensor<2x512x128xbf16>) values(%v : tensor<2x512x128xbf16>)
    outs(%out : tensor<2x512x128xbf16>) scale = 0.125 maps = [#q, #k, #v, #o] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x512x128xbf16>
  kernel.return %0 : tensor<2x512x128xbf16>
}

// CHECK: kernel.func @decoding
// CHECK-SAME: schedule = #kernel.gpu_attention<warps = 1, keys = 64, stages = 2>
kernel.func @decoding(%q: tensor<2x1x64xbf16>, %k: tensor<2x512x64xbf16>, %v: tensor<2x512x64xbf16>, %out: tensor<2x1x64xbf16>) -> tensor<2x1x64xbf16> {
  %0 = kernel.attention queries(%q : tensor<2x1x64xbf16>) keys(%k : tensor<2x512x64xbf16>) values(%v : tensor<2x512x64xbf16>)
    outs(%out : tensor<2x1x64xbf16>) scale = 0.125 maps = [#q, #k, #v, #o] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x1x64xbf16>
  kernel.return %0 : tensor<2x1x64xbf16>
}

// CHECK: kernel.func @few_keys
// CHECK-SAME: schedule = #kernel.gpu_attention<warps = 2, keys = 32, stages = 2>
kernel.func @few_keys(%q: tensor<2x32x32xf16>, %k: tensor<2x32x32xf16>, %v: tensor<2x32x32xf16>, %out: tensor<2x32x32xf16>) -> tensor<2x32x32xf16> {
  %0 = kernel.attention queries(%q : tensor<2x32x32xf16>) keys(%k : tensor<2x32x32xf16>) values(%v : tensor<2x32x32xf16>)
    outs(%out : tensor<2x32x32xf16>) scale = 0.125 maps = [#q, #k, #v, #o] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x32x32xf16>
  kernel.return %0 : tensor<2x32x32xf16>
}

// What a mask is read by takes registers.
#m = affine_map<(b, s, t, d, e) -> (s, t)>
// CHECK: kernel.func @masked
// CHECK-SAME: schedule = #kernel.gpu_attention<warps = 4, keys = 32, stages = 2>
kernel.func @masked(%q: tensor<2x99x64xf16>, %k: tensor<2x99x64xf16>, %v: tensor<2x99x64xf16>, %m: tensor<99x99xf32>, %out: tensor<2x99x64xf16>) -> tensor<2x99x64xf16> {
  %0 = kernel.attention queries(%q : tensor<2x99x64xf16>) keys(%k : tensor<2x99x64xf16>) values(%v : tensor<2x99x64xf16>)
    score_operands(%m : tensor<99x99xf32>) outs(%out : tensor<2x99x64xf16>) scale = 0.125 maps = [#q, #k, #v, #m, #o] {
  ^bb0(%score: f32, %x: f32):
    %0 = arith.addf %score, %x : f32
    kernel.yield %0 : f32
  } -> tensor<2x99x64xf16>
  kernel.return %0 : tensor<2x99x64xf16>
}

// f32 would be rounded, 256 features would not fit.
// CHECK: kernel.func @single
// CHECK-SAME: schedule = #kernel.gpu_pointwise
kernel.func @single(%q: tensor<2x32x32xf32>, %k: tensor<2x32x32xf32>, %v: tensor<2x32x32xf32>, %out: tensor<2x32x32xf32>) -> tensor<2x32x32xf32> {
  %0 = kernel.attention queries(%q : tensor<2x32x32xf32>) keys(%k : tensor<2x32x32xf32>) values(%v : tensor<2x32x32xf32>)
    outs(%out : tensor<2x32x32xf32>) scale = 0.125 maps = [#q, #k, #v, #o] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x32x32xf32>
  kernel.return %0 : tensor<2x32x32xf32>
}

// CHECK: kernel.func @wide
// CHECK-SAME: schedule = #kernel.gpu_pointwise
kernel.func @wide(%q: tensor<2x32x256xf16>, %k: tensor<2x32x256xf16>, %v: tensor<2x32x256xf16>, %out: tensor<2x32x256xf16>) -> tensor<2x32x256xf16> {
  %0 = kernel.attention queries(%q : tensor<2x32x256xf16>) keys(%k : tensor<2x32x256xf16>) values(%v : tensor<2x32x256xf16>)
    outs(%out : tensor<2x32x256xf16>) scale = 0.125 maps = [#q, #k, #v, #o] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x32x256xf16>
  kernel.return %0 : tensor<2x32x256xf16>
}
