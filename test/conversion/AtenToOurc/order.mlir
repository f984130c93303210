// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// CHECK-LABEL: func.func @flip(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x5xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.iota dim 0 sizes [5] : tensor<5xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<4> : tensor<5xi64>
// CHECK-NEXT: %[[V2:.*]] = ourc.sub %[[V1]], %[[V0]] : tensor<5xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.gather %[[X]] at %[[V2]] axes [1] : tensor<2x5xf32>, tensor<5xi64> -> tensor<5x2xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.transpose %[[V3]] [1, 0] : tensor<5x2xf32> -> tensor<2x5xf32>
// CHECK-NEXT: return %[[V4]] : tensor<2x5xf32>
func.func @flip(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %0 = aten.call "flip.default"(self = %x, dims = [-1]) : (tensor<2x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// -----

// How many come before each element, then the element that k come before.

// CHECK-LABEL: func.func @topk(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x9xi32>
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[X]] dims [0, 1] sizes [2, 9, 9] : tensor<2x9xi32> -> tensor<2x9x9xi32>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[X]] dims [0, 2] sizes [2, 9, 9] : tensor<2x9xi32> -> tensor<2x9x9xi32>
// CHECK-NEXT: %[[V2:.*]] = ourc.iota dim 1 sizes [9, 9] : tensor<9x9xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.iota dim 0 sizes [9, 9] : tensor<9x9xi64>
// CHECK-NEXT: %[[V4:.*]] = ourc.compare  lt %[[V2]], %[[V3]] : tensor<9x9xi64> -> tensor<9x9xi1>
// CHECK-NEXT: %[[V5:.*]] = ourc.broadcast %[[V4]] dims [1, 2] sizes [2, 9, 9] : tensor<9x9xi1> -> tensor<2x9x9xi1>
// CHECK-NEXT: %[[V6:.*]] = ourc.compare  gt %[[V1]], %[[V0]] : tensor<2x9x9xi32> -> tensor<2x9x9xi1>
// CHECK-NEXT: %[[V7:.*]] = ourc.compare  eq %[[V1]], %[[V0]] : tensor<2x9x9xi32> -> tensor<2x9x9xi1>
// CHECK-NEXT: %[[V8:.*]] = ourc.and %[[V7]], %[[V5]] : tensor<2x9x9xi1>
// CHECK-NEXT: %[[V9:.*]] = ourc.or %[[V6]], %[[V8]] : tensor<2x9x9xi1>
// CHECK-NEXT: %[[V10:.*]] = ourc.cast %[[V9]] : tensor<2x9x9xi1> -> tensor<2x9x9xi64>
// CHECK-NEXT: %[[V11:.*]] = ourc.reduce  add %[[V10]] [2] : tensor<2x9x9xi64> -> tensor<2x9xi64>
// CHECK-NEXT: %[[V12:.*]] = ourc.broadcast %[[V11]] dims [0, 2] sizes [2, 3, 9] : tensor<2x9xi64> -> tensor<2x3x9xi64>
// CHECK-NEXT: %[[V13:.*]] = ourc.iota dim 1 sizes [2, 3, 9] : tensor<2x3x9xi64>
// CHECK-NEXT: %[[V14:.*]] = ourc.iota dim 2 sizes [2, 3, 9] : tensor<2x3x9xi64>
// CHECK-NEXT: %[[V15:.*]] = ourc.compare  eq %[[V12]], %[[V13]] : tensor<2x3x9xi64> -> tensor<2x3x9xi1>
// CHECK-NEXT: %[[V16:.*]] = ourc.constant dense<0> : tensor<2x3x9xi64>
// CHECK-NEXT: %[[V17:.*]] = ourc.select %[[V15]], %[[V14]], %[[V16]] : tensor<2x3x9xi1>, tensor<2x3x9xi64>
// CHECK-NEXT: %[[V18:.*]] = ourc.reduce  add %[[V17]] [2] : tensor<2x3x9xi64> -> tensor<2x3xi64>
// CHECK-NEXT: %[[V19:.*]] = ourc.iota dim 0 sizes [2, 3] : tensor<2x3xi64>
// CHECK-NEXT: %[[V20:.*]] = ourc.gather %[[X]] at %[[V19]], %[[V18]] axes [0, 1] : tensor<2x9xi32>, tensor<2x3xi64>, tensor<2x3xi64> -> tensor<2x3xi32>
// CHECK-NEXT: return %[[V20]], %[[V18]] : tensor<2x3xi32>, tensor<2x3xi64>
func.func @topk(%x: tensor<2x9xi32>) -> (tensor<2x3xi32>, tensor<2x3xi64>) {
  %0:2 = aten.call "topk.default"(self = %x, k = 3) : (tensor<2x9xi32>) -> (tensor<2x3xi32>, tensor<2x3xi64>)
  return %0#0, %0#1 : tensor<2x3xi32>, tensor<2x3xi64>
}

// -----

// Only positions; NaN is the greatest.

