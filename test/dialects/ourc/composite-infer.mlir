// RUN: ourc-opt %s -split-input-file -resolve-shaped-type-result-dims -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @linear(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x8xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<?x8xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x8xf32>
// CHECK-NEXT: %[[V2:.*]] = tensor.dim %[[W]], %[[V0]] : tensor<?x8xf32>
// CHECK-NEXT: return %[[V1]], %[[V2]] : index, index
func.func @linear(%x: tensor<?x8xf32>, %w: tensor<?x8xf32>) -> (index, index) {
  %i = arith.constant 0 : index
  %j = arith.constant 1 : index
  %0 = ourc.linear %x, %w : tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x?xf32>
  %d0 = tensor.dim %0, %i : tensor<?x?xf32>
  %d1 = tensor.dim %0, %j : tensor<?x?xf32>
  return %d0, %d1 : index, index
}

// -----

// CHECK-LABEL: func.func @like_operand(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x3xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<3xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x3xf32>
// CHECK-NEXT: %[[V2:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x3xf32>
// CHECK-NEXT: %[[V3:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x3xf32>
// CHECK-NEXT: %[[V4:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x3xf32>
// CHECK-NEXT: %[[V5:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x3xf32>
// CHECK-NEXT: return %[[V1]], %[[V2]], %[[V3]], %[[V4]], %[[V5]] : index, index, index, index, index
func.func @like_operand(%x: tensor<?x3xf32>, %v: tensor<3xf32>) -> (index, index, index, index, index) {
  %i = arith.constant 0 : index
  %0 = ourc.softmax %x dim 1 : tensor<?x3xf32>
  %1 = ourc.layer_norm %x dims 1 epsilon 0.0 : tensor<?x3xf32>
  %2 = ourc.batch_norm %x mean %v variance %v channel 1 epsilon 0.0 : tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>
  %3 = ourc.gelu %x exact : tensor<?x3xf32>
  %4 = ourc.silu %x : tensor<?x3xf32>
  %d0 = tensor.dim %0, %i : tensor<?x3xf32>
  %d1 = tensor.dim %1, %i : tensor<?x3xf32>
  %d2 = tensor.dim %2, %i : tensor<?x3xf32>
  %d3 = tensor.dim %3, %i : tensor<?x3xf32>
  %d4 = tensor.dim %4, %i : tensor<?x3xf32>
  return %d0, %d1, %d2, %d3, %d4 : index, index, index, index, index
}

// -----

// CHECK-LABEL: func.func @attention(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<?x?x8xf32>
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<?x?x8xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<?x?x?xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 2 : index
// CHECK-NEXT: %[[V1:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V2:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V3:.*]] = tensor.dim %[[Q]], %[[V2]] : tensor<?x?x8xf32>
// CHECK-NEXT: %[[V4:.*]] = tensor.dim %[[Q]], %[[V1]] : tensor<?x?x8xf32>
// CHECK-NEXT: %[[V5:.*]] = tensor.dim %[[V]], %[[V0]] : tensor<?x?x?xf32>
// CHECK-NEXT: return %[[V3]], %[[V4]], %[[V5]] : index, index, index
func.func @attention(%q: tensor<?x?x8xf32>, %k: tensor<?x?x8xf32>, %v: tensor<?x?x?xf32>) -> (index, index, index) {
  %i = arith.constant 0 : index
  %j = arith.constant 1 : index
  %l = arith.constant 2 : index
  %0 = ourc.attention %q, %k, %v scale 1.0 : tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  %d0 = tensor.dim %0, %i : tensor<?x?x?xf32>
  %d1 = tensor.dim %0, %j : tensor<?x?x?xf32>
  %d2 = tensor.dim %0, %l : tensor<?x?x?xf32>
  return %d0, %d1, %d2 : index, index, index
}
