// RUN: ourc-opt %s | ourc-opt | FileCheck %s
// RUN: ourc-opt %s --mlir-print-op-generic | ourc-opt | FileCheck %s

kernel.func @copy(%x: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  kernel.return %x : tensor<?xf32>
}
kernel.func @fill(%out: tensor<4xf32>, %more: tensor<5xi64>) -> (tensor<4xf32>, tensor<5xi64>) {
  kernel.return %out, %more : tensor<4xf32>, tensor<5xi64>
}
kernel.func @scratch(%out: tensor<4xf32>, %space: tensor<?xi8>) -> tensor<4xf32> attributes {workspace} {
  kernel.return %out : tensor<4xf32>
}

// CHECK-LABEL: func.func @tensors
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[E:.*]]: tensor<?xf32>, %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<5xi64>, %[[S:.*]]: tensor<?xi8>
func.func @tensors(%x: tensor<?xf32>, %e: tensor<?xf32>, %a: tensor<4xf32>, %b: tensor<5xi64>, %s: tensor<?xi8>) -> tensor<?xf32> {
  // CHECK: %[[Y:.*]] = kernel.launch @copy(%[[X]]) outs(%[[E]]) : (tensor<?xf32>) outs(tensor<?xf32>) -> tensor<?xf32>
  %y = kernel.launch @copy(%x) outs(%e) : (tensor<?xf32>) outs(tensor<?xf32>) -> tensor<?xf32>
  // CHECK: kernel.launch @fill() outs(%[[A]], %[[B]]) : () outs(tensor<4xf32>, tensor<5xi64>) -> tensor<4xf32>, tensor<5xi64>
  %0:2 = kernel.launch @fill() outs(%a, %b) : () outs(tensor<4xf32>, tensor<5xi64>) -> tensor<4xf32>, tensor<5xi64>
  // CHECK: kernel.launch @scratch() outs(%[[A]]) workspace(%[[S]] : tensor<?xi8>) : () outs(tensor<4xf32>) -> tensor<4xf32>
  %1 = kernel.launch @scratch() outs(%a) workspace(%s : tensor<?xi8>) : () outs(tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<?xf32>
}

// After bufferisation there are no results; shapes may be more static.

// CHECK-LABEL: func.func @memrefs
// CHECK-SAME: %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>
func.func @memrefs(%x: memref<4xf32>, %y: memref<4xf32>) {
  // CHECK: kernel.launch @copy(%[[X]]) outs(%[[Y]]) : (memref<4xf32>) outs(memref<4xf32>){{$}}
  kernel.launch @copy(%x) outs(%y) : (memref<4xf32>) outs(memref<4xf32>)
  return
}
