// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// CHECK-LABEL: func.func @convolution(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x3x32x32xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<8x3x7x7xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<8xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x3x32x32xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.transpose %[[X]] [0, 2, 3, 1] : tensor<?x3x32x32xf32> -> tensor<?x32x32x3xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.transpose %[[W]] [0, 2, 3, 1] : tensor<8x3x7x7xf32> -> tensor<8x7x7x3xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.convolution %[[V2]], %[[V3]] strides [2, 2] dilations [1, 1] low [3, 3] high [3, 3] groups 1 : tensor<?x32x32x3xf32>, tensor<8x7x7x3xf32> -> tensor<?x16x16x8xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.broadcast %[[B]] dims [3] sizes {{\[}}%[[V1]], 16, 16, 8] : tensor<8xf32> -> tensor<?x16x16x8xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.add %[[V4]], %[[V5]] : tensor<?x16x16x8xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.transpose %[[V6]] [0, 3, 1, 2] : tensor<?x16x16x8xf32> -> tensor<?x8x16x16xf32>
// CHECK-NEXT: return %[[V7]] : tensor<?x8x16x16xf32>
func.func @convolution(%x: tensor<?x3x32x32xf32>, %w: tensor<8x3x7x7xf32>, %b: tensor<8xf32>) -> tensor<?x8x16x16xf32> {
  %0 = aten.call "convolution.default"(input = %x, weight = %w, bias = %b, stride = [2, 2], padding = [3, 3], dilation = [1, 1], transposed = false, output_padding = [0, 0], groups = 1) : (tensor<?x3x32x32xf32>, tensor<8x3x7x7xf32>, tensor<8xf32>) -> tensor<?x8x16x16xf32>
  return %0 : tensor<?x8x16x16xf32>
}

// -----

// CHECK-LABEL: func.func @one_dimension(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4x10xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<6x2x3xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [0, 2, 1] : tensor<2x4x10xf32> -> tensor<2x10x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.transpose %[[W]] [0, 2, 1] : tensor<6x2x3xf32> -> tensor<6x3x2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.convolution %[[V0]], %[[V1]] strides [1] dilations [2] low [0] high [0] groups 2 : tensor<2x10x4xf32>, tensor<6x3x2xf32> -> tensor<2x6x6xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.transpose %[[V2]] [0, 2, 1] : tensor<2x6x6xf32> -> tensor<2x6x6xf32>
// CHECK-NEXT: return %[[V3]] : tensor<2x6x6xf32>
func.func @one_dimension(%x: tensor<2x4x10xf32>, %w: tensor<6x2x3xf32>) -> tensor<2x6x6xf32> {
  %0 = aten.call "convolution.default"(input = %x, weight = %w, stride = [1], padding = [0], dilation = [2], transposed = false, output_padding = [0], groups = 2) : (tensor<2x4x10xf32>, tensor<6x2x3xf32>) -> tensor<2x6x6xf32>
  return %0 : tensor<2x6x6xf32>
}

// -----

// CHECK-LABEL: func.func @three_dimensions(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x2x4x5x6xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<3x2x1x1x1xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [0, 2, 3, 4, 1] : tensor<1x2x4x5x6xf32> -> tensor<1x4x5x6x2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.transpose %[[W]] [0, 2, 3, 4, 1] : tensor<3x2x1x1x1xf32> -> tensor<3x1x1x1x2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.convolution %[[V0]], %[[V1]] strides [1, 1, 1] dilations [1, 1, 1] low [0, 0, 0] high [0, 0, 0] groups 1 : tensor<1x4x5x6x2xf32>, tensor<3x1x1x1x2xf32> -> tensor<1x4x5x6x3xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.transpose %[[V2]] [0, 4, 1, 2, 3] : tensor<1x4x5x6x3xf32> -> tensor<1x3x4x5x6xf32>
// CHECK-NEXT: return %[[V3]] : tensor<1x3x4x5x6xf32>
func.func @three_dimensions(%x: tensor<1x2x4x5x6xf32>, %w: tensor<3x2x1x1x1xf32>) -> tensor<1x3x4x5x6xf32> {
  %0 = aten.call "conv3d.default"(input = %x, weight = %w) : (tensor<1x2x4x5x6xf32>, tensor<3x2x1x1x1xf32>) -> tensor<1x3x4x5x6xf32>
  return %0 : tensor<1x3x4x5x6xf32>
}

// -----

// Windows that do not overlap are a product whose columns are put in place.

// CHECK-LABEL: func.func @transposed_apart(
// CHECK: ourc.contract {{.*}} : tensor<1x4x5x3xf32>, tensor<3x8x2x2xf32> -> tensor<1x4x5x8x2x2xf32>
// CHECK: ourc.transpose {{.*}} [0, 1, 4, 2, 5, 3]
// CHECK: ourc.reshape {{.*}} -> tensor<1x8x10x8xf32>
// CHECK-NOT: ourc.convolution
func.func @transposed_apart(%x: tensor<1x3x4x5xf32>, %w: tensor<3x8x2x2xf32>) -> tensor<1x8x8x10xf32> {
  %0 = aten.call "convolution.default"(input = %x, weight = %w, stride = [2, 2], padding = [0, 0], dilation = [1, 1], transposed = true, output_padding = [0, 0], groups = 1) : (tensor<1x3x4x5xf32>, tensor<3x8x2x2xf32>) -> tensor<1x8x8x10xf32>
  return %0 : tensor<1x8x8x10xf32>
}

// -----

// Others convolve the spread input with the reflected filter.

// CHECK-LABEL: func.func @transposed(
// CHECK: ourc.pad {{.*}} high [0, 0, 1, 0, 1, 0]
// CHECK: ourc.slice {{.*}} sizes [1, 7, 10, 3]
// CHECK: ourc.slice {{.*}} sizes [1, 7, 9, 3]
// CHECK: ourc.convolution {{.*}} strides [1, 1] dilations [1, 1] low [1, 1] high [2, 2] groups 1 : tensor<1x7x9x3xf32>, tensor<8x3x3x3xf32> -> tensor<1x8x10x8xf32>
func.func @transposed(%x: tensor<1x3x4x5xf32>, %w: tensor<3x8x3x3xf32>) -> tensor<1x8x8x10xf32> {
  %0 = aten.call "convolution.default"(input = %x, weight = %w, stride = [2, 2], padding = [1, 1], dilation = [1, 1], transposed = true, output_padding = [1, 1], groups = 1) : (tensor<1x3x4x5xf32>, tensor<3x8x3x3xf32>) -> tensor<1x8x8x10xf32>
  return %0 : tensor<1x8x8x10xf32>
}
