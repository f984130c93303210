// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Shapes.

func.func @reshape_default(%x: tensor<?x?xf32>) {
  // expected-error @below {{operator 'aten.reshape.default' is not supported: argument 'size' holds -1 twice}}
  %0 = aten.call "reshape.default"(self = %x, shape = [-1, -1]) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @reshape_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.reshape.default' is not supported: argument 'size' has 2 entries, but the result has rank 1}}
  %0 = aten.call "reshape.default"(self = %x, shape = [2, 2]) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reshape_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.reshape.default' is not supported: 'ourc.reshape' op must keep the number of elements, but takes 4 to 6}}
  %0 = aten.call "reshape.default"(self = %x, shape = [2, 3]) : (tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @flatten_using_ints(%x: tensor<4x5xf32>) {
  // expected-error @below {{operator 'aten.flatten.using_ints' is not supported: 'start_dim' is above 'end_dim'}}
  %0 = aten.call "flatten.using_ints"(self = %x, start_dim = 1, end_dim = 0) : (tensor<4x5xf32>) -> tensor<20xf32>
  return
}

// -----

func.func @t_default(%x: tensor<2x3x4xf32>) {
  // expected-error @below {{operator 'aten.t.default' is not supported: the operand must have at most 2 dimensions}}
  %0 = aten.call "t.default"(self = %x) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @expand_default(%x: tensor<2x3xf32>) {
  // expected-error @below {{operator 'aten.expand.default' is not supported: argument 'size' has 1 entries for an operand of rank 2 and a result of rank 1}}
  %0 = aten.call "expand.default"(self = %x, size = [3]) : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @expand_default(%x: tensor<2x3xf32>) {
  // expected-error @below {{operator 'aten.expand.default' is not supported: 'tensor.cast' op operand type 'tensor<2x3xf32>' and result type 'tensor<4x3xf32>' are cast incompatible}}
  %0 = aten.call "expand.default"(self = %x, size = [4, 3]) : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @repeat_default(%x: tensor<2x3xf32>) {
  // expected-error @below {{operator 'aten.repeat.default' is not supported: argument 'repeats' has fewer entries than the operand has dimensions}}
  %0 = aten.call "repeat.default"(self = %x, repeats = [3]) : (tensor<2x3xf32>) -> tensor<2x9xf32>
  return
}

// -----

func.func @slice_Tensor(%x: tensor<f32>) {
  // expected-error @below {{operator 'aten.slice.Tensor' is not supported: the operand has no dimensions}}
  %0 = aten.call "slice.Tensor"(self = %x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @slice_Tensor(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.slice.Tensor' is not supported: argument 'step' must be positive}}
  %0 = aten.call "slice.Tensor"(self = %x, step = -1) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @slice_Tensor(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.slice.Tensor' is not supported: the result must have the operand's rank}}
  %0 = aten.call "slice.Tensor"(self = %x, end = 2) : (tensor<4xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @select_int(%x: tensor<f32>) {
  // expected-error @below {{operator 'aten.select.int' is not supported: the operand has no dimensions}}
  %0 = aten.call "select.int"(self = %x, dim = 0, index = 0) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @select_int(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.select.int' is not supported: 'ourc.slice' op reaches element 4 of dimension 0, which has size 4}}
  %0 = aten.call "select.int"(self = %x, dim = 0, index = 4) : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @unbind_int(%x: tensor<f32>) {
  // expected-error @below {{operator 'aten.unbind.int' is not supported: the operand has no dimensions}}
  %0 = aten.call "unbind.int"(self = %x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @split_Tensor(%x: tensor<f32>) {
  // expected-error @below {{operator 'aten.split.Tensor' is not supported: the operand has no dimensions}}
  %0 = aten.call "split.Tensor"(self = %x, split_size = 1) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @split_with_sizes_default(%x: tensor<f32>) {
  // expected-error @below {{operator 'aten.split_with_sizes.default' is not supported: the operand has no dimensions}}
  %0 = aten.call "split_with_sizes.default"(self = %x, split_sizes = [1]) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @split_with_sizes_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.split_with_sizes.default' is not supported: the call has 1 results for 2 parts}}
  %0 = aten.call "split_with_sizes.default"(self = %x, split_sizes = [1, 3]) : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @cat_default(%x: tensor<f32>) {
  // expected-error @below {{operator 'aten.cat.default' is not supported: the operands have no dimensions}}
  %0 = aten.call "cat.default"(tensors = [%x]) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @cat_default(%x: tensor<4xf32>, %y: tensor<4x1xf32>) {
  // expected-error @below {{operator 'aten.cat.default' is not supported: tensors of different ranks are joined}}
  %0 = aten.call "cat.default"(tensors = [%x, %y]) : (tensor<4xf32>, tensor<4x1xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @stack_default() {
  // expected-error @below {{operator 'aten.stack.default' is not supported: there is nothing to join}}
  %0 = aten.call "stack.default"(tensors = []) : () -> tensor<1x4xf32>
  return
}

// -----

func.func @stack_default(%x: tensor<4x1xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.stack.default' is not supported: tensors of different ranks are joined}}
  %0 = aten.call "stack.default"(tensors = [%x, %y], dim = 2) : (tensor<4x1xf32>, tensor<4xf32>) -> tensor<4x1x2xf32>
  return
}

// -----

func.func @constant_pad_nd_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.constant_pad_nd.default' is not supported: argument 'pad' must hold two entries for each of at most 1 dimensions}}
  %0 = aten.call "constant_pad_nd.default"(self = %x, pad = [1]) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @constant_pad_nd_default(%x: tensor<4xf32>, %n: index) {
  // expected-error @below {{operator 'aten.constant_pad_nd.default' is not supported: borders that depend on the sizes of a call}}
  %0 = aten.call "constant_pad_nd.default"(self = %x, pad = [1, %n]) : (tensor<4xf32>, index) -> tensor<?xf32>
  return
}

// -----

func.func @constant_pad_nd_default(%x: tensor<4xf32>, %n: index) {
  // expected-error @below {{operator 'aten.constant_pad_nd.default' is not supported: argument 'value' must be a constant}}
  %0 = aten.call "constant_pad_nd.default"(self = %x, pad = [1, 1], value = %n) : (tensor<4xf32>, index) -> tensor<6xf32>
  return
}

// -----

func.func @sym_size_int(%x: tensor<f32>) {
  // expected-error @below {{operator 'aten.sym_size.int' is not supported: the operand has no dimensions}}
  %0 = aten.call "sym_size.int"(self = %x, dim = 0) : (tensor<f32>) -> index
  return
}

// -----

func.func @roll_default(%x: tensor<4x5xf32>) {
  // expected-error @below {{operator 'aten.roll.default' is not supported: there must be one shift for each dimension}}
  %0 = aten.call "roll.default"(self = %x, shifts = [1, 1], dims = [0]) : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @roll_default(%x: tensor<4x5xf32>) {
  // expected-error @below {{operator 'aten.roll.default' is not supported: dimension 2 is out of range for rank 2}}
  %0 = aten.call "roll.default"(self = %x, shifts = [1], dims = [2]) : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @roll_default(%x: tensor<?xf32>) {
  // expected-error @below {{operator 'aten.roll.default' is not supported: a shift by a number, or along a dimension, whose size depends on a call}}
  %0 = aten.call "roll.default"(self = %x, shifts = [5], dims = [0]) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @roll_default(%x: tensor<4xf32>, %n: index) {
  // expected-error @below {{operator 'aten.roll.default' is not supported: a shift by a number, or along a dimension, whose size depends on a call}}
  %0 = aten.call "roll.default"(self = %x, shifts = [%n], dims = [0]) : (tensor<4xf32>, index) -> tensor<4xf32>
  return
}
