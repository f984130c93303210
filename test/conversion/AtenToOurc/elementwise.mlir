// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// Functions of one element.

// CHECK-LABEL: func.func @unary(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x?xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.abs %[[X]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.neg %[[V0]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.exp %[[V1]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.expm1 %[[V2]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.log %[[V3]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.log1p %[[V4]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.sqrt %[[V5]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.rsqrt %[[V6]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.tanh %[[V7]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.erf %[[V8]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V10:.*]] = ourc.sigmoid %[[V9]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V11:.*]] = ourc.sin %[[V10]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V12:.*]] = ourc.cos %[[V11]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V13:.*]] = ourc.floor %[[V12]] : tensor<4x?xf32>
// CHECK-NEXT: %[[V14:.*]] = ourc.ceil %[[V12]] : tensor<4x?xf32>
// CHECK-NEXT: return %[[V13]], %[[V14]] : tensor<4x?xf32>, tensor<4x?xf32>
func.func @unary(%x: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>) {
  %0 = aten.call "abs.default"(self = %x) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = aten.call "neg.default"(self = %0) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %2 = aten.call "exp.default"(self = %1) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %3 = aten.call "expm1.default"(self = %2) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %4 = aten.call "log.default"(self = %3) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %5 = aten.call "log1p.default"(self = %4) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %6 = aten.call "sqrt.default"(self = %5) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %7 = aten.call "rsqrt.default"(self = %6) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %8 = aten.call "tanh.default"(self = %7) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %9 = aten.call "erf.default"(self = %8) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %10 = aten.call "sigmoid.default"(self = %9) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %11 = aten.call "sin.default"(self = %10) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %12 = aten.call "cos.default"(self = %11) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %13 = aten.call "floor.default"(self = %12) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %14 = aten.call "ceil.default"(self = %12) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %13, %14 : tensor<4x?xf32>, tensor<4x?xf32>
}

// -----

// A function of integers that gives floats casts first; rounding leaves
// integers alone.

// CHECK-LABEL: func.func @unary_of_integers(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi64>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xi64> -> tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.sqrt %[[V0]] : tensor<4xf32>
// CHECK-NEXT: return %[[V1]], %[[X]] : tensor<4xf32>, tensor<4xi64>
func.func @unary_of_integers(%x: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %0 = aten.call "sqrt.default"(self = %x) : (tensor<4xi64>) -> tensor<4xf32>
  %1 = aten.call "floor.default"(self = %x) : (tensor<4xi64>) -> tensor<4xi64>
  return %0, %1 : tensor<4xf32>, tensor<4xi64>
}

// -----

