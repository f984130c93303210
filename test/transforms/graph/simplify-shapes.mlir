// RUN: ourc-opt %s --ourc-simplify-shapes --canonicalize --cse --split-input-file | FileCheck %s

ourc.symbol @b {min = 1, max = 64}
ourc.symbol @s {min = 1, max = 512}

// Sizes of intermediates are the symbols of the arguments.
// CHECK-LABEL: func.func @dims
// CHECK-DAG:     %[[B:.*]] = ourc.dim @b
// CHECK-DAG:     %[[S:.*]] = ourc.dim @s
// CHECK:         %[[BS:.*]] = arith.muli
// CHECK-NOT:     tensor.dim
// CHECK:         return %{{.*}}, %[[BS]], %[[S]]
func.func @dims(%x: tensor<?x?x384xf32> {ourc.shape = [@b, @s, 384]}) -> (tensor<?x384xf32>, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x384xf32>
  %s = tensor.dim %x, %c1 : tensor<?x?x384xf32>
  %bs = arith.muli %s, %b : index
  %0 = ourc.exp %x : tensor<?x?x384xf32>
  %1 = ourc.reshape %0 sizes [%bs, 384] : tensor<?x?x384xf32> -> tensor<?x384xf32>
  %d = tensor.dim %1, %c0 : tensor<?x384xf32>
  %e = tensor.dim %0, %c1 : tensor<?x?x384xf32>
  return %1, %d, %e : tensor<?x384xf32>, index, index
}

// -----

ourc.symbol @s {min = 1, max = 512}

// (4s + 8) / 4 - s is 2.
// CHECK-LABEL: func.func @arithmetic
// CHECK:         %[[C:.*]] = arith.constant 2 : index
// CHECK-NEXT:    return %[[C]]
func.func @arithmetic() -> index {
  %s = ourc.dim @s : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %0 = arith.muli %c4, %s : index
  %1 = arith.addi %0, %c8 : index
  %2 = arith.floordivsi %1, %c4 : index
  %3 = arith.subi %2, %s : index
  return %3 : index
}

// -----

ourc.symbol @b {min = 1, max = 64}
ourc.symbol @s {min = 1, max = 512}

// CHECK-LABEL: func.func @identities
// CHECK-SAME:    %[[X:.*]]: tensor<?x?xf32>
// CHECK-NEXT:    return %[[X]]
func.func @identities(%x: tensor<?x?xf32> {ourc.shape = [@b, @s]}) -> tensor<?x?xf32> {
  %b = ourc.dim @b : index
  %s = ourc.dim @s : index
  %0 = ourc.reshape %x sizes [%b, %s] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = ourc.broadcast %0 dims [0, 1] sizes [%b, %s] : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = ourc.slice %1 offsets [0, 0] sizes [%b, %s] strides [1, 1] : tensor<?x?xf32> -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

ourc.symbol @b {min = 1, max = 64}
ourc.symbol @s {min = 1, max = 512}

// Equal types, other shapes: they stay.
// CHECK-LABEL: func.func @not_identities
// CHECK:         ourc.reshape
// CHECK:         ourc.slice
func.func @not_identities(%x: tensor<?x?xf32> {ourc.shape = [@b, @s]}) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c1 = arith.constant 1 : index
  %b = ourc.dim @b : index
  %s = ourc.dim @s : index
  %t = arith.subi %s, %c1 : index
  %0 = ourc.reshape %x sizes [%s, %b] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = ourc.slice %x offsets [0, 1] sizes [%b, %t] strides [1, 1] : tensor<?x?xf32> -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// Truncating division of what may be negative is not simplified.
ourc.symbol @s {min = 0, max = 512}
// CHECK-LABEL: func.func @division
// CHECK:         arith.divsi
func.func @division() -> index {
  %s = ourc.dim @s : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = arith.subi %s, %c1 : index
  %1 = arith.divsi %0, %c2 : index
  return %1 : index
}
