// RUN: ourc-opt %s -ourc-kernel-to-gpu -canonicalize -cse | FileCheck %s

// Three stages of two 32 x 32 tiles: 12 KB. Two copies ahead of the loop, one
// in it, each one group; one wait and one barrier a step.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
kernel.func @mm(%x: tensor<40x64xbf16>, %w: tensor<24x64xbf16>, %out: tensor<40x24xf32>) -> tensor<40x24xf32>
    attributes {schedule = #kernel.gpu_contraction<tileM = 32, tileN = 32, tileK = 32, warpsM = 1, warpsN = 2, stages = 3>} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%out : tensor<40x24xf32>) -> tensor<40x24xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<40x64xbf16>, tensor<24x64xbf16>) outs(%f : tensor<40x24xf32>) {
  ^bb0(%p: bf16, %q: bf16, %acc: f32):
    %1 = arith.extf %p : bf16 to f32
    %2 = arith.extf %q : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<40x24xf32>
  kernel.return %0 : tensor<40x24xf32>
}

// CHECK: llvm.mlir.global internal @shared() {addr_space = 3 : i32
// CHECK-SAME: !llvm.array<12288 x i8>
// CHECK-LABEL: gpu.func @mm_kernel(
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK-COUNT-4: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK-COUNT-4: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: gpu.barrier
// CHECK-COUNT-4: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.ldmatrix
// CHECK-SAME: layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK: nvvm.mma.sync
// CHECK-SAME: multiplicandAPtxType = #nvvm.mma_type<bf16>
// CHECK-SAME: shape = #nvvm.shape<m = 16, n = 8, k = 16>
// CHECK: scf.yield
// CHECK: llvm.store
// CHECK: gpu.return
