// RUN: ourc-opt %s -ourc-kernel-to-gpu -canonicalize -cse | FileCheck %s

// A contraction of f32: both operands by asynchronous copies of 16 bytes where
// the address allows it, chunks of shared memory, multiply-adds.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: gpu.func @matmul_kernel
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 1
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK: math.fma
// CHECK-NOT: nvvm.mma
kernel.func @matmul(%x: tensor<100x40xf32>, %w: tensor<40x72xf32>, %out: tensor<100x72xf32>) -> tensor<100x72xf32>
    attributes {schedule = #kernel.gpu_tile<tileM = 64, tileN = 64, tileK = 16, threadsM = 16, threadsN = 8, stages = 3>} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%out : tensor<100x72xf32>) -> tensor<100x72xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<100x40xf32>, tensor<40x72xf32>) outs(%f : tensor<100x72xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<100x72xf32>
  kernel.return %0 : tensor<100x72xf32>
}

// A padded image: its own buffer is read, with a condition, also at edges of
// tiles of mma that lie beyond the result.
// CHECK-LABEL: gpu.func @convolution_kernel
// CHECK-NOT: scf.if {{.*}} -> (i16)
// CHECK: arith.select {{.*}} : i32
// CHECK: llvm.getelementptr
// CHECK: nvvm.cp.async.shared.global
// CHECK: scf.if {{.*}} -> (f32, f32, f32, f32
// CHECK: nvvm.mma.sync
// CHECK: } else {
// CHECK: scf.if {{.*}} -> (f32, f32, f32, f32
// CHECK: nvvm.mma.sync
kernel.func @convolution(%x: tensor<1x9x9x16xf16>, %w: tensor<64x3x3x16xf16>, %out: tensor<1x9x9x64xf16>) -> tensor<1x9x9x64xf16>
    attributes {schedule = #kernel.gpu_contraction<tileM = 64, tileN = 64, tileK = 32, warpsM = 2, warpsN = 2, stages = 3>} {
  %zero = arith.constant 0.0 : f16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f16
  } : tensor<1x9x9x16xf16> to tensor<1x11x11x16xf16>
  %f = linalg.fill ins(%zero : f16) outs(%out : tensor<1x9x9x64xf16>) -> tensor<1x9x9x64xf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %w : tensor<1x11x11x16xf16>, tensor<64x3x3x16xf16>) outs(%f : tensor<1x9x9x64xf16>) -> tensor<1x9x9x64xf16>
  kernel.return %0 : tensor<1x9x9x64xf16>
}
