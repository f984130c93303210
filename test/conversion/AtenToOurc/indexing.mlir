// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// CHECK-LABEL: func.func @embedding(
// CHECK-SAME: %[[T:[a-z0-9]+]]: tensor<100x8xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<?x?xi64>
// CHECK-NEXT: %[[V0:.*]] = ourc.gather %[[T]] at %[[I]] axes [0] : tensor<100x8xf32>, tensor<?x?xi64> -> tensor<?x?x8xf32>
// CHECK-NEXT: return %[[V0]] : tensor<?x?x8xf32>
func.func @embedding(%t: tensor<100x8xf32>, %i: tensor<?x?xi64>) -> tensor<?x?x8xf32> {
  %0 = aten.call "embedding.default"(weight = %t, indices = %i, padding_idx = 0) : (tensor<100x8xf32>, tensor<?x?xi64>) -> tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}

// -----

// CHECK-LABEL: func.func @index_select(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<5xi32>
// CHECK-SAME: %[[ONE:[a-z0-9]+]]: tensor<i64>
// CHECK-NEXT: %[[V0:.*]] = ourc.gather %[[X]] at %[[I]] axes [1] : tensor<2x3x4xf32>, tensor<5xi32> -> tensor<5x2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.transpose %[[V0]] [1, 0, 2] : tensor<5x2x4xf32> -> tensor<2x5x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.reshape %[[ONE]] sizes [1] : tensor<i64> -> tensor<1xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.gather %[[X]] at %[[V2]] axes [0] : tensor<2x3x4xf32>, tensor<1xi64> -> tensor<1x3x4xf32>
// CHECK-NEXT: return %[[V1]], %[[V3]] : tensor<2x5x4xf32>, tensor<1x3x4xf32>
func.func @index_select(%x: tensor<2x3x4xf32>, %i: tensor<5xi32>, %one: tensor<i64>) -> (tensor<2x5x4xf32>, tensor<1x3x4xf32>) {
  %0 = aten.call "index_select.default"(self = %x, dim = 1, index = %i) : (tensor<2x3x4xf32>, tensor<5xi32>) -> tensor<2x5x4xf32>
  %1 = aten.call "index_select.default"(self = %x, dim = 0, index = %one) : (tensor<2x3x4xf32>, tensor<i64>) -> tensor<1x3x4xf32>
  return %0, %1 : tensor<2x5x4xf32>, tensor<1x3x4xf32>
}

// -----

// Other dimensions are indexed by their own positions.

