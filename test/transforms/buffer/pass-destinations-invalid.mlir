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
