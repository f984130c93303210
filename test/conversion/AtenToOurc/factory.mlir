// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// CHECK-LABEL: func.func @fill(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<7> : tensor<4xi64>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<2.000000e+00> : tensor<2x3xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<true> : tensor<2x3xi1>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]] : tensor<4xf32>, tensor<4xi64>, tensor<2x3xf32>, tensor<2x3xi1>
func.func @fill(%x: tensor<2x3xf32>) -> (tensor<4xf32>, tensor<4xi64>, tensor<2x3xf32>, tensor<2x3xi1>) {
  %0 = aten.call "full.default"(size = [4], fill_value = 0.5 : f64) : () -> tensor<4xf32>
  %1 = aten.call "new_full.default"(self = %x, size = [4], fill_value = 7, dtype = "int64") : (tensor<2x3xf32>) -> tensor<4xi64>
  %2 = aten.call "full_like.default"(self = %x, fill_value = 2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = aten.call "full_like.default"(self = %x, fill_value = true, dtype = "bool") : (tensor<2x3xf32>) -> tensor<2x3xi1>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xi64>, tensor<2x3xf32>, tensor<2x3xi1>
}

// -----

// CHECK-LABEL: func.func @zeros_and_ones(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2xf16>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<0.000000e+00> : tensor<3xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<0.000000e+00> : tensor<2xf16>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<0> : tensor<1xi8>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<1.000000e+00> : tensor<3xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.constant dense<1.000000e+00> : tensor<2xf16>
// CHECK-NEXT: %[[V5:.*]] = ourc.constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]], %[[V4]], %[[V5]] : tensor<3xf32>, tensor<2xf16>, tensor<1xi8>, tensor<3xf32>, tensor<2xf16>, tensor<i1>
func.func @zeros_and_ones(%x: tensor<2xf16>) -> (tensor<3xf32>, tensor<2xf16>, tensor<1xi8>, tensor<3xf32>, tensor<2xf16>, tensor<i1>) {
  %0 = aten.call "zeros.default"(size = [3]) : () -> tensor<3xf32>
  %1 = aten.call "zeros_like.default"(self = %x) : (tensor<2xf16>) -> tensor<2xf16>
  %2 = aten.call "new_zeros.default"(self = %x, size = [1], dtype = "int8") : (tensor<2xf16>) -> tensor<1xi8>
  %3 = aten.call "ones.default"(size = [3]) : () -> tensor<3xf32>
  %4 = aten.call "ones_like.default"(self = %x) : (tensor<2xf16>) -> tensor<2xf16>
  %5 = aten.call "new_ones.default"(self = %x, size = [], dtype = "bool") : (tensor<2xf16>) -> tensor<i1>
  return %0, %1, %2, %3, %4, %5 : tensor<3xf32>, tensor<2xf16>, tensor<1xi8>, tensor<3xf32>, tensor<2xf16>, tensor<i1>
}

// -----

// CHECK-LABEL: func.func @fill_dynamic(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[V0]] dims [] sizes {{\[}}%[[N]], 2] : tensor<f32> -> tensor<?x2xf32>
// CHECK-NEXT: %[[V2:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK-NEXT: %[[V3:.*]] = tensor.from_elements %[[V2]] : tensor<i64>
// CHECK-NEXT: %[[V4:.*]] = ourc.broadcast %[[V3]] dims [] sizes [2] : tensor<i64> -> tensor<2xi64>
// CHECK-NEXT: return %[[V1]], %[[V4]] : tensor<?x2xf32>, tensor<2xi64>
func.func @fill_dynamic(%n: index) -> (tensor<?x2xf32>, tensor<2xi64>) {
  %0 = aten.call "zeros.default"(size = [%n, 2]) : (index) -> tensor<?x2xf32>
  %1 = aten.call "full.default"(size = [2], fill_value = %n) : (index) -> tensor<2xi64>
  return %0, %1 : tensor<?x2xf32>, tensor<2xi64>
}

// -----

// CHECK-LABEL: func.func @fill_scalar(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<3.000000e+00> : tensor<2xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2xf32>
func.func @fill_scalar(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = aten.call "fill.Scalar"(self = %x, value = 3) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @scalar_tensor(
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<3> : tensor<i64>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<f32>, tensor<i64>
func.func @scalar_tensor() -> (tensor<f32>, tensor<i64>) {
  %0 = aten.call "scalar_tensor.default"(s = 0xFFF0000000000000 : f64, dtype = "float32") : () -> tensor<f32>
  %1 = aten.call "scalar_tensor.default"(s = 3, dtype = "int64") : () -> tensor<i64>
  return %0, %1 : tensor<f32>, tensor<i64>
}

// -----

// CHECK-LABEL: func.func @arange(
// CHECK-NEXT: %[[V0:.*]] = ourc.iota dim 0 sizes [4] : tensor<4xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.iota dim 0 sizes [3] : tensor<3xi64>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<2> : tensor<3xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.add %[[V1]], %[[V2]] : tensor<3xi64>
// CHECK-NEXT: %[[V4:.*]] = ourc.iota dim 0 sizes [2] : tensor<2xi64>
// CHECK-NEXT: %[[V5:.*]] = ourc.constant dense<-2> : tensor<2xi64>
// CHECK-NEXT: %[[V6:.*]] = ourc.mul %[[V4]], %[[V5]] : tensor<2xi64>
// CHECK-NEXT: %[[V7:.*]] = ourc.constant dense<5> : tensor<2xi64>
// CHECK-NEXT: %[[V8:.*]] = ourc.add %[[V6]], %[[V7]] : tensor<2xi64>
// CHECK-NEXT: %[[V9:.*]] = ourc.iota dim 0 sizes [3] : tensor<3xf32>
// CHECK-NEXT: %[[V10:.*]] = ourc.constant dense<5.000000e-01> : tensor<3xf32>
// CHECK-NEXT: %[[V11:.*]] = ourc.mul %[[V9]], %[[V10]] : tensor<3xf32>
// CHECK-NEXT: return %[[V0]], %[[V3]], %[[V8]], %[[V11]] : tensor<4xi64>, tensor<3xi64>, tensor<2xi64>, tensor<3xf32>
func.func @arange() -> (tensor<4xi64>, tensor<3xi64>, tensor<2xi64>, tensor<3xf32>) {
  %0 = aten.call "arange.default"(end = 4) : () -> tensor<4xi64>
  %1 = aten.call "arange.start"(start = 2, end = 5) : () -> tensor<3xi64>
  %2 = aten.call "arange.start_step"(start = 5, end = 1, step = -2) : () -> tensor<2xi64>
  %3 = aten.call "arange.start_step"(start = 0, end = 1.5 : f64, step = 0.5 : f64) : () -> tensor<3xf32>
  return %0, %1, %2, %3 : tensor<4xi64>, tensor<3xi64>, tensor<2xi64>, tensor<3xf32>
}

// -----

ourc.symbol @n {min = 1 : i64, max = 64 : i64}
// CHECK-LABEL: func.func @arange_dynamic(
// CHECK-NEXT: %[[V0:.*]] = ourc.dim @n : index
// CHECK-NEXT: %[[V1:.*]] = ourc.iota dim 0 sizes {{\[}}%[[V0]]] : tensor<?xi64>
// CHECK-NEXT: %[[V2:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V3:.*]] = arith.subi %[[V0]], %[[V2]] : index
// CHECK-NEXT: %[[V4:.*]] = arith.constant 2 : index
// CHECK-NEXT: %[[V5:.*]] = arith.ceildivsi %[[V3]], %[[V4]] : index
// CHECK-NEXT: %[[V6:.*]] = ourc.iota dim 0 sizes {{\[}}%[[V5]]] : tensor<?xi64>
// CHECK-NEXT: %[[V7:.*]] = ourc.constant dense<2> : tensor<i64>
// CHECK-NEXT: %[[V8:.*]] = ourc.broadcast %[[V7]] dims [] sizes {{\[}}%[[V5]]] : tensor<i64> -> tensor<?xi64>
// CHECK-NEXT: %[[V9:.*]] = ourc.mul %[[V6]], %[[V8]] : tensor<?xi64>
// CHECK-NEXT: %[[V10:.*]] = ourc.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[V11:.*]] = ourc.broadcast %[[V10]] dims [] sizes {{\[}}%[[V5]]] : tensor<i64> -> tensor<?xi64>
// CHECK-NEXT: %[[V12:.*]] = ourc.add %[[V9]], %[[V11]] : tensor<?xi64>
// CHECK-NEXT: %[[V13:.*]] = ourc.iota dim 0 sizes {{\[}}%[[V0]]] : tensor<?xf32>
// CHECK-NEXT: %[[V14:.*]] = ourc.cast %[[V13]] : tensor<?xf32> -> tensor<?xf16>
// CHECK-NEXT: return %[[V1]], %[[V12]], %[[V14]] : tensor<?xi64>, tensor<?xi64>, tensor<?xf16>
func.func @arange_dynamic() -> (tensor<?xi64>, tensor<?xi64>, tensor<?xf16>) {
  %n = ourc.dim @n : index
  %0 = aten.call "arange.default"(end = %n) : (index) -> tensor<?xi64>
  %1 = aten.call "arange.start_step"(start = 1, end = %n, step = 2) : (index) -> tensor<?xi64>
  %2 = aten.call "arange.default"(end = %n, dtype = "float16") : (index) -> tensor<?xf16>
  return %0, %1, %2 : tensor<?xi64>, tensor<?xi64>, tensor<?xf16>
}
