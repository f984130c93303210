// RUN: ourc-opt %s --ourc-raise-linear --ourc-simplify-shapes --canonicalize --split-input-file | FileCheck %s

// view, addmm with t(weight), view over [batch, sequence, features].
ourc.symbol @b {min = 1, max = 64}
ourc.symbol @s {min = 1, max = 512}
// CHECK-LABEL: func.func @addmm
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x?x384xf32> {{{.*}}}, %[[W:[a-z0-9]+]]: tensor<1536x384xf32>, %[[B:[a-z0-9]+]]: tensor<1536xf32>
// CHECK:         %[[R:.*]] = ourc.linear %[[X]], %[[W]] bias %[[B]]
// CHECK-NEXT:    return %[[R]]
func.func @addmm(%x: tensor<?x?x384xf32> {ourc.shape = [@b, @s, 384]}, %w: tensor<1536x384xf32>, %bias: tensor<1536xf32>) -> tensor<?x?x1536xf32> {
  %b = ourc.dim @b : index
  %s = ourc.dim @s : index
  %bs = arith.muli %b, %s : index
  %0 = ourc.reshape %x sizes [%bs, 384] : tensor<?x?x384xf32> -> tensor<?x384xf32>
  %1 = ourc.transpose %w [1, 0] : tensor<1536x384xf32> -> tensor<384x1536xf32>
  %2 = ourc.contract %0, %1 batch [], [] contract [1], [0] : tensor<?x384xf32>, tensor<384x1536xf32> -> tensor<?x1536xf32>
  %3 = ourc.broadcast %bias dims [1] sizes [%bs, 1536] : tensor<1536xf32> -> tensor<?x1536xf32>
  %4 = ourc.add %3, %2 : tensor<?x1536xf32>
  %5 = ourc.reshape %4 sizes [%b, %s, 1536] : tensor<?x1536xf32> -> tensor<?x?x1536xf32>
  return %5 : tensor<?x?x1536xf32>
}

// -----

// Heads that merge before it: the reshape stays in front, on the result's shape.
// CHECK-LABEL: func.func @merged_heads
// CHECK:         %[[R:.*]] = ourc.reshape %{{.*}} sizes [2, 9, 384] : tensor<2x9x12x32xf32> -> tensor<2x9x384xf32>
// CHECK:         ourc.linear %[[R]], %{{.*}} -> tensor<2x9x384xf32>
func.func @merged_heads(%x: tensor<2x9x12x32xf32>, %w: tensor<384x384xf32>) -> tensor<2x9x384xf32> {
  %0 = ourc.reshape %x sizes [18, 384] : tensor<2x9x12x32xf32> -> tensor<18x384xf32>
  %1 = ourc.contract %0, %w batch [], [] contract [1], [1] : tensor<18x384xf32>, tensor<384x384xf32> -> tensor<18x384xf32>
  %2 = ourc.reshape %1 sizes [2, 9, 384] : tensor<18x384xf32> -> tensor<2x9x384xf32>
  return %2 : tensor<2x9x384xf32>
}

// -----

// Integers and batched products are not linear layers.
// CHECK-LABEL: func.func @not_linear
// CHECK-COUNT-2: ourc.contract
// CHECK-NOT:     ourc.linear
func.func @not_linear(%i: tensor<2x3xi32>, %j: tensor<3x4xi32>, %x: tensor<5x2x3xf32>, %y: tensor<5x3x4xf32>) -> (tensor<2x4xi32>, tensor<5x2x4xf32>) {
  %0 = ourc.contract %i, %j batch [], [] contract [1], [0] : tensor<2x3xi32>, tensor<3x4xi32> -> tensor<2x4xi32>
  %1 = ourc.contract %x, %y batch [0], [0] contract [2], [1] : tensor<5x2x3xf32>, tensor<5x3x4xf32> -> tensor<5x2x4xf32>
  return %0, %1 : tensor<2x4xi32>, tensor<5x2x4xf32>
}

// -----

// A sum that others read keeps its bias apart.
// CHECK-LABEL: func.func @shared_sum
// CHECK:         %[[L:.*]] = ourc.linear %{{.*}}, %{{.*}} : tensor<2x3xf32>
// CHECK:         ourc.add %[[L]]
func.func @shared_sum(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = ourc.contract %x, %w batch [], [] contract [1], [1] : tensor<2x3xf32>, tensor<4x3xf32> -> tensor<2x4xf32>
  %1 = ourc.broadcast %b dims [1] sizes [2, 4] : tensor<4xf32> -> tensor<2x4xf32>
  %2 = ourc.add %0, %1 : tensor<2x4xf32>
  return %0, %2 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// bmm of merged batches, split again.
ourc.symbol @b {min = 1, max = 64}
ourc.symbol @s {min = 1, max = 64}
// CHECK-LABEL: func.func @split_batch
// CHECK-NOT:     ourc.reshape
// CHECK:         ourc.contract %{{.*}}, %{{.*}} batch [0, 1], [0, 1] contract [3], [2] : tensor<?x12x?x32xf32>, tensor<?x12x32x?xf32> -> tensor<?x12x?x?xf32>
func.func @split_batch(%q: tensor<?x12x?x32xf32> {ourc.shape = [@b, 12, @s, 32]}, %k: tensor<?x12x32x?xf32> {ourc.shape = [@b, 12, 32, @s]}) -> tensor<?x12x?x?xf32> {
  %c12 = arith.constant 12 : index
  %b = ourc.dim @b : index
  %s = ourc.dim @s : index
  %bh = arith.muli %b, %c12 : index
  %0 = ourc.reshape %q sizes [%bh, %s, 32] : tensor<?x12x?x32xf32> -> tensor<?x?x32xf32>
  %1 = ourc.reshape %k sizes [%bh, 32, %s] : tensor<?x12x32x?xf32> -> tensor<?x32x?xf32>
  %2 = ourc.contract %0, %1 batch [0], [0] contract [2], [1] : tensor<?x?x32xf32>, tensor<?x32x?xf32> -> tensor<?x?x?xf32>
  %3 = ourc.reshape %2 sizes [%b, 12, %s, %s] : tensor<?x?x?xf32> -> tensor<?x12x?x?xf32>
  return %3 : tensor<?x12x?x?xf32>
}
