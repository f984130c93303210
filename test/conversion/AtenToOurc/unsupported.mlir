// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Every unsupported call of the module is reported, not only the first.

func.func @all(%x: tensor<4xf32>, %c: tensor<1x2x8x8xi32>, %w: tensor<2x2x3x3xi32>) -> tensor<4xf32> {
  // expected-error @below {{operator 'aten.lgamma.default' is not supported}}
  %0 = aten.call "lgamma.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = aten.call "exp.default"(self = %0) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{operator 'mine::op.default' is not supported}}
  %2 = aten.call "mine::op.default"(self = %1) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{operator 'aten.convolution.default' is not supported: convolutions of integers}}
  %3 = aten.call "convolution.default"(input = %c, weight = %w, stride = [1, 1], padding = [0, 0], dilation = [1, 1], transposed = true, output_padding = [0, 0], groups = 1) : (tensor<1x2x8x8xi32>, tensor<2x2x3x3xi32>) -> tensor<1x2x10x10xi32>
  return %2 : tensor<4xf32>
}

func.func private @other(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.digamma.default' is not supported}}
  %0 = aten.call "digamma.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
