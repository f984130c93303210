// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// CHECK-LABEL: func.func @products(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<3x4xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<3xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.contract %[[A]], %[[B]] batch [], [] contract [1], [0] : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.contract %[[A]], %[[V]] batch [], [] contract [1], [0] : tensor<2x3xf32>, tensor<3xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.contract %[[V]], %[[V]] batch [], [] contract [0], [0] : tensor<3xf32>, tensor<3xf32> -> tensor<f32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<2x4xf32>, tensor<2xf32>, tensor<f32>
func.func @products(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %v: tensor<3xf32>) -> (tensor<2x4xf32>, tensor<2xf32>, tensor<f32>) {
  %0 = aten.call "mm.default"(self = %a, mat2 = %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = aten.call "mv.default"(self = %a, vec = %v) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %2 = aten.call "dot.default"(self = %v, tensor = %v) : (tensor<3xf32>) -> tensor<f32>
  return %0, %1, %2 : tensor<2x4xf32>, tensor<2xf32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @batched(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x2x3xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<8x3x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.contract %[[A]], %[[B]] batch [0], [0] contract [2], [1] : tensor<?x2x3xf32>, tensor<8x3x4xf32> -> tensor<8x2x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<8x2x4xf32>
func.func @batched(%a: tensor<?x2x3xf32>, %b: tensor<8x3x4xf32>) -> tensor<8x2x4xf32> {
  %0 = aten.call "bmm.default"(self = %a, mat2 = %b) : (tensor<?x2x3xf32>, tensor<8x3x4xf32>) -> tensor<8x2x4xf32>
  return %0 : tensor<8x2x4xf32>
}

// -----

// CHECK-LABEL: func.func @addmm(
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<3x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.contract %[[A]], %[[B]] batch [], [] contract [1], [0] : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[C]] dims [1] sizes [2, 4] : tensor<4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.add %[[V0]], %[[V1]] : tensor<2x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x4xf32>
func.func @addmm(%c: tensor<4xf32>, %a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = aten.call "addmm.default"(self = %c, mat1 = %a, mat2 = %b) : (tensor<4xf32>, tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @addmm_scaled(
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<3x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.contract %[[A]], %[[B]] batch [], [] contract [1], [0] : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<2.000000e+00> : tensor<2x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.mul %[[V0]], %[[V1]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<5.000000e-01> : tensor<2x4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.mul %[[C]], %[[V3]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.add %[[V2]], %[[V4]] : tensor<2x4xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.contract %[[A]], %[[B]] batch [], [] contract [1], [0] : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V5]], %[[V6]] : tensor<2x4xf32>, tensor<2x4xf32>
func.func @addmm_scaled(%c: tensor<2x4xf32>, %a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = aten.call "addmm.default"(self = %c, mat1 = %a, mat2 = %b, beta = 0.5 : f64, alpha = 2) : (tensor<2x4xf32>, tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = aten.call "addmm.default"(self = %c, mat1 = %a, mat2 = %b, beta = 0) : (tensor<2x4xf32>, tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @baddbmm(
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<8x2x4xf32>
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<8x2x3xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<8x3x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.contract %[[A]], %[[B]] batch [0], [0] contract [2], [1] : tensor<8x2x3xf32>, tensor<8x3x4xf32> -> tensor<8x2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.add %[[V0]], %[[C]] : tensor<8x2x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<8x2x4xf32>
func.func @baddbmm(%c: tensor<8x2x4xf32>, %a: tensor<8x2x3xf32>, %b: tensor<8x3x4xf32>) -> tensor<8x2x4xf32> {
  %0 = aten.call "baddbmm.default"(self = %c, batch1 = %a, batch2 = %b) : (tensor<8x2x4xf32>, tensor<8x2x3xf32>, tensor<8x3x4xf32>) -> tensor<8x2x4xf32>
  return %0 : tensor<8x2x4xf32>
}

// -----

// CHECK-LABEL: func.func @matmul_small(
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<3xf32>
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-SAME: %[[T:[a-z0-9]+]]: tensor<5x2x3xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<3x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.contract %[[V]], %[[V]] batch [], [] contract [0], [0] : tensor<3xf32>, tensor<3xf32> -> tensor<f32>
// CHECK-NEXT: %[[V1:.*]] = ourc.contract %[[V]], %[[B]] batch [], [] contract [0], [0] : tensor<3xf32>, tensor<3x4xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.contract %[[A]], %[[V]] batch [], [] contract [1], [0] : tensor<2x3xf32>, tensor<3xf32> -> tensor<2xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.contract %[[A]], %[[B]] batch [], [] contract [1], [0] : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.contract %[[T]], %[[B]] batch [], [] contract [2], [0] : tensor<5x2x3xf32>, tensor<3x4xf32> -> tensor<5x2x4xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.contract %[[T]], %[[V]] batch [], [] contract [2], [0] : tensor<5x2x3xf32>, tensor<3xf32> -> tensor<5x2xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]], %[[V4]], %[[V5]] : tensor<f32>, tensor<4xf32>, tensor<2xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>, tensor<5x2xf32>
func.func @matmul_small(%v: tensor<3xf32>, %a: tensor<2x3xf32>, %t: tensor<5x2x3xf32>, %b: tensor<3x4xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<2xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>, tensor<5x2xf32>) {
  %0 = aten.call "matmul.default"(self = %v, other = %v) : (tensor<3xf32>) -> tensor<f32>
  %1 = aten.call "matmul.default"(self = %v, other = %b) : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  %2 = aten.call "matmul.default"(self = %a, other = %v) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %3 = aten.call "matmul.default"(self = %a, other = %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %4 = aten.call "matmul.default"(self = %t, other = %b) : (tensor<5x2x3xf32>, tensor<3x4xf32>) -> tensor<5x2x4xf32>
  %5 = aten.call "matmul.default"(self = %t, other = %v) : (tensor<5x2x3xf32>, tensor<3xf32>) -> tensor<5x2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<f32>, tensor<4xf32>, tensor<2xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>, tensor<5x2xf32>
}

// -----

// Batches broadcast to one shape.

// CHECK-LABEL: func.func @matmul_batches(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<6x1x2x3xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<5x3x4xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<3xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[A]] dims [0, 1, 2, 3] sizes [6, 5, 2, 3] : tensor<6x1x2x3xf32> -> tensor<6x5x2x3xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[B]] dims [1, 2, 3] sizes [6, 5, 3, 4] : tensor<5x3x4xf32> -> tensor<6x5x3x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.contract %[[V0]], %[[V1]] batch [0, 1], [0, 1] contract [3], [2] : tensor<6x5x2x3xf32>, tensor<6x5x3x4xf32> -> tensor<6x5x2x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.broadcast %[[V]] dims [1] sizes [5, 3] : tensor<3xf32> -> tensor<5x3xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.contract %[[V3]], %[[B]] batch [0], [0] contract [1], [1] : tensor<5x3xf32>, tensor<5x3x4xf32> -> tensor<5x4xf32>
// CHECK-NEXT: return %[[V2]], %[[V4]] : tensor<6x5x2x4xf32>, tensor<5x4xf32>
func.func @matmul_batches(%a: tensor<6x1x2x3xf32>, %b: tensor<5x3x4xf32>, %v: tensor<3xf32>) -> (tensor<6x5x2x4xf32>, tensor<5x4xf32>) {
  %0 = aten.call "matmul.default"(self = %a, other = %b) : (tensor<6x1x2x3xf32>, tensor<5x3x4xf32>) -> tensor<6x5x2x4xf32>
  %1 = aten.call "matmul.default"(self = %v, other = %b) : (tensor<3xf32>, tensor<5x3x4xf32>) -> tensor<5x4xf32>
  return %0, %1 : tensor<6x5x2x4xf32>, tensor<5x4xf32>
}

// -----

// CHECK-LABEL: func.func @matmul_dynamic(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x2x3xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<1x3x4xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[A]], %[[V0]] : tensor<?x2x3xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.broadcast %[[B]] dims [0, 1, 2] sizes {{\[}}%[[V1]], 3, 4] : tensor<1x3x4xf32> -> tensor<?x3x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.contract %[[A]], %[[V2]] batch [0], [0] contract [2], [1] : tensor<?x2x3xf32>, tensor<?x3x4xf32> -> tensor<?x2x4xf32>
// CHECK-NEXT: return %[[V3]] : tensor<?x2x4xf32>
func.func @matmul_dynamic(%a: tensor<?x2x3xf32>, %b: tensor<1x3x4xf32>) -> tensor<?x2x4xf32> {
  %0 = aten.call "matmul.default"(self = %a, other = %b) : (tensor<?x2x3xf32>, tensor<1x3x4xf32>) -> tensor<?x2x4xf32>
  return %0 : tensor<?x2x4xf32>
}

// -----

// CHECK-LABEL: func.func @linear(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x2x3xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<4x3xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.linear %[[X]], %[[W]] : tensor<?x2x3xf32>, tensor<4x3xf32> -> tensor<?x2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.linear %[[X]], %[[W]] bias %[[B]] : tensor<?x2x3xf32>, tensor<4x3xf32>, tensor<4xf32> -> tensor<?x2x4xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<?x2x4xf32>, tensor<?x2x4xf32>
func.func @linear(%x: tensor<?x2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> (tensor<?x2x4xf32>, tensor<?x2x4xf32>) {
  %0 = aten.call "linear.default"(input = %x, weight = %w) : (tensor<?x2x3xf32>, tensor<4x3xf32>) -> tensor<?x2x4xf32>
  %1 = aten.call "linear.default"(input = %x, weight = %w, bias = %b) : (tensor<?x2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<?x2x4xf32>
  return %0, %1 : tensor<?x2x4xf32>, tensor<?x2x4xf32>
}
