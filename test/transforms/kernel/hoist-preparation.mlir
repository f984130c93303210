// RUN: ourc-opt %s -split-input-file -ourc-hoist-preparation | FileCheck %s

// What depends on a frozen parameter alone moves; the chain is cut where the
// call begins.
// CHECK-LABEL: func.func @init(
// CHECK-SAME: %[[W:.*]]: tensor<8xf32> {ourc.frozen, ourc.parameter = "w"}, %{{.*}}: tensor<8xf32> {ourc.parameter = "v"}) -> tensor<8xf32>
// CHECK: %[[A:.*]] = kernel.launch @k(%[[W]])
// CHECK: %[[B:.*]] = kernel.launch @k(%[[A]])
// CHECK: return %[[B]]
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>, %{{.*}}, %[[V:.*]]: tensor<8xf32> {ourc.parameter = "v"}, %[[P:.*]]: tensor<8xf32> {kernel.prepared = 0 : i64})
// CHECK: kernel.launch @k2(%[[X]], %[[P]])
// CHECK: kernel.launch @k(%[[V]])
kernel.func @k(%x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  kernel.return %x : tensor<8xf32>
}
kernel.func @k2(%x: tensor<8xf32>, %y: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  kernel.return %x : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>, %w: tensor<8xf32> {ourc.parameter = "w", ourc.frozen},
                %v: tensor<8xf32> {ourc.parameter = "v"}) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = kernel.launch @k(%w) outs(%e) : (tensor<8xf32>) outs(tensor<8xf32>) -> tensor<8xf32>
  %1 = kernel.launch @k(%0) outs(%e) : (tensor<8xf32>) outs(tensor<8xf32>) -> tensor<8xf32>
  %2 = kernel.launch @k2(%x, %1) outs(%e) : (tensor<8xf32>, tensor<8xf32>) outs(tensor<8xf32>) -> tensor<8xf32>
  %3 = kernel.launch @k(%v) outs(%e) : (tensor<8xf32>) outs(tensor<8xf32>) -> tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Nothing is frozen: nothing moves.
// CHECK-NOT: @init
kernel.func @k(%x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  kernel.return %x : tensor<8xf32>
}
func.func @main(%w: tensor<8xf32> {ourc.parameter = "w"}) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = kernel.launch @k(%w) outs(%e) : (tensor<8xf32>) outs(tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// What is computed from constants is prepared as well, and may be larger than they are while it is small.
// CHECK-LABEL: func.func @init(
// CHECK: %[[C:.*]] = arith.constant dense<{{.*}}> : tensor<4xf32>
// CHECK: %[[M:.*]] = kernel.launch @outer(%[[C]])
// CHECK: return %[[M]]
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4x4xf32>, %[[P:.*]]: tensor<4x4xf32> {kernel.prepared = 0 : i64}
// CHECK: kernel.launch @add(%[[X]], %[[P]])
kernel.func @outer(%x: tensor<4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  kernel.return %o : tensor<4x4xf32>
}
kernel.func @add(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  kernel.return %x : tensor<4x4xf32>
}
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = kernel.launch @outer(%c) outs(%e) : (tensor<4xf32>) outs(tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = kernel.launch @add(%x, %0) outs(%e) : (tensor<4x4xf32>, tensor<4x4xf32>) outs(tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
