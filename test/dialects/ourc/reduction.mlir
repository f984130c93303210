// RUN: ourc-opt %s -split-input-file | ourc-opt -split-input-file | FileCheck %s
// RUN: ourc-opt %s -split-input-file --mlir-print-op-generic | ourc-opt -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @reduce(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x?x8xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<4x5xi32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<3xi1>
// CHECK-NEXT: %[[V0:.*]] = ourc.reduce add %[[X]] [1] : tensor<4x?x8xf32> -> tensor<4x8xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reduce mul %[[X]] [0, 2] : tensor<4x?x8xf32> -> tensor<?xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.reduce maximum %[[I]] [0, 1] : tensor<4x5xi32> -> tensor<i32>
// CHECK-NEXT: %[[V3:.*]] = ourc.reduce minimum %[[I]] [] : tensor<4x5xi32> -> tensor<4x5xi32>
// CHECK-NEXT: %[[V4:.*]] = ourc.reduce and %[[B]] [0] : tensor<3xi1> -> tensor<i1>
// CHECK-NEXT: %[[V5:.*]] = ourc.reduce or %[[I]] [1] : tensor<4x5xi32> -> tensor<4xi32>
// CHECK-NEXT: return
func.func @reduce(%x: tensor<4x?x8xf32>, %i: tensor<4x5xi32>, %b: tensor<3xi1>) {
  %0 = ourc.reduce add %x [1] : tensor<4x?x8xf32> -> tensor<4x8xf32>
  %1 = ourc.reduce mul %x [0, 2] : tensor<4x?x8xf32> -> tensor<?xf32>
  %2 = ourc.reduce maximum %i [0, 1] : tensor<4x5xi32> -> tensor<i32>
  %3 = ourc.reduce minimum %i [] : tensor<4x5xi32> -> tensor<4x5xi32>
  %4 = ourc.reduce and %b [0] : tensor<3xi1> -> tensor<i1>
  %5 = ourc.reduce or %i [1] : tensor<4x5xi32> -> tensor<4xi32>
  return
}

// -----

// CHECK-LABEL: func.func @pool(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x8x9x3xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<1x7x2xi32>
// CHECK-NEXT: %[[V0:.*]] = ourc.pool max %[[X]] window [3, 2] strides [2, 1] dilations [1, 2] low [1, 0] high [0, 1] : tensor<?x8x9x3xf32> -> tensor<?x4x8x3xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.pool sum %[[Y]] window [7] strides [1] dilations [1] low [0] high [0] : tensor<1x7x2xi32> -> tensor<1x1x2xi32>
// CHECK-NEXT: return
func.func @pool(%x: tensor<?x8x9x3xf32>, %y: tensor<1x7x2xi32>) {
  %0 = ourc.pool max %x window [3, 2] strides [2, 1] dilations [1, 2] low [1, 0] high [0, 1] : tensor<?x8x9x3xf32> -> tensor<?x4x8x3xf32>
  %1 = ourc.pool sum %y window [7] strides [1] dilations [1] low [0] high [0] : tensor<1x7x2xi32> -> tensor<1x1x2xi32>
  return
}
