// RUN: ourc-opt %s -split-input-file | ourc-opt -split-input-file | FileCheck %s
// RUN: ourc-opt %s -split-input-file --mlir-print-op-generic | ourc-opt -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @linear(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x2x8xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.linear %[[X]], %[[W]] : tensor<?x2x8xf32>, tensor<4x8xf32> -> tensor<?x2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.linear %[[X]], %[[W]] bias %[[B]] : tensor<?x2x8xf32>, tensor<4x8xf32>, tensor<4xf32> -> tensor<?x2x4xf32>
// CHECK-NEXT: return
func.func @linear(%x: tensor<?x2x8xf32>, %w: tensor<4x8xf32>, %b: tensor<4xf32>) {
  %0 = ourc.linear %x, %w : tensor<?x2x8xf32>, tensor<4x8xf32> -> tensor<?x2x4xf32>
  %1 = ourc.linear %x, %w bias %b : tensor<?x2x8xf32>, tensor<4x8xf32>, tensor<4xf32> -> tensor<?x2x4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x8xbf16>
// CHECK-NEXT: %[[V0:.*]] = ourc.softmax %[[X]] dim 1 : tensor<?x8xbf16>
// CHECK-NEXT: return
func.func @softmax(%x: tensor<?x8xbf16>) {
  %0 = ourc.softmax %x dim 1 : tensor<?x8xbf16>
  return
}

// -----

// CHECK-LABEL: func.func @layer_norm(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4x8xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.layer_norm %[[X]] dims 1 epsilon 1.000000e-05 : tensor<?x4x8xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.layer_norm %[[X]] weight %[[W]] : tensor<8xf32> dims 1 epsilon 1.000000e-05 : tensor<?x4x8xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.layer_norm %[[X]] bias %[[B]] : tensor<4x8xf32> dims 2 epsilon 0.000000e+00 : tensor<?x4x8xf32>
// CHECK-NEXT: return
func.func @layer_norm(%x: tensor<?x4x8xf32>, %w: tensor<8xf32>, %b: tensor<4x8xf32>) {
  %0 = ourc.layer_norm %x dims 1 epsilon 1.0e-5 : tensor<?x4x8xf32>
  %1 = ourc.layer_norm %x weight %w : tensor<8xf32> dims 1 epsilon 1.0e-5 : tensor<?x4x8xf32>
  %2 = ourc.layer_norm %x bias %b : tensor<4x8xf32> dims 2 epsilon 0.0 : tensor<?x4x8xf32>
  return
}

// -----

// CHECK-LABEL: func.func @batch_norm(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x3x8xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<3xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.batch_norm %[[X]] mean %[[V]] variance %[[V]] channel 1 epsilon 1.000000e-05 : tensor<?x3x8xf32>, tensor<3xf32>, tensor<3xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.batch_norm %[[X]] mean %[[V]] variance %[[V]] weight %[[V]] : tensor<3xf32> bias %[[V]] : tensor<3xf32> channel 1 epsilon 0.000000e+00 : tensor<?x3x8xf32>, tensor<3xf32>, tensor<3xf32>
// CHECK-NEXT: return
func.func @batch_norm(%x: tensor<?x3x8xf32>, %v: tensor<3xf32>) {
  %0 = ourc.batch_norm %x mean %v variance %v channel 1 epsilon 1.0e-5 : tensor<?x3x8xf32>, tensor<3xf32>, tensor<3xf32>
  %1 = ourc.batch_norm %x mean %v variance %v weight %v : tensor<3xf32> bias %v : tensor<3xf32> channel 1 epsilon 0.0 : tensor<?x3x8xf32>, tensor<3xf32>, tensor<3xf32>
  return
}

// -----

// CHECK-LABEL: func.func @group_norm(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x5x4xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.group_norm %[[X]] groups 5 channel 1 epsilon 1.000000e-05 : tensor<?x5x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.group_norm %[[X]] weight %[[V]] : tensor<4xf32> bias %[[V]] : tensor<4xf32> groups 2 channel 2 epsilon 0.000000e+00 : tensor<?x5x4xf32>
// CHECK-NEXT: return
func.func @group_norm(%x: tensor<?x5x4xf32>, %v: tensor<4xf32>) {
  %0 = ourc.group_norm %x groups 5 channel 1 epsilon 1.0e-5 : tensor<?x5x4xf32>
  %1 = ourc.group_norm %x weight %v : tensor<4xf32> bias %v : tensor<4xf32> groups 2 channel 2 epsilon 0.0 : tensor<?x5x4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @activations(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.gelu %[[X]] exact : tensor<?xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.gelu %[[X]] tanh : tensor<?xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.silu %[[X]] : tensor<?xf32>
// CHECK-NEXT: return
func.func @activations(%x: tensor<?xf32>) {
  %0 = ourc.gelu %x exact : tensor<?xf32>
  %1 = ourc.gelu %x tanh : tensor<?xf32>
  %2 = ourc.silu %x : tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @attention(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<?x2x9x8xf32>
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<?x2x7x8xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<?x2x7x5xf32>
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<1x1x9x7xi1>
// CHECK-SAME: %[[F:[a-z0-9]+]]: tensor<?x1x1x?xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.attention %[[Q]], %[[K]], %[[V]] scale 5.000000e-01 : tensor<?x2x9x8xf32>, tensor<?x2x7x8xf32>, tensor<?x2x7x5xf32> -> tensor<?x2x9x5xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.attention %[[Q]], %[[K]], %[[V]] mask %[[M]] : tensor<1x1x9x7xi1> scale 5.000000e-01 zero_masked_rows : tensor<?x2x9x8xf32>, tensor<?x2x7x8xf32>, tensor<?x2x7x5xf32> -> tensor<?x2x9x5xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.attention %[[Q]], %[[K]], %[[V]] mask %[[F]] : tensor<?x1x1x?xf32> scale 5.000000e-01 causal zero_masked_rows : tensor<?x2x9x8xf32>, tensor<?x2x7x8xf32>, tensor<?x2x7x5xf32> -> tensor<?x2x9x5xf32>
// CHECK-NEXT: return
func.func @attention(%q: tensor<?x2x9x8xf32>, %k: tensor<?x2x7x8xf32>, %v: tensor<?x2x7x5xf32>, %m: tensor<1x1x9x7xi1>, %f: tensor<?x1x1x?xf32>) {
  %0 = ourc.attention %q, %k, %v scale 0.5 : tensor<?x2x9x8xf32>, tensor<?x2x7x8xf32>, tensor<?x2x7x5xf32> -> tensor<?x2x9x5xf32>
  %1 = ourc.attention %q, %k, %v mask %m : tensor<1x1x9x7xi1> scale 0.5 zero_masked_rows : tensor<?x2x9x8xf32>, tensor<?x2x7x8xf32>, tensor<?x2x7x5xf32> -> tensor<?x2x9x5xf32>
  %2 = ourc.attention %q, %k, %v mask %f : tensor<?x1x1x?xf32> scale 0.5 causal zero_masked_rows : tensor<?x2x9x8xf32>, tensor<?x2x7x8xf32>, tensor<?x2x7x5xf32> -> tensor<?x2x9x5xf32>
  return
}
