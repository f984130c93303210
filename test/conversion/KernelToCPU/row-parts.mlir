// RUN: ourc-opt -ourc-kernel-to-cpu -canonicalize -cse -split-input-file %s | FileCheck %s

// A long row in 9 parts: each task reduces some into the workspace, the next
// loop merges them in their order.

// CHECK-LABEL: func.func private @sum.task0
// CHECK:         scf.for %[[PART:.*]] = %arg1 to %arg2
// CHECK:           %[[LOWER:.*]] = arith.muli %[[PART]], %{{.*}}
// CHECK:           arith.minsi
// CHECK:           scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK:           llvm.store {{.*}} : f32, !llvm.ptr
// CHECK-LABEL: func.func private @sum.task1
// CHECK:         scf.for {{.*}} iter_args
// CHECK-NEXT:      llvm.getelementptr
// CHECK-NEXT:      llvm.load
// CHECK-NEXT:      arith.addf
// CHECK-LABEL: func.func private @sum.task2
// CHECK-LABEL: func.func @sum(
// CHECK:         call @ourc_parallel_for
// CHECK:         call @ourc_parallel_for
// CHECK:         call @ourc_parallel_for
kernel.func @sum(%x: tensor<131075xf32>, %out: tensor<f32>, %space: tensor<264xi8>) -> tensor<f32>
    attributes {schedule = #kernel.cpu_row<lanes = 16, unroll = 4, grain = 1, parts = 64>, workspace} {
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%out : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
    ins(%x : tensor<131075xf32>) outs(%fill : tensor<f32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<f32>
  kernel.return %r : tensor<f32>
}
