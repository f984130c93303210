// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

func.func @dim(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{operator 'aten.cumsum.default' is not supported: argument 'dim' is 1}}
  %0 = aten.call "cumsum.default"(self = %x, dim = 1) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @unsigned(%x: tensor<8xi8> {ourc.unsigned}) -> tensor<8xi8> {
  // expected-error @below {{operator 'aten.cumsum.default' is not supported: a result of unsigned integers}}
  %0 = aten.call "cumsum.default"(self = %x, dim = 0) : (tensor<8xi8>) -> tensor<8xi8>
  return %0 : tensor<8xi8>
}
