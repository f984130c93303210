// RUN: ourc-opt -ourc-kernel-to-gpu -verify-diagnostics %s

// expected-error @below {{must return one kernel.scatter into its destination to have the schedule #kernel.gpu_scatter<threads = 128>}}
kernel.func @elsewhere(%u: tensor<2x8xf32>, %i: tensor<2xi64>, %x: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.gpu_scatter<threads = 128>} {
  %r = kernel.scatter updates(%u : tensor<2x8xf32>) at(%i : tensor<2xi64>) outs(%x : tensor<4x8xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  kernel.return %r : tensor<4x8xf32>
}