// CHECK-LABEL: func.func @reciprocal(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.div %[[V0]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4xf32>
func.func @reciprocal(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "reciprocal.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @trunc(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.compare lt %[[X]], %[[V0]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V2:.*]] = ourc.ceil %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.floor %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.select %[[V1]], %[[V2]], %[[V3]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT: return %[[V4]] : tensor<4xf32>
func.func @trunc(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "trunc.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Sums, products, quotients.

// CHECK-LABEL: func.func @binary(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.add %[[X]], %[[Y]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.sub %[[V0]], %[[Y]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.mul %[[V1]], %[[Y]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.div %[[V2]], %[[Y]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.maximum %[[V3]], %[[Y]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.minimum %[[V4]], %[[Y]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.pow %[[V5]], %[[Y]] : tensor<2x4xf32>
// CHECK-NEXT: return %[[V6]] : tensor<2x4xf32>
func.func @binary(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = aten.call "add.Tensor"(self = %x, other = %y) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = aten.call "sub.Tensor"(self = %0, other = %y) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = aten.call "mul.Tensor"(self = %1, other = %y) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %3 = aten.call "div.Tensor"(self = %2, other = %y) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %4 = aten.call "maximum.default"(self = %3, other = %y) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %5 = aten.call "minimum.default"(self = %4, other = %y) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %6 = aten.call "pow.Tensor_Tensor"(self = %5, exponent = %y) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %6 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @alpha(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.mul %[[Y]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.add %[[X]], %[[V1]] : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.mul %[[Y]], %[[V3]] : tensor<4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.sub %[[X]], %[[V4]] : tensor<4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.sub %[[V6]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: return %[[V2]], %[[V5]], %[[V7]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @alpha(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = aten.call "add.Tensor"(self = %x, other = %y, alpha = 2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = aten.call "sub.Tensor"(self = %x, other = %y, alpha = 0.5 : f64) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = aten.call "rsub.Scalar"(self = %x, other = 1) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @scalars(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.add %[[X]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<3.500000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.sub %[[X]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.constant dense<8.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.div %[[X]], %[[V4]] : tensor<4xf32>
// CHECK-NEXT: return %[[V1]], %[[V3]], %[[X]], %[[V5]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @scalars(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = aten.call "add.Scalar"(self = %x, other = 3) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = aten.call "sub.Scalar"(self = %x, other = 3.5 : f64) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = aten.call "mul.Scalar"(self = %x, other = true) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = aten.call "div.Scalar"(self = %x, other = 8) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A scalar that is a size of the call.

// CHECK-LABEL: func.func @size_as_scalar(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NEXT: %[[V0:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK-NEXT: %[[V1:.*]] = tensor.from_elements %[[V0]] : tensor<i64>
// CHECK-NEXT: %[[V2:.*]] = ourc.cast %[[V1]] : tensor<i64> -> tensor<f32>
// CHECK-NEXT: %[[V3:.*]] = ourc.broadcast %[[V2]] dims [] sizes [4] : tensor<f32> -> tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.mul %[[X]], %[[V3]] : tensor<4xf32>
// CHECK-NEXT: return %[[V4]] : tensor<4xf32>
func.func @size_as_scalar(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %0 = aten.call "mul.Scalar"(self = %x, other = %n) : (tensor<4xf32>, index) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The sum of booleans is `or`, their product `and`.

// CHECK-LABEL: func.func @booleans(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi1>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xi1>
// CHECK-NEXT: %[[V0:.*]] = ourc.or %[[X]], %[[Y]] : tensor<4xi1>
// CHECK-NEXT: %[[V1:.*]] = ourc.and %[[X]], %[[Y]] : tensor<4xi1>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<4xi1>, tensor<4xi1>
func.func @booleans(%x: tensor<4xi1>, %y: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>) {
  %0 = aten.call "add.Tensor"(self = %x, other = %y) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %1 = aten.call "mul.Tensor"(self = %x, other = %y) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0, %1 : tensor<4xi1>, tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @divide_integers(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi64>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xi64>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xi64> -> tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.cast %[[Y]] : tensor<4xi64> -> tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.div %[[V0]], %[[V1]] : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.div %[[X]], %[[Y]] : tensor<4xi64>
// CHECK-NEXT: return %[[V2]], %[[V3]] : tensor<4xf32>, tensor<4xi64>
func.func @divide_integers(%x: tensor<4xi64>, %y: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %0 = aten.call "div.Tensor"(self = %x, other = %y) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xf32>
  %1 = aten.call "div.Tensor_mode"(self = %x, other = %y, rounding_mode = "trunc") : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  return %0, %1 : tensor<4xf32>, tensor<4xi64>
}

// -----

// CHECK-LABEL: func.func @divide_floor(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi64>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xi64>
// CHECK-NEXT: %[[V0:.*]] = ourc.div %[[X]], %[[Y]] : tensor<4xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.mul %[[V0]], %[[Y]] : tensor<4xi64>
// CHECK-NEXT: %[[V2:.*]] = ourc.sub %[[X]], %[[V1]] : tensor<4xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<0> : tensor<4xi64>
// CHECK-NEXT: %[[V4:.*]] = ourc.compare ne %[[V2]], %[[V3]] : tensor<4xi64> -> tensor<4xi1>
// CHECK-NEXT: %[[V5:.*]] = ourc.compare lt %[[V2]], %[[V3]] : tensor<4xi64> -> tensor<4xi1>
// CHECK-NEXT: %[[V6:.*]] = ourc.compare lt %[[Y]], %[[V3]] : tensor<4xi64> -> tensor<4xi1>
// CHECK-NEXT: %[[V7:.*]] = ourc.xor %[[V5]], %[[V6]] : tensor<4xi1>
// CHECK-NEXT: %[[V8:.*]] = ourc.constant dense<1> : tensor<4xi64>
// CHECK-NEXT: %[[V9:.*]] = ourc.sub %[[V0]], %[[V8]] : tensor<4xi64>
// CHECK-NEXT: %[[V10:.*]] = ourc.and %[[V4]], %[[V7]] : tensor<4xi1>
// CHECK-NEXT: %[[V11:.*]] = ourc.select %[[V10]], %[[V9]], %[[V0]] : tensor<4xi1>, tensor<4xi64>
// CHECK-NEXT: return %[[V11]] : tensor<4xi64>
func.func @divide_floor(%x: tensor<4xi64>, %y: tensor<4xi64>) -> tensor<4xi64> {
  %0 = aten.call "div.Tensor_mode"(self = %x, other = %y, rounding_mode = "floor") : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// -----

// CHECK-LABEL: func.func @divide_trunc(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.div %[[X]], %[[Y]] : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.compare lt %[[V0]], %[[V1]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V3:.*]] = ourc.ceil %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.floor %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.select %[[V2]], %[[V3]], %[[V4]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT: return %[[V5]] : tensor<4xf32>
func.func @divide_trunc(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "div.Tensor_mode"(self = %x, other = %y, rounding_mode = "trunc") : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @addcmul(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[Z:[a-z0-9]+]]: tensor<f32>
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[Z]] dims [] sizes [4] : tensor<f32> -> tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.mul %[[Y]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.mul %[[V1]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.add %[[X]], %[[V3]] : tensor<4xf32>
// CHECK-NEXT: return %[[V4]] : tensor<4xf32>
func.func @addcmul(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  %0 = aten.call "addcmul.default"(self = %x, tensor1 = %y, tensor2 = %z, value = 0.5 : f64) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @addcdiv(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.div %[[Y]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.add %[[X]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4xf32>
func.func @addcdiv(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "addcdiv.default"(self = %x, tensor1 = %y, tensor2 = %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Powers with known exponents.

// CHECK-LABEL: func.func @powers(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.mul %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.mul %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.mul %[[V2]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.sqrt %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.rsqrt %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.div %[[V6]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.constant dense<2.500000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.pow %[[X]], %[[V8]] : tensor<4xf32>
// CHECK-NEXT: return %[[V0]], %[[X]], %[[V1]], %[[V3]], %[[V4]], %[[V5]], %[[V7]], %[[V9]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @powers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = aten.call "pow.Tensor_Scalar"(self = %x, exponent = 0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = aten.call "pow.Tensor_Scalar"(self = %x, exponent = 1) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = aten.call "pow.Tensor_Scalar"(self = %x, exponent = 2) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = aten.call "pow.Tensor_Scalar"(self = %x, exponent = 3.0 : f64) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = aten.call "pow.Tensor_Scalar"(self = %x, exponent = 0.5 : f64) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = aten.call "pow.Tensor_Scalar"(self = %x, exponent = -0.5 : f64) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = aten.call "pow.Tensor_Scalar"(self = %x, exponent = -1) : (tensor<4xf32>) -> tensor<4xf32>
  %7 = aten.call "pow.Tensor_Scalar"(self = %x, exponent = 2.5 : f64) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @power_of_scalar(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<4xi64>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.pow %[[V0]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.mul %[[I]], %[[I]] : tensor<4xi64>
// CHECK-NEXT: return %[[V1]], %[[V2]] : tensor<4xf32>, tensor<4xi64>
func.func @power_of_scalar(%x: tensor<4xf32>, %i: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %0 = aten.call "pow.Scalar"(self = 2, exponent = %x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = aten.call "pow.Tensor_Scalar"(self = %i, exponent = 2) : (tensor<4xi64>) -> tensor<4xi64>
  return %0, %1 : tensor<4xf32>, tensor<4xi64>
}

// -----

// Limits.

// CHECK-LABEL: func.func @clamp(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.maximum %[[X]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.minimum %[[V2]], %[[V1]] : tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.constant dense<9.99999971E-10> : tensor<4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.maximum %[[X]], %[[V4]] : tensor<4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.constant dense<4.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.minimum %[[X]], %[[V6]] : tensor<4xf32>
// CHECK-NEXT: return %[[V3]], %[[V5]], %[[V7]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @clamp(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = aten.call "clamp.default"(self = %x, min = 0, max = 1) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = aten.call "clamp_min.default"(self = %x, min = 1.0e-9 : f64) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = aten.call "clamp_max.default"(self = %x, max = 4) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @clamp_one_limit(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.maximum %[[X]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.minimum %[[X]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT: return %[[V1]], %[[V3]] : tensor<4xf32>, tensor<4xf32>
func.func @clamp_one_limit(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = aten.call "clamp.default"(self = %x, min = 0.5 : f64) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = aten.call "clamp.default"(self = %x, max = 0.5 : f64) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @clamp_tensor(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-SAME: %[[LOW:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[HIGH:[a-z0-9]+]]: tensor<2x1xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[LOW]] dims [1] sizes [2, 4] : tensor<4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[HIGH]] dims [0, 1] sizes [2, 4] : tensor<2x1xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.maximum %[[X]], %[[V0]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.minimum %[[V2]], %[[V1]] : tensor<2x4xf32>
// CHECK-NEXT: return %[[V3]] : tensor<2x4xf32>
func.func @clamp_tensor(%x: tensor<2x4xf32>, %low: tensor<4xf32>, %high: tensor<2x1xf32>) -> tensor<2x4xf32> {
  %0 = aten.call "clamp.Tensor"(self = %x, min = %low, max = %high) : (tensor<2x4xf32>, tensor<4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @hardtanh(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<-1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.maximum %[[X]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.minimum %[[V2]], %[[V1]] : tensor<4xf32>
// CHECK-NEXT: return %[[V3]] : tensor<4xf32>
func.func @hardtanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "hardtanh.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
