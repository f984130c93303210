// RUN: ourc-opt -ourc-kernel-to-cpu -canonicalize -split-input-file %s | FileCheck %s

// Channels on lanes. A window inside of the data has constant bounds; others are
// clipped to it: padding is skipped, not read.

// CHECK-LABEL: func.func private @pool.task0
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.if
// CHECK-NOT:           scf.for
// CHECK-COUNT-9:       llvm.load {{.*}} -> vector<16xf32>
// CHECK:             } else {
// CHECK:               scf.for
// CHECK:                 scf.for
// CHECK-NOT:               scf.if
// CHECK:                   llvm.load {{.*}} -> vector<16xf32>
// CHECK:             llvm.store {{.*}} : vector<16xf32>
kernel.func @pool(%x: tensor<1x112x112x64xf32>, %out: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    attributes {schedule = #kernel.cpu_pool<lanes = 16, grain = 8>} {
  %low = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %low : f32
  } : tensor<1x112x112x64xf32> to tensor<1x114x114x64xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %init = linalg.fill ins(%low : f32) outs(%out : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%padded, %window : tensor<1x114x114x64xf32>, tensor<3x3xf32>)
    outs(%init : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  kernel.return %r : tensor<1x56x56x64xf32>
}

// -----

// Padding that the combiner does not ignore is read.

// CHECK-LABEL: func.func private @padded_with_one.task0
// CHECK:         arith.constant dense<1.000000e+00> : vector<16xf32>
// CHECK:         scf.if
// CHECK:           llvm.load {{.*}} -> vector<16xf32>
kernel.func @padded_with_one(%x: tensor<1x8x8x16xf32>, %out: tensor<1x9x9x16xf32>) -> tensor<1x9x9x16xf32>
    attributes {schedule = #kernel.cpu_pool<lanes = 16, grain = 8>} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %one : f32
  } : tensor<1x8x8x16xf32> to tensor<1x10x10x16xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x9x9x16xf32>) -> tensor<1x9x9x16xf32>
  %r = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%padded, %window : tensor<1x10x10x16xf32>, tensor<2x2xf32>)
    outs(%init : tensor<1x9x9x16xf32>) -> tensor<1x9x9x16xf32>
  kernel.return %r : tensor<1x9x9x16xf32>
}
