// RUN: kernel-run --assign --emit=assigned --target=cpu:x86-64-v4 %s | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: kernel-run --assign --emit=assigned --target=cpu:x86-64-v3 %s | FileCheck %s --check-prefixes=CHECK,NARROW

// CHECK-LABEL: kernel.func @attention
// WIDE-SAME:     #kernel.cpu_attention<mr = 6, kb = 512, lanes = 16>
// NARROW-SAME:   #kernel.cpu_attention<mr = 6, kb = 512, lanes = 8>
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
