// RUN: ourc-opt %s --ourc-pass-destinations | FileCheck %s

ourc.symbol @s {min = 1 : i64, max = 64 : i64}
kernel.func @k_relu(%x: tensor<?x8xf32>, %out: tensor<?x8xf32>) -> tensor<?x8xf32> {
  kernel.return %out : tensor<?x8xf32>
}

// The first result is written through a reshape, the second is an argument and
// the third is written where the second launch reads it.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x8xf32> {ourc.shape = [@s, 8]}
// CHECK-SAME: %[[W:[^:]*]]: tensor<8xf32> {ourc.parameter = "w"}
// CHECK-SAME: %[[Y0:[^:]*]]: tensor<?xf32> {kernel.destination = [0 : index], ourc.name = "y"}
// CHECK-SAME: %[[Y1:[^:]*]]: tensor<8xf32> {kernel.destination = [8]}
// CHECK-SAME: %[[Y2:[^:]*]]: tensor<?x8xf32> {kernel.destination = [@s, 8]}
// CHECK: %[[R2:.*]] = kernel.launch @k_relu(%[[X]]) outs(%[[Y2]])
// CHECK: %[[D:.*]] = tensor.expand_shape %[[Y0]]
// CHECK: %[[R0:.*]] = kernel.launch @k_relu(%[[R2]]) outs(%[[D]])
// CHECK: %[[F:.*]] = tensor.collapse_shape %[[R0]]
// CHECK: %[[C:.*]] = bufferization.materialize_in_destination %[[W]] in %[[Y1]]
// CHECK: return %[[F]], %[[C]], %[[R2]]
func.func @main(%x: tensor<?x8xf32> {ourc.shape = [@s, 8]},
                %w: tensor<8xf32> {ourc.parameter = "w"})
    -> (tensor<?xf32> {ourc.name = "y"}, tensor<8xf32>, tensor<?x8xf32>) {
  %d = ourc.dim @s : index
  %e = tensor.empty(%d) : tensor<?x8xf32>
  %0 = kernel.launch @k_relu(%x) outs(%e)
      : (tensor<?x8xf32>) outs(tensor<?x8xf32>) -> tensor<?x8xf32>
  %1 = kernel.launch @k_relu(%0) outs(%e)
      : (tensor<?x8xf32>) outs(tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = tensor.collapse_shape %1 [[0, 1]] : tensor<?x8xf32> into tensor<?xf32>
  return %y, %w, %0 : tensor<?xf32>, tensor<8xf32>, tensor<?x8xf32>
}

// The size of the first result is computed from the symbol.
// CHECK-LABEL: func.func @shapes() -> index
// CHECK: %[[S:.*]] = ourc.dim @s
// CHECK: %[[P:.*]] = arith.muli %[[S]]
// CHECK: return %[[P]]
