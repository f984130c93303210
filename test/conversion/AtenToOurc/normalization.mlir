// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x?xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2x4xbf16>
// CHECK-NEXT: %[[V0:.*]] = ourc.softmax %[[X]] dim 1 : tensor<2x?xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.softmax %[[X]] dim 0 : tensor<2x?xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.cast %[[Y]] : tensor<2x4xbf16> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.softmax %[[V2]] dim 1 : tensor<2x4xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V3]] : tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x4xf32>
func.func @softmax(%x: tensor<2x?xf32>, %y: tensor<2x4xbf16>) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x4xf32>) {
  %0 = aten.call "_softmax.default"(self = %x, dim = -1, half_to_float = false) : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %1 = aten.call "softmax.int"(self = %x, dim = 0) : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %2 = aten.call "_softmax.default"(self = %y, dim = 1, half_to_float = true) : (tensor<2x4xbf16>) -> tensor<2x4xf32>
  return %0, %1, %2 : tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x4xf32>
}

// -----

// Lines that are all -inf are zero.

// CHECK-LABEL: func.func @safe_softmax(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.softmax %[[X]] dim 1 : tensor<2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<0xFF800000> : tensor<2x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.compare eq %[[X]], %[[V1]] : tensor<2x4xf32> -> tensor<2x4xi1>
// CHECK-NEXT: %[[V3:.*]] = ourc.reduce and %[[V2]] [1] : tensor<2x4xi1> -> tensor<2xi1>
// CHECK-NEXT: %[[V4:.*]] = ourc.reshape %[[V3]] sizes [2, 1] : tensor<2xi1> -> tensor<2x1xi1>
// CHECK-NEXT: %[[V5:.*]] = ourc.broadcast %[[V4]] dims [0, 1] sizes [2, 4] : tensor<2x1xi1> -> tensor<2x4xi1>
// CHECK-NEXT: %[[V6:.*]] = ourc.constant dense<0.000000e+00> : tensor<2x4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.select %[[V5]], %[[V6]], %[[V0]] : tensor<2x4xi1>, tensor<2x4xf32>
// CHECK-NEXT: return %[[V7]] : tensor<2x4xf32>
func.func @safe_softmax(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = aten.call "_safe_softmax.default"(self = %x, dim = -1) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @log_softmax(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xbf16>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<2x4xbf16> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reduce maximum %[[V0]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.reshape %[[V1]] sizes [2, 1] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.broadcast %[[V2]] dims [0, 1] sizes [2, 4] : tensor<2x1xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.sub %[[V0]], %[[V3]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.exp %[[V4]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.reduce add %[[V5]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.reshape %[[V6]] sizes [2, 1] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.log %[[V7]] : tensor<2x1xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.broadcast %[[V8]] dims [0, 1] sizes [2, 4] : tensor<2x1xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V10:.*]] = ourc.sub %[[V4]], %[[V9]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V11:.*]] = ourc.cast %[[V10]] : tensor<2x4xf32> -> tensor<2x4xbf16>
// CHECK-NEXT: return %[[V11]] : tensor<2x4xbf16>
func.func @log_softmax(%x: tensor<2x4xbf16>) -> tensor<2x4xbf16> {
  %0 = aten.call "_log_softmax.default"(self = %x, dim = 1, half_to_float = false) : (tensor<2x4xbf16>) -> tensor<2x4xbf16>
  return %0 : tensor<2x4xbf16>
}

// -----

// Statistics that nothing uses are not computed.

// CHECK-LABEL: func.func @layer_norm(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x8xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<8xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.layer_norm %[[X]] weight %[[W]] : tensor<8xf32> bias %[[B]] : tensor<8xf32> dims 1 epsilon 1.000000e-05 : tensor<?x8xf32>
// CHECK-NEXT: return %[[V0]] : tensor<?x8xf32>
func.func @layer_norm(%x: tensor<?x8xf32>, %w: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<?x8xf32> {
  %0:3 = aten.call "native_layer_norm.default"(input = %x, normalized_shape = [8], weight = %w, bias = %b, eps = 1.0e-5 : f64) : (tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<?x8xf32>, tensor<?x1xf32>, tensor<?x1xf32>)
  return %0#0 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @layer_norm_statistics(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4x8xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.layer_norm %[[X]] dims 2 epsilon 5.000000e-01 : tensor<2x4x8xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reduce add %[[X]] [1, 2] : tensor<2x4x8xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.reshape %[[V1]] sizes [2, 1, 1] : tensor<2xf32> -> tensor<2x1x1xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<3.200000e+01> : tensor<2x1x1xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.div %[[V2]], %[[V3]] : tensor<2x1x1xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.broadcast %[[V4]] dims [0, 1, 2] sizes [2, 4, 8] : tensor<2x1x1xf32> -> tensor<2x4x8xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.sub %[[X]], %[[V5]] : tensor<2x4x8xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.mul %[[V6]], %[[V6]] : tensor<2x4x8xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.reduce add %[[V7]] [1, 2] : tensor<2x4x8xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.reshape %[[V8]] sizes [2, 1, 1] : tensor<2xf32> -> tensor<2x1x1xf32>
// CHECK-NEXT: %[[V10:.*]] = ourc.constant dense<3.200000e+01> : tensor<2x1x1xf32>
// CHECK-NEXT: %[[V11:.*]] = ourc.div %[[V9]], %[[V10]] : tensor<2x1x1xf32>
// CHECK-NEXT: %[[V12:.*]] = ourc.constant dense<5.000000e-01> : tensor<2x1x1xf32>
// CHECK-NEXT: %[[V13:.*]] = ourc.add %[[V11]], %[[V12]] : tensor<2x1x1xf32>
// CHECK-NEXT: %[[V14:.*]] = ourc.rsqrt %[[V13]] : tensor<2x1x1xf32>
// CHECK-NEXT: return %[[V0]], %[[V4]], %[[V14]] : tensor<2x4x8xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>
func.func @layer_norm_statistics(%x: tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %0:3 = aten.call "native_layer_norm.default"(input = %x, normalized_shape = [4, 8], eps = 0.5 : f64) : (tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x4x8xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// -----

// Weights of a wider type widen the computation.

// CHECK-LABEL: func.func @layer_norm_mixed(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x8xbf16>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<8xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<2x8xbf16> -> tensor<2x8xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.layer_norm %[[V0]] weight %[[W]] : tensor<8xf32> dims 1 epsilon 1.000000e-05 : tensor<2x8xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.cast %[[V1]] : tensor<2x8xf32> -> tensor<2x8xbf16>
// CHECK-NEXT: return %[[V2]] : tensor<2x8xbf16>
func.func @layer_norm_mixed(%x: tensor<2x8xbf16>, %w: tensor<8xf32>) -> tensor<2x8xbf16> {
  %0 = aten.call "layer_norm.default"(input = %x, normalized_shape = [8], weight = %w) : (tensor<2x8xbf16>, tensor<8xf32>) -> tensor<2x8xbf16>
  return %0 : tensor<2x8xbf16>
}

// -----

// Channels go last, as convolutions have them.

// CHECK-LABEL: func.func @batch_norm(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x3x8x8xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<3xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<3xf32>
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<3xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<3xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [0, 2, 3, 1] : tensor<?x3x8x8xf32> -> tensor<?x8x8x3xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.batch_norm %[[V0]] mean %[[M]] variance %[[V]] weight %[[W]] : tensor<3xf32> bias %[[B]] : tensor<3xf32> channel 3 epsilon 1.000000e-05 : tensor<?x8x8x3xf32>, tensor<3xf32>, tensor<3xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.transpose %[[V1]] [0, 3, 1, 2] : tensor<?x8x8x3xf32> -> tensor<?x3x8x8xf32>
// CHECK-NEXT: return %[[V2]] : tensor<?x3x8x8xf32>
func.func @batch_norm(%x: tensor<?x3x8x8xf32>, %w: tensor<3xf32>, %b: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<?x3x8x8xf32> {
  %0:3 = aten.call "_native_batch_norm_legit_no_training.default"(input = %x, weight = %w, bias = %b, running_mean = %m, running_var = %v, momentum = 0.1 : f64, eps = 1.0e-5 : f64) : (tensor<?x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<?x3x8x8xf32>, tensor<0xf32>, tensor<0xf32>)
  return %0#0 : tensor<?x3x8x8xf32>
}

// -----

// CHECK-LABEL: func.func @batch_norm_of_rows(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<5x3xf32>
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<3xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<3xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.batch_norm %[[X]] mean %[[M]] variance %[[V]] channel 1 epsilon 1.000000e-05 : tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<5x3xf32>
func.func @batch_norm_of_rows(%x: tensor<5x3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<5x3xf32> {
  %0:3 = aten.call "native_batch_norm.default"(input = %x, running_mean = %m, running_var = %v, training = false, momentum = 0.1 : f64, eps = 1.0e-5 : f64) : (tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<0xf32>, tensor<0xf32>)
  return %0#0 : tensor<5x3xf32>
}

// -----

// CHECK-LABEL: func.func @dropout(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[V0]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
func.func @dropout(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
  %0 = aten.call "dropout.default"(input = %x, p = 0.5 : f64, train = false) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = aten.call "dropout.default"(input = %x, p = 0.0 : f64, train = true) : (tensor<4xf32>) -> tensor<4xf32>
  %2:2 = aten.call "native_dropout.default"(input = %x, p = 0.5 : f64, train = false) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>)
  return %0, %1, %2#0, %2#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @group_norm(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4x9xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.group_norm %[[X]] weight %[[W]] : tensor<4xf32> bias %[[B]] : tensor<4xf32> groups 2 channel 1 epsilon 1.000000e-05 : tensor<2x4x9xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x4x9xf32>
func.func @group_norm(%x: tensor<2x4x9xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<2x4x9xf32> {
  %0 = aten.call "group_norm.default"(input = %x, num_groups = 2, weight = %w, bias = %b) : (tensor<2x4x9xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x9xf32>
  return %0 : tensor<2x4x9xf32>
}

// -----

// CHECK-LABEL: func.func @group_norm_statistics(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4x9xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.group_norm %[[X]] groups 2 channel 1 epsilon 5.000000e-01 : tensor<2x4x9xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[X]] sizes [2, 2, 18] : tensor<2x4x9xf32> -> tensor<2x2x18xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.reduce add %[[V0]] [2] : tensor<2x2x18xf32> -> tensor<2x2xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.reshape %[[V3]] sizes [2, 2, 1] : tensor<2x2xf32> -> tensor<2x2x1xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.constant dense<1.800000e+01> : tensor<2x2x1xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.div %[[V4]], %[[V5]] : tensor<2x2x1xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.broadcast %[[V6]] dims [0, 1, 2] sizes [2, 2, 18] : tensor<2x2x1xf32> -> tensor<2x2x18xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.sub %[[V0]], %[[V7]] : tensor<2x2x18xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.mul %[[V8]], %[[V8]] : tensor<2x2x18xf32>
// CHECK-NEXT: %[[V10:.*]] = ourc.reduce add %[[V9]] [2] : tensor<2x2x18xf32> -> tensor<2x2xf32>
// CHECK-NEXT: %[[V11:.*]] = ourc.reshape %[[V10]] sizes [2, 2, 1] : tensor<2x2xf32> -> tensor<2x2x1xf32>
// CHECK-NEXT: %[[V12:.*]] = ourc.constant dense<1.800000e+01> : tensor<2x2x1xf32>
// CHECK-NEXT: %[[V13:.*]] = ourc.div %[[V11]], %[[V12]] : tensor<2x2x1xf32>
// CHECK-NEXT: %[[V14:.*]] = ourc.constant dense<5.000000e-01> : tensor<2x2x1xf32>
// CHECK-NEXT: %[[V15:.*]] = ourc.add %[[V13]], %[[V14]] : tensor<2x2x1xf32>
// CHECK-NEXT: %[[V16:.*]] = ourc.rsqrt %[[V15]] : tensor<2x2x1xf32>
// CHECK-NEXT: %[[V17:.*]] = ourc.reshape %[[V6]] sizes [2, 2] : tensor<2x2x1xf32> -> tensor<2x2xf32>
// CHECK-NEXT: %[[V18:.*]] = ourc.reshape %[[V16]] sizes [2, 2] : tensor<2x2x1xf32> -> tensor<2x2xf32>
// CHECK-NEXT: return %[[V2]], %[[V17]], %[[V18]] : tensor<2x4x9xf32>, tensor<2x2xf32>, tensor<2x2xf32>
func.func @group_norm_statistics(%x: tensor<2x4x9xf32>) -> (tensor<2x4x9xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %0:3 = aten.call "native_group_norm.default"(input = %x, N = 2, C = 4, HxW = 9, group = 2, eps = 0.5 : f64) : (tensor<2x4x9xf32>) -> (tensor<2x4x9xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x4x9xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// -----

// In training, the statistics are the input's, and the running ones follow.

// CHECK-LABEL: func.func @training(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x3x5x5xf32>, %[[M:[a-z0-9]+]]: tensor<3xf32>, %[[V:[a-z0-9]+]]: tensor<3xf32>
// CHECK: %[[SUM:.*]] = ourc.reduce add %[[X]] [0, 2, 3]
// CHECK: %[[N:.*]] = ourc.constant dense<1.000000e+02> : tensor<3xf32>
// CHECK: %[[MEAN:.*]] = ourc.div %[[SUM]], %[[N]]
// CHECK: ourc.batch_norm
// CHECK: ourc.constant dense<0.899999976> : tensor<3xf32>
// CHECK: ourc.mul %[[M]]
// CHECK: ourc.constant dense<9.900000e+01> : tensor<3xf32>
func.func @training(%x: tensor<4x3x5x5xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> (tensor<4x3x5x5xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0:5 = aten.call "_native_batch_norm_legit_functional.default"(input = %x, running_mean = %m, running_var = %v, training = true, momentum = 0.1 : f64, eps = 0.1 : f64) : (tensor<4x3x5x5xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3x5x5xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#3, %0#4 : tensor<4x3x5x5xf32>, tensor<3xf32>, tensor<3xf32>
}
