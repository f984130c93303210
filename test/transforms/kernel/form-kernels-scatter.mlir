// RUN: ourc-opt %s -split-input-file -ourc-form-kernels='target=cpu:x86-64-v4' | FileCheck %s

// What is overwritten in part is the launch's destination; what is written is
// computed in the kernel.

#id = affine_map<(i, j) -> (i, j)>
// CHECK: kernel.func @[[K:.*]](%[[U:.*]]: tensor<2x8xf32>, %[[I:.*]]: tensor<2xi64>, %[[OUT:.*]]: tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: linalg.generic
// CHECK: %[[R:.*]] = kernel.scatter updates({{.*}}) at(%[[I]] : tensor<2xi64>) outs(%[[OUT]] : tensor<4x8xf32>)
// CHECK: kernel.return %[[R]]
// CHECK: func.func @main(%[[X:.*]]: tensor<4x8xf32>, %[[V:.*]]: tensor<2x8xf32>, %[[P:.*]]: tensor<2xi64>)
// CHECK-NEXT: %[[L:.*]] = kernel.launch @[[K]](%[[V]], %[[P]]) outs(%[[X]])
// CHECK-NEXT: return %[[L]]
func.func @main(%x: tensor<4x8xf32>, %u: tensor<2x8xf32>, %i: tensor<2xi64>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<2x8xf32>
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<2x8xf32>
  %0 = kernel.scatter updates(%v : tensor<2x8xf32>) at(%i : tensor<2xi64>) outs(%x : tensor<4x8xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// A fill that is overwritten in part is made by a kernel of its own.

// CHECK: kernel.func @[[FILL:.*]](%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
// CHECK: kernel.func @[[K:.*]](%{{.*}}: tensor<2xf32>, %{{.*}}: tensor<2xi64>, %{{.*}}: tensor<4xf32>)
// CHECK: func.func @main
// CHECK: %[[F:.*]] = kernel.launch @[[FILL]]() outs(
// CHECK: kernel.launch @[[K]]({{.*}}) outs(%[[F]])
func.func @main(%u: tensor<2xf32>, %i: tensor<2xi64>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = kernel.scatter updates(%u : tensor<2xf32>) at(%i : tensor<2xi64>) outs(%f : tensor<4xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
