// RUN: ourc-opt %s --ourc-propagate-transposes --canonicalize --split-input-file | FileCheck %s

// The example of the pass's documentation.
// CHECK-LABEL: func.func @relu
// CHECK-SAME:    %[[X:.*]]: tensor<1x56x56x64xf32>
// CHECK-NOT:     ourc.transpose
// CHECK:         %[[Z:.*]] = ourc.constant dense<0.000000e+00> : tensor<1x56x56x64xf32>
// CHECK:         %[[R:.*]] = ourc.maximum %[[X]], %[[Z]]
// CHECK:         return %[[R]]
func.func @relu(%x: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
  %zero = ourc.constant dense<0.0> : tensor<1x64x56x56xf32>
  %0 = ourc.transpose %x [0, 3, 1, 2] : tensor<1x56x56x64xf32> -> tensor<1x64x56x56xf32>
  %1 = ourc.maximum %0, %zero : tensor<1x64x56x56xf32>
  %2 = ourc.transpose %1 [0, 2, 3, 1] : tensor<1x64x56x56xf32> -> tensor<1x56x56x64xf32>
  return %2 : tensor<1x56x56x64xf32>
}

// -----

// A vector of channels with unit dimensions is read where the channels are.
// CHECK-LABEL: func.func @bias
// CHECK-SAME:    %[[X:[a-z0-9]+]]: {{.*}}, %[[B:[a-z0-9]+]]: tensor<4x1x1xf32>
// CHECK:         %[[V:.*]] = ourc.reshape %[[B]] sizes [4]
// CHECK:         %[[W:.*]] = ourc.broadcast %[[V]] dims [3] sizes [2, 5, 6, 4]
// CHECK:         ourc.add %[[X]], %[[W]] : tensor<2x5x6x4xf32>
// CHECK-NEXT:    ourc.transpose {{.*}} [0, 3, 1, 2]
func.func @bias(%x: tensor<2x5x6x4xf32>, %b: tensor<4x1x1xf32>) -> tensor<2x4x5x6xf32> {
  %0 = ourc.transpose %x [0, 3, 1, 2] : tensor<2x5x6x4xf32> -> tensor<2x4x5x6xf32>
  %1 = ourc.broadcast %b dims [1, 2, 3] sizes [2, 4, 5, 6] : tensor<4x1x1xf32> -> tensor<2x4x5x6xf32>
  %2 = ourc.add %0, %1 : tensor<2x4x5x6xf32>
  return %2 : tensor<2x4x5x6xf32>
}

// -----

