// RUN: ourc-opt %s -ourc-assign-strategies='target=cpu:x86-64-v4' | FileCheck %s
// RUN: ourc-opt %s -ourc-assign-strategies='target=cpu:x86-64-v4' -ourc-pass-destinations -ourc-bufferize-graph -ourc-plan-memory | FileCheck %s --check-prefix=PLAN

ourc.symbol @b {min = 1 : i64, max = 64 : i64}

// One long row: its workspace is of known size.
// CHECK: kernel.func @sum(%{{.*}}: tensor<131075xf32>, %{{.*}}: tensor<f32>, %{{.*}}: tensor<264xi8>) -> tensor<f32>
// CHECK-SAME: parts = 64>, workspace}
kernel.func @sum(%x: tensor<131075xf32>, %out: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%out : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
    ins(%x : tensor<131075xf32>) outs(%fill : tensor<f32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<f32>
  kernel.return %r : tensor<f32>
}

// Rows that no cache holds, of unknown number: so many times the workspace.
// CHECK: kernel.func @rows({{.*}}, %{{.*}}: tensor<?xi8>) -> tensor<?xf32>
kernel.func @rows(%x: tensor<?x262147xf32> {ourc.shape = [@d0, 262147]}, %out: tensor<?xf32> {ourc.shape = [@d0]}) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<?x262147xf32>) outs(%fill : tensor<?xf32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  kernel.return %r : tensor<?xf32>
}

// Rows enough for threads stay whole, and so do short ones.
// CHECK: kernel.func @many({{.*}}: tensor<64x4096xf32>, %{{.*}}: tensor<64xf32>) -> tensor<64xf32>
// CHECK-NOT: parts
kernel.func @many(%x: tensor<64x4096xf32>, %out: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%out : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<64x4096xf32>) outs(%fill : tensor<64xf32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  kernel.return %r : tensor<64xf32>
}

// CHECK: func.func @main
// CHECK: %[[S:.*]] = tensor.empty() : tensor<264xi8>
// CHECK: kernel.launch @sum({{.*}}) outs({{.*}}) workspace(%[[S]] : tensor<264xi8>)
// CHECK: tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK: %[[B:.*]] = ourc.dim @b
// CHECK: %[[C:.*]] = arith.constant 264 : index
// CHECK: %[[BYTES:.*]] = arith.muli %[[B]], %[[C]]
// CHECK: %[[W:.*]] = tensor.empty(%[[BYTES]]) : tensor<?xi8>
// CHECK: kernel.launch @rows({{.*}}) outs({{.*}}) workspace(%[[W]] : tensor<?xi8>)

// Both are in the arena, while their kernel runs.
// PLAN: func.func @main
// PLAN-SAME: %[[ARENA:[^:]*]]: memref<?xi8> {kernel.arena}
// PLAN-SAME: %[[O0:[^:]*]]: index {kernel.lifetime = array<i64: 0, 0>}
// PLAN-SAME: %[[O1:[^:]*]]: index {kernel.lifetime = array<i64: 1, 1>}
// PLAN: %[[V0:.*]] = memref.view %[[ARENA]][%[[O0]]][] : memref<?xi8> to memref<264xi8>
// PLAN: workspace(%[[V0]] : memref<264xi8>)
// PLAN: %[[V1:.*]] = memref.view %[[ARENA]][%[[O1]]][%{{.*}}] : memref<?xi8> to memref<?xi8>
// PLAN: workspace(%[[V1]] : memref<?xi8>)
func.func @main(%x: tensor<131075xf32>, %y: tensor<?x262147xf32> {ourc.shape = [@b, 262147]}) -> (tensor<f32>, tensor<?xf32>) {
  %e = tensor.empty() : tensor<f32>
  %0 = kernel.launch @sum(%x) outs(%e) : (tensor<131075xf32>) outs(tensor<f32>) -> tensor<f32>
  %b = ourc.dim @b : index
  %f = tensor.empty(%b) : tensor<?xf32>
  %1 = kernel.launch @rows(%y) outs(%f) : (tensor<?x262147xf32>) outs(tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<f32>, tensor<?xf32>
}
