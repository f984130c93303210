// RUN: ourc-opt %s -split-input-file | ourc-opt -split-input-file | FileCheck %s
// RUN: ourc-opt %s -split-input-file --mlir-print-op-generic | ourc-opt -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @contract(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<8x4x?xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<8x5x6xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<5xi64>
// CHECK-NEXT: %[[V0:.*]] = ourc.contract %[[A]], %[[B]] batch [0], [0] contract [2], [1] : tensor<8x4x?xf32>, tensor<8x5x6xf32> -> tensor<8x4x6xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.contract %[[V]], %[[V]] batch [], [] contract [0], [0] : tensor<5xi64>, tensor<5xi64> -> tensor<i64>
// CHECK-NEXT: %[[V2:.*]] = ourc.contract %[[V]], %[[V]] batch [], [] contract [], [] : tensor<5xi64>, tensor<5xi64> -> tensor<5x5xi64>
// CHECK-NEXT: return
func.func @contract(%a: tensor<8x4x?xf32>, %b: tensor<8x5x6xf32>, %v: tensor<5xi64>) {
  %0 = ourc.contract %a, %b batch [0], [0] contract [2], [1] : tensor<8x4x?xf32>, tensor<8x5x6xf32> -> tensor<8x4x6xf32>
  %1 = ourc.contract %v, %v batch [], [] contract [0], [0] : tensor<5xi64>, tensor<5xi64> -> tensor<i64>
  %2 = ourc.contract %v, %v batch [], [] contract [], [] : tensor<5xi64>, tensor<5xi64> -> tensor<5x5xi64>
  return
}

// -----

// CHECK-LABEL: func.func @convolution(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x8x9x4xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<6x3x3x2xf32>
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<1x5x1xf16>
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<2x5x1xf16>
// CHECK-NEXT: %[[V0:.*]] = ourc.convolution %[[X]], %[[W]] strides [2, 1] dilations [1, 2] low [1, 0] high [0, 1] groups 2 : tensor<?x8x9x4xf32>, tensor<6x3x3x2xf32> -> tensor<?x4x6x6xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.convolution %[[S]], %[[K]] strides [1] dilations [1] low [0] high [0] groups 1 : tensor<1x5x1xf16>, tensor<2x5x1xf16> -> tensor<1x1x2xf16>
// CHECK-NEXT: return
func.func @convolution(%x: tensor<?x8x9x4xf32>, %w: tensor<6x3x3x2xf32>, %s: tensor<1x5x1xf16>, %k: tensor<2x5x1xf16>) {
  %0 = ourc.convolution %x, %w strides [2, 1] dilations [1, 2] low [1, 0] high [0, 1] groups 2 : tensor<?x8x9x4xf32>, tensor<6x3x3x2xf32> -> tensor<?x4x6x6xf32>
  %1 = ourc.convolution %s, %k strides [1] dilations [1] low [0] high [0] groups 1 : tensor<1x5x1xf16>, tensor<2x5x1xf16> -> tensor<1x1x2xf16>
  return
}
