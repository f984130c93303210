// RUN: ourc-opt %s -split-input-file -resolve-shaped-type-result-dims -canonicalize | FileCheck %s

// Sizes of results from those of operands.

// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x?xf32>
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<4x?xi1>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V2:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V3:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V4:.*]] = tensor.dim %[[C]], %[[V0]] : tensor<4x?xi1>
// CHECK-NEXT: %[[V5:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<4x?xf32>
// CHECK-NEXT: return %[[V1]], %[[V2]], %[[V3]], %[[V4]], %[[V5]] : index, index, index, index, index
func.func @elementwise(%x: tensor<4x?xf32>, %c: tensor<4x?xi1>) -> (index, index, index, index, index) {
  %i = arith.constant 1 : index
  %0 = ourc.exp %x : tensor<4x?xf32>
  %1 = ourc.add %0, %x : tensor<4x?xf32>
  %2 = ourc.compare lt %0, %x : tensor<4x?xf32> -> tensor<4x?xi1>
  %3 = ourc.select %c, %0, %x : tensor<4x?xi1>, tensor<4x?xf32>
  %4 = ourc.cast %x : tensor<4x?xf32> -> tensor<4x?xi64>
  %d0 = tensor.dim %0, %i : tensor<4x?xf32>
  %d1 = tensor.dim %1, %i : tensor<4x?xf32>
  %d2 = tensor.dim %2, %i : tensor<4x?xi1>
  %d3 = tensor.dim %3, %i : tensor<4x?xf32>
  %d4 = tensor.dim %4, %i : tensor<4x?xi64>
  return %d0, %d1, %d2, %d3, %d4 : index, index, index, index, index
}
