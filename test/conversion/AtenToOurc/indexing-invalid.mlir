// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Indexing.

func.func @index_Tensor(%x: tensor<4xf32>, %m: tensor<4xi1>) {
  // expected-error @below {{operator 'aten.index.Tensor' is not supported: indexing by a boolean mask: the result's size would depend on data}}
  %0 = aten.call "index.Tensor"(self = %x, indices = [%m]) : (tensor<4xf32>, tensor<4xi1>) -> tensor<?xf32>
  return
}

// -----

func.func @index_Tensor(%x: tensor<4xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.index.Tensor' is not supported: positions must be 32- or 64-bit integers}}
  %0 = aten.call "index.Tensor"(self = %x, indices = [%m]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @index_Tensor(%x: tensor<4xf32>, %m: tensor<4xi64>, %n: tensor<4xi64>) {
  // expected-error @below {{operator 'aten.index.Tensor' is not supported: there are more indices than dimensions}}
  %0 = aten.call "index.Tensor"(self = %x, indices = [%m, %n]) : (tensor<4xf32>, tensor<4xi64>, tensor<4xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @index_Tensor(%x: tensor<4x4xf32>, %m: tensor<4xi64>, %n: tensor<3xi64>) {
  // expected-error @below {{operator 'aten.index.Tensor' is not supported: sizes 4 and 3 do not broadcast in dimension 0}}
  %0 = aten.call "index.Tensor"(self = %x, indices = [%m, %n]) : (tensor<4x4xf32>, tensor<4xi64>, tensor<3xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @embedding_default(%t: tensor<4xf32>, %i: tensor<2xi64>) {
  // expected-error @below {{operator 'aten.embedding.default' is not supported: the table must have 2 dimensions}}
  %0 = aten.call "embedding.default"(weight = %t, indices = %i) : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_default(%x: tensor<4x4xf32>, %i: tensor<4xi64>) {
  // expected-error @below {{operator 'aten.gather.default' is not supported: the index must have the operand's rank, at least 1}}
  %0 = aten.call "gather.default"(self = %x, dim = 0, index = %i) : (tensor<4x4xf32>, tensor<4xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @index_select_default(%x: tensor<4x4xf32>, %i: tensor<2x2xi64>) {
  // expected-error @below {{operator 'aten.index_select.default' is not supported: an operand without dimensions, or indices with more than one}}
  %0 = aten.call "index_select.default"(self = %x, dim = 0, index = %i) : (tensor<4x4xf32>, tensor<2x2xi64>) -> tensor<2x2x4xf32>
  return
}
