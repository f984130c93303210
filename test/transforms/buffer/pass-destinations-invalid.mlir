// RUN: ourc-opt %s --ourc-pass-destinations --split-input-file --verify-diagnostics

// expected-error@+1 {{the size of result 0 is not known from the inputs' sizes: inputs with dynamic dimensions need 'ourc.shape'}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

func.func @main(%x: index) -> index {
  // expected-error@+1 {{result 0 must be a ranked tensor, but is 'index'}}
  return %x : index
}

// -----

// expected-error@+1 {{argument 0: 'ourc.layout' is not supported; pass row-major memory and transpose}}
func.func @main(%x: tensor<2x3xf32> {ourc.layout = array<i64: 1, 0>}) {
  return
}

// -----

// expected-error@+1 {{result 0: 'ourc.updates' is not supported; return the new value and let the caller store it}}
func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32> {ourc.updates = 0 : i64}) {
  return %x : tensor<2x3xf32>
}
