// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x?x4xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<2x?x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.reduce add %[[X]] [0, 1, 2] : tensor<2x?x4xf32> -> tensor<f32>
// CHECK-NEXT: %[[V3:.*]] = ourc.reduce add %[[X]] [1] : tensor<2x?x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.reduce add %[[X]] [0, 2] : tensor<2x?x4xf32> -> tensor<?xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.reshape %[[V4]] sizes [1, %[[V1]], 1] : tensor<?xf32> -> tensor<1x?x1xf32>
// CHECK-NEXT: return %[[V2]], %[[V3]], %[[V5]] : tensor<f32>, tensor<2x4xf32>, tensor<1x?x1xf32>
func.func @sum(%x: tensor<2x?x4xf32>) -> (tensor<f32>, tensor<2x4xf32>, tensor<1x?x1xf32>) {
  %0 = aten.call "sum.default"(self = %x) : (tensor<2x?x4xf32>) -> tensor<f32>
  %1 = aten.call "sum.dim_IntList"(self = %x, dim = [1]) : (tensor<2x?x4xf32>) -> tensor<2x4xf32>
  %2 = aten.call "sum.dim_IntList"(self = %x, dim = [-1, 0], keepdim = true) : (tensor<2x?x4xf32>) -> tensor<1x?x1xf32>
  return %0, %1, %2 : tensor<f32>, tensor<2x4xf32>, tensor<1x?x1xf32>
}

// -----

// An empty list of dimensions is all of them; booleans are counted in i64; a
// dtype decides what is summed.

