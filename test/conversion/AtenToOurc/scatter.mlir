// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// CHECK-LABEL: func.func @slice_scatter(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-SAME: %[[Z:[a-z0-9]+]]: tensor<8x3xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<8x4xf64>
// CHECK-NEXT: %[[V0:.*]] = ourc.slice %[[X]] offsets [0, 0] sizes [3, 4] strides [1, 1] : tensor<8x4xf32> -> tensor<3x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.slice %[[X]] offsets [5, 0] sizes [3, 4] strides [1, 1] : tensor<8x4xf32> -> tensor<3x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.concat %[[V0]], %[[Y]], %[[V1]] dim 0 : tensor<3x4xf32>, tensor<2x4xf32>, tensor<3x4xf32> -> tensor<8x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.slice %[[X]] offsets [0, 0] sizes [8, 1] strides [1, 1] : tensor<8x4xf32> -> tensor<8x1xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.slice %[[X]] offsets [0, 4] sizes [8, 0] strides [1, 1] : tensor<8x4xf32> -> tensor<8x0xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.concat %[[V3]], %[[Z]] dim 1 : tensor<8x1xf32>, tensor<8x3xf32> -> tensor<8x4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.slice %[[X]] offsets [0, 0] sizes [0, 4] strides [1, 1] : tensor<8x4xf32> -> tensor<0x4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.slice %[[X]] offsets [8, 0] sizes [0, 4] strides [1, 1] : tensor<8x4xf32> -> tensor<0x4xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.cast %[[W]] : tensor<8x4xf64> -> tensor<8x4xf32>
// CHECK-NEXT: return %[[V2]], %[[V5]], %[[V8]] : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
func.func @slice_scatter(%x: tensor<8x4xf32>, %y: tensor<2x4xf32>, %z: tensor<8x3xf32>, %w: tensor<8x4xf64>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = aten.call "slice_scatter.default"(self = %x, src = %y, start = 3, end = -3) : (tensor<8x4xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
  %1 = aten.call "slice_scatter.default"(self = %x, src = %z, dim = 1, start = 1, end = 9223372036854775807) : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<8x4xf32>
  %2 = aten.call "slice_scatter.default"(self = %x, src = %w) : (tensor<8x4xf32>, tensor<8x4xf64>) -> tensor<8x4xf32>
  return %0, %1, %2 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func.func @select_scatter(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<8xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[Y]] sizes [8, 1] : tensor<8xf32> -> tensor<8x1xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.slice %[[X]] offsets [0, 0] sizes [8, 3] strides [1, 1] : tensor<8x4xf32> -> tensor<8x3xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.slice %[[X]] offsets [0, 4] sizes [8, 0] strides [1, 1] : tensor<8x4xf32> -> tensor<8x0xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.concat %[[V1]], %[[V0]] dim 1 : tensor<8x3xf32>, tensor<8x1xf32> -> tensor<8x4xf32>
// CHECK-NEXT: return %[[V3]] : tensor<8x4xf32>
func.func @select_scatter(%x: tensor<8x4xf32>, %y: tensor<8xf32>) -> tensor<8x4xf32> {
  %0 = aten.call "select_scatter.default"(self = %x, src = %y, dim = 1, index = -1) : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func.func @copy(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xf64>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[Y]] : tensor<4xf64> -> tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[V0]] dims [1] sizes [2, 4] : tensor<4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x4xf32>
func.func @copy(%x: tensor<2x4xf32>, %y: tensor<4xf64>) -> tensor<2x4xf32> {
  %0 = aten.call "copy.default"(self = %x, src = %y) : (tensor<2x4xf32>, tensor<4xf64>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @triangles(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.iota dim 0 sizes [3, 4] : tensor<3x4xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.iota dim 1 sizes [3, 4] : tensor<3x4xi64>
// CHECK-NEXT: %[[V2:.*]] = ourc.sub %[[V1]], %[[V0]] : tensor<3x4xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<0> : tensor<3x4xi64>
// CHECK-NEXT: %[[V4:.*]] = ourc.compare le %[[V2]], %[[V3]] : tensor<3x4xi64> -> tensor<3x4xi1>
// CHECK-NEXT: %[[V5:.*]] = ourc.broadcast %[[V4]] dims [1, 2] sizes [2, 3, 4] : tensor<3x4xi1> -> tensor<2x3x4xi1>
// CHECK-NEXT: %[[V6:.*]] = ourc.constant dense<0.000000e+00> : tensor<2x3x4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.select %[[V5]], %[[X]], %[[V6]] : tensor<2x3x4xi1>, tensor<2x3x4xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.iota dim 0 sizes [3, 4] : tensor<3x4xi64>
// CHECK-NEXT: %[[V9:.*]] = ourc.iota dim 1 sizes [3, 4] : tensor<3x4xi64>
// CHECK-NEXT: %[[V10:.*]] = ourc.sub %[[V9]], %[[V8]] : tensor<3x4xi64>
// CHECK-NEXT: %[[V11:.*]] = ourc.constant dense<1> : tensor<3x4xi64>
// CHECK-NEXT: %[[V12:.*]] = ourc.compare ge %[[V10]], %[[V11]] : tensor<3x4xi64> -> tensor<3x4xi1>
// CHECK-NEXT: %[[V13:.*]] = ourc.broadcast %[[V12]] dims [1, 2] sizes [2, 3, 4] : tensor<3x4xi1> -> tensor<2x3x4xi1>
// CHECK-NEXT: %[[V14:.*]] = ourc.constant dense<0.000000e+00> : tensor<2x3x4xf32>
// CHECK-NEXT: %[[V15:.*]] = ourc.select %[[V13]], %[[X]], %[[V14]] : tensor<2x3x4xi1>, tensor<2x3x4xf32>
// CHECK-NEXT: return %[[V7]], %[[V15]] : tensor<2x3x4xf32>, tensor<2x3x4xf32>
func.func @triangles(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %0 = aten.call "tril.default"(self = %x) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = aten.call "triu.default"(self = %x, diagonal = 1) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0, %1 : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}
