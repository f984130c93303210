// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// CHECK-LABEL: func.func @smooth(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x?xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.silu %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.gelu %[[V0]] exact : tensor<4x?xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.gelu %[[V1]] tanh : tensor<4x?xf32>
// CHECK-NEXT: return %[[V2]] : tensor<4x?xf32>
func.func @smooth(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = aten.call "silu.default"(self = %x) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = aten.call "gelu.default"(self = %0) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %2 = aten.call "gelu.default"(self = %1, approximate = "tanh") : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %2 : tensor<4x?xf32>
}

// -----

// CHECK-LABEL: func.func @relu6(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.maximum %[[X]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<6.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.minimum %[[V1]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT: return %[[V3]] : tensor<4xf32>
func.func @relu6(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "relu6.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @elu(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.compare gt %[[X]], %[[V0]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.mul %[[X]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.expm1 %[[V3]] : tensor<4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.mul %[[X]], %[[V5]] : tensor<4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.select %[[V1]], %[[V6]], %[[V4]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT: return %[[V7]] : tensor<4xf32>
func.func @elu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "elu.default"(self = %x, alpha = 0.5 : f64, scale = 2, input_scale = 3) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @softplus(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.mul %[[X]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<2.000000e+01> : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.compare gt %[[V1]], %[[V2]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V4:.*]] = ourc.exp %[[V1]] : tensor<4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.log1p %[[V4]] : tensor<4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.div %[[V5]], %[[V6]] : tensor<4xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.select %[[V3]], %[[X]], %[[V7]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT: return %[[V8]] : tensor<4xf32>
func.func @softplus(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "softplus.default"(self = %x, beta = 2) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @mish(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.exp %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.log1p %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.tanh %[[V1]] : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.mul %[[X]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT: return %[[V3]] : tensor<4xf32>
func.func @mish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "mish.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @glu(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x8xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.slice %[[X]] offsets [0, 0] sizes [2, 4] strides [1, 1] : tensor<2x8xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.slice %[[X]] offsets [0, 4] sizes [2, 4] strides [1, 1] : tensor<2x8xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.sigmoid %[[V1]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.mul %[[V0]], %[[V2]] : tensor<2x4xf32>
// CHECK-NEXT: return %[[V3]] : tensor<2x4xf32>
func.func @glu(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %0 = aten.call "glu.default"(self = %x) : (tensor<2x8xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @relu(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<?xi32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[I]], %[[V0]] : tensor<?xi32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.maximum %[[X]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.constant dense<0> : tensor<i32>
// CHECK-NEXT: %[[V5:.*]] = ourc.broadcast %[[V4]] dims [] sizes {{\[}}%[[V1]]] : tensor<i32> -> tensor<?xi32>
// CHECK-NEXT: %[[V6:.*]] = ourc.maximum %[[I]], %[[V5]] : tensor<?xi32>
// CHECK-NEXT: return %[[V3]], %[[V6]] : tensor<4xf32>, tensor<?xi32>
func.func @relu(%x: tensor<4xf32>, %i: tensor<?xi32>) -> (tensor<4xf32>, tensor<?xi32>) {
  %0 = aten.call "relu.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = aten.call "relu.default"(self = %i) : (tensor<?xi32>) -> tensor<?xi32>
  return %0, %1 : tensor<4xf32>, tensor<?xi32>
}

// -----

// CHECK-LABEL: func.func @leaky_relu(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.compare gt %[[X]], %[[V0]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<2.500000e-01> : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.mul %[[X]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.select %[[V1]], %[[X]], %[[V3]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT: return %[[V4]] : tensor<4xf32>
func.func @leaky_relu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "leaky_relu.default"(self = %x, negative_slope = 0.25 : f64) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @hard_swish(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.add %[[X]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.maximum %[[V1]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.constant dense<6.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.minimum %[[V3]], %[[V4]] : tensor<4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.constant dense<6.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.div %[[V5]], %[[V6]] : tensor<4xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.mul %[[X]], %[[V7]] : tensor<4xf32>
// CHECK-NEXT: return %[[V8]] : tensor<4xf32>
func.func @hard_swish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "hardswish.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @hard_sigmoid(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.add %[[X]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.maximum %[[V1]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.constant dense<6.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.minimum %[[V3]], %[[V4]] : tensor<4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.constant dense<6.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.div %[[V5]], %[[V6]] : tensor<4xf32>
// CHECK-NEXT: return %[[V7]] : tensor<4xf32>
func.func @hard_sigmoid(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "hardsigmoid.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Chains are rounded once, at their end.

// CHECK-LABEL: func.func @narrow(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xbf16>
// CHECK-NEXT: %[[W:.*]] = ourc.cast %[[X]] : tensor<4xbf16> -> tensor<4xf32>
// CHECK-NOT:  bf16
// CHECK:      %[[S:.*]] = ourc.div {{.*}} : tensor<4xf32>
// CHECK-NOT:  bf16
// CHECK:      %[[P:.*]] = ourc.mul %[[W]], %[[S]] : tensor<4xf32>
// CHECK-NEXT: ourc.cast %[[P]] : tensor<4xf32> -> tensor<4xbf16>
// CHECK:      %[[G:.*]] = ourc.div {{.*}} : tensor<4xf32>
// CHECK-NEXT: ourc.cast %[[G]] : tensor<4xf32> -> tensor<4xbf16>
// CHECK:      %[[M:.*]] = ourc.mul {{.*}} : tensor<4xf32>
// CHECK-NEXT: ourc.cast %[[M]] : tensor<4xf32> -> tensor<4xbf16>
func.func @narrow(%x: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>) {
  %0 = aten.call "hardswish.default"(self = %x) : (tensor<4xbf16>) -> tensor<4xbf16>
  %1 = aten.call "hardsigmoid.default"(self = %x) : (tensor<4xbf16>) -> tensor<4xbf16>
  %2 = aten.call "mish.default"(self = %x) : (tensor<4xbf16>) -> tensor<4xbf16>
  return %0, %1, %2 : tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>
}
