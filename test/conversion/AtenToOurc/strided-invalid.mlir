// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

func.func @outside(%x: tensor<8xf32>) -> tensor<3x3xf32> {
  // expected-error @below {{operator 'aten.as_strided.default' is not supported: it reads element 8 of an operand that has 8}}
  %0 = aten.call "as_strided.default"(self = %x, size = [3, 3], stride = [3, 1]) : (tensor<8xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

func.func @lengths(%x: tensor<8xf32>) -> tensor<3x2xf32> {
  // expected-error @below {{operator 'aten.as_strided.default' is not supported: 'size' and 'stride' must have one length}}
  %0 = aten.call "as_strided.default"(self = %x, size = [3, 2], stride = [3]) : (tensor<8xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @negative(%x: tensor<8xf32>) -> tensor<3xf32> {
  // expected-error @below {{operator 'aten.as_strided.default' is not supported: negative sizes or strides}}
  %0 = aten.call "as_strided.default"(self = %x, size = [3], stride = [-1], storage_offset = 4) : (tensor<8xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @dynamic(%x: tensor<?x4xf32>, %n: index) -> tensor<4x?xf32> {
  // expected-error @below {{operator 'aten.as_strided.default' is not supported: a view by strides of sizes that depend on a call, other than all elements in row-major order}}
  %0 = aten.call "as_strided.default"(self = %x, size = [4, %n], stride = [1, 4]) : (tensor<?x4xf32>, index) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
