// RUN: ourc-opt -ourc-kernel-to-cpu %s | FileCheck %s

// 2 x 2 tiles of sums are carried through the loop; whole tiles of 32 steps and
// no rest.

// CHECK-LABEL: func.func {{.*}}@product
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilezero.internal"
// CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (!llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx)
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tileloadd64.internal"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"
// CHECK:         scf.yield
// CHECK-NOT:     tdpbf16ps
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilestored64.internal"
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