// CHECK-LABEL: func.func @sum_types(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xi1>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2x4xbf16>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<2x4xi1> -> tensor<2x4xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.reduce add %[[V0]] [0, 1] : tensor<2x4xi64> -> tensor<i64>
// CHECK-NEXT: %[[V2:.*]] = ourc.cast %[[Y]] : tensor<2x4xbf16> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.reduce add %[[V2]] [0, 1] : tensor<2x4xf32> -> tensor<f32>
// CHECK-NEXT: return %[[V1]], %[[V3]] : tensor<i64>, tensor<f32>
func.func @sum_types(%x: tensor<2x4xi1>, %y: tensor<2x4xbf16>) -> (tensor<i64>, tensor<f32>) {
  %0 = aten.call "sum.dim_IntList"(self = %x, dim = []) : (tensor<2x4xi1>) -> tensor<i64>
  %1 = aten.call "sum.default"(self = %y, dtype = "float32") : (tensor<2x4xbf16>) -> tensor<f32>
  return %0, %1 : tensor<i64>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reduce mul %[[X]] [0, 1] : tensor<2x4xf32> -> tensor<f32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reduce mul %[[X]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.reshape %[[V1]] sizes [2, 1] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT: return %[[V0]], %[[V2]] : tensor<f32>, tensor<2x1xf32>
func.func @product(%x: tensor<2x4xf32>) -> (tensor<f32>, tensor<2x1xf32>) {
  %0 = aten.call "prod.default"(self = %x) : (tensor<2x4xf32>) -> tensor<f32>
  %1 = aten.call "prod.dim_int"(self = %x, dim = 1, keepdim = true) : (tensor<2x4xf32>) -> tensor<2x1xf32>
  return %0, %1 : tensor<f32>, tensor<2x1xf32>
}

// -----

// CHECK-LABEL: func.func @extremes(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<2x4xi1>
// CHECK-NEXT: %[[V0:.*]] = ourc.reduce maximum %[[X]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reduce minimum %[[X]] [0] : tensor<2x4xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.reduce maximum %[[X]] [0, 1] : tensor<2x4xf32> -> tensor<f32>
// CHECK-NEXT: %[[V3:.*]] = ourc.reduce minimum %[[X]] [0, 1] : tensor<2x4xf32> -> tensor<f32>
// CHECK-NEXT: %[[V4:.*]] = ourc.reduce or %[[B]] [1] : tensor<2x4xi1> -> tensor<2xi1>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]], %[[V4]] : tensor<2xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<2xi1>
func.func @extremes(%x: tensor<2x4xf32>, %b: tensor<2x4xi1>) -> (tensor<2xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<2xi1>) {
  %0 = aten.call "amax.default"(self = %x, dim = [1]) : (tensor<2x4xf32>) -> tensor<2xf32>
  %1 = aten.call "amin.default"(self = %x, dim = [0]) : (tensor<2x4xf32>) -> tensor<4xf32>
  %2 = aten.call "max.default"(self = %x) : (tensor<2x4xf32>) -> tensor<f32>
  %3 = aten.call "min.default"(self = %x) : (tensor<2x4xf32>) -> tensor<f32>
  %4 = aten.call "amax.default"(self = %b, dim = [1]) : (tensor<2x4xi1>) -> tensor<2xi1>
  return %0, %1, %2, %3, %4 : tensor<2xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<2xi1>
}

// -----

// Positions that nothing uses are not computed.

// CHECK-LABEL: func.func @extremes_with_positions(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reduce maximum %[[X]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reduce minimum %[[X]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<2xf32>, tensor<2xf32>
func.func @extremes_with_positions(%x: tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0:2 = aten.call "max.dim"(self = %x, dim = 1) : (tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  %1:2 = aten.call "min.dim"(self = %x, dim = -1) : (tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  return %0#0, %1#0 : tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @truth(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<2x4xf32> -> tensor<2x4xi1>
// CHECK-NEXT: %[[V1:.*]] = ourc.reduce or %[[V0]] [0, 1] : tensor<2x4xi1> -> tensor<i1>
// CHECK-NEXT: %[[V2:.*]] = ourc.cast %[[X]] : tensor<2x4xf32> -> tensor<2x4xi1>
// CHECK-NEXT: %[[V3:.*]] = ourc.reduce or %[[V2]] [1] : tensor<2x4xi1> -> tensor<2xi1>
// CHECK-NEXT: %[[V4:.*]] = ourc.cast %[[X]] : tensor<2x4xf32> -> tensor<2x4xi1>
// CHECK-NEXT: %[[V5:.*]] = ourc.reduce and %[[V4]] [0, 1] : tensor<2x4xi1> -> tensor<i1>
// CHECK-NEXT: %[[V6:.*]] = ourc.cast %[[X]] : tensor<2x4xf32> -> tensor<2x4xi1>
// CHECK-NEXT: %[[V7:.*]] = ourc.reduce and %[[V6]] [0] : tensor<2x4xi1> -> tensor<4xi1>
// CHECK-NEXT: return %[[V1]], %[[V3]], %[[V5]], %[[V7]] : tensor<i1>, tensor<2xi1>, tensor<i1>, tensor<4xi1>
func.func @truth(%x: tensor<2x4xf32>) -> (tensor<i1>, tensor<2xi1>, tensor<i1>, tensor<4xi1>) {
  %0 = aten.call "any.default"(self = %x) : (tensor<2x4xf32>) -> tensor<i1>
  %1 = aten.call "any.dim"(self = %x, dim = 1) : (tensor<2x4xf32>) -> tensor<2xi1>
  %2 = aten.call "all.default"(self = %x) : (tensor<2x4xf32>) -> tensor<i1>
  %3 = aten.call "all.dims"(self = %x, dim = [0]) : (tensor<2x4xf32>) -> tensor<4xi1>
  return %0, %1, %2, %3 : tensor<i1>, tensor<2xi1>, tensor<i1>, tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @mean(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2x?xbf16>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[Y]], %[[V0]] : tensor<2x?xbf16>
// CHECK-NEXT: %[[V2:.*]] = ourc.reduce add %[[X]] [0, 1] : tensor<2x4xf32> -> tensor<f32>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<8.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V4:.*]] = ourc.div %[[V2]], %[[V3]] : tensor<f32>
// CHECK-NEXT: %[[V5:.*]] = ourc.reduce add %[[X]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.reshape %[[V5]] sizes [2, 1] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.constant dense<4.000000e+00> : tensor<2x1xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.div %[[V6]], %[[V7]] : tensor<2x1xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.cast %[[Y]] : tensor<2x?xbf16> -> tensor<2x?xf32>
// CHECK-NEXT: %[[V10:.*]] = ourc.reduce add %[[V9]] [1] : tensor<2x?xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V11:.*]] = arith.index_cast %[[V1]] : index to i64
// CHECK-NEXT: %[[V12:.*]] = tensor.from_elements %[[V11]] : tensor<i64>
// CHECK-NEXT: %[[V13:.*]] = ourc.cast %[[V12]] : tensor<i64> -> tensor<f32>
// CHECK-NEXT: %[[V14:.*]] = ourc.broadcast %[[V13]] dims [] sizes [2] : tensor<f32> -> tensor<2xf32>
// CHECK-NEXT: %[[V15:.*]] = ourc.div %[[V10]], %[[V14]] : tensor<2xf32>
// CHECK-NEXT: %[[V16:.*]] = ourc.cast %[[V15]] : tensor<2xf32> -> tensor<2xbf16>
// CHECK-NEXT: return %[[V4]], %[[V8]], %[[V16]] : tensor<f32>, tensor<2x1xf32>, tensor<2xbf16>
func.func @mean(%x: tensor<2x4xf32>, %y: tensor<2x?xbf16>) -> (tensor<f32>, tensor<2x1xf32>, tensor<2xbf16>) {
  %0 = aten.call "mean.default"(self = %x) : (tensor<2x4xf32>) -> tensor<f32>
  %1 = aten.call "mean.dim"(self = %x, dim = [-1], keepdim = true) : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = aten.call "mean.dim"(self = %y, dim = [1]) : (tensor<2x?xbf16>) -> tensor<2xbf16>
  return %0, %1, %2 : tensor<f32>, tensor<2x1xf32>, tensor<2xbf16>
}

// -----

// CHECK-LABEL: func.func @variance(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reduce add %[[X]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[V0]] sizes [2, 1] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<4.000000e+00> : tensor<2x1xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.div %[[V1]], %[[V2]] : tensor<2x1xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.broadcast %[[V3]] dims [0, 1] sizes [2, 4] : tensor<2x1xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.sub %[[X]], %[[V4]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.mul %[[V5]], %[[V5]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.reduce add %[[V6]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.constant dense<3.000000e+00> : tensor<2xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.div %[[V7]], %[[V8]] : tensor<2xf32>
// CHECK-NEXT: return %[[V9]] : tensor<2xf32>
func.func @variance(%x: tensor<2x4xf32>) -> tensor<2xf32> {
  %0 = aten.call "var.correction"(self = %x, dim = [1]) : (tensor<2x4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @deviation(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reduce add %[[X]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[V0]] sizes [2, 1] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<4.000000e+00> : tensor<2x1xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.div %[[V1]], %[[V2]] : tensor<2x1xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.broadcast %[[V3]] dims [0, 1] sizes [2, 4] : tensor<2x1xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.sub %[[X]], %[[V4]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.mul %[[V5]], %[[V5]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.reduce add %[[V6]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.reshape %[[V7]] sizes [2, 1] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.constant dense<4.000000e+00> : tensor<2x1xf32>
// CHECK-NEXT: %[[V10:.*]] = ourc.div %[[V8]], %[[V9]] : tensor<2x1xf32>
// CHECK-NEXT: %[[V11:.*]] = ourc.sqrt %[[V10]] : tensor<2x1xf32>
// CHECK-NEXT: %[[V12:.*]] = ourc.reduce add %[[X]] [0, 1] : tensor<2x4xf32> -> tensor<f32>
// CHECK-NEXT: %[[V13:.*]] = ourc.reshape %[[V12]] sizes [1, 1] : tensor<f32> -> tensor<1x1xf32>
// CHECK-NEXT: %[[V14:.*]] = ourc.constant dense<8.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: %[[V15:.*]] = ourc.div %[[V13]], %[[V14]] : tensor<1x1xf32>
// CHECK-NEXT: %[[V16:.*]] = ourc.broadcast %[[V15]] dims [0, 1] sizes [2, 4] : tensor<1x1xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V17:.*]] = ourc.sub %[[X]], %[[V16]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V18:.*]] = ourc.mul %[[V17]], %[[V17]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V19:.*]] = ourc.reduce add %[[V18]] [0, 1] : tensor<2x4xf32> -> tensor<f32>
// CHECK-NEXT: %[[V20:.*]] = ourc.constant dense<8.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V21:.*]] = ourc.div %[[V19]], %[[V20]] : tensor<f32>
// CHECK-NEXT: %[[V22:.*]] = ourc.sqrt %[[V21]] : tensor<f32>
// CHECK-NEXT: return %[[V11]], %[[V22]] : tensor<2x1xf32>, tensor<f32>
func.func @deviation(%x: tensor<2x4xf32>) -> (tensor<2x1xf32>, tensor<f32>) {
  %0 = aten.call "std.correction"(self = %x, dim = [1], correction = 0, keepdim = true) : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %1 = aten.call "std.default"(self = %x, unbiased = false) : (tensor<2x4xf32>) -> tensor<f32>
  return %0, %1 : tensor<2x1xf32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @variance_and_mean(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reduce add %[[X]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[V0]] sizes [2, 1] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<4.000000e+00> : tensor<2x1xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.div %[[V1]], %[[V2]] : tensor<2x1xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.broadcast %[[V3]] dims [0, 1] sizes [2, 4] : tensor<2x1xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.sub %[[X]], %[[V4]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.mul %[[V5]], %[[V5]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.reduce add %[[V6]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.constant dense<4.000000e+00> : tensor<2xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.div %[[V7]], %[[V8]] : tensor<2xf32>
// CHECK-NEXT: %[[V10:.*]] = ourc.reshape %[[V3]] sizes [2] : tensor<2x1xf32> -> tensor<2xf32>
// CHECK-NEXT: return %[[V9]], %[[V10]] : tensor<2xf32>, tensor<2xf32>
func.func @variance_and_mean(%x: tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0:2 = aten.call "var_mean.correction"(self = %x, dim = [1], correction = 0) : (tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @norms(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.mul %[[X]], %[[X]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reduce add %[[V0]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.reshape %[[V1]] sizes [2, 1] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.sqrt %[[V2]] : tensor<2x1xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.abs %[[X]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.reduce add %[[V4]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.abs %[[X]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.reduce maximum %[[V6]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.abs %[[X]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.reduce minimum %[[V8]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V10:.*]] = ourc.constant dense<0.000000e+00> : tensor<2x4xf32>
// CHECK-NEXT: %[[V11:.*]] = ourc.compare ne %[[X]], %[[V10]] : tensor<2x4xf32> -> tensor<2x4xi1>
// CHECK-NEXT: %[[V12:.*]] = ourc.cast %[[V11]] : tensor<2x4xi1> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V13:.*]] = ourc.reduce add %[[V12]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: return %[[V3]], %[[V5]], %[[V7]], %[[V9]], %[[V13]] : tensor<2x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
func.func @norms(%x: tensor<2x4xf32>) -> (tensor<2x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = aten.call "linalg_vector_norm.default"(self = %x, ord = 2, dim = [1], keepdim = true) : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %1 = aten.call "linalg_vector_norm.default"(self = %x, ord = 1, dim = [1]) : (tensor<2x4xf32>) -> tensor<2xf32>
  %2 = aten.call "linalg_vector_norm.default"(self = %x, ord = 0x7FF0000000000000 : f64, dim = [1]) : (tensor<2x4xf32>) -> tensor<2xf32>
  %3 = aten.call "linalg_vector_norm.default"(self = %x, ord = 0xFFF0000000000000 : f64, dim = [1]) : (tensor<2x4xf32>) -> tensor<2xf32>
  %4 = aten.call "linalg_vector_norm.default"(self = %x, ord = 0, dim = [1]) : (tensor<2x4xf32>) -> tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<2x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @norm_of_power(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.abs %[[X]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<4.000000e+00> : tensor<2x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.pow %[[V0]], %[[V1]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.reduce add %[[V2]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.constant dense<2.500000e-01> : tensor<2xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.pow %[[V3]], %[[V4]] : tensor<2xf32>
// CHECK-NEXT: return %[[V5]] : tensor<2xf32>
func.func @norm_of_power(%x: tensor<2x4xf32>) -> tensor<2xf32> {
  %0 = aten.call "norm.ScalarOpt_dim"(self = %x, p = 4, dim = [1]) : (tensor<2x4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// The first position of the extreme, or of a NaN.

// CHECK-LABEL: func.func @positions(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reduce maximum %[[X]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reduce maximum %[[X]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.reshape %[[V1]] sizes [2, 1] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.broadcast %[[V2]] dims [0, 1] sizes [2, 4] : tensor<2x1xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.compare eq %[[X]], %[[V3]] : tensor<2x4xf32> -> tensor<2x4xi1>
// CHECK-NEXT: %[[V5:.*]] = ourc.compare ne %[[X]], %[[X]] : tensor<2x4xf32> -> tensor<2x4xi1>
// CHECK-NEXT: %[[V6:.*]] = ourc.or %[[V4]], %[[V5]] : tensor<2x4xi1>
// CHECK-NEXT: %[[V7:.*]] = ourc.iota dim 1 sizes [2, 4] : tensor<2x4xi64>
// CHECK-NEXT: %[[V8:.*]] = ourc.constant dense<9223372036854775807> : tensor<2x4xi64>
// CHECK-NEXT: %[[V9:.*]] = ourc.select %[[V6]], %[[V7]], %[[V8]] : tensor<2x4xi1>, tensor<2x4xi64>
// CHECK-NEXT: %[[V10:.*]] = ourc.reduce minimum %[[V9]] [1] : tensor<2x4xi64> -> tensor<2xi64>
// CHECK-NEXT: return %[[V0]], %[[V10]] : tensor<2xf32>, tensor<2xi64>
func.func @positions(%x: tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xi64>) {
  %0:2 = aten.call "max.dim"(self = %x, dim = 1) : (tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi64>
}

// -----

// CHECK-LABEL: func.func @argmin(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xi32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reduce minimum %[[X]] [1] : tensor<2x4xi32> -> tensor<2xi32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[V0]] sizes [2, 1] : tensor<2xi32> -> tensor<2x1xi32>
// CHECK-NEXT: %[[V2:.*]] = ourc.broadcast %[[V1]] dims [0, 1] sizes [2, 4] : tensor<2x1xi32> -> tensor<2x4xi32>
// CHECK-NEXT: %[[V3:.*]] = ourc.compare eq %[[X]], %[[V2]] : tensor<2x4xi32> -> tensor<2x4xi1>
// CHECK-NEXT: %[[V4:.*]] = ourc.iota dim 1 sizes [2, 4] : tensor<2x4xi64>
// CHECK-NEXT: %[[V5:.*]] = ourc.constant dense<9223372036854775807> : tensor<2x4xi64>
// CHECK-NEXT: %[[V6:.*]] = ourc.select %[[V3]], %[[V4]], %[[V5]] : tensor<2x4xi1>, tensor<2x4xi64>
// CHECK-NEXT: %[[V7:.*]] = ourc.reduce minimum %[[V6]] [1] : tensor<2x4xi64> -> tensor<2xi64>
// CHECK-NEXT: %[[V8:.*]] = ourc.reshape %[[V7]] sizes [2, 1] : tensor<2xi64> -> tensor<2x1xi64>
// CHECK-NEXT: return %[[V8]] : tensor<2x1xi64>
func.func @argmin(%x: tensor<2x4xi32>) -> tensor<2x1xi64> {
  %0 = aten.call "argmin.default"(self = %x, dim = 1, keepdim = true) : (tensor<2x4xi32>) -> tensor<2x1xi64>
  return %0 : tensor<2x1xi64>
}

// -----

// In row-major order where no dimension is given.

// CHECK-LABEL: func.func @argmax_of_all(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xi1>
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[X]] sizes [8] : tensor<2x4xi1> -> tensor<8xi1>
// CHECK-NEXT: %[[V1:.*]] = ourc.cast %[[V0]] : tensor<8xi1> -> tensor<8xi8>
// CHECK-NEXT: %[[V2:.*]] = ourc.reduce maximum %[[V1]] [0] : tensor<8xi8> -> tensor<i8>
// CHECK-NEXT: %[[V3:.*]] = ourc.reshape %[[V2]] sizes [1] : tensor<i8> -> tensor<1xi8>
// CHECK-NEXT: %[[V4:.*]] = ourc.broadcast %[[V3]] dims [0] sizes [8] : tensor<1xi8> -> tensor<8xi8>
// CHECK-NEXT: %[[V5:.*]] = ourc.compare eq %[[V1]], %[[V4]] : tensor<8xi8> -> tensor<8xi1>
// CHECK-NEXT: %[[V6:.*]] = ourc.iota dim 0 sizes [8] : tensor<8xi64>
// CHECK-NEXT: %[[V7:.*]] = ourc.constant dense<9223372036854775807> : tensor<8xi64>
// CHECK-NEXT: %[[V8:.*]] = ourc.select %[[V5]], %[[V6]], %[[V7]] : tensor<8xi1>, tensor<8xi64>
// CHECK-NEXT: %[[V9:.*]] = ourc.reduce minimum %[[V8]] [0] : tensor<8xi64> -> tensor<i64>
// CHECK-NEXT: %[[V10:.*]] = ourc.reshape %[[V9]] sizes [1, 1] : tensor<i64> -> tensor<1x1xi64>
// CHECK-NEXT: return %[[V10]] : tensor<1x1xi64>
func.func @argmax_of_all(%x: tensor<2x4xi1>) -> tensor<1x1xi64> {
  %0 = aten.call "argmax.default"(self = %x, keepdim = true) : (tensor<2x4xi1>) -> tensor<1x1xi64>
  return %0 : tensor<1x1xi64>
}

// -----

// CHECK-LABEL: func.func @logsumexp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reduce maximum %[[X]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[V0]] sizes [2, 1] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<0.000000e+00> : tensor<2x1xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.abs %[[V1]] : tensor<2x1xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.constant dense<0x7F800000> : tensor<2x1xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.compare eq %[[V3]], %[[V4]] : tensor<2x1xf32> -> tensor<2x1xi1>
// CHECK-NEXT: %[[V6:.*]] = ourc.select %[[V5]], %[[V2]], %[[V1]] : tensor<2x1xi1>, tensor<2x1xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.broadcast %[[V6]] dims [0, 1] sizes [2, 4] : tensor<2x1xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.sub %[[X]], %[[V7]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.exp %[[V8]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V10:.*]] = ourc.reduce add %[[V9]] [1] : tensor<2x4xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V11:.*]] = ourc.reshape %[[V6]] sizes [2] : tensor<2x1xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V12:.*]] = ourc.log %[[V10]] : tensor<2xf32>
// CHECK-NEXT: %[[V13:.*]] = ourc.add %[[V12]], %[[V11]] : tensor<2xf32>
// CHECK-NEXT: return %[[V13]] : tensor<2xf32>
func.func @logsumexp(%x: tensor<2x4xf32>) -> tensor<2xf32> {
  %0 = aten.call "logsumexp.default"(self = %x, dim = [1]) : (tensor<2x4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