// CHECK-LABEL: func.func @sort(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[X]] dims [0] sizes [4, 4] : tensor<4xf32> -> tensor<4x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[X]] dims [1] sizes [4, 4] : tensor<4xf32> -> tensor<4x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.iota dim 1 sizes [4, 4] : tensor<4x4xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.iota dim 0 sizes [4, 4] : tensor<4x4xi64>
// CHECK-NEXT: %[[V4:.*]] = ourc.compare  lt %[[V2]], %[[V3]] : tensor<4x4xi64> -> tensor<4x4xi1>
// CHECK-NEXT: %[[V5:.*]] = ourc.compare  lt %[[V1]], %[[V0]] : tensor<4x4xf32> -> tensor<4x4xi1>
// CHECK-NEXT: %[[V6:.*]] = ourc.compare  eq %[[V1]], %[[V0]] : tensor<4x4xf32> -> tensor<4x4xi1>
// CHECK-NEXT: %[[V7:.*]] = ourc.compare  ne %[[V0]], %[[V0]] : tensor<4x4xf32> -> tensor<4x4xi1>
// CHECK-NEXT: %[[V8:.*]] = ourc.compare  ne %[[V1]], %[[V1]] : tensor<4x4xf32> -> tensor<4x4xi1>
// CHECK-NEXT: %[[V9:.*]] = ourc.not %[[V8]] : tensor<4x4xi1>
// CHECK-NEXT: %[[V10:.*]] = ourc.and %[[V7]], %[[V9]] : tensor<4x4xi1>
// CHECK-NEXT: %[[V11:.*]] = ourc.or %[[V5]], %[[V10]] : tensor<4x4xi1>
// CHECK-NEXT: %[[V12:.*]] = ourc.and %[[V7]], %[[V8]] : tensor<4x4xi1>
// CHECK-NEXT: %[[V13:.*]] = ourc.or %[[V6]], %[[V12]] : tensor<4x4xi1>
// CHECK-NEXT: %[[V14:.*]] = ourc.and %[[V13]], %[[V4]] : tensor<4x4xi1>
// CHECK-NEXT: %[[V15:.*]] = ourc.or %[[V11]], %[[V14]] : tensor<4x4xi1>
// CHECK-NEXT: %[[V16:.*]] = ourc.cast %[[V15]] : tensor<4x4xi1> -> tensor<4x4xi64>
// CHECK-NEXT: %[[V17:.*]] = ourc.reduce  add %[[V16]] [1] : tensor<4x4xi64> -> tensor<4xi64>
// CHECK-NEXT: %[[V18:.*]] = ourc.broadcast %[[V17]] dims [1] sizes [4, 4] : tensor<4xi64> -> tensor<4x4xi64>
// CHECK-NEXT: %[[V19:.*]] = ourc.iota dim 0 sizes [4, 4] : tensor<4x4xi64>
// CHECK-NEXT: %[[V20:.*]] = ourc.iota dim 1 sizes [4, 4] : tensor<4x4xi64>
// CHECK-NEXT: %[[V21:.*]] = ourc.compare  eq %[[V18]], %[[V19]] : tensor<4x4xi64> -> tensor<4x4xi1>
// CHECK-NEXT: %[[V22:.*]] = ourc.constant dense<0> : tensor<4x4xi64>
// CHECK-NEXT: %[[V23:.*]] = ourc.select %[[V21]], %[[V20]], %[[V22]] : tensor<4x4xi1>, tensor<4x4xi64>
// CHECK-NEXT: %[[V24:.*]] = ourc.reduce  add %[[V23]] [1] : tensor<4x4xi64> -> tensor<4xi64>
// CHECK-NEXT: return %[[V24]] : tensor<4xi64>
func.func @sort(%x: tensor<4xf32>) -> tensor<4xi64> {
  %0:2 = aten.call "sort.default"(self = %x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>)
  return %0#1 : tensor<4xi64>
}

// -----

// Positions that a border takes from the tensor are constants.

// CHECK-LABEL: func.func @reflection(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<[2, 1, 0, 1, 2, 3, 2]> : tensor<7xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.gather %[[X]] at %[[V0]] axes [1] : tensor<2x4xf32>, tensor<7xi64> -> tensor<7x2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.transpose %[[V1]] [1, 0] : tensor<7x2xf32> -> tensor<2x7xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x7xf32>
func.func @reflection(%x: tensor<2x4xf32>) -> tensor<2x7xf32> {
  %0 = aten.call "reflection_pad1d.default"(self = %x, padding = [2, 1]) : (tensor<2x4xf32>) -> tensor<2x7xf32>
  return %0 : tensor<2x7xf32>
}

// -----

// CHECK-LABEL: func.func @unfold(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x9xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.iota dim 0 sizes [4, 3] : tensor<4x3xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<2> : tensor<4x3xi64>
// CHECK-NEXT: %[[V2:.*]] = ourc.mul %[[V0]], %[[V1]] : tensor<4x3xi64>
// CHECK-NEXT: %[[V3:.*]] = ourc.iota dim 1 sizes [4, 3] : tensor<4x3xi64>
// CHECK-NEXT: %[[V4:.*]] = ourc.add %[[V2]], %[[V3]] : tensor<4x3xi64>
// CHECK-NEXT: %[[V5:.*]] = ourc.gather %[[X]] at %[[V4]] axes [1] : tensor<2x9xf32>, tensor<4x3xi64> -> tensor<4x3x2xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.transpose %[[V5]] [2, 0, 1] : tensor<4x3x2xf32> -> tensor<2x4x3xf32>
// CHECK-NEXT: return %[[V6]] : tensor<2x4x3xf32>
func.func @unfold(%x: tensor<2x9xf32>) -> tensor<2x4x3xf32> {
  %0 = aten.call "unfold.default"(self = %x, dimension = 1, size = 3, step = 2) : (tensor<2x9xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}
