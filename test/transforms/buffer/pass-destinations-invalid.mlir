// RUN: ourc-opt %s --ourc-pass-destinations --split-input-file --verify-diagnostics

// expected-error@+1 {{the size of result 0 is not known from the inputs' sizes: inputs with dynamic dimensions need 'ourc.shape'}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error@+1 {{argument 0 must be a ranked tensor, but is 'index'}}
func.func @main(%x: index) {
  return
}

// -----

// expected-error@+1 {{result 0 must be a ranked tensor, but is 'index'}}
func.func @main() -> index {
  %c = arith.constant 1 : index
  return %c : index
}

// -----

// expected-error@+1 {{argument 0: 'complex<f32>' cannot be passed to or from a program}}
func.func @main(%x: tensor<2xcomplex<f32>>) {
  return
}

// -----

// expected-error@+1 {{'@f' must be inlined: a program is the function '@main' alone}}
func.func private @f()
func.func @main() {
  return
}

// -----

// expected-error@+1 {{'@shapes' is the compiler's name for a function without arguments that returns sizes; give this function another name}}
func.func @shapes(%x: tensor<4xf32>) {
  return
}
func.func @main() {
  return
}

// -----

// expected-error@+1 {{'@init' is the compiler's name for what prepares weights; it gives 1 but '@main' takes 0}}
func.func @init() -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  return %e : tensor<4xf32>
}
func.func @main() {
  return
}

// -----

// expected-error@+1 {{argument 0: 'ourc.layout' must be applied first: run ourc-apply-layouts}}
func.func @main(%x: tensor<2x3xf32> {ourc.layout = array<i64: 1, 0>}) {
  return
}

// -----

// expected-error@+1 {{result 0: 'ourc.updates' names argument 0, a parameter, which is prepared and not written: make it an input}}
func.func @main(%x: tensor<2x3xf32> {ourc.parameter = "x"}) -> (tensor<2x3xf32> {ourc.updates = 0 : i64}) {
  return %x : tensor<2x3xf32>
}
