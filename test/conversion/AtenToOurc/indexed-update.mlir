// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// The indexed dimension of the source comes first.

// CHECK-LABEL: func.func @index_copy(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x3x8x5xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2xi64>
// CHECK-SAME: %[[Z:[a-z0-9]+]]: tensor<1x3x2x5xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[Z]] [2, 0, 1, 3] : tensor<1x3x2x5xf32> -> tensor<2x1x3x5xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.scatter %[[V0]] into %[[X]] at %[[Y]] axes [2] : tensor<2x1x3x5xf32>, tensor<1x3x8x5xf32>, tensor<2xi64> -> tensor<1x3x8x5xf32>
// CHECK-NEXT: return %[[V1]] : tensor<1x3x8x5xf32>
func.func @index_copy(%x: tensor<1x3x8x5xf32>, %i: tensor<2xi64>, %y: tensor<1x3x2x5xf32>) -> tensor<1x3x8x5xf32> {
  %0 = aten.call "index_copy.default"(self = %x, dim = 2, index = %i, source = %y) : (tensor<1x3x8x5xf32>, tensor<2xi64>, tensor<1x3x2x5xf32>) -> tensor<1x3x8x5xf32>
  return %0 : tensor<1x3x8x5xf32>
}

// -----

// CHECK-LABEL: func.func @index_add(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x5xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2xi32>
// CHECK-SAME: %[[Z:[a-z0-9]+]]: tensor<2x5xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<3.000000e+00> : tensor<2x5xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.mul %[[Z]], %[[V0]] : tensor<2x5xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.scatter by  add %[[V1]] into %[[X]] at %[[Y]] axes [0] : tensor<2x5xf32>, tensor<8x5xf32>, tensor<2xi32> -> tensor<8x5xf32>
// CHECK-NEXT: return %[[V2]] : tensor<8x5xf32>
func.func @index_add(%x: tensor<8x5xf32>, %i: tensor<2xi32>, %y: tensor<2x5xf32>) -> tensor<8x5xf32> {
  %0 = aten.call "index_add.default"(self = %x, dim = 0, index = %i, source = %y, alpha = 3) : (tensor<8x5xf32>, tensor<2xi32>, tensor<2x5xf32>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}

// -----

// Every dimension is indexed, all but one by its own positions; the source may
// be larger than the index.

// CHECK-LABEL: func.func @scatter(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2x3xi64>
// CHECK-SAME: %[[Z:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.slice %[[Z]] offsets [0, 0] sizes [2, 3] strides [1, 1] : tensor<4x8xf32> -> tensor<2x3xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.iota dim 0 sizes [2, 3] : tensor<2x3xi64>
// CHECK-NEXT: %[[V2:.*]] = ourc.scatter %[[V0]] into %[[X]] at %[[V1]], %[[Y]] axes [0, 1] : tensor<2x3xf32>, tensor<4x8xf32>, tensor<2x3xi64>, tensor<2x3xi64> -> tensor<4x8xf32>
// CHECK-NEXT: return %[[V2]] : tensor<4x8xf32>
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<2x3xi64>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = aten.call "scatter.src"(self = %x, dim = 1, index = %i, src = %y) : (tensor<4x8xf32>, tensor<2x3xi64>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @scatter_reduce(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<3xi64>
// CHECK-SAME: %[[Z:[a-z0-9]+]]: tensor<3xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.scatter by  maximum %[[Z]] into %[[X]] at %[[Y]] axes [0] : tensor<3xf32>, tensor<8xf32>, tensor<3xi64> -> tensor<8xf32>
// CHECK-NEXT: return %[[V0]] : tensor<8xf32>
func.func @scatter_reduce(%x: tensor<8xf32>, %i: tensor<3xi64>, %y: tensor<3xf32>) -> tensor<8xf32> {
  %0 = aten.call "scatter_reduce.two"(self = %x, dim = 0, index = %i, src = %y, reduce = "amax") : (tensor<8xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Indices that are not adjacent have their dimensions in front of the values.

// CHECK-LABEL: func.func @index_put(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3x5x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2xi64>
// CHECK-SAME: %[[Z:[a-z0-9]+]]: tensor<2x5xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<0> : tensor<2xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.compare  lt %[[Y]], %[[V0]] : tensor<2xi64> -> tensor<2xi1>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<3> : tensor<2xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.add %[[Y]], %[[V2]] : tensor<2xi64>
// CHECK-NEXT: %[[V4:.*]] = ourc.select %[[V1]], %[[V3]], %[[Y]] : tensor<2xi1>, tensor<2xi64>
// CHECK-NEXT: %[[V5:.*]] = ourc.constant dense<0> : tensor<2xi64>
// CHECK-NEXT: %[[V6:.*]] = ourc.compare  lt %[[Y]], %[[V5]] : tensor<2xi64> -> tensor<2xi1>
// CHECK-NEXT: %[[V7:.*]] = ourc.constant dense<4> : tensor<2xi64>
// CHECK-NEXT: %[[V8:.*]] = ourc.add %[[Y]], %[[V7]] : tensor<2xi64>
// CHECK-NEXT: %[[V9:.*]] = ourc.select %[[V6]], %[[V8]], %[[Y]] : tensor<2xi1>, tensor<2xi64>
// CHECK-NEXT: %[[V10:.*]] = ourc.scatter by  add %[[Z]] into %[[X]] at %[[V4]], %[[V9]] axes [0, 2] : tensor<2x5xf32>, tensor<3x5x4xf32>, tensor<2xi64>, tensor<2xi64> -> tensor<3x5x4xf32>
// CHECK-NEXT: return %[[V10]] : tensor<3x5x4xf32>
func.func @index_put(%x: tensor<3x5x4xf32>, %i: tensor<2xi64>, %y: tensor<2x5xf32>) -> tensor<3x5x4xf32> {
  %0 = aten.call "index_put.default"(self = %x, indices = [%i, unit, %i], values = %y, accumulate = true) : (tensor<3x5x4xf32>, tensor<2xi64>, tensor<2x5xf32>) -> tensor<3x5x4xf32>
  return %0 : tensor<3x5x4xf32>
}

// -----

// A mask with one value is a choice.

// CHECK-LABEL: func.func @masked_put(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3x5xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<3xi1>
// CHECK-SAME: %[[Z:[a-z0-9]+]]: tensor<f32>
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[Y]] dims [0] sizes [3, 5] : tensor<3xi1> -> tensor<3x5xi1>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[Z]] dims [] sizes [3, 5] : tensor<f32> -> tensor<3x5xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.select %[[V0]], %[[V1]], %[[X]] : tensor<3x5xi1>, tensor<3x5xf32>
// CHECK-NEXT: return %[[V2]] : tensor<3x5xf32>
func.func @masked_put(%x: tensor<3x5xf32>, %m: tensor<3xi1>, %y: tensor<f32>) -> tensor<3x5xf32> {
  %0 = aten.call "index_put.default"(self = %x, indices = [%m], values = %y) : (tensor<3x5xf32>, tensor<3xi1>, tensor<f32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// Booleans are written as bytes.

// CHECK-LABEL: func.func @booleans(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi1>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2xi64>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[X]] : tensor<4xi1> -> tensor<4xi8>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<1> : tensor<2xi8>
// CHECK-NEXT: %[[V2:.*]] = ourc.scatter %[[V1]] into %[[V0]] at %[[Y]] axes [0] : tensor<2xi8>, tensor<4xi8>, tensor<2xi64> -> tensor<4xi8>
// CHECK-NEXT: %[[V3:.*]] = ourc.cast %[[V2]] : tensor<4xi8> -> tensor<4xi1>
// CHECK-NEXT: return %[[V3]] : tensor<4xi1>
func.func @booleans(%x: tensor<4xi1>, %i: tensor<2xi64>) -> tensor<4xi1> {
  %0 = aten.call "scatter.value"(self = %x, dim = 0, index = %i, value = true) : (tensor<4xi1>, tensor<2xi64>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
