// RUN: ourc-opt %s -split-input-file -resolve-shaped-type-result-dims -canonicalize | FileCheck %s

// Batch dimensions, what is free on the left, what is free on the right.

// CHECK-LABEL: func.func @contract(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?x8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<8x?x?xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V2:.*]] = tensor.dim %[[A]], %[[V1]] : tensor<?x?x8xf32>
// CHECK-NEXT: %[[V3:.*]] = tensor.dim %[[A]], %[[V0]] : tensor<?x?x8xf32>
// CHECK-NEXT: %[[V4:.*]] = tensor.dim %[[B]], %[[V1]] : tensor<8x?x?xf32>
// CHECK-NEXT: return %[[V2]], %[[V3]], %[[V4]] : index, index, index
func.func @contract(%a: tensor<?x?x8xf32>, %b: tensor<8x?x?xf32>) -> (index, index, index) {
  %i = arith.constant 0 : index
  %j = arith.constant 1 : index
  %k = arith.constant 2 : index
  %0 = ourc.contract %a, %b batch [1], [2] contract [2], [0] : tensor<?x?x8xf32>, tensor<8x?x?xf32> -> tensor<?x?x?xf32>
  %d0 = tensor.dim %0, %i : tensor<?x?x?xf32>
  %d1 = tensor.dim %0, %j : tensor<?x?x?xf32>
  %d2 = tensor.dim %0, %k : tensor<?x?x?xf32>
  return %d0, %d1, %d2 : index, index, index
}

// -----

// CHECK: #map = affine_map<()[s0] -> ((s0 - 1) floordiv 2 + 1)>
// CHECK-LABEL: func.func @convolution(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?x4xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<?x3x4xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V1:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V2:.*]] = tensor.dim %[[X]], %[[V1]] : tensor<?x?x4xf32>
// CHECK-NEXT: %[[V3:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x?x4xf32>
// CHECK-NEXT: %[[V4:.*]] = affine.apply #map(){{\[}}%[[V3]]]
// CHECK-NEXT: %[[V5:.*]] = tensor.dim %[[W]], %[[V1]] : tensor<?x3x4xf32>
// CHECK-NEXT: return %[[V2]], %[[V4]], %[[V5]] : index, index, index
func.func @convolution(%x: tensor<?x?x4xf32>, %w: tensor<?x3x4xf32>) -> (index, index, index) {
  %i = arith.constant 0 : index
  %j = arith.constant 1 : index
  %k = arith.constant 2 : index
  %0 = ourc.convolution %x, %w strides [2] dilations [1] low [1] high [1] groups 1 : tensor<?x?x4xf32>, tensor<?x3x4xf32> -> tensor<?x?x?xf32>
  %d0 = tensor.dim %0, %i : tensor<?x?x?xf32>
  %d1 = tensor.dim %0, %j : tensor<?x?x?xf32>
  %d2 = tensor.dim %0, %k : tensor<?x?x?xf32>
  return %d0, %d1, %d2 : index, index, index
}
