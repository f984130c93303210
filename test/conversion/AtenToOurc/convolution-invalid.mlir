// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Convolutions.

func.func @convolution_default(%x: tensor<1x?x8x8xf32>, %w: tensor<4x1x3x3xf32>) {
  // expected-error @below {{operator 'aten.convolution.default' is not supported: groups of channels whose number changes from call to call; mark the dimension static (torch._dynamo.mark_static)}}
  %0 = aten.call "convolution.default"(input = %x, weight = %w, groups = 4) : (tensor<1x?x8x8xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

func.func @convolution_default(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x?x3xf32>) {
  // expected-error @below {{operator 'aten.convolution.default' is not supported: a weight whose spatial size changes from call to call; mark its dimensions static (torch._dynamo.mark_static)}}
  %0 = aten.call "convolution.default"(input = %x, weight = %w) : (tensor<1x2x8x8xf32>, tensor<2x2x?x3xf32>) -> tensor<1x2x?x6xf32>
  return
}

// -----

func.func @convolution_default(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x3xf32>) {
  // expected-error @below {{operator 'aten.convolution.default' is not supported: input and weight must have one rank, at least 3, but have 4 and 3}}
  %0 = aten.call "convolution.default"(input = %x, weight = %w) : (tensor<1x2x8x8xf32>, tensor<2x2x3xf32>) -> tensor<1x2x6x6xf32>
  return
}

// -----

func.func @convolution_default(%x: tensor<1x2x8x8xi8>, %w: tensor<2x2x3x3xi8>) {
  // expected-error @below {{operator 'aten.convolution.default' is not supported: convolutions of integers}}
  %0 = aten.call "convolution.default"(input = %x, weight = %w) : (tensor<1x2x8x8xi8>, tensor<2x2x3x3xi8>) -> tensor<1x2x6x6xi8>
  return
}

// -----

func.func @convolution_default(%x: tensor<1x2x8x8xf32>, %w: tensor<2x3x3x3xf32>) {
  // expected-error @below {{operator 'aten.convolution.default' is not supported: 'ourc.convolution' op input has 2 channels, but the filter's 3 by 1 groups make 3}}
  %0 = aten.call "convolution.default"(input = %x, weight = %w) : (tensor<1x2x8x8xf32>, tensor<2x3x3x3xf32>) -> tensor<1x2x6x6xf32>
  return
}

// -----

func.func @convolution_default(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x3x3xf32>) {
  // expected-error @below {{operator 'aten.convolution.default' is not supported: 'ourc.convolution' op inferred type(s) 'tensor<1x6x6x2xf32>' are incompatible with return type(s) of operation 'tensor<1x6x7x2xf32>'}}
  %0 = aten.call "convolution.default"(input = %x, weight = %w) : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x6x7xf32>
  return
}

// -----

func.func @convolution_default(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x3x3xf32>) {
  // expected-error @below {{operator 'aten.convolution.default' is not supported: the result must have the input's rank}}
  %0 = aten.call "convolution.default"(input = %x, weight = %w) : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<2x6x6xf32>
  return
}

// -----

func.func @convolution_default(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x3x3xf32>) {
  // expected-error @below {{operator 'aten.convolution.default' is not supported: padding that is given by name}}
  %0 = aten.call "convolution.default"(input = %x, weight = %w, padding = "same") : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @convolution_default(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x3x3xf32>) {
  // expected-error @below {{operator 'aten.convolution.default' is not supported: argument 'stride' has 3 entries, but 2 are needed}}
  %0 = aten.call "convolution.default"(input = %x, weight = %w, stride = [1, 1, 1]) : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @convolution_default(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x3x3xf32>) {
  // expected-error @below {{operator 'aten.convolution.default' is not supported: 'ourc.convolution' op strides and dilations must be positive}}
  %0 = aten.call "convolution.default"(input = %x, weight = %w, stride = [0, 1]) : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @convolution_default(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x3x3xf32>) {
  // expected-error @below {{operator 'aten.convolution.default' is not supported: 'ourc.convolution' op groups must be positive}}
  %0 = aten.call "convolution.default"(input = %x, weight = %w, groups = 0) : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x6x6xf32>
  return
}
