// RUN: ourc-opt %s -split-input-file -ourc-apply-layouts | FileCheck %s

// An image with channels last: memory is [batch, height, width, channels].

ourc.symbol @b {min = 1 : i64, max = 8 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<?x5x7x3xf32> {ourc.name = "x", ourc.shape = [@b, 5, 7, 3], ourc.user_dims = array<i64: 0, 2, 3, 1>},
// CHECK-SAME: %[[Y:.*]]: tensor<4x5xf32> {ourc.name = "y"})
// CHECK-SAME: -> (tensor<?x5x7x3xf32> {ourc.name = "z", ourc.user_dims = array<i64: 0, 2, 3, 1>}, tensor<4x5xf32>)
// CHECK-NEXT: %[[U:.*]] = ourc.transpose %[[X]] [0, 3, 1, 2] : tensor<?x5x7x3xf32> -> tensor<?x3x5x7xf32>
// CHECK-NEXT: %[[R:.*]] = ourc.abs %[[U]] : tensor<?x3x5x7xf32>
// CHECK-NEXT: %[[V:.*]] = ourc.transpose %[[R]] [0, 2, 3, 1] : tensor<?x3x5x7xf32> -> tensor<?x5x7x3xf32>
// CHECK-NEXT: return %[[V]], %[[Y]]
func.func @main(%x: tensor<?x3x5x7xf32> {ourc.name = "x", ourc.shape = [@b, 3, 5, 7], ourc.layout = array<i64: 0, 2, 3, 1>},
                %y: tensor<4x5xf32> {ourc.name = "y", ourc.layout = array<i64: 0, 1>})
    -> (tensor<?x3x5x7xf32> {ourc.name = "z", ourc.layout = array<i64: 0, 2, 3, 1>}, tensor<4x5xf32> {ourc.layout = array<i64: 0, 1>}) {
  %0 = ourc.abs %x : tensor<?x3x5x7xf32>
  return %0, %y : tensor<?x3x5x7xf32>, tensor<4x5xf32>
}

// -----

// An argument that is updated keeps its order.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %{{.*}}: tensor<5x4xf32> {ourc.user_dims = array<i64: 1, 0>})
// CHECK-SAME: -> (tensor<5x4xf32> {ourc.updates = 0 : i64, ourc.user_dims = array<i64: 1, 0>})
func.func @main(%x: tensor<4x5xf32> {ourc.layout = array<i64: 1, 0>}) -> (tensor<4x5xf32> {ourc.updates = 0 : i64, ourc.layout = array<i64: 1, 0>}) {
  %0 = ourc.abs %x : tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
