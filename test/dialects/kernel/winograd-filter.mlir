// RUN: ourc-opt -split-input-file -verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: func.func @filter
// CHECK:         kernel.winograd_filter %{{.*}} : tensor<2x4x4x8x32xf32> -> tensor<40x3x3x8xf32>
func.func @filter(%u: tensor<2x4x4x8x32xf32>) -> tensor<40x3x3x8xf32> {
  %w = kernel.winograd_filter %u : tensor<2x4x4x8x32xf32> -> tensor<40x3x3x8xf32>
  return %w : tensor<40x3x3x8xf32>
}

// -----

func.func @types(%u: tensor<2x4x4x8x32xf32>) {
  // expected-error@+1 {{operand and result must have one element type, but have 'f32' and 'f64'}}
  %w = kernel.winograd_filter %u : tensor<2x4x4x8x32xf32> -> tensor<40x3x3x8xf64>
  return
}

// -----

func.func @operand(%u: tensor<2x4x3x8x32xf32>) {
  // expected-error@+1 {{operand must be panels x 4 x 4 x channels x lanes, but is 'tensor<2x4x3x8x32xf32>'}}
  %w = kernel.winograd_filter %u : tensor<2x4x3x8x32xf32> -> tensor<40x3x3x8xf32>
  return
}

// -----

func.func @result(%u: tensor<2x4x4x8x32xf32>) {
  // expected-error@+1 {{result must be filters x 3 x 3 x 8, but is 'tensor<40x3x3x9xf32>'}}
  %w = kernel.winograd_filter %u : tensor<2x4x4x8x32xf32> -> tensor<40x3x3x9xf32>
  return
}

// -----

func.func @panels(%u: tensor<2x4x4x8x32xf32>) {
  // expected-error@+1 {{operand has 2 panels of 32 filters, but the result has 65 filters}}
  %w = kernel.winograd_filter %u : tensor<2x4x4x8x32xf32> -> tensor<65x3x3x8xf32>
  return
}
