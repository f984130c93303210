// RUN: ourc-opt %s -ourc-kernel-to-gpu -canonicalize -cse | FileCheck %s

// The queries' fragments are loaded once; a step waits, meets the other threads
// once, and keeps scores in registers: nothing is stored to shared memory but
// by copies.

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (b, t, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>

// CHECK-LABEL: gpu.func @whole_kernel
// CHECK: nvvm.cp.async.shared.global
// CHECK: gpu.barrier
// CHECK-COUNT-2: nvvm.ldmatrix
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK-COUNT-8: nvvm.mma.sync
// CHECK-COUNT-2: nvvm.shfl.sync
// CHECK: math.exp
// CHECK-COUNT-8: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: scf.yield
kernel.func @whole(%q: tensor<2x64x32xf16>, %k: tensor<2x64x32xf16>, %v: tensor<2x64x32xf16>, %out: tensor<2x64x32xf16>) -> tensor<2x64x32xf16>
    attributes {schedule = #kernel.gpu_attention<warps = 4, keys = 32, stages = 2>} {
  %0 = kernel.attention queries(%q : tensor<2x64x32xf16>) keys(%k : tensor<2x64x32xf16>) values(%v : tensor<2x64x32xf16>)
    outs(%out : tensor<2x64x32xf16>) scale = 0.125 maps = [#q, #k, #v, #o] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x64x32xf16>
  kernel.return %0 : tensor<2x64x32xf16>
}

// Keys beyond the end are neither multiplied nor seen.
// CHECK-LABEL: gpu.func @edge_kernel
// CHECK: scf.for
// CHECK: scf.if
// CHECK: nvvm.mma.sync
// CHECK: } else {
// CHECK: scf.if
// CHECK: nvvm.mma.sync
// CHECK: arith.select {{.*}}, {{.*}}, %{{.*}} : f32
kernel.func @edge(%q: tensor<2x64x32xbf16>, %k: tensor<2x50x32xbf16>, %v: tensor<2x50x32xbf16>, %out: tensor<2x64x32xbf16>) -> tensor<2x64x32xbf16>
    attributes {schedule = #kernel.gpu_attention<warps = 4, keys = 32, stages = 2>} {
  %0 = kernel.attention queries(%q : tensor<2x64x32xbf16>) keys(%k : tensor<2x50x32xbf16>) values(%v : tensor<2x50x32xbf16>)
    outs(%out : tensor<2x64x32xbf16>) scale = 0.125 maps = [#q, #k, #v, #o] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x64x32xbf16>
  kernel.return %0 : tensor<2x64x32xbf16>
}
