// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Norms.

func.func @softmax_int(%x: tensor<f32>) {
  // expected-error @below {{operator 'aten.softmax.int' is not supported: the operand has no dimensions}}
  %0 = aten.call "softmax.int"(self = %x, dim = 0) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @native_layer_norm_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.native_layer_norm.default' is not supported: argument 'normalized_shape' must have 1 to 1 entries}}
  %0:3 = aten.call "native_layer_norm.default"(input = %x, normalized_shape = [2, 4], eps = 0.1 : f64) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @native_batch_norm_default(%x: tensor<2x4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.native_batch_norm.default' is not supported: batch norm with the statistics of its input (training=True); switch the module to eval()}}
  %0:3 = aten.call "native_batch_norm.default"(input = %x, running_mean = %m, running_var = %v, training = true, momentum = 0.1 : f64, eps = 0.1 : f64) : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @_native_batch_norm_legit_no_training_default(%x: tensor<2x4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> tensor<0xf32> {
  // expected-error @below {{operator 'aten._native_batch_norm_legit_no_training.default' is not supported: its result 1 is used}}
  %0:3 = aten.call "_native_batch_norm_legit_no_training.default"(input = %x, running_mean = %m, running_var = %v, momentum = 0.1 : f64, eps = 0.1 : f64) : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<0xf32>, tensor<0xf32>)
  return %0#1 : tensor<0xf32>
}

// -----

func.func @_native_batch_norm_legit_no_training_default(%x: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @below {{operator 'aten._native_batch_norm_legit_no_training.default' is not supported: the input must have at least 2 dimensions}}
  %0:3 = aten.call "_native_batch_norm_legit_no_training.default"(input = %x, running_mean = %m, running_var = %v, momentum = 0.1 : f64, eps = 0.1 : f64) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<0xf32>, tensor<0xf32>)
  return
}

// -----

func.func @dropout_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.dropout.default' is not supported: dropout that drops (train=True); switch the module to eval()}}
  %0 = aten.call "dropout.default"(input = %x, p = 0.5 : f64, train = true) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @group_norm_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.group_norm.default' is not supported: the input must have at least 2 dimensions and there must be a group}}
  %0 = aten.call "group_norm.default"(input = %x, num_groups = 2) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @group_norm_default(%x: tensor<2x4xf32>) {
  // expected-error @below {{operator 'aten.group_norm.default' is not supported: the input must have at least 2 dimensions and there must be a group}}
  %0 = aten.call "group_norm.default"(input = %x, num_groups = 0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @group_norm_default(%x: tensor<2x4x3xf32>) {
  // expected-error @below {{operator 'aten.group_norm.default' is not supported: 'ourc.group_norm' op dimension 1 of 'tensor<2x4x3xf32>' does not split into 5 equal groups}}
  %0 = aten.call "group_norm.default"(input = %x, num_groups = 5) : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}
