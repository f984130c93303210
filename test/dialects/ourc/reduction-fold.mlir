// RUN: ourc-opt %s -split-input-file -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @nothing_reduced(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x?xf32>
// CHECK-NEXT: return %[[X]] : tensor<4x?xf32>
func.func @nothing_reduced(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = ourc.reduce add %x [] : tensor<4x?xf32> -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
