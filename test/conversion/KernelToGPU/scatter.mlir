// RUN: ourc-opt %s -ourc-kernel-to-gpu -canonicalize -split-input-file | FileCheck %s

// One thread a column: the loop over rows is in the thread, in their order. An
// index out of range ends the kernel. Nothing of the destination is read.

// CHECK-LABEL: gpu.func @rows_kernel
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK:             %[[AT:.*]] = llvm.load {{.*}} -> i64
// CHECK:             %[[INDEX:.*]] = arith.index_cast %[[AT]]
// CHECK:             %[[OUT:.*]] = arith.cmpi uge, %[[INDEX]], %{{.*}} : index
// CHECK:             scf.if %[[OUT]] {
// CHECK-NEXT:          llvm.intr.trap {kernel.reason = "index out of range"}
// CHECK:             llvm.load {{.*}} -> f32
// CHECK-NOT:         llvm.load
// CHECK:             llvm.store {{.*}} : f32
kernel.func @rows(%u: tensor<3x8xf32>, %i: tensor<3xi64>, %out: tensor<?x8xf32>) -> tensor<?x8xf32>
    attributes {schedule = #kernel.gpu_scatter<threads = 128>} {
  %r = kernel.scatter updates(%u : tensor<3x8xf32>) at(%i : tensor<3xi64>) outs(%out : tensor<?x8xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<?x8xf32>
  kernel.return %r : tensor<?x8xf32>
}

// -----

// All dimensions are indexed: one thread, which joins with what is there.

// CHECK-LABEL: gpu.func @elements_kernel
// CHECK:         scf.for
// CHECK:           arith.addf
// CHECK:           llvm.store {{.*}} : f32
kernel.func @elements(%u: tensor<?xf32>, %i: tensor<?xi32>, %out: tensor<?xf32>) -> tensor<?xf32>
    attributes {schedule = #kernel.gpu_scatter<threads = 32>} {
  %r = kernel.scatter updates(%u : tensor<?xf32>) at(%i : tensor<?xi32>) outs(%out : tensor<?xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    %s = arith.addf %old, %new : f32
    kernel.yield %s : f32
  } -> tensor<?xf32>
  kernel.return %r : tensor<?xf32>
}
