// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Reductions.

func.func @max_dim(%x: tensor<2x4xf32>) -> tensor<2xi64> {
  // expected-error @below {{operator 'aten.max.dim' is not supported: the positions of the extremes (its second result) are used}}
  %0:2 = aten.call "max.dim"(self = %x, dim = 1) : (tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  return %0#1 : tensor<2xi64>
}

// -----

func.func @mean_default(%x: tensor<4xi64>) {
  // expected-error @below {{operator 'aten.mean.default' is not supported: the mean of integers}}
  %0 = aten.call "mean.default"(self = %x) : (tensor<4xi64>) -> tensor<i64>
  return
}

// -----

func.func @var_correction(%x: tensor<4xi64>) {
  // expected-error @below {{operator 'aten.var.correction' is not supported: the variance of integers}}
  %0 = aten.call "var.correction"(self = %x) : (tensor<4xi64>) -> tensor<i64>
  return
}

// -----

func.func @linalg_vector_norm_default(%x: tensor<4xi64>) {
  // expected-error @below {{operator 'aten.linalg_vector_norm.default' is not supported: the norm of integers}}
  %0 = aten.call "linalg_vector_norm.default"(self = %x) : (tensor<4xi64>) -> tensor<i64>
  return
}
