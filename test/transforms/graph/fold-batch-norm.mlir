// RUN: ourc-opt %s --ourc-fold-batch-norm --split-input-file --remarks-filter-missed=ourc-fold-batch-norm 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

// CHECK-LABEL: func.func @with_bias
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<1x8x8x3xf32>, %[[F:[a-z0-9]+]]: tensor<16x3x3x3xf32> {{{.*}}}, %[[CB:[a-z0-9]+]]: tensor<16xf32> {{{.*}}}, %[[MEAN:[a-z0-9]+]]: tensor<16xf32> {{{.*}}}, %[[VAR:[a-z0-9]+]]: tensor<16xf32> {{{.*}}}, %[[W:[a-z0-9]+]]: tensor<16xf32> {{{.*}}}, %[[B:[a-z0-9]+]]: tensor<16xf32>
// CHECK:         %[[RATE:.*]] = ourc.rsqrt
// CHECK:         %[[SCALE:.*]] = ourc.mul %[[W]], %[[RATE]]
// CHECK:         %[[P:.*]] = ourc.mul %[[MEAN]], %[[SCALE]]
// CHECK:         %[[SHIFT0:.*]] = ourc.sub %[[B]], %[[P]]
// CHECK:         %[[CBS:.*]] = ourc.mul %[[CB]], %[[SCALE]]
// CHECK:         %[[SHIFT:.*]] = ourc.add %[[SHIFT0]], %[[CBS]]
// CHECK:         %[[S:.*]] = ourc.broadcast %[[SCALE]] dims [0] sizes [16, 3, 3, 3]
// CHECK:         %[[FS:.*]] = ourc.mul %[[F]], %[[S]]
// CHECK:         %[[CONV:.*]] = ourc.convolution %[[X]], %[[FS]]
// CHECK:         %[[T:.*]] = ourc.broadcast %[[SHIFT]] dims [3] sizes [1, 6, 6, 16]
// CHECK:         %[[R:.*]] = ourc.add %[[CONV]], %[[T]]
// CHECK:         return %[[R]]
func.func @with_bias(%x: tensor<1x8x8x3xf32>,
    %f: tensor<16x3x3x3xf32> {ourc.parameter = "f", ourc.frozen},
    %cb: tensor<16xf32> {ourc.parameter = "cb", ourc.frozen},
    %m: tensor<16xf32> {ourc.parameter = "m", ourc.frozen},
    %v: tensor<16xf32> {ourc.parameter = "v", ourc.frozen},
    %w: tensor<16xf32> {ourc.parameter = "w", ourc.frozen},
    %b: tensor<16xf32> {ourc.parameter = "b", ourc.frozen}) -> tensor<1x6x6x16xf32> {
  %0 = ourc.convolution %x, %f strides [1, 1] dilations [1, 1] low [0, 0] high [0, 0] groups 1
      : tensor<1x8x8x3xf32>, tensor<16x3x3x3xf32> -> tensor<1x6x6x16xf32>
  %1 = ourc.broadcast %cb dims [3] sizes [1, 6, 6, 16] : tensor<16xf32> -> tensor<1x6x6x16xf32>
  %2 = ourc.add %0, %1 : tensor<1x6x6x16xf32>
  %3 = ourc.batch_norm %2 mean %m variance %v weight %w : tensor<16xf32> bias %b : tensor<16xf32>
      channel 3 epsilon 1.0e-5 : tensor<1x6x6x16xf32>, tensor<16xf32>, tensor<16xf32>
  return %3 : tensor<1x6x6x16xf32>
}

// -----

