// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// CHECK-LABEL: func.func @compare(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.compare eq %[[X]], %[[Y]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V1:.*]] = ourc.compare ne %[[X]], %[[Y]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V2:.*]] = ourc.compare lt %[[X]], %[[Y]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V3:.*]] = ourc.compare le %[[X]], %[[Y]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V4:.*]] = ourc.compare gt %[[X]], %[[Y]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V5:.*]] = ourc.compare ge %[[X]], %[[Y]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]], %[[V4]], %[[V5]] : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
func.func @compare(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = aten.call "eq.Tensor"(self = %x, other = %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = aten.call "ne.Tensor"(self = %x, other = %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = aten.call "lt.Tensor"(self = %x, other = %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = aten.call "le.Tensor"(self = %x, other = %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %4 = aten.call "gt.Tensor"(self = %x, other = %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = aten.call "ge.Tensor"(self = %x, other = %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @compare_scalar(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xi64>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?xi64>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[V3:.*]] = ourc.broadcast %[[V2]] dims [] sizes {{\[}}%[[V1]]] : tensor<i64> -> tensor<?xi64>
// CHECK-NEXT: %[[V4:.*]] = ourc.compare ge %[[X]], %[[V3]] : tensor<?xi64> -> tensor<?xi1>
// CHECK-NEXT: %[[V5:.*]] = ourc.constant dense<-100> : tensor<i64>
// CHECK-NEXT: %[[V6:.*]] = ourc.broadcast %[[V5]] dims [] sizes {{\[}}%[[V1]]] : tensor<i64> -> tensor<?xi64>
// CHECK-NEXT: %[[V7:.*]] = ourc.compare ne %[[X]], %[[V6]] : tensor<?xi64> -> tensor<?xi1>
// CHECK-NEXT: return %[[V4]], %[[V7]] : tensor<?xi1>, tensor<?xi1>
func.func @compare_scalar(%x: tensor<?xi64>) -> (tensor<?xi1>, tensor<?xi1>) {
  %0 = aten.call "ge.Scalar"(self = %x, other = 0) : (tensor<?xi64>) -> tensor<?xi1>
  %1 = aten.call "ne.Scalar"(self = %x, other = -100) : (tensor<?xi64>) -> tensor<?xi1>
  return %0, %1 : tensor<?xi1>, tensor<?xi1>
}

// -----

// CHECK-LABEL: func.func @bitwise(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xi1>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<i1>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<4xi32>
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[Y]] dims [] sizes [2, 4] : tensor<i1> -> tensor<2x4xi1>
// CHECK-NEXT: %[[V1:.*]] = ourc.and %[[V0]], %[[X]] : tensor<2x4xi1>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<3> : tensor<4xi32>
// CHECK-NEXT: %[[V3:.*]] = ourc.or %[[I]], %[[V2]] : tensor<4xi32>
// CHECK-NEXT: %[[V4:.*]] = ourc.xor %[[I]], %[[I]] : tensor<4xi32>
// CHECK-NEXT: %[[V5:.*]] = ourc.not %[[I]] : tensor<4xi32>
// CHECK-NEXT: return %[[V1]], %[[V3]], %[[V4]], %[[V5]] : tensor<2x4xi1>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
func.func @bitwise(%x: tensor<2x4xi1>, %y: tensor<i1>, %i: tensor<4xi32>) -> (tensor<2x4xi1>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %0 = aten.call "bitwise_and.Tensor"(self = %y, other = %x) : (tensor<i1>, tensor<2x4xi1>) -> tensor<2x4xi1>
  %1 = aten.call "bitwise_or.Scalar"(self = %i, other = 3) : (tensor<4xi32>) -> tensor<4xi32>
  %2 = aten.call "bitwise_xor.Tensor"(self = %i, other = %i) : (tensor<4xi32>) -> tensor<4xi32>
  %3 = aten.call "bitwise_not.default"(self = %i) : (tensor<4xi32>) -> tensor<4xi32>
  return %0, %1, %2, %3 : tensor<2x4xi1>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @logical(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xi1>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V1:.*]] = ourc.and %[[V0]], %[[Y]] : tensor<4xi1>
// CHECK-NEXT: %[[V2:.*]] = ourc.or %[[Y]], %[[V1]] : tensor<4xi1>
// CHECK-NEXT: %[[V3:.*]] = ourc.xor %[[V1]], %[[Y]] : tensor<4xi1>
// CHECK-NEXT: %[[V4:.*]] = ourc.cast %[[X]] : tensor<4xf32> -> tensor<4xi1>
// CHECK-NEXT: %[[V5:.*]] = ourc.not %[[V4]] : tensor<4xi1>
// CHECK-NEXT: return %[[V1]], %[[V2]], %[[V3]], %[[V5]] : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
func.func @logical(%x: tensor<4xf32>, %y: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = aten.call "logical_and.default"(self = %x, other = %y) : (tensor<4xf32>, tensor<4xi1>) -> tensor<4xi1>
  %1 = aten.call "logical_or.default"(self = %y, other = %0) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %2 = aten.call "logical_xor.default"(self = %0, other = %y) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %3 = aten.call "logical_not.default"(self = %x) : (tensor<4xf32>) -> tensor<4xi1>
  return %0, %1, %2, %3 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @where(
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<2x1xi1>
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<f32>
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[C]] dims [0, 1] sizes [2, 4] : tensor<2x1xi1> -> tensor<2x4xi1>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[X]] dims [1] sizes [2, 4] : tensor<4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.broadcast %[[Y]] dims [] sizes [2, 4] : tensor<f32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.select %[[V0]], %[[V1]], %[[V2]] : tensor<2x4xi1>, tensor<2x4xf32>
// CHECK-NEXT: return %[[V3]] : tensor<2x4xf32>
func.func @where(%c: tensor<2x1xi1>, %x: tensor<4xf32>, %y: tensor<f32>) -> tensor<2x4xf32> {
  %0 = aten.call "where.self"(condition = %c, self = %x, other = %y) : (tensor<2x1xi1>, tensor<4xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @where_scalars(
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<4xi1>
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.select %[[C]], %[[V0]], %[[X]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.select %[[C]], %[[X]], %[[V2]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.select %[[C]], %[[V4]], %[[V5]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT: return %[[V1]], %[[V3]], %[[V6]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @where_scalars(%c: tensor<4xi1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = aten.call "where.ScalarSelf"(condition = %c, self = 1, other = %x) : (tensor<4xi1>, tensor<4xf32>) -> tensor<4xf32>
  %1 = aten.call "where.ScalarOther"(condition = %c, self = %x, other = 0.5 : f64) : (tensor<4xi1>, tensor<4xf32>) -> tensor<4xf32>
  %2 = aten.call "where.Scalar"(condition = %c, self = 1.0 : f64, other = 0.0 : f64) : (tensor<4xi1>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @masked_fill(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<4xi1>
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[M]] dims [1] sizes [2, 4] : tensor<4xi1> -> tensor<2x4xi1>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<0xFF800000> : tensor<2x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.select %[[V0]], %[[V1]], %[[X]] : tensor<2x4xi1>, tensor<2x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x4xf32>
func.func @masked_fill(%x: tensor<2x4xf32>, %m: tensor<4xi1>) -> tensor<2x4xf32> {
  %0 = aten.call "masked_fill.Scalar"(self = %x, mask = %m, value = 0xFFF0000000000000 : f64) : (tensor<2x4xf32>, tensor<4xi1>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @casts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi64>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xi64> -> tensor<4xi1>
// CHECK-NEXT: %[[V1:.*]] = ourc.cast %[[V0]] : tensor<4xi1> -> tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.cast %[[Y]] : tensor<4xf32> -> tensor<4xi32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[Y]] : tensor<4xi1>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>
func.func @casts(%x: tensor<4xi64>, %y: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>) {
  %0 = aten.call "_to_copy.default"(self = %x, dtype = "bool", device = "cpu") : (tensor<4xi64>) -> tensor<4xi1>
  %1 = aten.call "_to_copy.default"(self = %0, dtype = "float32") : (tensor<4xi1>) -> tensor<4xf32>
  %2 = aten.call "to.dtype"(self = %y, dtype = "int32") : (tensor<4xf32>) -> tensor<4xi32>
  %3 = aten.call "_to_copy.default"(self = %y, dtype = "float32") : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xi1>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>
}

// -----

// Unsigned integers keep their sign through views until a cast asks for it.

// CHECK-LABEL: func.func @cast_unsigned(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xi8>
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[X]] sizes [8] : tensor<2x4xi8> -> tensor<8xi8>
// CHECK-NEXT: %[[V1:.*]] = ourc.cast %[[V0]] {unsignedSource} : tensor<8xi8> -> tensor<8xf32>
// CHECK-NEXT: return %[[V1]] : tensor<8xf32>
func.func @cast_unsigned(%x: tensor<2x4xi8> {ourc.unsigned}) -> tensor<8xf32> {
  %0 = aten.call "view.default"(self = %x, size = [8]) : (tensor<2x4xi8>) -> tensor<8xi8>
  %1 = aten.call "_to_copy.default"(self = %0, dtype = "float32") : (tensor<8xi8>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
