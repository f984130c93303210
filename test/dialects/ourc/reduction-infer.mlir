// RUN: ourc-opt %s -split-input-file -resolve-shaped-type-result-dims -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @reduce(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4x?xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 2 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x4x?xf32>
// CHECK-NEXT: return %[[V1]] : index
func.func @reduce(%x: tensor<?x4x?xf32>) -> index {
  %i = arith.constant 1 : index
  %0 = ourc.reduce add %x [0] : tensor<?x4x?xf32> -> tensor<4x?xf32>
  %d = tensor.dim %0, %i : tensor<4x?xf32>
  return %d : index
}

// -----

// floor((size + 1 + 2 - 2 · (3 - 1) - 1) / 2) + 1.

// CHECK: #map = affine_map<()[s0] -> (s0 floordiv 2)>
// CHECK-LABEL: func.func @pool(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?x3xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V1:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V2:.*]] = tensor.dim %[[X]], %[[V1]] : tensor<?x?x3xf32>
// CHECK-NEXT: %[[V3:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x?x3xf32>
// CHECK-NEXT: %[[V4:.*]] = affine.apply #map(){{\[}}%[[V3]]]
// CHECK-NEXT: return %[[V2]], %[[V4]] : index, index
func.func @pool(%x: tensor<?x?x3xf32>) -> (index, index) {
  %i = arith.constant 0 : index
  %j = arith.constant 1 : index
  %0 = ourc.pool max %x window [3] strides [2] dilations [2] low [1] high [2] : tensor<?x?x3xf32> -> tensor<?x?x3xf32>
  %d0 = tensor.dim %0, %i : tensor<?x?x3xf32>
  %d1 = tensor.dim %0, %j : tensor<?x?x3xf32>
  return %d0, %d1 : index, index
}
