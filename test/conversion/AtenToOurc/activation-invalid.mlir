// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Activation functions.

func.func @gelu_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.gelu.default' is not supported: argument 'approximate' is 'fast'; 'none' and 'tanh' are known}}
  %0 = aten.call "gelu.default"(self = %x, approximate = "fast") : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @glu_default(%x: tensor<f32>) {
  // expected-error @below {{operator 'aten.glu.default' is not supported: the operand has no dimensions}}
  %0 = aten.call "glu.default"(self = %x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @glu_default(%x: tensor<5xf32>) {
  // expected-error @below {{operator 'aten.glu.default' is not supported: result 0 is tensor<2xf32>, but the call declares tensor<3xf32>}}
  %0 = aten.call "glu.default"(self = %x) : (tensor<5xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @silu_default(%x: tensor<4xi64>) {
  // expected-error @below {{operator 'aten.silu.default' is not supported: 'ourc.silu' op operand #0 must be ranked tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi64>'}}
  %0 = aten.call "silu.default"(self = %x) : (tensor<4xi64>) -> tensor<4xi64>
  return
}
