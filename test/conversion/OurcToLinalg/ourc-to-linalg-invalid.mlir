// RUN: ourc-opt %s --ourc-to-linalg --split-input-file --verify-diagnostics

func.func @composite(%x: tensor<2x6x8xf32>, %m: tensor<6xf32>, %v: tensor<6xf32>) -> tensor<2x6x8xf32> {
  // expected-error@+2 {{'ourc.batch_norm' op has no lowering to linalg; -ourc-decompose takes it apart}}
  // expected-error@+1 {{failed to legalize operation 'ourc.batch_norm'}}
  %0 = ourc.batch_norm %x mean %m variance %v channel 1 epsilon 1.0e-3 : tensor<2x6x8xf32>, tensor<6xf32>, tensor<6xf32>
  return %0 : tensor<2x6x8xf32>
}

// -----

func.func @groups(%x: tensor<1x8x?xf32>, %f: tensor<4x3x2xf32>) -> tensor<1x6x4xf32> {
  // expected-error@+3 {{'ourc.convolution' op in groups needs static channels to be lowered}}
  // expected-error@+2 {{'ourc.convolution' op has no lowering to linalg}}
  // expected-error@+1 {{failed to legalize operation 'ourc.convolution'}}
  %0 = ourc.convolution %x, %f strides [1] dilations [1] low [0] high [0] groups 2 : tensor<1x8x?xf32>, tensor<4x3x2xf32> -> tensor<1x6x4xf32>
  return %0 : tensor<1x6x4xf32>
}