// One transposed operand of two: moving it would win nothing.
// CHECK-LABEL: func.func @undecided
// CHECK:         %[[T:.*]] = ourc.transpose %{{.*}} [1, 0]
// CHECK-NEXT:    ourc.add %[[T]], %{{.*}} : tensor<3x2xf32>
func.func @undecided(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = ourc.transpose %x [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %1 = ourc.add %0, %y : tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

// Reduced dimensions follow; what is left is not a transpose.
// CHECK-LABEL: func.func @mean
// CHECK-NOT:     ourc.transpose
// CHECK:         ourc.reduce add %{{.*}} [1, 2] : tensor<2x5x6x4xf32> -> tensor<2x4xf32>
func.func @mean(%x: tensor<2x5x6x4xf32>) -> tensor<2x4xf32> {
  %0 = ourc.transpose %x [0, 3, 1, 2] : tensor<2x5x6x4xf32> -> tensor<2x4x5x6xf32>
  %1 = ourc.reduce add %0 [2, 3] : tensor<2x4x5x6xf32> -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @reduce_keeps_order
// CHECK:         %[[R:.*]] = ourc.reduce add %{{.*}} [1] : tensor<2x5x6x4xf32> -> tensor<2x6x4xf32>
// CHECK:         ourc.transpose %[[R]] [0, 2, 1]
func.func @reduce_keeps_order(%x: tensor<2x5x6x4xf32>) -> tensor<2x4x6xf32> {
  %0 = ourc.transpose %x [0, 3, 1, 2] : tensor<2x5x6x4xf32> -> tensor<2x4x5x6xf32>
  %1 = ourc.reduce add %0 [2] : tensor<2x4x5x6xf32> -> tensor<2x4x6xf32>
  return %1 : tensor<2x4x6xf32>
}

// -----

// CHECK-LABEL: func.func @movers
// CHECK-SAME:    %[[X:.*]]: tensor<2x?x6x4xf32>, %[[N:.*]]: index
// CHECK:         %[[P:.*]] = ourc.pad %[[X]] low [0, 1, 2, 0] high [0, 0, 3, 0]
// CHECK:         %[[S:.*]] = ourc.slice %[[P]] offsets [0, %[[N]], 1, 0] sizes [2, 1, 7, 4] strides [1, 1, 1, 1]
// CHECK:         %[[C:.*]] = ourc.concat %[[S]], %[[S]] dim 3
// CHECK:         %[[M:.*]] = ourc.softmax %[[C]] dim 3
// CHECK:         ourc.transpose %[[M]] [0, 3, 1, 2]
func.func @movers(%x: tensor<2x?x6x4xf32>, %n: index) -> tensor<2x8x1x7xf32> {
  %0 = ourc.transpose %x [0, 3, 1, 2] : tensor<2x?x6x4xf32> -> tensor<2x4x?x6xf32>
  %1 = ourc.pad %0 low [0, 0, 1, 2] high [0, 0, 0, 3] value (0.0 : f32) : tensor<2x4x?x6xf32> -> tensor<2x4x?x11xf32>
  %2 = ourc.slice %1 offsets [0, 0, %n, 1] sizes [2, 4, 1, 7] strides [1, 1, 1, 1] : tensor<2x4x?x11xf32> -> tensor<2x4x1x7xf32>
  %3 = ourc.concat %2, %2 dim 1 : tensor<2x4x1x7xf32>, tensor<2x4x1x7xf32> -> tensor<2x8x1x7xf32>
  %4 = ourc.softmax %3 dim 1 : tensor<2x8x1x7xf32>
  return %4 : tensor<2x8x1x7xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast
// CHECK:         %[[B:.*]] = ourc.broadcast %{{.*}} dims [0, 2] sizes [3, 7, 5]
// CHECK:         ourc.transpose %[[B]] [2, 1, 0]
func.func @broadcast(%x: tensor<3x5xf32>) -> tensor<5x7x3xf32> {
  %0 = ourc.transpose %x [1, 0] : tensor<3x5xf32> -> tensor<5x3xf32>
  %1 = ourc.broadcast %0 dims [0, 2] sizes [5, 7, 3] : tensor<5x3xf32> -> tensor<5x7x3xf32>
  return %1 : tensor<5x7x3xf32>
}

// -----

// CHECK-LABEL: func.func @unit
// CHECK-NOT:     ourc.transpose
// CHECK:         ourc.reshape %{{.*}} sizes [2, 8] : tensor<2x1x1x8xf32> -> tensor<2x8xf32>
func.func @unit(%x: tensor<2x1x1x8xf32>) -> tensor<2x8xf32> {
  %0 = ourc.transpose %x [0, 3, 1, 2] : tensor<2x1x1x8xf32> -> tensor<2x8x1x1xf32>
  %1 = ourc.reshape %0 sizes [2, 8] : tensor<2x8x1x1xf32> -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// -----

// Dimensions that are merged and split lie together before the transpose, too.
// CHECK-LABEL: func.func @reshape
// CHECK:         %[[R:.*]] = ourc.reshape %{{.*}} sizes [2, 42, 1, 4, 2] : tensor<2x6x7x8xf32> -> tensor<2x42x1x4x2xf32>
// CHECK:         %[[S:.*]] = ourc.exp %[[R]]
// CHECK:         ourc.transpose %[[S]] [0, 2, 3, 4, 1]
func.func @reshape(%x: tensor<2x6x7x8xf32>) -> tensor<2x1x4x2x42xf32> {
  %0 = ourc.transpose %x [0, 3, 1, 2] : tensor<2x6x7x8xf32> -> tensor<2x8x6x7xf32>
  %1 = ourc.reshape %0 sizes [2, 1, 4, 2, 42] : tensor<2x8x6x7xf32> -> tensor<2x1x4x2x42xf32>
  %2 = ourc.exp %1 : tensor<2x1x4x2x42xf32>
  return %2 : tensor<2x1x4x2x42xf32>
}

// -----

// CHECK-LABEL: func.func @reshape_dynamic
// CHECK-NOT:     ourc.transpose
// CHECK:         ourc.reshape %{{.*}} sizes [%{{.*}}, 42, 8] : tensor<?x6x7x8xf32> -> tensor<?x42x8xf32>
func.func @reshape_dynamic(%x: tensor<?x6x7x8xf32>, %n: index) -> tensor<?x42x8xf32> {
  %0 = ourc.transpose %x [0, 3, 1, 2] : tensor<?x6x7x8xf32> -> tensor<?x8x6x7xf32>
  %1 = ourc.reshape %0 sizes [%n, 8, 42] : tensor<?x8x6x7xf32> -> tensor<?x8x42xf32>
  %2 = ourc.transpose %1 [0, 2, 1] : tensor<?x8x42xf32> -> tensor<?x42x8xf32>
  return %2 : tensor<?x42x8xf32>
}

// -----

// Heads that are joined across the sequence stay where they are.
// CHECK-LABEL: func.func @heads
// CHECK:         %[[T:.*]] = ourc.transpose %{{.*}} [0, 2, 1, 3]
// CHECK:         ourc.reshape %[[T]] sizes [2, 7, 24]
func.func @heads(%x: tensor<2x3x7x8xf32>) -> tensor<2x7x24xf32> {
  %0 = ourc.transpose %x [0, 2, 1, 3] : tensor<2x3x7x8xf32> -> tensor<2x7x3x8xf32>
  %1 = ourc.reshape %0 sizes [2, 7, 24] : tensor<2x7x3x8xf32> -> tensor<2x7x24xf32>
  return %1 : tensor<2x7x24xf32>
}

// -----

// The channels are where they are untransposed; samples stay in front.
// CHECK-LABEL: func.func @group_norm
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<2x5x6x4xf32>
// CHECK:         %[[Y:.*]] = ourc.group_norm %[[X]] groups 2 channel 3 epsilon 1.000000e-05 : tensor<2x5x6x4xf32>
// CHECK-NEXT:    ourc.transpose %[[Y]] [0, 3, 1, 2]
func.func @group_norm(%x: tensor<2x5x6x4xf32>) -> tensor<2x4x5x6xf32> {
  %0 = ourc.transpose %x [0, 3, 1, 2] : tensor<2x5x6x4xf32> -> tensor<2x4x5x6xf32>
  %1 = ourc.group_norm %0 groups 2 channel 1 epsilon 1.0e-5 : tensor<2x4x5x6xf32>
  return %1 : tensor<2x4x5x6xf32>
}

// -----

// CHECK-LABEL: func.func @group_norm_of_moved_samples
// CHECK:         ourc.transpose %{{.*}} [1, 0, 2]
// CHECK-NEXT:    ourc.group_norm
func.func @group_norm_of_moved_samples(%x: tensor<2x4x6xf32>) -> tensor<4x2x6xf32> {
  %0 = ourc.transpose %x [1, 0, 2] : tensor<2x4x6xf32> -> tensor<4x2x6xf32>
  %1 = ourc.group_norm %0 groups 2 channel 2 epsilon 1.0e-5 : tensor<4x2x6xf32>
  return %1 : tensor<4x2x6xf32>
}

// -----

// CHECK-LABEL: func.func @repeat
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<2x5x6x4xf32>
// CHECK:         %[[Y:.*]] = ourc.repeat %[[X]] [1, 2, 3, 1] : tensor<2x5x6x4xf32> -> tensor<2x10x18x4xf32>
// CHECK-NEXT:    ourc.transpose %[[Y]] [0, 3, 1, 2]
func.func @repeat(%x: tensor<2x5x6x4xf32>) -> tensor<2x4x10x18xf32> {
  %0 = ourc.transpose %x [0, 3, 1, 2] : tensor<2x5x6x4xf32> -> tensor<2x4x5x6xf32>
  %1 = ourc.repeat %0 [1, 1, 2, 3] : tensor<2x4x5x6xf32> -> tensor<2x4x10x18xf32>
  return %1 : tensor<2x4x10x18xf32>
}

// -----

// The indices' dimensions stay in front of what is left.
// CHECK-LABEL: func.func @gather
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<2x5x6x4xf32>, %[[I:[a-z0-9]+]]: tensor<7xi64>
// CHECK:         %[[Y:.*]] = ourc.gather %[[X]] at %[[I]] axes [1] : tensor<2x5x6x4xf32>, tensor<7xi64> -> tensor<7x2x6x4xf32>
// CHECK-NEXT:    ourc.transpose %[[Y]] [0, 1, 3, 2]
func.func @gather(%x: tensor<2x5x6x4xf32>, %i: tensor<7xi64>) -> tensor<7x2x4x6xf32> {
  %0 = ourc.transpose %x [0, 3, 1, 2] : tensor<2x5x6x4xf32> -> tensor<2x4x5x6xf32>
  %1 = ourc.gather %0 at %i axes [2] : tensor<2x4x5x6xf32>, tensor<7xi64> -> tensor<7x2x4x6xf32>
  return %1 : tensor<7x2x4x6xf32>
}
