// RUN: ourc-opt %s -split-input-file -ourc-raise-updates -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<2x8x4xf32>, %[[Y:.*]]: tensor<2x3x4xf32>)
// CHECK: %[[I:.*]] = ourc.add
// CHECK: %[[T:.*]] = ourc.transpose %[[Y]] [1, 0, 2]
// CHECK: %[[R:.*]] = ourc.scatter %[[T]] into %[[X]] at %[[I]] axes [1]
// CHECK: return %[[R]]
func.func @main(%x: tensor<2x8x4xf32>, %y: tensor<2x3x4xf32>) -> (tensor<2x8x4xf32> {ourc.updates = 0 : i64}) {
  %a = ourc.slice %x offsets [0, 0, 0] sizes [2, 1, 4] strides [1, 1, 1] : tensor<2x8x4xf32> -> tensor<2x1x4xf32>
  %b = ourc.slice %x offsets [0, 4, 0] sizes [2, 4, 4] strides [1, 1, 1] : tensor<2x8x4xf32> -> tensor<2x4x4xf32>
  %c = ourc.concat %a, %y, %b dim 1 : tensor<2x1x4xf32>, tensor<2x3x4xf32>, tensor<2x4x4xf32> -> tensor<2x8x4xf32>
  return %c : tensor<2x8x4xf32>
}

// -----

// Two parts, one after the other, at both ends.

// CHECK-LABEL: func.func @main(
// CHECK-COUNT-2: ourc.scatter
// CHECK-NOT: ourc.concat
func.func @main(%x: tensor<8xf32>, %y: tensor<3xf32>) -> (tensor<8xf32> {ourc.updates = 0 : i64}) {
  %a = ourc.slice %x offsets [3] sizes [5] strides [1] : tensor<8xf32> -> tensor<5xf32>
  %b = ourc.concat %y, %a dim 0 : tensor<3xf32>, tensor<5xf32> -> tensor<8xf32>
  %c = ourc.slice %b offsets [0] sizes [5] strides [1] : tensor<8xf32> -> tensor<5xf32>
  %d = ourc.concat %c, %y dim 0 : tensor<5xf32>, tensor<3xf32> -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// -----

// Slices that change places, of another tensor, or of a result that updates
// nothing, stay.

// CHECK-LABEL: func.func @main(
// CHECK-NOT: ourc.scatter
func.func @main(%x: tensor<8xf32>, %y: tensor<3xf32>, %z: tensor<8xf32>)
    -> (tensor<8xf32> {ourc.updates = 0 : i64}, tensor<8xf32> {ourc.updates = 2 : i64}, tensor<8xf32>) {
  %a = ourc.slice %x offsets [0] sizes [5] strides [1] : tensor<8xf32> -> tensor<5xf32>
  %b = ourc.concat %y, %a dim 0 : tensor<3xf32>, tensor<5xf32> -> tensor<8xf32>
  %c = ourc.slice %x offsets [3] sizes [5] strides [1] : tensor<8xf32> -> tensor<5xf32>
  %d = ourc.concat %y, %c dim 0 : tensor<3xf32>, tensor<5xf32> -> tensor<8xf32>
  return %b, %d, %d : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
