// RUN: ourc-opt %s -resolve-shaped-type-result-dims -canonicalize | FileCheck %s

// Results have the sizes of their destinations.

kernel.func @copy(%x: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  kernel.return %x : tensor<?xf32>
}

// CHECK-LABEL: func.func @launch
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[E:.*]]: tensor<?xf32>
func.func @launch(%x: tensor<?xf32>, %e: tensor<?xf32>) -> index {
  // CHECK: %[[D:.*]] = tensor.dim %[[E]]
  // CHECK: return %[[D]]
  %c0 = arith.constant 0 : index
  %y = kernel.launch @copy(%x) outs(%e) : (tensor<?xf32>) outs(tensor<?xf32>) -> tensor<?xf32>
  %d = tensor.dim %y, %c0 : tensor<?xf32>
  return %d : index
}

// CHECK-LABEL: func.func @coupled_reduce
// CHECK-SAME: %[[X:.*]]: tensor<?x8xf32>, %[[E:.*]]: tensor<?xf32>
func.func @coupled_reduce(%x: tensor<?x8xf32>, %e: tensor<?xf32>) -> index {
  // CHECK: %[[D:.*]] = tensor.dim %[[E]]
  // CHECK: return %[[D]]
  %c0 = arith.constant 0 : index
  %0 = kernel.coupled_reduce ins(%x : tensor<?x8xf32>) outs(%e : tensor<?xf32>) dimensions = [1] init {
    %z = arith.constant 0.0 : f32
    kernel.yield %z : f32
  } accumulate {
  ^bb0(%s: f32, %v: f32):
    %a = arith.addf %s, %v : f32
    kernel.yield %a : f32
  } merge {
  ^bb0(%s: f32, %t: f32):
    %a = arith.addf %s, %t : f32
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<?xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %d : index
}
