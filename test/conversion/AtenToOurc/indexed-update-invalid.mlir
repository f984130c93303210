// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

func.func @ranks(%x: tensor<4x5xf32>, %i: tensor<2xi64>, %y: tensor<2xf32>) -> tensor<4x5xf32> {
  // expected-error @below {{operator 'aten.index_copy.default' is not supported: operand and source must have one rank}}
  %0 = aten.call "index_copy.default"(self = %x, dim = 0, index = %i, source = %y) : (tensor<4x5xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @index_rank(%x: tensor<4xf32>, %i: tensor<2x1xi64>, %y: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @below {{operator 'aten.index_copy.default' is not supported: an operand without dimensions, or indices with more than one}}
  %0 = aten.call "index_copy.default"(self = %x, dim = 0, index = %i, source = %y) : (tensor<4xf32>, tensor<2x1xi64>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @sizes(%x: tensor<4x5xf32>, %i: tensor<2xi64>, %y: tensor<3x5xf32>) -> tensor<4x5xf32> {
  // expected-error @below {{operator 'aten.index_copy.default' is not supported: 'ourc.scatter' op updates must be 'tensor<2x5xf32>', but are 'tensor<3x5xf32>'}}
  %0 = aten.call "index_copy.default"(self = %x, dim = 0, index = %i, source = %y) : (tensor<4x5xf32>, tensor<2xi64>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @mask(%x: tensor<4xf32>, %m: tensor<4xi1>, %y: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @below {{operator 'aten.index_put.default' is not supported: indexing by a boolean mask: the result's size would depend on data}}
  %0 = aten.call "index_put.default"(self = %x, indices = [%m], values = %y) : (tensor<4xf32>, tensor<4xi1>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @reduction(%x: tensor<4xf32>, %i: tensor<2xi64>, %y: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @below {{operator 'aten.scatter_reduce.two' is not supported: the reduction 'mean'}}
  %0 = aten.call "scatter_reduce.two"(self = %x, dim = 0, index = %i, src = %y, reduce = "mean") : (tensor<4xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @exclusive(%x: tensor<4xf32>, %i: tensor<2xi64>, %y: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @below {{operator 'aten.scatter_reduce.two' is not supported: a reduction without the operand's own elements (include_self=False)}}
  %0 = aten.call "scatter_reduce.two"(self = %x, dim = 0, index = %i, src = %y, reduce = "sum", include_self = false) : (tensor<4xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @booleans(%x: tensor<4xi1>, %i: tensor<2xi64>, %y: tensor<2xi1>) -> tensor<4xi1> {
  // expected-error @below {{operator 'aten.scatter_add.default' is not supported: arithmetic on booleans}}
  %0 = aten.call "scatter_add.default"(self = %x, dim = 0, index = %i, src = %y) : (tensor<4xi1>, tensor<2xi64>, tensor<2xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

func.func @nothing(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{operator 'aten.index_put.default' is not supported: no dimension is indexed}}
  %0 = aten.call "index_put.default"(self = %x, indices = [unit], values = %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
