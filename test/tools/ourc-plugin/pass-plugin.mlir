// RUN: mlir-opt %s --load-dialect-plugin=%ourc_plugin --load-pass-plugin=%ourc_plugin \
// RUN:   --pass-pipeline='builtin.module(ourc-pass-destinations,ourc-bufferize-graph)' | FileCheck %s

// A pass of ours over a dialect of ours, with the external model that
// bufferises launches.
kernel.func @k_relu(%x: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> {
  kernel.return %out : tensor<8xf32>
}

// CHECK: func.func @main(%[[X:[^:]*]]: memref<8xf32>, %[[Y:[^:]*]]: memref<8xf32>
// CHECK: kernel.launch @k_relu(%[[X]]) outs(%[[Y]])
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = kernel.launch @k_relu(%x) outs(%e)
      : (tensor<8xf32>) outs(tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
