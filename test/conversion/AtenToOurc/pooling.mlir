// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// CHECK-LABEL: func.func @max_pool(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x64x112x112xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [0, 2, 3, 1] : tensor<1x64x112x112xf32> -> tensor<1x112x112x64xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.pool max %[[V0]] window [3, 3] strides [2, 2] dilations [1, 1] low [1, 1] high [1, 1] : tensor<1x112x112x64xf32> -> tensor<1x56x56x64xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.transpose %[[V1]] [0, 3, 1, 2] : tensor<1x56x56x64xf32> -> tensor<1x64x56x56xf32>
// CHECK-NEXT: return %[[V2]] : tensor<1x64x56x56xf32>
func.func @max_pool(%x: tensor<1x64x112x112xf32>) -> tensor<1x64x56x56xf32> {
  %0:2 = aten.call "max_pool2d_with_indices.default"(self = %x, kernel_size = [3, 3], stride = [2, 2], padding = [1, 1]) : (tensor<1x64x112x112xf32>) -> (tensor<1x64x56x56xf32>, tensor<1x64x56x56xi64>)
  return %0#0 : tensor<1x64x56x56xf32>
}

// -----

// One number stands for both dimensions, the stride is the window's size by
// default; the operand has no batch.

// CHECK-LABEL: func.func @max_pool_unbatched(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8x8xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[X]] sizes [1, 4, 8, 8] : tensor<4x8x8xf32> -> tensor<1x4x8x8xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.transpose %[[V0]] [0, 2, 3, 1] : tensor<1x4x8x8xf32> -> tensor<1x8x8x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.pool max %[[V1]] window [2, 2] strides [2, 2] dilations [1, 1] low [0, 0] high [0, 0] : tensor<1x8x8x4xf32> -> tensor<1x4x4x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.transpose %[[V2]] [0, 3, 1, 2] : tensor<1x4x4x4xf32> -> tensor<1x4x4x4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.reshape %[[V3]] sizes [4, 4, 4] : tensor<1x4x4x4xf32> -> tensor<4x4x4xf32>
// CHECK-NEXT: return %[[V4]] : tensor<4x4x4xf32>
func.func @max_pool_unbatched(%x: tensor<4x8x8xf32>) -> tensor<4x4x4xf32> {
  %0 = aten.call "max_pool2d.default"(self = %x, kernel_size = [2]) : (tensor<4x8x8xf32>) -> tensor<4x4x4xf32>
  return %0 : tensor<4x4x4xf32>
}

// -----

// The number of windows rounded up: more padding behind.

// CHECK-LABEL: func.func @max_pool_ceil(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x1x6x7xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [0, 2, 3, 1] : tensor<1x1x6x7xf32> -> tensor<1x6x7x1xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.pool max %[[V0]] window [3, 3] strides [2, 2] dilations [1, 1] low [0, 0] high [1, 0] : tensor<1x6x7x1xf32> -> tensor<1x3x3x1xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.transpose %[[V1]] [0, 3, 1, 2] : tensor<1x3x3x1xf32> -> tensor<1x1x3x3xf32>
// CHECK-NEXT: return %[[V2]] : tensor<1x1x3x3xf32>
func.func @max_pool_ceil(%x: tensor<1x1x6x7xf32>) -> tensor<1x1x3x3xf32> {
  %0 = aten.call "max_pool2d.default"(self = %x, kernel_size = [3, 3], stride = [2, 2], ceil_mode = true) : (tensor<1x1x6x7xf32>) -> tensor<1x1x3x3xf32>
  return %0 : tensor<1x1x3x3xf32>
}

// -----

