// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Pools.

func.func @max_pool2d_with_indices_default(%x: tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xi64> {
  // expected-error @below {{operator 'aten.max_pool2d_with_indices.default' is not supported: the positions of the maxima (its second result) are used}}
  %0:2 = aten.call "max_pool2d_with_indices.default"(self = %x, kernel_size = [2, 2]) : (tensor<1x2x8x8xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64>)
  return %0#1 : tensor<1x2x4x4xi64>
}

// -----

func.func @max_pool2d_default(%x: tensor<8x8xf32>) {
  // expected-error @below {{operator 'aten.max_pool2d.default' is not supported: the operand must have 3 or 4 dimensions, but has 2}}
  %0 = aten.call "max_pool2d.default"(self = %x, kernel_size = [2, 2]) : (tensor<8x8xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @max_pool2d_default(%x: tensor<1x2x8x8xf32>) {
  // expected-error @below {{operator 'aten.max_pool2d.default' is not supported: the window is larger than the padded operand, or a stride is not positive}}
  %0 = aten.call "max_pool2d.default"(self = %x, kernel_size = [9, 2]) : (tensor<1x2x8x8xf32>) -> tensor<1x2x0x4xf32>
  return
}

// -----

func.func @max_pool2d_default(%x: tensor<1x2x8x8xf32>) {
  // expected-error @below {{operator 'aten.max_pool2d.default' is not supported: the window is larger than the padded operand, or a stride is not positive}}
  %0 = aten.call "max_pool2d.default"(self = %x, kernel_size = [9, 2], ceil_mode = true) : (tensor<1x2x8x8xf32>) -> tensor<1x2x1x4xf32>
  return
}

// -----

func.func @max_pool2d_default(%x: tensor<1x2x?x8xf32>) {
  // expected-error @below {{operator 'aten.max_pool2d.default' is not supported: ceil_mode=True with a dynamic size}}
  %0 = aten.call "max_pool2d.default"(self = %x, kernel_size = [2, 2], ceil_mode = true) : (tensor<1x2x?x8xf32>) -> tensor<1x2x?x4xf32>
  return
}

// -----

func.func @max_pool1d_default(%x: tensor<1x2x2xf32>) {
  // expected-error @below {{operator 'aten.max_pool1d.default' is not supported: ceil_mode=True whose last window would begin outside the operand}}
  %0 = aten.call "max_pool1d.default"(self = %x, kernel_size = [1], stride = [1], padding = [1], ceil_mode = true) : (tensor<1x2x2xf32>) -> tensor<1x2x3xf32>
  return
}

// -----

func.func @avg_pool2d_default(%x: tensor<1x2x8x8xi64>) {
  // expected-error @below {{operator 'aten.avg_pool2d.default' is not supported: averages of integers}}
  %0 = aten.call "avg_pool2d.default"(self = %x, kernel_size = [2, 2]) : (tensor<1x2x8x8xi64>) -> tensor<1x2x4x4xi64>
  return
}

// -----

func.func @adaptive_avg_pool2d_default(%x: tensor<1x2x8x8xi64>) {
  // expected-error @below {{operator 'aten.adaptive_avg_pool2d.default' is not supported: averages of integers}}
  %0 = aten.call "adaptive_avg_pool2d.default"(self = %x, output_size = [2, 2]) : (tensor<1x2x8x8xi64>) -> tensor<1x2x2x2xi64>
  return
}

// -----

func.func @adaptive_avg_pool2d_default(%x: tensor<1x2x8x8xf32>) {
  // expected-error @below {{operator 'aten.adaptive_avg_pool2d.default' is not supported: argument 'output_size' must be positive}}
  %0 = aten.call "adaptive_avg_pool2d.default"(self = %x, output_size = [0, 2]) : (tensor<1x2x8x8xf32>) -> tensor<1x2x0x2xf32>
  return
}

// -----

func.func @adaptive_avg_pool2d_default(%x: tensor<1x2x?x8xf32>) {
  // expected-error @below {{operator 'aten.adaptive_avg_pool2d.default' is not supported: adaptive pooling of a dynamic size to more than one element}}
  %0 = aten.call "adaptive_avg_pool2d.default"(self = %x, output_size = [2, 2]) : (tensor<1x2x?x8xf32>) -> tensor<1x2x2x2xf32>
  return
}
