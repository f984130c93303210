// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// A short scan is one reduction over the square of its positions.

// CHECK-LABEL: func.func @cumsum(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x5xi1>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<2x5xi1> -> tensor<2x5xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[V0]] dims [0, 2] sizes [2, 5, 5] : tensor<2x5xi64> -> tensor<2x5x5xi64>
// CHECK-NEXT: %[[V2:.*]] = ourc.iota dim 0 sizes [5, 5] : tensor<5x5xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.iota dim 1 sizes [5, 5] : tensor<5x5xi64>
// CHECK-NEXT: %[[V4:.*]] = ourc.compare  ge %[[V2]], %[[V3]] : tensor<5x5xi64> -> tensor<5x5xi1>
// CHECK-NEXT: %[[V5:.*]] = ourc.broadcast %[[V4]] dims [1, 2] sizes [2, 5, 5] : tensor<5x5xi1> -> tensor<2x5x5xi1>
// CHECK-NEXT: %[[V6:.*]] = ourc.constant dense<0> : tensor<2x5x5xi64>
// CHECK-NEXT: %[[V7:.*]] = ourc.select %[[V5]], %[[V1]], %[[V6]] : tensor<2x5x5xi1>, tensor<2x5x5xi64>
// CHECK-NEXT: %[[V8:.*]] = ourc.reduce  add %[[V7]] [2] : tensor<2x5x5xi64> -> tensor<2x5xi64>
// CHECK-NEXT: return %[[V8]] : tensor<2x5xi64>
func.func @cumsum(%x: tensor<2x5xi1>) -> tensor<2x5xi64> {
  %0 = aten.call "cumsum.default"(self = %x, dim = -1) : (tensor<2x5xi1>) -> tensor<2x5xi64>
  return %0 : tensor<2x5xi64>
}

// -----

// f16 is accumulated in f32.

// CHECK-LABEL: func.func @cumprod(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3x4xf16>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<3x4xf16> -> tensor<3x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[V0]] dims [1, 2] sizes [3, 3, 4] : tensor<3x4xf32> -> tensor<3x3x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.iota dim 0 sizes [3, 3] : tensor<3x3xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.iota dim 1 sizes [3, 3] : tensor<3x3xi64>
// CHECK-NEXT: %[[V4:.*]] = ourc.compare  ge %[[V2]], %[[V3]] : tensor<3x3xi64> -> tensor<3x3xi1>
// CHECK-NEXT: %[[V5:.*]] = ourc.broadcast %[[V4]] dims [0, 1] sizes [3, 3, 4] : tensor<3x3xi1> -> tensor<3x3x4xi1>
// CHECK-NEXT: %[[V6:.*]] = ourc.constant dense<1.000000e+00> : tensor<3x3x4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.select %[[V5]], %[[V1]], %[[V6]] : tensor<3x3x4xi1>, tensor<3x3x4xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.reduce  mul %[[V7]] [1] : tensor<3x3x4xf32> -> tensor<3x4xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.cast %[[V8]] : tensor<3x4xf32> -> tensor<3x4xf16>
// CHECK-NEXT: return %[[V9]] : tensor<3x4xf16>
func.func @cumprod(%x: tensor<3x4xf16>) -> tensor<3x4xf16> {
  %0 = aten.call "cumprod.default"(self = %x, dim = 0) : (tensor<3x4xf16>) -> tensor<3x4xf16>
  return %0 : tensor<3x4xf16>
}

// -----

// A long one is made of blocks of 64, whose sums are scanned in turn.

// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<130xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.pad %[[X]] low [0] high [62] value(0.000000e+00 : f32) : tensor<130xf32> -> tensor<192xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[V0]] sizes [3, 64] : tensor<192xf32> -> tensor<3x64xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.broadcast %[[V1]] dims [0, 2] sizes [3, 64, 64] : tensor<3x64xf32> -> tensor<3x64x64xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.iota dim 0 sizes [64, 64] : tensor<64x64xi64>
// CHECK-NEXT: %[[V4:.*]] = ourc.iota dim 1 sizes [64, 64] : tensor<64x64xi64>
// CHECK-NEXT: %[[V5:.*]] = ourc.compare  ge %[[V3]], %[[V4]] : tensor<64x64xi64> -> tensor<64x64xi1>
// CHECK-NEXT: %[[V6:.*]] = ourc.broadcast %[[V5]] dims [1, 2] sizes [3, 64, 64] : tensor<64x64xi1> -> tensor<3x64x64xi1>
// CHECK-NEXT: %[[V7:.*]] = ourc.constant dense<0.000000e+00> : tensor<3x64x64xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.select %[[V6]], %[[V2]], %[[V7]] : tensor<3x64x64xi1>, tensor<3x64x64xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.reduce  add %[[V8]] [2] : tensor<3x64x64xf32> -> tensor<3x64xf32>
// CHECK-NEXT: %[[V10:.*]] = ourc.slice %[[V9]] offsets [0, 63] sizes [3, 1] strides [1, 1] : tensor<3x64xf32> -> tensor<3x1xf32>
// CHECK-NEXT: %[[V11:.*]] = ourc.reshape %[[V10]] sizes [3] : tensor<3x1xf32> -> tensor<3xf32>
// CHECK-NEXT: %[[V12:.*]] = ourc.broadcast %[[V11]] dims [1] sizes [3, 3] : tensor<3xf32> -> tensor<3x3xf32>
// CHECK-NEXT: %[[V13:.*]] = ourc.iota dim 0 sizes [3, 3] : tensor<3x3xi64>
// CHECK-NEXT: %[[V14:.*]] = ourc.iota dim 1 sizes [3, 3] : tensor<3x3xi64>
// CHECK-NEXT: %[[V15:.*]] = ourc.compare  ge %[[V13]], %[[V14]] : tensor<3x3xi64> -> tensor<3x3xi1>
// CHECK-NEXT: %[[V16:.*]] = ourc.constant dense<0.000000e+00> : tensor<3x3xf32>
// CHECK-NEXT: %[[V17:.*]] = ourc.select %[[V15]], %[[V12]], %[[V16]] : tensor<3x3xi1>, tensor<3x3xf32>
// CHECK-NEXT: %[[V18:.*]] = ourc.reduce  add %[[V17]] [1] : tensor<3x3xf32> -> tensor<3xf32>
// CHECK-NEXT: %[[V19:.*]] = ourc.slice %[[V18]] offsets [0] sizes [2] strides [1] : tensor<3xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V20:.*]] = ourc.pad %[[V19]] low [1] high [0] value(0.000000e+00 : f32) : tensor<2xf32> -> tensor<3xf32>
// CHECK-NEXT: %[[V21:.*]] = ourc.broadcast %[[V20]] dims [0] sizes [3, 64] : tensor<3xf32> -> tensor<3x64xf32>
// CHECK-NEXT: %[[V22:.*]] = ourc.add %[[V21]], %[[V9]] : tensor<3x64xf32>
// CHECK-NEXT: %[[V23:.*]] = ourc.reshape %[[V22]] sizes [192] : tensor<3x64xf32> -> tensor<192xf32>
// CHECK-NEXT: %[[V24:.*]] = ourc.slice %[[V23]] offsets [0] sizes [130] strides [1] : tensor<192xf32> -> tensor<130xf32>
// CHECK-NEXT: return %[[V24]] : tensor<130xf32>
func.func @blocks(%x: tensor<130xf32>) -> tensor<130xf32> {
  %0 = aten.call "cumsum.default"(self = %x, dim = 0) : (tensor<130xf32>) -> tensor<130xf32>
  return %0 : tensor<130xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.broadcast %[[X]] dims [1] sizes {{\[}}%[[V1]], %[[V1]]] : tensor<?xf32> -> tensor<?x?xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.iota dim 0 sizes {{\[}}%[[V1]], %[[V1]]] : tensor<?x?xi64>
// CHECK-NEXT: %[[V4:.*]] = ourc.iota dim 1 sizes {{\[}}%[[V1]], %[[V1]]] : tensor<?x?xi64>
// CHECK-NEXT: %[[V5:.*]] = ourc.compare  ge %[[V3]], %[[V4]] : tensor<?x?xi64> -> tensor<?x?xi1>
// CHECK-NEXT: %[[V6:.*]] = ourc.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V7:.*]] = ourc.broadcast %[[V6]] dims [] sizes {{\[}}%[[V1]], %[[V1]]] : tensor<f32> -> tensor<?x?xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.select %[[V5]], %[[V2]], %[[V7]] : tensor<?x?xi1>, tensor<?x?xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.reduce  add %[[V8]] [1] : tensor<?x?xf32> -> tensor<?xf32>
// CHECK-NEXT: return %[[V9]] : tensor<?xf32>
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = aten.call "cumsum.default"(self = %x, dim = 0) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @scalar(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<i64>
// CHECK-NEXT: return %[[X]] : tensor<i64>
func.func @scalar(%x: tensor<i64>) -> tensor<i64> {
  %0 = aten.call "cumsum.default"(self = %x, dim = 0) : (tensor<i64>) -> tensor<i64>
  return %0 : tensor<i64>
}
