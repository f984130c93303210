// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// The strides of a dimension of size 1 do not matter.

// CHECK-LABEL: func.func @reshape(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x768x1x1xf32>
// CHECK-NEXT: return %[[X]] : tensor<1x768x1x1xf32>
func.func @reshape(%x: tensor<1x768x1x1xf32>) -> tensor<1x768x1x1xf32> {
  %0 = aten.call "as_strided.default"(self = %x, size = [1, 768, 1, 1], stride = [768, 1, 768, 768]) : (tensor<1x768x1x1xf32>) -> tensor<1x768x1x1xf32>
  return %0 : tensor<1x768x1x1xf32>
}

// -----

// Rows 1 and 2 of three, columns 1, 3; transposed and repeated.

// CHECK-LABEL: func.func @slice(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3x6xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[X]] sizes [18] : tensor<3x6xf32> -> tensor<18xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[V0]] sizes [3, 3, 2] : tensor<18xf32> -> tensor<3x3x2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.slice %[[V1]] offsets [1, 0, 1] sizes [2, 2, 1] strides [1, 1, 1] : tensor<3x3x2xf32> -> tensor<2x2x1xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.reshape %[[V2]] sizes [2, 2] : tensor<2x2x1xf32> -> tensor<2x2xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.transpose %[[V3]] [1, 0] : tensor<2x2xf32> -> tensor<2x2xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.broadcast %[[V4]] dims [0, 2] sizes [2, 4, 2] : tensor<2x2xf32> -> tensor<2x4x2xf32>
// CHECK-NEXT: return %[[V5]] : tensor<2x4x2xf32>
func.func @slice(%x: tensor<3x6xf32>) -> tensor<2x4x2xf32> {
  %0 = aten.call "as_strided.default"(self = %x, size = [2, 4, 2], stride = [2, 0, 6], storage_offset = 7) : (tensor<3x6xf32>) -> tensor<2x4x2xf32>
  return %0 : tensor<2x4x2xf32>
}

// -----

// Windows overlap: no slice of any shape.

// CHECK-LABEL: func.func @windows(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.iota dim 0 sizes [6, 3] : tensor<6x3xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.iota dim 1 sizes [6, 3] : tensor<6x3xi64>
// CHECK-NEXT: %[[V2:.*]] = ourc.add %[[V0]], %[[V1]] : tensor<6x3xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.gather %[[X]] at %[[V2]] axes [0] : tensor<8xf32>, tensor<6x3xi64> -> tensor<6x3xf32>
// CHECK-NEXT: return %[[V3]] : tensor<6x3xf32>
func.func @windows(%x: tensor<8xf32>) -> tensor<6x3xf32> {
  %0 = aten.call "as_strided.default"(self = %x, size = [6, 3], stride = [1, 1]) : (tensor<8xf32>) -> tensor<6x3xf32>
  return %0 : tensor<6x3xf32>
}

// -----

// CHECK-LABEL: func.func @element(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.slice %[[X]] offsets [5] sizes [1] strides [1] : tensor<8xf32> -> tensor<1xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[V0]] sizes [] : tensor<1xf32> -> tensor<f32>
// CHECK-NEXT: return %[[V1]] : tensor<f32>
func.func @element(%x: tensor<8xf32>) -> tensor<f32> {
  %0 = aten.call "as_strided.default"(self = %x, size = [], stride = [], storage_offset = 5) : (tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V3:.*]] = ourc.broadcast %[[V2]] dims [] sizes {{\[}}%[[V1]], 4] : tensor<f32> -> tensor<?x4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.maximum %[[X]], %[[V3]] : tensor<?x4xf32>
// CHECK-NEXT: return %[[V4]] : tensor<?x4xf32>
func.func @dynamic(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %0 = aten.call "relu.default"(self = %x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = aten.call "sym_size.int"(self = %0, dim = 0) : (tensor<?x4xf32>) -> index
  %2 = aten.call "as_strided.default"(self = %0, size = [%1, 4], stride = [4, 1]) : (tensor<?x4xf32>, index) -> tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}
