// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Replaced parts.

func.func @slice_scatter_default(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.slice_scatter.default' is not supported: parts with a step above 1}}
  %0 = aten.call "slice_scatter.default"(self = %x, src = %y, step = 2) : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @slice_scatter_default(%x: tensor<f32>, %y: tensor<f32>) {
  // expected-error @below {{operator 'aten.slice_scatter.default' is not supported: the operand has no dimensions}}
  %0 = aten.call "slice_scatter.default"(self = %x, src = %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @slice_scatter_default(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.slice_scatter.default' is not supported: result 0 is tensor<9xf32>, but the call declares tensor<8xf32>}}
  %0 = aten.call "slice_scatter.default"(self = %x, src = %y, end = 3) : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @select_scatter_default(%x: tensor<8xf32>, %y: tensor<8xf32>) {
  // expected-error @below {{operator 'aten.select_scatter.default' is not supported: the source must have one dimension less than the operand}}
  %0 = aten.call "select_scatter.default"(self = %x, src = %y, dim = 0, index = 1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @copy_default(%x: tensor<8xf32>, %y: tensor<2x8xf32>) {
  // expected-error @below {{operator 'aten.copy.default' is not supported: a tensor of rank 2 does not broadcast to rank 1}}
  %0 = aten.call "copy.default"(self = %x, src = %y) : (tensor<8xf32>, tensor<2x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @triu_default(%x: tensor<8xf32>) {
  // expected-error @below {{operator 'aten.triu.default' is not supported: the operand must have at least 2 dimensions}}
  %0 = aten.call "triu.default"(self = %x) : (tensor<8xf32>) -> tensor<8xf32>
  return
}
