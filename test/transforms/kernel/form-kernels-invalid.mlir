// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-form-kernels

func.func @main(%x: tensor<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
  // expected-error @+9 {{no strategy of the target can make 'tensor.insert'}}
  // expected-note @+8 {{attention: an operand that is not a tensor cannot enter the kernel}}
  // expected-note @+7 {{depthwise: an operand that is not a tensor cannot enter the kernel}}
  // expected-note @+6 {{winograd: an operand that is not a tensor cannot enter the kernel}}
  // expected-note @+5 {{contraction: an operand that is not a tensor cannot enter the kernel}}
  // expected-note @+4 {{pool: an operand that is not a tensor cannot enter the kernel}}
  // expected-note @+3 {{scatter: an operand that is not a tensor cannot enter the kernel}}
  // expected-note @+2 {{row: an operand that is not a tensor cannot enter the kernel}}
  // expected-note @+1 {{pointwise: an operand that is not a tensor cannot enter the kernel}}
  %0 = tensor.insert %f into %x[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{must have one block before kernels are formed}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %x : tensor<4xf32>
}
