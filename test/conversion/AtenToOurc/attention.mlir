// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// CHECK-LABEL: func.func @attention(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<?x12x?x32xf32>
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<?x12x?x32xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<?x12x?x32xf32>
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<?x1x?x?xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.attention %[[Q]], %[[K]], %[[V]] mask %[[M]] : tensor<?x1x?x?xf32> scale 1.250000e-01 zero_masked_rows : tensor<?x12x?x32xf32>, tensor<?x12x?x32xf32>, tensor<?x12x?x32xf32> -> tensor<?x12x?x32xf32>
// CHECK-NEXT: return %[[V0]] : tensor<?x12x?x32xf32>
func.func @attention(%q: tensor<?x12x?x32xf32>, %k: tensor<?x12x?x32xf32>, %v: tensor<?x12x?x32xf32>, %m: tensor<?x1x?x?xf32>) -> tensor<?x12x?x32xf32> {
  %0:2 = aten.call "_scaled_dot_product_flash_attention_for_cpu.default"(query = %q, key = %k, value = %v, attn_mask = %m, scale = 0.125 : f64) : (tensor<?x12x?x32xf32>, tensor<?x12x?x32xf32>, tensor<?x12x?x32xf32>, tensor<?x1x?x?xf32>) -> (tensor<?x12x?x32xf32>, tensor<?x12x?xf32>)
  return %0#0 : tensor<?x12x?x32xf32>
}

// -----

// The default scale is 1 / sqrt(features).

// CHECK-LABEL: func.func @causal(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<2x4x8x16xf32>
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<2x4x8x16xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<2x4x8x16xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.attention %[[Q]], %[[K]], %[[V]] scale 2.500000e-01 causal zero_masked_rows : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32> -> tensor<2x4x8x16xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x4x8x16xf32>
func.func @causal(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %0 = aten.call "scaled_dot_product_attention.default"(query = %q, key = %k, value = %v, is_causal = true) : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %0 : tensor<2x4x8x16xf32>
}

// -----

// A mask of fewer dimensions, and one batch of keys for all.

// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<2x4x8x16xf32>
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<1x4x9x16xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<1x4x9x24xf32>
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<8x9xi1>
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[K]] dims [0, 1, 2, 3] sizes [2, 4, 9, 16] : tensor<1x4x9x16xf32> -> tensor<2x4x9x16xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[V]] dims [0, 1, 2, 3] sizes [2, 4, 9, 24] : tensor<1x4x9x24xf32> -> tensor<2x4x9x24xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.reshape %[[M]] sizes [1, 1, 8, 9] : tensor<8x9xi1> -> tensor<1x1x8x9xi1>
// CHECK-NEXT: %[[V3:.*]] = ourc.attention %[[Q]], %[[V0]], %[[V1]] mask %[[V2]] : tensor<1x1x8x9xi1> scale 2.500000e-01 zero_masked_rows : tensor<2x4x8x16xf32>, tensor<2x4x9x16xf32>, tensor<2x4x9x24xf32> -> tensor<2x4x8x24xf32>
// CHECK-NEXT: return %[[V3]] : tensor<2x4x8x24xf32>
func.func @broadcast(%q: tensor<2x4x8x16xf32>, %k: tensor<1x4x9x16xf32>, %v: tensor<1x4x9x24xf32>, %m: tensor<8x9xi1>) -> tensor<2x4x8x24xf32> {
  %0 = aten.call "scaled_dot_product_attention.default"(query = %q, key = %k, value = %v, attn_mask = %m) : (tensor<2x4x8x16xf32>, tensor<1x4x9x16xf32>, tensor<1x4x9x24xf32>, tensor<8x9xi1>) -> tensor<2x4x8x24xf32>
  return %0 : tensor<2x4x8x24xf32>
}

// -----

// CHECK-LABEL: func.func @matrices(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<8x16xf32>
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<9x16xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<9x16xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[Q]] sizes [1, 8, 16] : tensor<8x16xf32> -> tensor<1x8x16xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[K]] sizes [1, 9, 16] : tensor<9x16xf32> -> tensor<1x9x16xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.reshape %[[V]] sizes [1, 9, 16] : tensor<9x16xf32> -> tensor<1x9x16xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.attention %[[V0]], %[[V1]], %[[V2]] scale 2.500000e-01 zero_masked_rows : tensor<1x8x16xf32>, tensor<1x9x16xf32>, tensor<1x9x16xf32> -> tensor<1x8x16xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.reshape %[[V3]] sizes [8, 16] : tensor<1x8x16xf32> -> tensor<8x16xf32>
// CHECK-NEXT: return %[[V4]] : tensor<8x16xf32>
func.func @matrices(%q: tensor<8x16xf32>, %k: tensor<9x16xf32>, %v: tensor<9x16xf32>) -> tensor<8x16xf32> {
  %0 = aten.call "scaled_dot_product_attention.default"(query = %q, key = %k, value = %v) : (tensor<8x16xf32>, tensor<9x16xf32>, tensor<9x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