// A narrow filter is not rounded again: scale and shift, in f32 and rounded
// once, follow the convolution.
// CHECK-LABEL: func.func @narrow
// CHECK-SAME:    %{{[a-z0-9]+}}: tensor<1x8x5xbf16>, %[[F:[a-z0-9]+]]: tensor<4x3x5xbf16>
// CHECK:         %[[C:.*]] = ourc.convolution {{.*}}, %[[F]]
// CHECK:         %[[W:.*]] = ourc.cast %[[C]] : tensor<1x6x4xbf16> -> tensor<1x6x4xf32>
// CHECK:         %[[P:.*]] = ourc.mul %[[W]], %{{.*}} : tensor<1x6x4xf32>
// CHECK:         %[[S:.*]] = ourc.add %[[P]], %{{.*}} : tensor<1x6x4xf32>
// CHECK:         ourc.cast %[[S]] {implicit} : tensor<1x6x4xf32> -> tensor<1x6x4xbf16>
// CHECK-NOT:     ourc.batch_norm
func.func @narrow(%x: tensor<1x8x5xbf16>,
    %f: tensor<4x3x5xbf16> {ourc.parameter = "f", ourc.frozen},
    %m: tensor<4xbf16> {ourc.parameter = "m", ourc.frozen},
    %v: tensor<4xbf16> {ourc.parameter = "v", ourc.frozen}) -> tensor<1x6x4xbf16> {
  %0 = ourc.convolution %x, %f strides [1] dilations [1] low [0] high [0] groups 1
      : tensor<1x8x5xbf16>, tensor<4x3x5xbf16> -> tensor<1x6x4xbf16>
  %1 = ourc.batch_norm %0 mean %m variance %v channel 2 epsilon 1.0e-5
      : tensor<1x6x4xbf16>, tensor<4xbf16>, tensor<4xbf16>
  return %1 : tensor<1x6x4xbf16>
}

// -----

// CHECK-LABEL: func.func @not_frozen
// CHECK:         ourc.batch_norm
// REMARK: remark: {{.*}}batch norm is not folded: its parameters may change between calls
func.func @not_frozen(%x: tensor<1x8x5xf32>, %f: tensor<4x3x5xf32> {ourc.parameter = "f", ourc.frozen},
    %m: tensor<4xf32> {ourc.parameter = "m"}, %v: tensor<4xf32> {ourc.parameter = "v"}) -> tensor<1x6x4xf32> {
  %0 = ourc.convolution %x, %f strides [1] dilations [1] low [0] high [0] groups 1
      : tensor<1x8x5xf32>, tensor<4x3x5xf32> -> tensor<1x6x4xf32>
  %1 = ourc.batch_norm %0 mean %m variance %v channel 2 epsilon 1.0e-5
      : tensor<1x6x4xf32>, tensor<4xf32>, tensor<4xf32>
  return %1 : tensor<1x6x4xf32>
}

// -----

// CHECK-LABEL: func.func @two_users
// CHECK:         ourc.batch_norm
// REMARK: remark: {{.*}}batch norm is not folded: the convolution's result is used elsewhere
func.func @two_users(%x: tensor<1x8x5xf32>, %f: tensor<4x3x5xf32> {ourc.parameter = "f", ourc.frozen},
    %m: tensor<4xf32> {ourc.parameter = "m", ourc.frozen}, %v: tensor<4xf32> {ourc.parameter = "v", ourc.frozen})
    -> (tensor<1x6x4xf32>, tensor<1x6x4xf32>) {
  %0 = ourc.convolution %x, %f strides [1] dilations [1] low [0] high [0] groups 1
      : tensor<1x8x5xf32>, tensor<4x3x5xf32> -> tensor<1x6x4xf32>
  %1 = ourc.batch_norm %0 mean %m variance %v channel 2 epsilon 1.0e-5
      : tensor<1x6x4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0, %1 : tensor<1x6x4xf32>, tensor<1x6x4xf32>
}

// -----

// CHECK-LABEL: func.func @no_convolution
// CHECK:         ourc.batch_norm
// REMARK: remark: {{.*}}batch norm is not folded: its operand is not a convolution
func.func @no_convolution(%x: tensor<1x8x5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<1x8x5xf32> {
  %1 = ourc.batch_norm %x mean %m variance %v channel 2 epsilon 1.0e-5
      : tensor<1x8x5xf32>, tensor<5xf32>, tensor<5xf32>
  return %1 : tensor<1x8x5xf32>
}
