// RUN: ourc-opt %s --ourc-to-linalg --split-input-file | FileCheck %s

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<(d0, d1) -> (d0, 0)>

// Broadcasts are maps of the loops, splats are scalars of their body; only sums
// and products are fused by contraction.
// CHECK-LABEL: func.func @broadcasts
// CHECK-SAME:    %[[X:[a-z0-9]+]]: {{.*}}, %[[R:[a-z0-9]+]]: {{.*}}, %[[C:[a-z0-9]+]]: tensor<3x1xf32>
// CHECK:         %[[E0:.*]] = tensor.empty() : tensor<3x5xf32>
// CHECK:         %[[S:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$ROW]], #[[$ID]]], iterator_types = ["parallel", "parallel"]} ins(%[[X]], %[[R]] :{{.*}}) outs(%[[E0]]
// CHECK:           arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CHECK:         %[[D:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$COLUMN]], #[[$ID]]]{{.*}} ins(%[[S]], %[[C]] :
// CHECK:           arith.divf %{{.*}}, %{{.*}} : f32
// CHECK:         linalg.generic {indexing_maps = [#[[$ID]], #[[$ID]]]{{.*}} ins(%[[D]] :
// CHECK:           %[[K:.*]] = arith.constant 5.000000e-01 : f32
// CHECK:           arith.maximumf %{{.*}}, %[[K]] : f32
// CHECK-NOT:     linalg.generic
func.func @broadcasts(%x: tensor<3x5xf32>, %r: tensor<5xf32>, %c: tensor<3x1xf32>) -> tensor<3x5xf32> {
  %k = ourc.constant dense<0.5> : tensor<3x5xf32>
  %0 = ourc.broadcast %r dims [1] sizes [3, 5] : tensor<5xf32> -> tensor<3x5xf32>
  %1 = ourc.broadcast %c dims [0, 1] sizes [3, 5] : tensor<3x1xf32> -> tensor<3x5xf32>
  %2 = ourc.mul %x, %0 : tensor<3x5xf32>
  %3 = ourc.div %2, %1 : tensor<3x5xf32>
  %4 = ourc.maximum %3, %k : tensor<3x5xf32>
  return %4 : tensor<3x5xf32>
}

// -----

// One operand twice is one input.
// CHECK-LABEL: func.func @square
// CHECK:         linalg.generic {{.*}} ins(%{{[a-z0-9]+}} : tensor<4xf32>)
// CHECK-NEXT:    ^bb0(%[[V:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      arith.mulf %[[V]], %[[V]]
func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ourc.mul %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Narrow floats are widened, computed in f32, rounded.
// CHECK-LABEL: func.func @narrow
// CHECK:           %[[A:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK-NEXT:      %[[B:.*]] = math.exp %[[A]] : f32
// CHECK-NEXT:      %[[C:.*]] = arith.truncf %[[B]] : f32 to bf16
// CHECK-NEXT:      linalg.yield %[[C]] : bf16
func.func @narrow(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = ourc.exp %x : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// f8 is read and written through f32.
// CHECK-LABEL: func.func @f8
// CHECK:           %[[A:.*]] = arith.extf %{{.*}} : f8E4M3FN to f32
// CHECK-NEXT:      %[[B:.*]] = arith.truncf %[[A]] : f32 to f16
// CHECK:           arith.cmpf olt, %{{.*}}, %{{.*}} : f32
// CHECK:           arith.select %{{.*}} : f8E5M2
func.func @f8(%x: tensor<4xf8E4M3FN>, %y: tensor<4xf8E5M2>, %z: tensor<4xf8E5M2>) -> (tensor<4xf16>, tensor<4xf8E5M2>) {
  %0 = ourc.cast %x : tensor<4xf8E4M3FN> -> tensor<4xf16>
  %1 = ourc.compare lt %y, %z : tensor<4xf8E5M2> -> tensor<4xi1>
  %2 = ourc.select %1, %y, %z : tensor<4xi1>, tensor<4xf8E5M2>
  return %0, %2 : tensor<4xf16>, tensor<4xf8E5M2>
}

// -----

// Sizes are the program's symbols: no loop depends on another for its size.
ourc.symbol @s {min = 1, max = 512}
// CHECK-LABEL: func.func @dynamic
// CHECK-NOT:     tensor.dim
// CHECK:         %[[S0:.*]] = ourc.dim @s : index
// CHECK:         tensor.empty(%[[S0]]) : tensor<?x4xf32>
// CHECK:         %[[S1:.*]] = ourc.dim @s : index
// CHECK:         tensor.empty(%[[S1]]) : tensor<?x4xf32>
func.func @dynamic(%x: tensor<?x4xf32> {ourc.shape = [@s, 4]}) -> tensor<?x4xf32> {
  %0 = ourc.exp %x : tensor<?x4xf32>
  %1 = ourc.neg %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
