// RUN: ourc-opt %s -ourc-assign-strategies=target=simt -split-input-file -verify-diagnostics

// expected-error @+7 {{no strategy of the target can make this kernel}}
// expected-note @+6 {{contraction: there is no contraction}}
// expected-note @+5 {{attention: there is something else than an attention}}
// expected-note @+4 {{tile: there is no contraction}}
// expected-note @+3 {{scatter: the kernel scatters twice}}
// expected-note @+2 {{row: there is no reduction}}
// expected-note @+1 {{pointwise: it writes at computed places}}
kernel.func @again(%u: tensor<2x8xf32>, %i: tensor<2xi64>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = kernel.scatter updates(%u : tensor<2x8xf32>) at(%i : tensor<2xi64>) outs(%out : tensor<4x8xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  %s = kernel.scatter updates(%u : tensor<2x8xf32>) at(%i : tensor<2xi64>) outs(%r : tensor<4x8xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  kernel.return %s : tensor<4x8xf32>
}
