// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-assign-strategies='target=cpu:x86-64-v4' | FileCheck %s

// CHECK: kernel.func @rows
// CHECK-SAME: schedule = #kernel.cpu_scatter<lanes = 16, grain = 16384>
kernel.func @rows(%u: tensor<?x8xf32>, %i: tensor<?xi64>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = kernel.scatter updates(%u : tensor<?x8xf32>) at(%i : tensor<?xi64>) outs(%out : tensor<4x8xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  kernel.return %r : tensor<4x8xf32>
}

// -----

// expected-error @below {{no strategy of the target can make this kernel}}
// expected-note @below {{attention: }}
// expected-note @below {{depthwise: }}
// expected-note @below {{winograd: }}
// expected-note @below {{contraction: }}
// expected-note @below {{pool: }}
// expected-note @below {{scatter: it gives more than the tensor that it overwrites in part}}
// expected-note @below {{row: }}
// expected-note @below {{pointwise: kernel.scatter is not computed element by element}}
kernel.func @elsewhere(%u: tensor<?x8xf32>, %i: tensor<?xi64>, %x: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = kernel.scatter updates(%u : tensor<?x8xf32>) at(%i : tensor<?xi64>) outs(%x : tensor<4x8xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  kernel.return %r : tensor<4x8xf32>
}

// -----

// expected-error @below {{no strategy of the target can make this kernel}}
// expected-note @below {{attention: }}
// expected-note @below {{depthwise: }}
// expected-note @below {{winograd: }}
// expected-note @below {{contraction: }}
// expected-note @below {{pool: }}
// expected-note @below {{scatter: the kernel scatters twice}}
// expected-note @below {{row: }}
// expected-note @below {{pointwise: }}
kernel.func @twice(%u: tensor<?x8xf32>, %i: tensor<?xi64>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = kernel.scatter updates(%u : tensor<?x8xf32>) at(%i : tensor<?xi64>) outs(%out : tensor<4x8xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  %s = kernel.scatter updates(%u : tensor<?x8xf32>) at(%i : tensor<?xi64>) outs(%r : tensor<4x8xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  kernel.return %s : tensor<4x8xf32>
}
