// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Reductions.

func.func @max_dim(%x: tensor<f32>) -> tensor<i64> {
  // expected-error @below {{operator 'aten.max.dim' is not supported: positions in a tensor without dimensions}}
  %0:2 = aten.call "max.dim"(self = %x, dim = 0) : (tensor<f32>) -> (tensor<f32>, tensor<i64>)
  return %0#1 : tensor<i64>
}

// -----

func.func @logsumexp_default(%x: tensor<4xi64>) {
  // expected-error @below {{operator 'aten.logsumexp.default' is not supported: the logarithm of a sum of integers}}
  %0 = aten.call "logsumexp.default"(self = %x, dim = [0]) : (tensor<4xi64>) -> tensor<i64>
  return
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
