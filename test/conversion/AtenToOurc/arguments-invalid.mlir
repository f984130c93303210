// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Arguments that are missing or of the wrong kind.

func.func @exp_default() {
  // expected-error @below {{operator 'aten.exp.default' is not supported: argument 'self' is missing}}
  %0 = aten.call "exp.default"() : () -> tensor<4xf32>
  return
}

// -----

func.func @exp_default() {
  // expected-error @below {{operator 'aten.exp.default' is not supported: argument 'self' must be a tensor}}
  %0 = aten.call "exp.default"(self = 1) : () -> tensor<4xf32>
  return
}

// -----

func.func @exp_default(%x: index) {
  // expected-error @below {{operator 'aten.exp.default' is not supported: argument 'self' must be a tensor}}
  %0 = aten.call "exp.default"(self = %x) : (index) -> tensor<4xf32>
  return
}

// -----

func.func @exp_default(%x: tensor<4xcomplex<f32>>) {
  // expected-error @below {{operator 'aten.exp.default' is not supported: argument 'self' has element type complex<f32>}}
  %0 = aten.call "exp.default"(self = %x) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return
}

// -----

func.func @exp_default(%x: tensor<*xf32>) {
  // expected-error @below {{operator 'aten.exp.default' is not supported: argument 'self' must be a tensor}}
  %0 = aten.call "exp.default"(self = %x) : (tensor<*xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @exp_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.exp.default' is not supported: result 0 must be a tensor of a supported element type}}
  %0 = aten.call "exp.default"(self = %x) : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @exp_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.exp.default' is not supported: result 0 must be a tensor of a supported element type}}
  %0 = aten.call "exp.default"(self = %x) : (tensor<4xf32>) -> index
  return
}

// -----

func.func @exp_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.exp.default' is not supported: result 0 is tensor<4xf32>, but the call declares tensor<5xf32>}}
  %0 = aten.call "exp.default"(self = %x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @relu_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.relu.default' is not supported: result 0 is tensor<4xf32>, but the call declares tensor<4xf16>}}
  %0 = aten.call "relu.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @gelu_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.gelu.default' is not supported: argument 'approximate' must be a string}}
  %0 = aten.call "gelu.default"(self = %x, approximate = 1) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cat_default() {
  // expected-error @below {{operator 'aten.cat.default' is not supported: argument 'tensors' must be a list of tensors}}
  %0 = aten.call "cat.default"(tensors = 1) : () -> tensor<4xf32>
  return
}

// -----

func.func @cat_default() {
  // expected-error @below {{operator 'aten.cat.default' is not supported: argument 'tensors' must be a tensor}}
  %0 = aten.call "cat.default"(tensors = [1]) : () -> tensor<4xf32>
  return
}

// -----

func.func @cat_default() {
  // expected-error @below {{operator 'aten.cat.default' is not supported: there is nothing to join}}
  %0 = aten.call "cat.default"(tensors = []) : () -> tensor<4xf32>
  return
}

// -----

func.func @unsqueeze_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.unsqueeze.default' is not supported: argument 'dim' must be an integer}}
  %0 = aten.call "unsqueeze.default"(self = %x, dim = 1.0 : f64) : (tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @unsqueeze_default(%x: tensor<4xf32>, %d: index) {
  // expected-error @below {{operator 'aten.unsqueeze.default' is not supported: argument 'dim' must be a constant: it cannot depend on the sizes of a call}}
  %0 = aten.call "unsqueeze.default"(self = %x, dim = %d) : (tensor<4xf32>, index) -> tensor<4x1xf32>
  return
}

// -----

func.func @unsqueeze_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.unsqueeze.default' is not supported: argument 'dim' is 2, which is out of range for rank 2}}
  %0 = aten.call "unsqueeze.default"(self = %x, dim = 2) : (tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @softmax_int(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.softmax.int' is not supported: argument 'dim' is -2, which is out of range for rank 1}}
  %0 = aten.call "softmax.int"(self = %x, dim = -2) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sum_dim_IntList(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.sum.dim_IntList' is not supported: argument 'dim' holds 1, which is out of range for rank 1}}
  %0 = aten.call "sum.dim_IntList"(self = %x, dim = [1]) : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @sum_dim_IntList(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.sum.dim_IntList' is not supported: argument 'dim' names dimension 0 twice}}
  %0 = aten.call "sum.dim_IntList"(self = %x, dim = [0, -1]) : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @sum_dim_IntList(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.sum.dim_IntList' is not supported: argument 'dim' must be a list of dimensions}}
  %0 = aten.call "sum.dim_IntList"(self = %x, dim = ["a"]) : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @sum_dim_IntList(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.sum.dim_IntList' is not supported: argument 'keepdim' must be true or false}}
  %0 = aten.call "sum.dim_IntList"(self = %x, dim = [0], keepdim = 1) : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @linalg_vector_norm_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.linalg_vector_norm.default' is not supported: argument 'ord' must be a number}}
  %0 = aten.call "linalg_vector_norm.default"(self = %x, ord = "fro") : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @mul_Scalar(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.mul.Scalar' is not supported: argument 'other' must be a number}}
  %0 = aten.call "mul.Scalar"(self = %x, other = "a") : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_int(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.select.int' is not supported: argument 'index' must be an integer or a size}}
  %0 = aten.call "select.int"(self = %x, dim = 0, index = "a") : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @view_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.view.default' is not supported: argument 'size' must be a list of sizes}}
  %0 = aten.call "view.default"(self = %x, size = 4) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @view_default(%x: tensor<4xf32>) {
  // expected-error @below {{operator 'aten.view.default' is not supported: argument 'size' must be a list of integers and sizes}}
  %0 = aten.call "view.default"(self = %x, size = ["a"]) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @permute_default(%x: tensor<4x5xf32>) {
  // expected-error @below {{operator 'aten.permute.default' is not supported: 'ourc.transpose' op permutation must hold each of the 2 dimensions once}}
  %0 = aten.call "permute.default"(self = %x, dims = [0]) : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @permute_default(%x: tensor<4x5xf32>) {
  // expected-error @below {{operator 'aten.permute.default' is not supported: dimension 2 is out of range for rank 2}}
  %0 = aten.call "permute.default"(self = %x, dims = [0, 2]) : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @permute_default(%x: tensor<4x5xf32>) {
  // expected-error @below {{operator 'aten.permute.default' is not supported: 'ourc.transpose' op permutation must hold each of the 2 dimensions once}}
  %0 = aten.call "permute.default"(self = %x, dims = [0, 0]) : (tensor<4x5xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @permute_default(%x: tensor<4x5xf32>, %d: index) {
  // expected-error @below {{operator 'aten.permute.default' is not supported: argument 'dims' must be a list of constants}}
  %0 = aten.call "permute.default"(self = %x, dims = [0, %d]) : (tensor<4x5xf32>, index) -> tensor<4x5xf32>
  return
}

// -----

func.func @zeros_default() {
  // expected-error @below {{operator 'aten.zeros.default' is not supported: a size is negative: -2}}
  %0 = aten.call "zeros.default"(size = [-2]) : () -> tensor<2xf32>
  return
}
