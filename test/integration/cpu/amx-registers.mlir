// RUN: kernel-run --emit=asm --target=cpu:sapphirerapids %s | FileCheck %s

// One configuration for all: palette 1, eight tiles of 16 rows of 64 bytes
// (the bytes 0, 48 to 55 and the words from 16 on). Sums and operands have all
// of the registers, and no tile goes through the stack.

// CHECK:         movb $1, [[#%u,CONFIG:]](%rsp)
// CHECK-DAG:     movb $16, [[#CONFIG+48]](%rsp)
// CHECK-DAG:     movw $64, [[#CONFIG+16]](%rsp)
// CHECK-DAG:     movb $16, [[#CONFIG+55]](%rsp)
// CHECK-DAG:     movw $64, [[#CONFIG+30]](%rsp)
// CHECK:         ldtilecfg [[#CONFIG]](%rsp)
// CHECK-NOT:     ldtilecfg
// CHECK-COUNT-4: tilezero
// CHECK-COUNT-4: tileloadd
// CHECK-NEXT:    tdpbf16ps
// CHECK-NEXT:    tdpbf16ps
// CHECK-NEXT:    tdpbf16ps
// CHECK-NEXT:    tdpbf16ps
// CHECK-NOT:     tileloadd
// CHECK-COUNT-4: tilestored
// CHECK-NOT:     tilestored
// CHECK:         tilerelease
kernel.func @product(%x: tensor<64x256xbf16>, %w: tensor<64x256xbf16>,
    %out: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 32, nr = 32, kb = 0, lanes = 16, splitN = true, depth = 32>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<64x256xbf16>, tensor<64x256xbf16>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: bf16, %q: bf16, %sum: f32):
    %pe = arith.extf %p : bf16 to f32
    %qe = arith.extf %q : bf16 to f32
    %product = arith.mulf %pe, %qe : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<64x64xf32>
  kernel.return %0 : tensor<64x64xf32>
}
