// RUN: ourc-opt %s --ourc-to-linalg --split-input-file | FileCheck %s

// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[$W:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
// CHECK-DAG: #[[$Y:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG: #[[$B:.*]] = affine_map<(d0, d1, d2) -> (d2)>

// Narrow floats are accumulated in f32; the bias joins before the rounding.
// CHECK-LABEL: func.func @linear
// CHECK:         %[[F:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<2x3x5xf32>)
// CHECK:         %[[C:.*]] = linalg.generic {indexing_maps = [#[[$X]], #[[$W]], #[[$Y]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<2x3x7xf16>, tensor<5x7xf16>) outs(%[[F]] :
// CHECK:           arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CHECK:           arith.addf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CHECK:         linalg.generic {indexing_maps = [{{.*}}, #[[$B]], {{.*}}]{{.*}} ins(%[[C]], %{{.*}} : tensor<2x3x5xf32>, tensor<5xf16>)
// CHECK:           %[[S:.*]] = arith.addf {{.*}} : f32
// CHECK:           arith.truncf %[[S]] : f32 to f16
func.func @linear(%x: tensor<2x3x7xf16>, %w: tensor<5x7xf16>, %b: tensor<5xf16>) -> tensor<2x3x5xf16> {
  %0 = ourc.linear %x, %w bias %b : tensor<2x3x7xf16>, tensor<5x7xf16>, tensor<5xf16> -> tensor<2x3x5xf16>
  return %0 : tensor<2x3x5xf16>
}

// -----

// A transposed operand is a map; so is one that is the same for all batches.
// CHECK: #[[$M:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-LABEL: func.func @views
// CHECK-SAME:    %[[X:[a-z0-9]+]]: {{.*}}, %[[W:[a-z0-9]+]]: tensor<5x4xf32>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {indexing_maps = [{{.*}}, #[[$M]], {{.*}}]{{.*}} ins(%[[X]], %[[W]] :
// CHECK-NOT:     linalg.generic
func.func @views(%x: tensor<2x3x5xf32>, %w: tensor<5x4xf32>) -> tensor<2x3x4xf32> {
  %0 = ourc.transpose %w [1, 0] : tensor<5x4xf32> -> tensor<4x5xf32>
  %1 = ourc.broadcast %0 dims [1, 2] sizes [2, 4, 5] : tensor<4x5xf32> -> tensor<2x4x5xf32>
  %2 = ourc.contract %x, %1 batch [0], [0] contract [2], [2] : tensor<2x3x5xf32>, tensor<2x4x5xf32> -> tensor<2x3x4xf32>
  return %2 : tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: func.func @convolutions
// CHECK:         tensor.pad %{{.*}} low[0, 1, 0, 0] high[0, 0, 2, 0]
// CHECK:         linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}
// CHECK:         %[[I:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1], [2], [3, 4]] output_shape [1, 8, 8, 2, 2]
// CHECK:         %[[F:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2], [3], [4]] output_shape [2, 3, 3, 3, 2]
// CHECK:         %[[C:.*]] = linalg.conv_2d_nhwgc_gfhwc {{.*}} ins(%[[I]], %[[F]] :
// CHECK:         tensor.collapse_shape %[[C]] {{\[\[}}0], [1], [2], [3, 4]]
func.func @convolutions(%x: tensor<1x8x8x4xf32>, %f: tensor<6x3x3x4xf32>, %g: tensor<6x3x3x2xf32>) -> (tensor<1x4x6x6xf32>, tensor<1x6x6x6xf32>) {
  %0 = ourc.convolution %x, %f strides [2, 1] dilations [1, 2] low [1, 0] high [0, 2] groups 1
      : tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32> -> tensor<1x4x6x6xf32>
  %1 = ourc.convolution %x, %g strides [1, 1] dilations [1, 1] low [0, 0] high [0, 0] groups 2
      : tensor<1x8x8x4xf32>, tensor<6x3x3x2xf32> -> tensor<1x6x6x6xf32>
  return %0, %1 : tensor<1x4x6x6xf32>, tensor<1x6x6x6xf32>
}

// -----

// Where each group is a channel, channels are one loop of both operands.

// CHECK-DAG:   #[[$I:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>
// CHECK-DAG:   #[[$F:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5)>
// CHECK-DAG:   #[[$O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func.func @depthwise
// CHECK:         %[[W:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] : tensor<6x3x3x1xf32> into tensor<6x3x3xf32>
// CHECK-NOT:     expand_shape
// CHECK:         linalg.generic {indexing_maps = [#[[$I]], #[[$F]], #[[$O]]]
// CHECK-SAME:      ins(%{{.*}}, %[[W]] : tensor<1x10x10x6xf32>, tensor<6x3x3xf32>)
// CHECK-NOT:     collapse_shape
func.func @depthwise(%x: tensor<1x8x8x6xf32>, %f: tensor<6x3x3x1xf32>) -> tensor<1x4x4x6xf32> {
  %0 = ourc.convolution %x, %f strides [2, 2] dilations [1, 1] low [1, 1] high [1, 1] groups 6
      : tensor<1x8x8x6xf32>, tensor<6x3x3x1xf32> -> tensor<1x4x4x6xf32>
  return %0 : tensor<1x4x4x6xf32>
}

// Two results for each channel are groups.

// CHECK-LABEL: func.func @multiplier
// CHECK:         linalg.conv_2d_nhwgc_gfhwc
func.func @multiplier(%x: tensor<1x8x8x3xf32>, %f: tensor<6x3x3x1xf32>) -> tensor<1x6x6x6xf32> {
  %0 = ourc.convolution %x, %f strides [1, 1] dilations [1, 1] low [0, 0] high [0, 0] groups 3
      : tensor<1x8x8x3xf32>, tensor<6x3x3x1xf32> -> tensor<1x6x6x6xf32>
  return %0 : tensor<1x6x6x6xf32>
}

// -----

// CHECK-LABEL: func.func @pools
// CHECK:         %[[N:.*]] = arith.constant 0xFF800000 : f32
// CHECK:         tensor.pad
// CHECK:         linalg.pooling_nhwc_max
// CHECK:         linalg.pooling_nhwc_sum
func.func @pools(%x: tensor<1x8x8x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x7x7x4xf32>) {
  %0 = ourc.pool max %x window [3, 3] strides [2, 2] dilations [1, 1] low [1, 1] high [1, 1] : tensor<1x8x8x4xf32> -> tensor<1x4x4x4xf32>
  %1 = ourc.pool sum %x window [2, 2] strides [1, 1] dilations [1, 1] low [0, 0] high [0, 0] : tensor<1x8x8x4xf32> -> tensor<1x7x7x4xf32>
  return %0, %1 : tensor<1x4x4x4xf32>, tensor<1x7x7x4xf32>
}
