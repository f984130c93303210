// RUN: ourc-opt %s --ourc-to-linalg --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @collapse
// CHECK:         tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<2x7x384xf32> into tensor<14x384xf32>
// CHECK-NEXT:    return
func.func @collapse(%x: tensor<2x7x384xf32>) -> tensor<14x384xf32> {
  %0 = ourc.reshape %x sizes [14, 384] : tensor<2x7x384xf32> -> tensor<14x384xf32>
  return %0 : tensor<14x384xf32>
}

// -----

// As few dimensions as possible take part.
// CHECK-LABEL: func.func @both
// CHECK:         %[[C:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2], [3]] : tensor<2x6x5x8xf32> into tensor<2x30x8xf32>
// CHECK-NEXT:    tensor.expand_shape %[[C]] {{\[\[}}0], [1, 2], [3]] output_shape [2, 3, 10, 8] : tensor<2x30x8xf32> into tensor<2x3x10x8xf32>
func.func @both(%x: tensor<2x6x5x8xf32>) -> tensor<2x3x10x8xf32> {
  %0 = ourc.reshape %x sizes [2, 3, 10, 8] : tensor<2x6x5x8xf32> -> tensor<2x3x10x8xf32>
  return %0 : tensor<2x3x10x8xf32>
}

// -----

// Products of symbols are recognised, and split again.
ourc.symbol @b {min = 1, max = 64}
ourc.symbol @s {min = 1, max = 512}
// CHECK-LABEL: func.func @symbols
// CHECK:         %[[C:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<?x?x384xf32> into tensor<?x384xf32>
// CHECK:         tensor.expand_shape %[[C]] {{\[\[}}0, 1], [2, 3]] output_shape [%{{.*}}, %{{.*}}, 12, 32] : tensor<?x384xf32> into tensor<?x?x12x32xf32>
func.func @symbols(%x: tensor<?x?x384xf32> {ourc.shape = [@b, @s, 384]}) -> tensor<?x?x12x32xf32> {
  %b = ourc.dim @b : index
  %s = ourc.dim @s : index
  %n = arith.muli %b, %s : index
  %0 = ourc.reshape %x sizes [%n, 384] : tensor<?x?x384xf32> -> tensor<?x384xf32>
  %1 = ourc.reshape %0 sizes [%b, %s, 12, 32] : tensor<?x384xf32> -> tensor<?x?x12x32xf32>
  return %1 : tensor<?x?x12x32xf32>
}

// -----

// Nothing is known of %n: what agrees at the end stays apart.
// CHECK-LABEL: func.func @unknown
// CHECK:         %[[C:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<?x?x8xf32> into tensor<?x8xf32>
// CHECK:         tensor.expand_shape %[[C]] {{\[\[}}0, 1], [2]] output_shape [%{{.*}}, %{{.*}}, 8] : tensor<?x8xf32> into tensor<?x?x8xf32>
func.func @unknown(%x: tensor<?x?x8xf32>, %n: index, %m: index) -> tensor<?x?x8xf32> {
  %0 = ourc.reshape %x sizes [%n, %m, 8] : tensor<?x?x8xf32> -> tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}

// -----

// The sizes swapped are not the shape that it had.
// CHECK-LABEL: func.func @swapped
// CHECK:         tensor.collapse_shape
// CHECK:         tensor.expand_shape
func.func @swapped(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %0 = ourc.reshape %x sizes [%n, %m] : tensor<?x?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @scalar
// CHECK:         %[[E:.*]] = tensor.expand_shape %{{.*}} [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
// CHECK:         tensor.collapse_shape %[[E]] [] : tensor<1x1xf32> into tensor<f32>
func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  %0 = ourc.reshape %x sizes [1, 1] : tensor<f32> -> tensor<1x1xf32>
  %1 = ourc.reshape %0 sizes [] : tensor<1x1xf32> -> tensor<f32>
  return %1 : tensor<f32>
}
