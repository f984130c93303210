// RUN: ourc-opt %s --ourc-pass-destinations --ourc-bufferize-graph | FileCheck %s

// A result that is known better than the launch that computes it.

kernel.func @k_relu(%x: tensor<?x8xf32>, %out: tensor<?x8xf32>) -> tensor<?x8xf32> {
  kernel.return %out : tensor<?x8xf32>
}

// CHECK: func.func @main(%[[X:[^:]*]]: memref<4x8xf32>, %[[Y:[^:]*]]: memref<4x8xf32> {kernel.destination = [4, 8]}
// CHECK: %[[CX:.*]] = memref.cast %[[X]]
// CHECK: %[[CY:.*]] = memref.cast %[[Y]]
// CHECK: kernel.launch @k_relu(%[[CX]]) outs(%[[CY]])
// CHECK-NOT: memref.copy
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c4 = arith.constant 4 : index
  %0 = tensor.cast %x : tensor<4x8xf32> to tensor<?x8xf32>
  %e = tensor.empty(%c4) : tensor<?x8xf32>
  %1 = kernel.launch @k_relu(%0) outs(%e)
      : (tensor<?x8xf32>) outs(tensor<?x8xf32>) -> tensor<?x8xf32>
  %2 = tensor.cast %1 : tensor<?x8xf32> to tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
