// RUN: ourc-opt -ourc-kernel-to-cpu -canonicalize -split-input-file %s | FileCheck %s

// Rows of a cache: one index is checked once, then a row is moved by vectors.
// Nothing of the destination is read.

// CHECK-LABEL: func.func private @rows.task0
// CHECK:         %[[AT:.*]] = llvm.load {{.*}} -> i64
// CHECK:         %[[IN:.*]] = arith.cmpi ult, %[[AT]], %{{.*}} : i64
// CHECK:         scf.if %[[IN]] {
// CHECK:           scf.for
// CHECK:             llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT:         llvm.load
// CHECK:             llvm.store {{.*}} : vector<16xf32>
// CHECK:         } else {
// CHECK:           call @ourc_report_error
kernel.func @rows(%u: tensor<1x12x64xf32>, %i: tensor<1xi64>, %out: tensor<12x512x64xf32>) -> tensor<12x512x64xf32>
    attributes {schedule = #kernel.cpu_scatter<lanes = 16, grain = 4096>} {
  %r = kernel.scatter updates(%u : tensor<1x12x64xf32>) at(%i : tensor<1xi64>) outs(%out : tensor<12x512x64xf32>) axes = [1] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<12x512x64xf32>
  kernel.return %r : tensor<12x512x64xf32>
}

// -----

// Without a dimension that is not indexed, elements are joined one by one in
// the order of the indices.

// CHECK-LABEL: func.func private @elements.task0
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             arith.addf {{.*}} : f32
// CHECK:             llvm.store {{.*}} : f32
kernel.func @elements(%u: tensor<?xf32>, %i: tensor<?xi32>, %out: tensor<?xf32>) -> tensor<?xf32>
    attributes {schedule = #kernel.cpu_scatter<lanes = 16, grain = 4096>} {
  %r = kernel.scatter updates(%u : tensor<?xf32>) at(%i : tensor<?xi32>) outs(%out : tensor<?xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    %s = arith.addf %old, %new : f32
    kernel.yield %s : f32
  } -> tensor<?xf32>
  kernel.return %r : tensor<?xf32>
}
