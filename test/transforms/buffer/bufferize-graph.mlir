// RUN: ourc-opt %s --ourc-bufferize-graph | FileCheck %s

ourc.symbol @s {min = 1 : i64, max = 64 : i64}
kernel.func @k_relu(%x: tensor<?x8xf32>, %out: tensor<?x8xf32>) -> tensor<?x8xf32> {
  kernel.return %out : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: memref<?x8xf32>
// CHECK-SAME: %[[W:[^:]*]]: memref<8xf32>
// CHECK-SAME: %[[Y0:[^:]*]]: memref<?x8xf32>
// CHECK-SAME: %[[Y1:[^:]*]]: memref<8xf32>
// CHECK-SAME: {
// CHECK-NOT: memref.copy
// CHECK: %[[E:.*]] = memref.alloc
// CHECK: kernel.launch @k_relu(%[[X]]) outs(%[[E]])
// CHECK-NOT: memref.copy
// CHECK: kernel.launch @k_relu(%[[E]]) outs(%[[Y0]])
// CHECK: memref.copy %[[W]], %[[Y1]]
// CHECK: return
// CHECK-NOT: memref
func.func @main(%x: tensor<?x8xf32> {ourc.shape = [@s, 8]},
                %w: tensor<8xf32> {ourc.parameter = "w"},
                %y0: tensor<?x8xf32> {kernel.destination = [@s, 8]},
                %y1: tensor<8xf32> {kernel.destination = [8]})
    -> (tensor<?x8xf32>, tensor<8xf32>) {
  %d = ourc.dim @s : index
  %e = tensor.empty(%d) : tensor<?x8xf32>
  %0 = kernel.launch @k_relu(%x) outs(%e)
      : (tensor<?x8xf32>) outs(tensor<?x8xf32>) -> tensor<?x8xf32>
  %1 = kernel.launch @k_relu(%0) outs(%y0)
      : (tensor<?x8xf32>) outs(tensor<?x8xf32>) -> tensor<?x8xf32>
  %2 = bufferization.materialize_in_destination %w in %y1
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1, %2 : tensor<?x8xf32>, tensor<8xf32>
}