// CHECK-LABEL: func.func @gather(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<2x8xi64>
// CHECK-NEXT: %[[V0:.*]] = ourc.iota dim 1 sizes [2, 8] : tensor<2x8xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.gather %[[X]] at %[[I]], %[[V0]] axes [0, 1] : tensor<4x8xf32>, tensor<2x8xi64>, tensor<2x8xi64> -> tensor<2x8xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x8xf32>
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<2x8xi64>) -> tensor<2x8xf32> {
  %0 = aten.call "gather.default"(self = %x, dim = 0, index = %i) : (tensor<4x8xf32>, tensor<2x8xi64>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// Positions may count from the end.

// CHECK-LABEL: func.func @index(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<3xi64>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<0> : tensor<3xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.compare lt %[[I]], %[[V0]] : tensor<3xi64> -> tensor<3xi1>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<4> : tensor<3xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.add %[[I]], %[[V2]] : tensor<3xi64>
// CHECK-NEXT: %[[V4:.*]] = ourc.select %[[V1]], %[[V3]], %[[I]] : tensor<3xi1>, tensor<3xi64>
// CHECK-NEXT: %[[V5:.*]] = ourc.gather %[[X]] at %[[V4]] axes [0] : tensor<4x8xf32>, tensor<3xi64> -> tensor<3x8xf32>
// CHECK-NEXT: return %[[V5]] : tensor<3x8xf32>
func.func @index(%x: tensor<4x8xf32>, %i: tensor<3xi64>) -> tensor<3x8xf32> {
  %0 = aten.call "index.Tensor"(self = %x, indices = [%i]) : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// -----

// CHECK-LABEL: func.func @index_dynamic(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<3xi64>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<0> : tensor<3xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.compare lt %[[I]], %[[V2]] : tensor<3xi64> -> tensor<3xi1>
// CHECK-NEXT: %[[V4:.*]] = arith.index_cast %[[V1]] : index to i64
// CHECK-NEXT: %[[V5:.*]] = tensor.from_elements %[[V4]] : tensor<i64>
// CHECK-NEXT: %[[V6:.*]] = ourc.broadcast %[[V5]] dims [] sizes [3] : tensor<i64> -> tensor<3xi64>
// CHECK-NEXT: %[[V7:.*]] = ourc.add %[[I]], %[[V6]] : tensor<3xi64>
// CHECK-NEXT: %[[V8:.*]] = ourc.select %[[V3]], %[[V7]], %[[I]] : tensor<3xi1>, tensor<3xi64>
// CHECK-NEXT: %[[V9:.*]] = ourc.gather %[[X]] at %[[V8]] axes [0] : tensor<?xf32>, tensor<3xi64> -> tensor<3xf32>
// CHECK-NEXT: return %[[V9]] : tensor<3xf32>
func.func @index_dynamic(%x: tensor<?xf32>, %i: tensor<3xi64>) -> tensor<3xf32> {
  %0 = aten.call "index.Tensor"(self = %x, indices = [%i]) : (tensor<?xf32>, tensor<3xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Positions that are known not to be negative are used as they are; they
// broadcast together.

// CHECK-LABEL: func.func @index_ranges(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xi1>
// CHECK-NEXT: %[[V0:.*]] = ourc.iota dim 0 sizes [4] : tensor<4xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[V0]] sizes [4, 1] : tensor<4xi64> -> tensor<4x1xi64>
// CHECK-NEXT: %[[V2:.*]] = ourc.iota dim 0 sizes [8] : tensor<8xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.broadcast %[[V1]] dims [0, 1] sizes [4, 8] : tensor<4x1xi64> -> tensor<4x8xi64>
// CHECK-NEXT: %[[V4:.*]] = ourc.broadcast %[[V2]] dims [1] sizes [4, 8] : tensor<8xi64> -> tensor<4x8xi64>
// CHECK-NEXT: %[[V5:.*]] = ourc.gather %[[X]] at %[[V3]], %[[V4]] axes [0, 1] : tensor<4x8xi1>, tensor<4x8xi64>, tensor<4x8xi64> -> tensor<4x8xi1>
// CHECK-NEXT: return %[[V5]] : tensor<4x8xi1>
func.func @index_ranges(%x: tensor<4x8xi1>) -> tensor<4x8xi1> {
  %0 = aten.call "arange.default"(end = 4) : () -> tensor<4xi64>
  %1 = aten.call "unsqueeze.default"(self = %0, dim = 1) : (tensor<4xi64>) -> tensor<4x1xi64>
  %2 = aten.call "arange.default"(end = 8) : () -> tensor<8xi64>
  %3 = aten.call "index.Tensor"(self = %x, indices = [%1, %2]) : (tensor<4x8xi1>, tensor<4x1xi64>, tensor<8xi64>) -> tensor<4x8xi1>
  return %3 : tensor<4x8xi1>
}

// -----

// Adjacent indices leave their dimensions in place, others put theirs first.

// CHECK-LABEL: func.func @index_none(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4x5xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<0> : tensor<6xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.gather %[[X]] at %[[V0]], %[[V0]] axes [1, 2] : tensor<2x3x4x5xf32>, tensor<6xi64>, tensor<6xi64> -> tensor<6x2x5xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.transpose %[[V1]] [1, 0, 2] : tensor<6x2x5xf32> -> tensor<2x6x5xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.gather %[[X]] at %[[V0]], %[[V0]] axes [0, 2] : tensor<2x3x4x5xf32>, tensor<6xi64>, tensor<6xi64> -> tensor<6x3x5xf32>
// CHECK-NEXT: return %[[V2]], %[[V3]] : tensor<2x6x5xf32>, tensor<6x3x5xf32>
func.func @index_none(%x: tensor<2x3x4x5xf32>) -> (tensor<2x6x5xf32>, tensor<6x3x5xf32>) {
  %0 = aten.call "zeros.default"(size = [6], dtype = "int64") : () -> tensor<6xi64>
  %1 = aten.call "index.Tensor"(self = %x, indices = [unit, %0, %0]) : (tensor<2x3x4x5xf32>, tensor<6xi64>) -> tensor<2x6x5xf32>
  %2 = aten.call "index.Tensor"(self = %x, indices = [%0, unit, %0]) : (tensor<2x3x4x5xf32>, tensor<6xi64>) -> tensor<6x3x5xf32>
  return %1, %2 : tensor<2x6x5xf32>, tensor<6x3x5xf32>
}
