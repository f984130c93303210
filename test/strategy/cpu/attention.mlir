// RUN: kernel-run --assign --emit=assigned --target=cpu:x86-64-v4 %s | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: kernel-run --assign --emit=assigned --target=cpu:x86-64-v3 %s | FileCheck %s --check-prefixes=CHECK,NARROW
// RUN: kernel-run --assign --emit=assigned --target=cpu:znver4 %s | FileCheck %s --check-prefixes=PAIRS

// CHECK-LABEL: kernel.func @attention
// WIDE-SAME:     #kernel.cpu_attention<mr = 6, kb = 128, lanes = 16>
// NARROW-SAME:   #kernel.cpu_attention<mr = 6, kb = 128, lanes = 8>
kernel.func @attention(%q: tensor<8x128x64xf16>, %k: tensor<8x128x64xf16>, %v: tensor<8x128x64xf16>,
    %out: tensor<8x128x64xf16>) -> tensor<8x128x64xf16> {
  %0 = kernel.attention queries(%q : tensor<8x128x64xf16>) keys(%k : tensor<8x128x64xf16>)
    values(%v : tensor<8x128x64xf16>) outs(%out : tensor<8x128x64xf16>)
    scale = 0.125 maps = [affine_map<(b, s, t, d, e) -> (b, s, d)>, affine_map<(b, s, t, d, e) -> (b, t, d)>,
                          affine_map<(b, s, t, d, e) -> (b, t, e)>, affine_map<(b, s, t, d, e) -> (b, s, e)>] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<8x128x64xf16>
  kernel.return %0 : tensor<8x128x64xf16>
}

// Narrow values: more rows of fewer vectors, where the number of rows is known. Pairs where the target multiplies them.

// CHECK-LABEL: kernel.func @window
// WIDE-SAME:     #kernel.cpu_attention<mr = 14, kb = 64, lanes = 16>
// NARROW-SAME:   #kernel.cpu_attention<mr = 6, kb = 64, lanes = 8>
// PAIRS-LABEL: kernel.func @window
// PAIRS-SAME:    #kernel.cpu_attention<mr = 14, kb = 64, lanes = 16, depth = 2>
kernel.func @window(%q: tensor<8x49x32xbf16>, %k: tensor<8x49x32xbf16>, %v: tensor<8x49x32xbf16>,
    %out: tensor<8x49x32xbf16>) -> tensor<8x49x32xbf16> {
  %0 = kernel.attention queries(%q : tensor<8x49x32xbf16>) keys(%k : tensor<8x49x32xbf16>)
    values(%v : tensor<8x49x32xbf16>) outs(%out : tensor<8x49x32xbf16>)
    scale = 0.125 maps = [affine_map<(b, s, t, d, e) -> (b, s, d)>, affine_map<(b, s, t, d, e) -> (b, t, d)>,
                          affine_map<(b, s, t, d, e) -> (b, t, e)>, affine_map<(b, s, t, d, e) -> (b, s, e)>] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<8x49x32xbf16>
  kernel.return %0 : tensor<8x49x32xbf16>
}

// Any number of rows: few in a tile.
// CHECK-LABEL: kernel.func @dynamic
// WIDE-SAME:     #kernel.cpu_attention<mr = 6, kb = 512, lanes = 16>
// NARROW-SAME:   #kernel.cpu_attention<mr = 6, kb = 512, lanes = 8>
kernel.func @dynamic(%q: tensor<8x?x32xf32> {ourc.shape = [8, @s, 32]}, %k: tensor<8x?x32xf32> {ourc.shape = [8, @s, 32]},
    %v: tensor<8x?x32xf32> {ourc.shape = [8, @s, 32]}, %out: tensor<8x?x32xf32> {ourc.shape = [8, @s, 32]}) -> tensor<8x?x32xf32> {
  %0 = kernel.attention queries(%q : tensor<8x?x32xf32>) keys(%k : tensor<8x?x32xf32>)
    values(%v : tensor<8x?x32xf32>) outs(%out : tensor<8x?x32xf32>)
    scale = 0.125 maps = [affine_map<(b, s, t, d, e) -> (b, s, d)>, affine_map<(b, s, t, d, e) -> (b, t, d)>,
                          affine_map<(b, s, t, d, e) -> (b, t, e)>, affine_map<(b, s, t, d, e) -> (b, s, e)>] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<8x?x32xf32>
  kernel.return %0 : tensor<8x?x32xf32>
}
