// RUN: ourc-opt %s --ourc-raise-repeats --split-input-file | FileCheck %s

// Upsampling to the nearest as PyTorch decomposes it: positions times the ratio, made whole.
// CHECK-LABEL: func.func @nearest
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4x5xf32>
// CHECK:         %[[R:.*]] = ourc.repeat %[[X]] [1, 1, 2, 3] : tensor<2x3x4x5xf32> -> tensor<2x3x8x15xf32>
// CHECK-NEXT:    %[[T:.*]] = ourc.transpose %[[R]] [2, 3, 0, 1]
// CHECK-NEXT:    return %[[T]]
func.func @nearest(%x: tensor<2x3x4x5xf32>) -> tensor<8x15x2x3xf32> {
  %0 = ourc.iota dim 0 sizes [8] : tensor<8xf32>
  %half = ourc.constant dense<0.5> : tensor<8xf32>
  %1 = ourc.mul %0, %half : tensor<8xf32>
  %2 = ourc.cast %1 : tensor<8xf32> -> tensor<8xi64>
  %3 = ourc.reshape %2 sizes [8, 1] : tensor<8xi64> -> tensor<8x1xi64>
  %zero = ourc.constant dense<0> : tensor<8x1xi64>
  %negative = ourc.compare lt %3, %zero : tensor<8x1xi64> -> tensor<8x1xi1>
  %size = ourc.constant dense<4> : tensor<8x1xi64>
  %wrapped = ourc.add %3, %size : tensor<8x1xi64>
  %4 = ourc.select %negative, %wrapped, %3 : tensor<8x1xi1>, tensor<8x1xi64>
  %rows = ourc.broadcast %4 dims [0, 1] sizes [8, 15] : tensor<8x1xi64> -> tensor<8x15xi64>
  %5 = ourc.iota dim 0 sizes [15] : tensor<15xi64>
  %three = ourc.constant dense<3> : tensor<15xi64>
  %6 = ourc.div %5, %three : tensor<15xi64>
  %columns = ourc.broadcast %6 dims [1] sizes [8, 15] : tensor<15xi64> -> tensor<8x15xi64>
  %7 = ourc.gather %x at %rows, %columns axes [2, 3] : tensor<2x3x4x5xf32>, tensor<8x15xi64>, tensor<8x15xi64> -> tensor<8x15x2x3xf32>
  return %7 : tensor<8x15x2x3xf32>
}

// -----

// Not each element as often as the others.
// CHECK-LABEL: func.func @uneven
// CHECK:         ourc.gather
func.func @uneven(%x: tensor<2xf32>) -> tensor<4xf32> {
  %i = ourc.constant dense<[0, 1, 1, 1]> : tensor<4xi64>
  %0 = ourc.gather %x at %i axes [0] : tensor<2xf32>, tensor<4xi64> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Not a whole number of times.
// CHECK-LABEL: func.func @remainder
// CHECK:         ourc.gather
func.func @remainder(%x: tensor<3xf32>) -> tensor<4xf32> {
  %i = ourc.constant dense<[0, 1, 2, 2]> : tensor<4xi64>
  %0 = ourc.gather %x at %i axes [0] : tensor<3xf32>, tensor<4xi64> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Indices of one axis that move along the other.
// CHECK-LABEL: func.func @crossed
// CHECK:         ourc.gather
func.func @crossed(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = ourc.iota dim 0 sizes [2] : tensor<2xi64>
  %rows = ourc.broadcast %0 dims [1] sizes [2, 2] : tensor<2xi64> -> tensor<2x2xi64>
  %columns = ourc.broadcast %0 dims [0] sizes [2, 2] : tensor<2xi64> -> tensor<2x2xi64>
  %1 = ourc.gather %x at %rows, %columns axes [0, 1] : tensor<2x2xf32>, tensor<2x2xi64>, tensor<2x2xi64> -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// -----

// Indices that come with the call.
// CHECK-LABEL: func.func @unknown
// CHECK:         ourc.gather
func.func @unknown(%x: tensor<2xf32>, %i: tensor<4xi64>) -> tensor<4xf32> {
  %0 = ourc.gather %x at %i axes [0] : tensor<2xf32>, tensor<4xi64> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
