// RUN: ourc-opt %s | ourc-opt | FileCheck %s

// What a program's arguments and results may carry.

ourc.symbol @batch {min = 1, max = 64}

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<?x4xf32> {ourc.layout = array<i64: 1, 0>, ourc.name = "x", ourc.shape = [@batch, 4]}
// CHECK-SAME: tensor<4x4xf32> {ourc.frozen, ourc.parameter = "net.weight"}
// CHECK-SAME: tensor<2xi8> {ourc.name = "bytes", ourc.unsigned}
// CHECK-SAME: -> (tensor<2xi8> {ourc.name = "y", ourc.unsigned, ourc.updates = 2 : i64}, tensor<4x4xf32> {ourc.layout = array<i64: 1, 0>})
func.func @main(
    %x: tensor<?x4xf32> {ourc.name = "x", ourc.shape = [@batch, 4], ourc.layout = array<i64: 1, 0>},
    %w: tensor<4x4xf32> {ourc.parameter = "net.weight", ourc.frozen},
    %b: tensor<2xi8> {ourc.name = "bytes", ourc.unsigned})
    -> (tensor<2xi8> {ourc.name = "y", ourc.unsigned, ourc.updates = 2 : i64}, tensor<4x4xf32> {ourc.layout = array<i64: 1, 0>}) {
  return %b, %w : tensor<2xi8>, tensor<4x4xf32>
}
