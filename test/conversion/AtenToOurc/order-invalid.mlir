// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

func.func @long(%x: tensor<9000xf32>) -> tensor<9000xf32> {
  // expected-error @below {{operator 'aten.sort.default' is not supported: an order of more than 8192 elements, or of a number that depends on the call}}
  %0:2 = aten.call "sort.default"(self = %x) : (tensor<9000xf32>) -> (tensor<9000xf32>, tensor<9000xi64>)
  return %0#0 : tensor<9000xf32>
}

// -----

func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{operator 'aten.sort.default' is not supported: an operand without dimensions}}
  %0:2 = aten.call "sort.default"(self = %x) : (tensor<f32>) -> (tensor<f32>, tensor<i64>)
  return %0#0 : tensor<f32>
}

// -----

func.func @dim(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{operator 'aten.topk.default' is not supported: argument 'dim' is 3}}
  %0:2 = aten.call "topk.default"(self = %x, k = 4, dim = 3) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>)
  return %0#0 : tensor<4xf32>
}

// -----

func.func @reflection(%x: tensor<2x4xf32>) -> tensor<2x9xf32> {
  // expected-error @below {{operator 'aten.reflection_pad1d.default' is not supported: a border as wide as the tensor}}
  %0 = aten.call "reflection_pad1d.default"(self = %x, padding = [4, 1]) : (tensor<2x4xf32>) -> tensor<2x9xf32>
  return %0 : tensor<2x9xf32>
}

// -----

func.func @unfold(%x: tensor<2x9xf32>) -> tensor<2x1x10xf32> {
  // expected-error @below {{operator 'aten.unfold.default' is not supported: windows along a dimension whose size depends on the call, or that are larger than it}}
  %0 = aten.call "unfold.default"(self = %x, dimension = 1, size = 10, step = 2) : (tensor<2x9xf32>) -> tensor<2x1x10xf32>
  return %0 : tensor<2x1x10xf32>
}
