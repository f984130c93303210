// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Elementwise operators.

func.func @add_Tensor(%x: tensor<4xf32>, %y: tensor<3xf32>) {
  // expected-error @below {{operator 'aten.add.Tensor' is not supported: sizes 4 and 3 do not broadcast in dimension 0}}
  %0 = aten.call "add.Tensor"(self = %x, other = %y) : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @div_Tensor(%x: tensor<4xi64>, %y: tensor<4xi64>) {
  // expected-error @below {{operator 'aten.div.Tensor' is not supported: the quotient of integers must be declared as floats}}
  %0 = aten.call "div.Tensor"(self = %x, other = %y) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  return
}

// -----

func.func @div_Tensor_mode(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.div.Tensor_mode' is not supported: quotients of floats that are rounded down (rounding_mode='floor')}}
  %0 = aten.call "div.Tensor_mode"(self = %x, other = %y, rounding_mode = "floor") : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @div_Tensor_mode(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.div.Tensor_mode' is not supported: argument 'rounding_mode' is 'up'}}
  %0 = aten.call "div.Tensor_mode"(self = %x, other = %y, rounding_mode = "up") : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sub_Tensor(%x: tensor<4xi1>, %y: tensor<4xi1>) {
  // expected-error @below {{operator 'aten.sub.Tensor' is not supported: 'ourc.sub' op operand #0 must be ranked tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %0 = aten.call "sub.Tensor"(self = %x, other = %y) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @pow_Tensor_Scalar(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.pow.Tensor_Scalar' is not supported: the exponent must be a constant number}}
  %0 = aten.call "pow.Tensor_Scalar"(self = %x, exponent = true) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @pow_Tensor_Scalar(%x: tensor<4xi64>) {
  // expected-error @below {{operator 'aten.pow.Tensor_Scalar' is not supported: powers of integers above 4 or below 0}}
  %0 = aten.call "pow.Tensor_Scalar"(self = %x, exponent = 5) : (tensor<4xi64>) -> tensor<4xi64>
  return
}

// -----

func.func @pow_Tensor_Tensor(%x: tensor<4xi64>, %y: tensor<4xi64>) {
  // expected-error @below {{operator 'aten.pow.Tensor_Tensor' is not supported: powers of integers by a tensor}}
  %0 = aten.call "pow.Tensor_Tensor"(self = %x, exponent = %y) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  return
}

// -----

func.func @clamp_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.clamp.default' is not supported: a lower or an upper limit is needed}}
  %0 = aten.call "clamp.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @full_default() {
  // expected-error @below {{operator 'aten.full.default' is not supported: a constant is out of range for an integer}}
  %0 = aten.call "full.default"(size = [2], fill_value = 1.0e+300 : f64) : () -> tensor<2xi64>
  return
}

// -----

func.func @bitwise_and_Tensor(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.bitwise_and.Tensor' is not supported: 'ourc.and' op operand #0 must be ranked tensor of 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer or 1-bit signless integer values, but got 'tensor<4xf32>'}}
  %0 = aten.call "bitwise_and.Tensor"(self = %x, other = %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @_to_copy_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten._to_copy.default' is not supported: conversion to unsigned integers}}
  %0 = aten.call "_to_copy.default"(self = %x, dtype = "uint8") : (tensor<4xf32>) -> tensor<4xi8>
  return
}

// -----

// What a signed operator does to unsigned integers would be wrong.

func.func @unsigned(%x: tensor<4xi8> {ourc.unsigned}, %y: tensor<4xi8>) {
  %0 = aten.call "alias.default"(self = %x) : (tensor<4xi8>) -> tensor<4xi8>
  // expected-error @below {{operator 'aten.add.Tensor' is not supported: it has an operand of unsigned integers; convert it to a signed type or to floats first}}
  %1 = aten.call "add.Tensor"(self = %0, other = %y) : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  return
}

// -----

func.func @unsigned_to_signed(%x: tensor<4xi8> {ourc.unsigned}) {
  // expected-error @below {{operator 'aten._to_copy.default' is not supported: conversion of unsigned integers to signed ones of the same width}}
  %0 = aten.call "_to_copy.default"(self = %x, dtype = "int8") : (tensor<4xi8>) -> tensor<4xi8>
  return
}
