// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Contractions.

func.func @mm_default(%x: tensor<2xf32>, %y: tensor<2x3xf32>) {
  // expected-error @below {{operator 'aten.mm.default' is not supported: the operands must have ranks 2 and 2, but have 1 and 2}}
  %0 = aten.call "mm.default"(self = %x, mat2 = %y) : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @mm_default(%x: tensor<4x2xf32>, %y: tensor<3x3xf32>) {
  // expected-error @below {{operator 'aten.mm.default' is not supported: 'ourc.contract' op contract dimensions 1 and 0 have sizes 2 and 3}}
  %0 = aten.call "mm.default"(self = %x, mat2 = %y) : (tensor<4x2xf32>, tensor<3x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @matmul_default(%x: tensor<f32>, %y: tensor<2x3xf32>) {
  // expected-error @below {{operator 'aten.matmul.default' is not supported: the operands must have dimensions}}
  %0 = aten.call "matmul.default"(self = %x, other = %y) : (tensor<f32>, tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @linear_default(%x: tensor<2x3xf32>, %w: tensor<3xf32>) {
  // expected-error @below {{operator 'aten.linear.default' is not supported: a weight of rank other than 2, or an input without dimensions}}
  %0 = aten.call "linear.default"(input = %x, weight = %w) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @linear_default(%x: tensor<2x3xi64>, %w: tensor<4x3xi64>) {
  // expected-error @below {{operator 'aten.linear.default' is not supported: the operands must be floats}}
  %0 = aten.call "linear.default"(input = %x, weight = %w) : (tensor<2x3xi64>, tensor<4x3xi64>) -> tensor<2x4xi64>
  return
}

// -----

func.func @linear_default(%x: tensor<2x3xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{operator 'aten.linear.default' is not supported: 'ourc.linear' op x has 3 features, but the weight 5}}
  %0 = aten.call "linear.default"(input = %x, weight = %w) : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x4xf32>
  return
}
