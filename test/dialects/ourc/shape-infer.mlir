// RUN: ourc-opt %s -split-input-file -resolve-shaped-type-result-dims -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @sized(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x6xf32>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-SAME: %[[M:[a-z0-9]+]]: index
// CHECK-NEXT: return %[[N]], %[[M]], %[[N]], %[[M]] : index, index, index, index
func.func @sized(%x: tensor<?x6xf32>, %n: index, %m: index) -> (index, index, index, index) {
  %i = arith.constant 0 : index
  %0 = ourc.reshape %x sizes [%n, %m] : tensor<?x6xf32> -> tensor<?x?xf32>
  %1 = ourc.broadcast %x dims [1, 2] sizes [%m, %n, 6] : tensor<?x6xf32> -> tensor<?x?x6xf32>
  %2 = ourc.slice %x offsets [1, 2] sizes [%n, 2] strides [1, 2] : tensor<?x6xf32> -> tensor<?x2xf32>
  %3 = ourc.iota dim 0 sizes [%m] : tensor<?xi64>
  %d0 = tensor.dim %0, %i : tensor<?x?xf32>
  %d1 = tensor.dim %1, %i : tensor<?x?x6xf32>
  %d2 = tensor.dim %2, %i : tensor<?x2xf32>
  %d3 = tensor.dim %3, %i : tensor<?xi64>
  return %d0, %d1, %d2, %d3 : index, index, index, index
}

// -----

// CHECK-LABEL: func.func @transpose(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x6x?xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = arith.constant 2 : index
// CHECK-NEXT: %[[V2:.*]] = tensor.dim %[[X]], %[[V1]] : tensor<?x6x?xf32>
// CHECK-NEXT: %[[V3:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x6x?xf32>
// CHECK-NEXT: return %[[V2]], %[[V3]] : index, index
func.func @transpose(%x: tensor<?x6x?xf32>) -> (index, index) {
  %i = arith.constant 0 : index
  %j = arith.constant 2 : index
  %0 = ourc.transpose %x [2, 1, 0] : tensor<?x6x?xf32> -> tensor<?x6x?xf32>
  %d0 = tensor.dim %0, %i : tensor<?x6x?xf32>
  %d1 = tensor.dim %0, %j : tensor<?x6x?xf32>
  return %d0, %d1 : index, index
}

// -----

// CHECK: #map = affine_map<()[s0] -> (s0 + 5)>
// CHECK-LABEL: func.func @pad(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?xf32>
// CHECK-NEXT: %[[V2:.*]] = affine.apply #map(){{\[}}%[[V1]]]
// CHECK-NEXT: return %[[V2]] : index
func.func @pad(%x: tensor<?xf32>) -> index {
  %i = arith.constant 0 : index
  %0 = ourc.pad %x low [2] high [3] value(0.0 : f32) : tensor<?xf32> -> tensor<?xf32>
  %d = tensor.dim %0, %i : tensor<?xf32>
  return %d : index
}

// -----

// CHECK: #map = affine_map<()[s0, s1] -> (s0 + s1 + 4)>
// CHECK-LABEL: func.func @concat(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4x?xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V1:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V2:.*]] = tensor.dim %[[X]], %[[V1]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V3:.*]] = tensor.dim %[[X]], %[[V1]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V4:.*]] = affine.apply #map(){{\[}}%[[V2]], %[[V3]]]
// CHECK-NEXT: %[[V5:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x?xf32>
// CHECK-NEXT: return %[[V4]], %[[V5]] : index, index
func.func @concat(%x: tensor<?x?xf32>, %y: tensor<4x?xf32>) -> (index, index) {
  %i = arith.constant 0 : index
  %j = arith.constant 1 : index
  %0 = ourc.concat %x, %y, %x dim 0 : tensor<?x?xf32>, tensor<4x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %d0 = tensor.dim %0, %i : tensor<?x?xf32>
  %d1 = tensor.dim %0, %j : tensor<?x?xf32>
  return %d0, %d1 : index, index
}

// -----

// The indices' sizes, then those that are left.

// CHECK-LABEL: func.func @gather(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x5x?xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<?x2xi64>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 2 : index
// CHECK-NEXT: %[[V1:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V2:.*]] = tensor.dim %[[I]], %[[V1]] : tensor<?x2xi64>
// CHECK-NEXT: %[[V3:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x5x?xf32>
// CHECK-NEXT: return %[[V2]], %[[V3]] : index, index
func.func @gather(%x: tensor<?x5x?xf32>, %i: tensor<?x2xi64>) -> (index, index) {
  %first = arith.constant 0 : index
  %last = arith.constant 3 : index
  %0 = ourc.gather %x at %i axes [0] : tensor<?x5x?xf32>, tensor<?x2xi64> -> tensor<?x2x5x?xf32>
  %d0 = tensor.dim %0, %first : tensor<?x2x5x?xf32>
  %d1 = tensor.dim %0, %last : tensor<?x2x5x?xf32>
  return %d0, %d1 : index, index
}

// -----

// CHECK-LABEL: func.func @repeat(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x5xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?x5xf32>
// CHECK: %[[R:.*]] = affine.apply #{{.*}}()[%[[N]]]
// CHECK: return %[[R]] : index
func.func @repeat(%x: tensor<?x5xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = ourc.repeat %x [3, 1] : tensor<?x5xf32> -> tensor<?x5xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x5xf32>
  return %d0 : index
}
