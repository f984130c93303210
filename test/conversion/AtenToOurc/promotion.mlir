// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// Type promotion and broadcasting, made explicit.

// CHECK-LABEL: func.func @wider_float(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xbf16>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xbf16> -> tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.add %[[V0]], %[[Y]] : tensor<4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4xf32>
func.func @wider_float(%x: tensor<4xbf16>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "add.Tensor"(self = %x, other = %y) : (tensor<4xbf16>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @integer_and_float(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi64>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xi64> -> tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.mul %[[V0]], %[[Y]] : tensor<4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4xf32>
func.func @integer_and_float(%x: tensor<4xi64>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "mul.Tensor"(self = %x, other = %y) : (tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A tensor without dimensions does not widen one that has some: bf16 is
// compared with bf16.

// CHECK-LABEL: func.func @rank_zero_does_not_widen(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xbf16>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<f32>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[Y]] : tensor<f32> -> tensor<bf16>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[V0]] dims [] sizes [4] : tensor<bf16> -> tensor<4xbf16>
// CHECK-NEXT: %[[V2:.*]] = ourc.compare lt %[[X]], %[[V1]] : tensor<4xbf16> -> tensor<4xi1>
// CHECK-NEXT: return %[[V2]] : tensor<4xi1>
func.func @rank_zero_does_not_widen(%x: tensor<4xbf16>, %y: tensor<f32>) -> tensor<4xi1> {
  %0 = aten.call "lt.Tensor"(self = %x, other = %y) : (tensor<4xbf16>, tensor<f32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// But one of a higher category does.

// CHECK-LABEL: func.func @higher_category(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi64>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<f64>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xi64> -> tensor<4xf64>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[Y]] dims [] sizes [4] : tensor<f64> -> tensor<4xf64>
// CHECK-NEXT: %[[V2:.*]] = ourc.compare lt %[[V0]], %[[V1]] : tensor<4xf64> -> tensor<4xi1>
// CHECK-NEXT: return %[[V2]] : tensor<4xi1>
func.func @higher_category(%x: tensor<4xi64>, %y: tensor<f64>) -> tensor<4xi1> {
  %0 = aten.call "lt.Tensor"(self = %x, other = %y) : (tensor<4xi64>, tensor<f64>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @integer_and_real_scalar(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi32>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xi32> -> tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.compare gt %[[V0]], %[[V1]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: return %[[V2]] : tensor<4xi1>
func.func @integer_and_real_scalar(%x: tensor<4xi32>) -> tensor<4xi1> {
  %0 = aten.call "gt.Scalar"(self = %x, other = 0.5 : f64) : (tensor<4xi32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @boolean_and_integer_scalar(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi1>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xi1> -> tensor<4xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<1> : tensor<4xi64>
// CHECK-NEXT: %[[V2:.*]] = ourc.compare eq %[[V0]], %[[V1]] : tensor<4xi64> -> tensor<4xi1>
// CHECK-NEXT: return %[[V2]] : tensor<4xi1>
func.func @boolean_and_integer_scalar(%x: tensor<4xi1>) -> tensor<4xi1> {
  %0 = aten.call "eq.Scalar"(self = %x, other = 1) : (tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @narrow_floats(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf16>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xbf16>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xf16> -> tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.cast %[[Y]] : tensor<4xbf16> -> tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.compare le %[[V0]], %[[V1]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: return %[[V2]] : tensor<4xi1>
func.func @narrow_floats(%x: tensor<4xf16>, %y: tensor<4xbf16>) -> tensor<4xi1> {
  %0 = aten.call "le.Tensor"(self = %x, other = %y) : (tensor<4xf16>, tensor<4xbf16>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// A scalar that bf16 would round is used in f32, the result rounded once; one
// that it holds is not.

// CHECK-LABEL: func.func @narrow_with_scalar(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xbf16>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xbf16> -> tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<1.000000e-01> : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.mul %[[V0]], %[[V1]] : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.cast %[[V2]] : tensor<4xf32> -> tensor<4xbf16>
// CHECK-NEXT: %[[V4:.*]] = ourc.constant dense<5.000000e-01> : tensor<4xbf16>
// CHECK-NEXT: %[[V5:.*]] = ourc.mul %[[X]], %[[V4]] : tensor<4xbf16>
// CHECK-NEXT: return %[[V3]], %[[V5]] : tensor<4xbf16>, tensor<4xbf16>
func.func @narrow_with_scalar(%x: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>) {
  %0 = aten.call "mul.Tensor"(self = %x, other = 0.1 : f64) : (tensor<4xbf16>) -> tensor<4xbf16>
  %1 = aten.call "mul.Tensor"(self = %x, other = 0.5 : f64) : (tensor<4xbf16>) -> tensor<4xbf16>
  return %0, %1 : tensor<4xbf16>, tensor<4xbf16>
}

// -----

// CHECK-LABEL: func.func @compare_narrow_with_scalar(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xbf16>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xbf16> -> tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<1.000000e-01> : tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.compare lt %[[V0]], %[[V1]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: return %[[V2]] : tensor<4xi1>
func.func @compare_narrow_with_scalar(%x: tensor<4xbf16>) -> tensor<4xi1> {
  %0 = aten.call "lt.Scalar"(self = %x, other = 0.1 : f64) : (tensor<4xbf16>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x1x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<3x1xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[X]] dims [0, 1, 2] sizes [2, 3, 4] : tensor<2x1x4xf32> -> tensor<2x3x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[Y]] dims [1, 2] sizes [2, 3, 4] : tensor<3x1xf32> -> tensor<2x3x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.add %[[V0]], %[[V1]] : tensor<2x3x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x3x4xf32>
func.func @broadcast(%x: tensor<2x1x4xf32>, %y: tensor<3x1xf32>) -> tensor<2x3x4xf32> {
  %0 = aten.call "add.Tensor"(self = %x, other = %y) : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// Dynamic sizes are symbols where the argument names them.

ourc.symbol @n {min = 1 : i64, max = 64 : i64}
// CHECK-LABEL: func.func @broadcast_symbol(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.dim @n : index
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[Y]] dims [1] sizes {{\[}}%[[V0]], 4] : tensor<4xf32> -> tensor<?x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.add %[[X]], %[[V1]] : tensor<?x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<?x4xf32>
func.func @broadcast_symbol(%x: tensor<?x4xf32> {ourc.shape = [@n, 4]}, %y: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = aten.call "add.Tensor"(self = %x, other = %y) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast_without_symbol(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.broadcast %[[Y]] dims [1] sizes {{\[}}%[[V1]], 4] : tensor<4xf32> -> tensor<?x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.add %[[X]], %[[V2]] : tensor<?x4xf32>
// CHECK-NEXT: return %[[V3]] : tensor<?x4xf32>
func.func @broadcast_without_symbol(%x: tensor<?x4xf32>, %y: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = aten.call "add.Tensor"(self = %x, other = %y) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// Two dynamic dimensions that meet are equal; one that meets a static size has
// that size.

// CHECK-LABEL: func.func @dynamic_meets_dynamic(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<?x1xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.broadcast %[[Y]] dims [0, 1] sizes {{\[}}%[[V1]], 4] : tensor<?x1xf32> -> tensor<?x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.add %[[X]], %[[V2]] : tensor<?x4xf32>
// CHECK-NEXT: return %[[V3]] : tensor<?x4xf32>
func.func @dynamic_meets_dynamic(%x: tensor<?x4xf32>, %y: tensor<?x1xf32>) -> tensor<?x4xf32> {
  %0 = aten.call "add.Tensor"(self = %x, other = %y) : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic_meets_static(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<8x4xf32>
// CHECK-NEXT: %[[V0:.*]] = tensor.cast %[[X]] : tensor<?x4xf32> to tensor<8x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.add %[[V0]], %[[Y]] : tensor<8x4xf32>
// CHECK-NEXT: %[[V2:.*]] = tensor.cast %[[V1]] : tensor<8x4xf32> to tensor<?x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<?x4xf32>
func.func @dynamic_meets_static(%x: tensor<?x4xf32>, %y: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %0 = aten.call "add.Tensor"(self = %x, other = %y) : (tensor<?x4xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @declared_static(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<?x4xf32>
// CHECK-NEXT: %[[V0:.*]] = tensor.cast %[[X]] : tensor<?x4xf32> to tensor<8x4xf32>
// CHECK-NEXT: %[[V1:.*]] = tensor.cast %[[Y]] : tensor<?x4xf32> to tensor<8x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.add %[[V0]], %[[V1]] : tensor<8x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<8x4xf32>
func.func @declared_static(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<8x4xf32> {
  %0 = aten.call "add.Tensor"(self = %x, other = %y) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// The dims of one symbol become one value at the start of the function.

ourc.symbol @n {min = 1 : i64, max = 64 : i64}
// CHECK-LABEL: func.func @one_value_a_symbol(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.dim @n : index
// CHECK-NEXT: %[[V1:.*]] = ourc.exp %[[X]] : tensor<?xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V3:.*]] = ourc.broadcast %[[V2]] dims [] sizes {{\[}}%[[V0]]] : tensor<f32> -> tensor<?xf32>
// CHECK-NEXT: return %[[V3]], %[[V1]] : tensor<?xf32>, tensor<?xf32>
func.func @one_value_a_symbol(%x: tensor<?xf32> {ourc.shape = [@n]}) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = aten.call "exp.default"(self = %x) : (tensor<?xf32>) -> tensor<?xf32>
  %n = ourc.dim @n : index
  %1 = aten.call "zeros.default"(size = [%n]) : (index) -> tensor<?xf32>
  %m = ourc.dim @n : index
  %2 = aten.call "view.default"(self = %0, size = [%m]) : (tensor<?xf32>, index) -> tensor<?xf32>
  return %1, %2 : tensor<?xf32>, tensor<?xf32>
}
