// RUN: ourc-opt -ourc-kernel-to-cpu %s | FileCheck %s

// A block of eight tiles: inputs are transformed into scratch memory, tiles at
// the border with masked loads; sixteen products of one register tile each, which
// fetch the next weights; sums are transformed back and stored whole. Nothing is
// gathered or scattered.

// CHECK-NOT:   llvm.intr.masked.gather
// CHECK-NOT:   llvm.intr.masked.scatter
// CHECK-LABEL: func.func private @conv.task0
// CHECK:         call @ourc_thread_scratch
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.if
// CHECK-COUNT-16:      llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT:           llvm.load {{.*}} -> vector<16xf32>
// CHECK-COUNT-16:      llvm.store {{.*}} : vector<16xf32>
// CHECK:             } else {
// CHECK-COUNT-16:      llvm.intr.masked.load
// CHECK-COUNT-16:      llvm.store {{.*}} : vector<16xf32>
// CHECK:           scf.for %{{.*}} = %c0_i64 to %c16_i64
// CHECK:             scf.for {{.*}} iter_args
// CHECK:               llvm.intr.prefetch
// CHECK-COUNT-16:      vector.fma
// CHECK-NOT:           vector.fma
// CHECK-COUNT-16:    llvm.store {{.*}} : vector<16xf32>
// CHECK:           scf.for
// CHECK-COUNT-32:    llvm.load {{.*}} -> vector<16xf32>
// CHECK-COUNT-8:     llvm.store {{.*}} : vector<16xf32>
// CHECK-NOT:         llvm.store
// CHECK:         return
kernel.func @conv(%x: tensor<1x8x8x16xf32>, %u: tensor<1x4x4x16x32xf32>, %bias: tensor<32xf32>, %out: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    attributes {schedule = #kernel.cpu_winograd<mr = 8, nr = 32, tiles = 8, lanes = 16, prefetch = 4>} {
  %w = kernel.winograd_filter %u : tensor<1x4x4x16x32xf32> -> tensor<32x3x3x16xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x16xf32> to tensor<1x10x10x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<1x10x10x16xf32>, tensor<32x3x3x16xf32>) outs(%init : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<1x8x8x32xf32>, tensor<32xf32>) outs(%out : tensor<1x8x8x32xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<1x8x8x32xf32>
  kernel.return %1 : tensor<1x8x8x32xf32>
}