// CHECK-LABEL: func.func @avg_pool(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x2x8x8xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [0, 2, 3, 1] : tensor<1x2x8x8xf32> -> tensor<1x8x8x2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.pool sum %[[V0]] window [2, 2] strides [2, 2] dilations [1, 1] low [0, 0] high [0, 0] : tensor<1x8x8x2xf32> -> tensor<1x4x4x2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<4.000000e+00> : tensor<1x4x4x2xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.div %[[V1]], %[[V2]] : tensor<1x4x4x2xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.transpose %[[V3]] [0, 3, 1, 2] : tensor<1x4x4x2xf32> -> tensor<1x2x4x4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.transpose %[[X]] [0, 2, 3, 1] : tensor<1x2x8x8xf32> -> tensor<1x8x8x2xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.pool sum %[[V5]] window [2, 2] strides [2, 2] dilations [1, 1] low [1, 1] high [1, 1] : tensor<1x8x8x2xf32> -> tensor<1x5x5x2xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.constant dense<4.000000e+00> : tensor<1x5x5x2xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.div %[[V6]], %[[V7]] : tensor<1x5x5x2xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.transpose %[[V8]] [0, 3, 1, 2] : tensor<1x5x5x2xf32> -> tensor<1x2x5x5xf32>
// CHECK-NEXT: return %[[V4]], %[[V9]] : tensor<1x2x4x4xf32>, tensor<1x2x5x5xf32>
func.func @avg_pool(%x: tensor<1x2x8x8xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x5x5xf32>) {
  %0 = aten.call "avg_pool2d.default"(self = %x, kernel_size = [2, 2]) : (tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32>
  %1 = aten.call "avg_pool2d.default"(self = %x, kernel_size = [2, 2], stride = [2, 2], padding = [1, 1]) : (tensor<1x2x8x8xf32>) -> tensor<1x2x5x5xf32>
  return %0, %1 : tensor<1x2x4x4xf32>, tensor<1x2x5x5xf32>
}

// -----

// CHECK-LABEL: func.func @avg_pool_divisor(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x2x8x8xbf16>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [0, 2, 3, 1] : tensor<1x2x8x8xbf16> -> tensor<1x8x8x2xbf16>
// CHECK-NEXT: %[[V1:.*]] = ourc.cast %[[V0]] : tensor<1x8x8x2xbf16> -> tensor<1x8x8x2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.pool sum %[[V1]] window [2, 2] strides [2, 2] dilations [1, 1] low [0, 0] high [0, 0] : tensor<1x8x8x2xf32> -> tensor<1x4x4x2xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<3.000000e+00> : tensor<1x4x4x2xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.div %[[V2]], %[[V3]] : tensor<1x4x4x2xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.cast %[[V4]] : tensor<1x4x4x2xf32> -> tensor<1x4x4x2xbf16>
// CHECK-NEXT: %[[V6:.*]] = ourc.transpose %[[V5]] [0, 3, 1, 2] : tensor<1x4x4x2xbf16> -> tensor<1x2x4x4xbf16>
// CHECK-NEXT: return %[[V6]] : tensor<1x2x4x4xbf16>
func.func @avg_pool_divisor(%x: tensor<1x2x8x8xbf16>) -> tensor<1x2x4x4xbf16> {
  %0 = aten.call "avg_pool2d.default"(self = %x, kernel_size = [2, 2], divisor_override = 3) : (tensor<1x2x8x8xbf16>) -> tensor<1x2x4x4xbf16>
  return %0 : tensor<1x2x4x4xbf16>
}

// -----

// Padding that does not count: each window divides by the elements it has.

// CHECK-LABEL: func.func @avg_pool_exclude_padding(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x2x8xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [0, 2, 1] : tensor<1x2x8xf32> -> tensor<1x8x2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.pool sum %[[V0]] window [2] strides [2] dilations [1] low [1] high [1] : tensor<1x8x2xf32> -> tensor<1x5x2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<1.000000e+00> : tensor<1x8x1xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.pool sum %[[V2]] window [2] strides [2] dilations [1] low [1] high [1] : tensor<1x8x1xf32> -> tensor<1x5x1xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.broadcast %[[V3]] dims [0, 1, 2] sizes [1, 5, 2] : tensor<1x5x1xf32> -> tensor<1x5x2xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.div %[[V1]], %[[V4]] : tensor<1x5x2xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.transpose %[[V5]] [0, 2, 1] : tensor<1x5x2xf32> -> tensor<1x2x5xf32>
// CHECK-NEXT: return %[[V6]] : tensor<1x2x5xf32>
func.func @avg_pool_exclude_padding(%x: tensor<1x2x8xf32>) -> tensor<1x2x5xf32> {
  %0 = aten.call "avg_pool1d.default"(self = %x, kernel_size = [2], stride = [2], padding = [1], count_include_pad = false) : (tensor<1x2x8xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}

// -----

// Padding counts, but not what rounding up adds.

// CHECK-LABEL: func.func @avg_pool_ceil(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x2x8xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [0, 2, 1] : tensor<1x2x8xf32> -> tensor<1x8x2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.pool sum %[[V0]] window [3] strides [2] dilations [1] low [1] high [2] : tensor<1x8x2xf32> -> tensor<1x5x2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<1.000000e+00> : tensor<1x10x1xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.pool sum %[[V2]] window [3] strides [2] dilations [1] low [0] high [1] : tensor<1x10x1xf32> -> tensor<1x5x1xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.broadcast %[[V3]] dims [0, 1, 2] sizes [1, 5, 2] : tensor<1x5x1xf32> -> tensor<1x5x2xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.div %[[V1]], %[[V4]] : tensor<1x5x2xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.transpose %[[V5]] [0, 2, 1] : tensor<1x5x2xf32> -> tensor<1x2x5xf32>
// CHECK-NEXT: return %[[V6]] : tensor<1x2x5xf32>
func.func @avg_pool_ceil(%x: tensor<1x2x8xf32>) -> tensor<1x2x5xf32> {
  %0 = aten.call "avg_pool1d.default"(self = %x, kernel_size = [3], stride = [2], padding = [1], ceil_mode = true) : (tensor<1x2x8xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}

// -----

// CHECK-LABEL: func.func @adaptive_whole(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x2x?x?xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 3 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x2x?x?xf32>
// CHECK-NEXT: %[[V2:.*]] = arith.constant 2 : index
// CHECK-NEXT: %[[V3:.*]] = tensor.dim %[[X]], %[[V2]] : tensor<?x2x?x?xf32>
// CHECK-NEXT: %[[V4:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V5:.*]] = tensor.dim %[[X]], %[[V4]] : tensor<?x2x?x?xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.transpose %[[X]] [0, 2, 3, 1] : tensor<?x2x?x?xf32> -> tensor<?x?x?x2xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.reduce add %[[V6]] [1, 2] : tensor<?x?x?x2xf32> -> tensor<?x2xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.reshape %[[V7]] sizes {{\[}}%[[V5]], 1, 1, 2] : tensor<?x2xf32> -> tensor<?x1x1x2xf32>
// CHECK-NEXT: %[[V9:.*]] = arith.muli %[[V3]], %[[V1]] : index
// CHECK-NEXT: %[[V10:.*]] = arith.index_cast %[[V9]] : index to i64
// CHECK-NEXT: %[[V11:.*]] = tensor.from_elements %[[V10]] : tensor<i64>
// CHECK-NEXT: %[[V12:.*]] = ourc.cast %[[V11]] : tensor<i64> -> tensor<f32>
// CHECK-NEXT: %[[V13:.*]] = ourc.broadcast %[[V12]] dims [] sizes {{\[}}%[[V5]], 1, 1, 2] : tensor<f32> -> tensor<?x1x1x2xf32>
// CHECK-NEXT: %[[V14:.*]] = ourc.div %[[V8]], %[[V13]] : tensor<?x1x1x2xf32>
// CHECK-NEXT: %[[V15:.*]] = ourc.transpose %[[V14]] [0, 3, 1, 2] : tensor<?x1x1x2xf32> -> tensor<?x2x1x1xf32>
// CHECK-NEXT: return %[[V15]] : tensor<?x2x1x1xf32>
func.func @adaptive_whole(%x: tensor<?x2x?x?xf32>) -> tensor<?x2x1x1xf32> {
  %0 = aten.call "adaptive_avg_pool2d.default"(self = %x, output_size = [1, 1]) : (tensor<?x2x?x?xf32>) -> tensor<?x2x1x1xf32>
  return %0 : tensor<?x2x1x1xf32>
}

// -----

// CHECK-LABEL: func.func @adaptive_even(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x2x8x6xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [0, 2, 3, 1] : tensor<1x2x8x6xf32> -> tensor<1x8x6x2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.pool sum %[[V0]] window [2, 2] strides [2, 2] dilations [1, 1] low [0, 0] high [0, 0] : tensor<1x8x6x2xf32> -> tensor<1x4x3x2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<4.000000e+00> : tensor<1x4x3x2xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.div %[[V1]], %[[V2]] : tensor<1x4x3x2xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.transpose %[[V3]] [0, 3, 1, 2] : tensor<1x4x3x2xf32> -> tensor<1x2x4x3xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.transpose %[[X]] [0, 2, 3, 1] : tensor<1x2x8x6xf32> -> tensor<1x8x6x2xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.transpose %[[V5]] [0, 3, 1, 2] : tensor<1x8x6x2xf32> -> tensor<1x2x8x6xf32>
// CHECK-NEXT: return %[[V4]], %[[V6]] : tensor<1x2x4x3xf32>, tensor<1x2x8x6xf32>
func.func @adaptive_even(%x: tensor<1x2x8x6xf32>) -> (tensor<1x2x4x3xf32>, tensor<1x2x8x6xf32>) {
  %0 = aten.call "_adaptive_avg_pool2d.default"(self = %x, output_size = [4, 3]) : (tensor<1x2x8x6xf32>) -> tensor<1x2x4x3xf32>
  %1 = aten.call "_adaptive_avg_pool2d.default"(self = %x, output_size = [8, 6]) : (tensor<1x2x8x6xf32>) -> tensor<1x2x8x6xf32>
  return %0, %1 : tensor<1x2x4x3xf32>, tensor<1x2x8x6xf32>
}

// -----

// Parts of unequal length: a product with their weights.

// CHECK-LABEL: func.func @adaptive_uneven(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x2x5xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [0, 2, 1] : tensor<1x2x5xf32> -> tensor<1x5x2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<{{\[\[}}0.333333343, 0.333333343, 0.333333343, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.333333343, 0.333333343, 0.333333343]]> : tensor<2x5xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.contract %[[V0]], %[[V1]] batch [], [] contract [1], [1] : tensor<1x5x2xf32>, tensor<2x5xf32> -> tensor<1x2x2xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.transpose %[[V2]] [0, 2, 1] : tensor<1x2x2xf32> -> tensor<1x2x2xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.transpose %[[V3]] [0, 2, 1] : tensor<1x2x2xf32> -> tensor<1x2x2xf32>
// CHECK-NEXT: return %[[V4]] : tensor<1x2x2xf32>
func.func @adaptive_uneven(%x: tensor<1x2x5xf32>) -> tensor<1x2x2xf32> {
  %0 = aten.call "adaptive_avg_pool1d.default"(self = %x, output_size = [2]) : (tensor<1x2x5xf32>) -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}
