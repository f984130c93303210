// RUN: ourc-opt %s --ourc-decompose=keep=none | FileCheck %s
// RUN: ourc-opt %s --ourc-decompose | FileCheck %s --check-prefix=DEFAULT
// RUN: ourc-opt %s --ourc-decompose=keep=attention,softmax | FileCheck %s --check-prefix=KEEP
// RUN: ourc-opt %s --ourc-decompose=apart=attention | FileCheck %s --check-prefix=APART
// RUN: ourc-opt %s --ourc-decompose=apart=attention:f64,attention:f32 | FileCheck %s --check-prefix=APART
// RUN: ourc-opt %s --ourc-decompose=apart=attention:f16 | FileCheck %s --check-prefix=WHOLE
// RUN: ourc-opt %s '--ourc-decompose=apart=attention:f32>7' | FileCheck %s --check-prefix=APART
// RUN: ourc-opt %s '--ourc-decompose=apart=attention:f32>8' | FileCheck %s --check-prefix=WHOLE
// RUN: not ourc-opt %s '--ourc-decompose=apart=attention:f32>many' 2>&1 | FileCheck %s --check-prefix=ENTRY

// ENTRY: error: 'apart' takes name, name:type or name:type>size, not 'attention:f32>many'

// CHECK-LABEL: func.func @softmax
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>
// CHECK:         %[[WIDE:.*]] = ourc.cast %[[X]] : tensor<4x8xf16> -> tensor<4x8xf32>
// CHECK:         %[[MAX:.*]] = ourc.reduce maximum %[[WIDE]] [1]
// CHECK:         %[[M:.*]] = ourc.broadcast %[[MAX]] dims [0] sizes [4, 8]
// CHECK:         %[[D:.*]] = ourc.sub %[[WIDE]], %[[M]]
// CHECK:         %[[E:.*]] = ourc.exp %[[D]]
// CHECK:         %[[SUM:.*]] = ourc.reduce add %[[E]] [1]
// CHECK:         %[[S:.*]] = ourc.broadcast %[[SUM]] dims [0] sizes [4, 8]
// CHECK:         %[[Q:.*]] = ourc.div %[[E]], %[[S]]
// CHECK:         ourc.cast %[[Q]] {implicit} : tensor<4x8xf32> -> tensor<4x8xf16>
// DEFAULT-LABEL: func.func @softmax
// DEFAULT:         ourc.softmax
func.func @softmax(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %0 = ourc.softmax %x dim 1 : tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// CHECK-LABEL: func.func @layer_norm
// CHECK-NOT:     ourc.layer_norm
// CHECK:         ourc.rsqrt
// KEEP-LABEL:  func.func @layer_norm
// KEEP-NOT:      ourc.layer_norm
func.func @layer_norm(%x: tensor<4x8xf32>, %w: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = ourc.layer_norm %x weight %w : tensor<8xf32> dims 1 epsilon 1.0e-5 : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Not kept by default: nothing lowers it directly.
// DEFAULT-LABEL: func.func @batch_norm
// DEFAULT-SAME:    %[[X:[a-z0-9]+]]: tensor<2x6x8xf32>, %[[MEAN:[a-z0-9]+]]: {{.*}}, %[[VAR:[a-z0-9]+]]: {{.*}}, %[[W:[a-z0-9]+]]
// DEFAULT:         %[[EPS:.*]] = ourc.constant dense<1.000000e-03>
// DEFAULT:         %[[SHIFTED:.*]] = ourc.add %[[VAR]], %[[EPS]]
// DEFAULT:         %[[RATE:.*]] = ourc.rsqrt %[[SHIFTED]]
// DEFAULT:         %[[SCALE:.*]] = ourc.mul %[[W]], %[[RATE]]
// DEFAULT:         %[[PRODUCT:.*]] = ourc.mul %[[MEAN]], %[[SCALE]]
// DEFAULT:         %[[SHIFT:.*]] = ourc.neg %[[PRODUCT]]
// DEFAULT:         %[[S:.*]] = ourc.broadcast %[[SCALE]] dims [1] sizes [2, 6, 8]
// DEFAULT:         %[[SCALED:.*]] = ourc.mul %[[X]], %[[S]]
// DEFAULT:         %[[T:.*]] = ourc.broadcast %[[SHIFT]] dims [1] sizes [2, 6, 8]
// DEFAULT:         ourc.add %[[SCALED]], %[[T]]
func.func @batch_norm(%x: tensor<2x6x8xf32>, %m: tensor<6xf32>, %v: tensor<6xf32>, %w: tensor<6xf32>) -> tensor<2x6x8xf32> {
  %0 = ourc.batch_norm %x mean %m variance %v weight %w : tensor<6xf32> channel 1 epsilon 1.0e-3 : tensor<2x6x8xf32>, tensor<6xf32>, tensor<6xf32>
  return %0 : tensor<2x6x8xf32>
}

// Channels first, groups are rows; else the channels' sums are summed to the groups'.
// DEFAULT-LABEL: func.func @group_norm_rows
// DEFAULT:         %[[ROWS:.*]] = ourc.reshape %{{.*}} sizes [2, 2, 3, 8]
// DEFAULT:         ourc.layer_norm %[[ROWS]] dims 2 epsilon 1.000000e-03
// DEFAULT-NOT:     ourc.reduce
func.func @group_norm_rows(%x: tensor<2x6x8xf32>, %w: tensor<6xf32>) -> tensor<2x6x8xf32> {
  %0 = ourc.group_norm %x weight %w : tensor<6xf32> groups 2 channel 1 epsilon 1.0e-3 : tensor<2x6x8xf32>
  return %0 : tensor<2x6x8xf32>
}
// DEFAULT-LABEL: func.func @group_norm_channels_last
// DEFAULT-SAME:    %[[X:[a-z0-9]+]]: tensor<2x8x6xf32>
// DEFAULT:         %[[SUMS:.*]] = ourc.reduce add %[[X]] [1] : tensor<2x8x6xf32> -> tensor<2x6xf32>
// DEFAULT:         %[[SPLIT:.*]] = ourc.reshape %[[SUMS]] sizes [2, 2, 3]
// DEFAULT:         ourc.reduce add %[[SPLIT]] [2] : tensor<2x2x3xf32> -> tensor<2x2xf32>
// DEFAULT:         %[[DISTANCE:.*]] = ourc.sub %[[X]]
// DEFAULT:         %[[SQUARE:.*]] = ourc.mul %[[DISTANCE]], %[[DISTANCE]]
// DEFAULT:         ourc.reduce add %[[SQUARE]] [1] : tensor<2x8x6xf32> -> tensor<2x6xf32>
// DEFAULT:         ourc.rsqrt
func.func @group_norm_channels_last(%x: tensor<2x8x6xf32>) -> tensor<2x8x6xf32> {
  %0 = ourc.group_norm %x groups 2 channel 2 epsilon 1.0e-3 : tensor<2x8x6xf32>
  return %0 : tensor<2x8x6xf32>
}

// DEFAULT-LABEL: func.func @repeat
// DEFAULT-SAME:    %[[X:[a-z0-9]+]]: tensor<2x3xf32>
// DEFAULT:         %[[B:.*]] = ourc.broadcast %[[X]] dims [0, 1] sizes [2, 3, 4]
// DEFAULT:         ourc.reshape %[[B]] sizes [2, 12]
func.func @repeat(%x: tensor<2x3xf32>) -> tensor<2x12xf32> {
  %0 = ourc.repeat %x [1, 4] : tensor<2x3xf32> -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}

// CHECK-LABEL: func.func @linear
// CHECK:         ourc.contract {{.*}} batch [], [] contract [1], [1]
// CHECK:         ourc.add
func.func @linear(%x: tensor<4x8xf32>, %w: tensor<5x8xf32>, %b: tensor<5xf32>) -> tensor<4x5xf32> {
  %0 = ourc.linear %x, %w bias %b : tensor<4x8xf32>, tensor<5x8xf32>, tensor<5xf32> -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// CHECK-LABEL: func.func @attention
// CHECK:         ourc.contract {{.*}} batch [0], [0] contract [2], [2]
// CHECK:         ourc.iota dim 1
// CHECK:         ourc.iota dim 2
// CHECK:         ourc.compare ge
// CHECK:         ourc.select
// CHECK-NOT:     ourc.softmax
// CHECK:         ourc.contract {{.*}} batch [0], [0] contract [2], [1]
// APART-LABEL: func.func @attention
// APART-NOT:     ourc.attention
// APART:         ourc.softmax
// WHOLE-LABEL: func.func @attention
// WHOLE:         ourc.attention
// KEEP-LABEL:  func.func @attention
// KEEP:          ourc.attention
func.func @attention(%q: tensor<2x?x8xf32>, %k: tensor<2x?x8xf32>, %v: tensor<2x?x8xf32>) -> tensor<2x?x8xf32> {
  %0 = ourc.attention %q, %k, %v scale 0.5 causal zero_masked_rows : tensor<2x?x8xf32>, tensor<2x?x8xf32>, tensor<2x?x8xf32> -> tensor<2x?x8xf32>
  return %0 : tensor<2x?x8xf32>
}
