// RUN: ourc-opt %s -split-input-file | ourc-opt -split-input-file | FileCheck %s
// RUN: ourc-opt %s -split-input-file --mlir-print-op-generic | ourc-opt -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @reshape(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x384xf32>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[X]] sizes {{\[}}%[[N]], 12, 32] : tensor<?x384xf32> -> tensor<?x12x32xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[V0]] sizes {{\[}}%[[N]], %[[N]], 2] : tensor<?x12x32xf32> -> tensor<?x?x2xf32>
// CHECK-NEXT: return
func.func @reshape(%x: tensor<?x384xf32>, %n: index) {
  %0 = ourc.reshape %x sizes [%n, 12, 32] : tensor<?x384xf32> -> tensor<?x12x32xf32>
  %1 = ourc.reshape %0 sizes [%n, %n, 2] : tensor<?x12x32xf32> -> tensor<?x?x2xf32>
  return
}

// -----

// CHECK-LABEL: func.func @reshape_scalar(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x1xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[X]] sizes [] : tensor<1x1xf32> -> tensor<f32>
// CHECK-NEXT: return
func.func @reshape_scalar(%x: tensor<1x1xf32>) {
  %0 = ourc.reshape %x sizes [] : tensor<1x1xf32> -> tensor<f32>
  return
}

// -----

// CHECK-LABEL: func.func @transpose(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x?x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [2, 0, 1] : tensor<2x?x4xf32> -> tensor<4x2x?xf32>
// CHECK-NEXT: return
func.func @transpose(%x: tensor<2x?x4xf32>) {
  %0 = ourc.transpose %x [2, 0, 1] : tensor<2x?x4xf32> -> tensor<4x2x?xf32>
  return
}

// -----

// A declared result may be more or less static than the inferred one.

// CHECK-LABEL: func.func @transpose_refined(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x?xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [1, 0] : tensor<2x?xf32> -> tensor<3x2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.transpose %[[X]] [1, 0] : tensor<2x?xf32> -> tensor<?x?xf32>
// CHECK-NEXT: return
func.func @transpose_refined(%x: tensor<2x?xf32>) {
  %0 = ourc.transpose %x [1, 0] : tensor<2x?xf32> -> tensor<3x2xf32>
  %1 = ourc.transpose %x [1, 0] : tensor<2x?xf32> -> tensor<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x4xf32>
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<f32>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[X]] dims [1, 2] sizes {{\[}}%[[N]], 3, 4] : tensor<1x4xf32> -> tensor<?x3x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[S]] dims [] sizes [2] : tensor<f32> -> tensor<2xf32>
// CHECK-NEXT: return
func.func @broadcast(%x: tensor<1x4xf32>, %s: tensor<f32>, %n: index) {
  %0 = ourc.broadcast %x dims [1, 2] sizes [%n, 3, 4] : tensor<1x4xf32> -> tensor<?x3x4xf32>
  %1 = ourc.broadcast %s dims [] sizes [2] : tensor<f32> -> tensor<2xf32>
  return
}

// -----

// CHECK-LABEL: func.func @slice(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x?xf32>
// CHECK-SAME: %[[O:[a-z0-9]+]]: index
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NEXT: %[[V0:.*]] = ourc.slice %[[X]] offsets [2, %[[O]]] sizes [3, %[[N]]] strides [2, 1] : tensor<8x?xf32> -> tensor<3x?xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.slice %[[X]] offsets [8, 0] sizes [0, 0] strides [1, 1] : tensor<8x?xf32> -> tensor<0x0xf32>
// CHECK-NEXT: return
func.func @slice(%x: tensor<8x?xf32>, %o: index, %n: index) {
  %0 = ourc.slice %x offsets [2, %o] sizes [3, %n] strides [2, 1] : tensor<8x?xf32> -> tensor<3x?xf32>
  %1 = ourc.slice %x offsets [8, 0] sizes [0, 0] strides [1, 1] : tensor<8x?xf32> -> tensor<0x0xf32>
  return
}

// -----

// CHECK-LABEL: func.func @pad(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x?xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<2xi1>
// CHECK-NEXT: %[[V0:.*]] = ourc.pad %[[X]] low [0, 1] high [2, 3] value(0xFF800000 : f32) : tensor<8x?xf32> -> tensor<10x?xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.pad %[[I]] low [1] high [0] value(true) : tensor<2xi1> -> tensor<3xi1>
// CHECK-NEXT: return
func.func @pad(%x: tensor<8x?xf32>, %i: tensor<2xi1>) {
  %0 = ourc.pad %x low [0, 1] high [2, 3] value(0xFF800000 : f32) : tensor<8x?xf32> -> tensor<10x?xf32>
  %1 = ourc.pad %i low [1] high [0] value(true) : tensor<2xi1> -> tensor<3xi1>
  return
}

// -----

// CHECK-LABEL: func.func @concat(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x?xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<3x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.concat %[[X]], %[[Y]], %[[X]] dim 0 : tensor<2x?xf32>, tensor<3x4xf32>, tensor<2x?xf32> -> tensor<7x4xf32>
// CHECK-NEXT: return
func.func @concat(%x: tensor<2x?xf32>, %y: tensor<3x4xf32>) {
  %0 = ourc.concat %x, %y, %x dim 0 : tensor<2x?xf32>, tensor<3x4xf32>, tensor<2x?xf32> -> tensor<7x4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @gather(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<5x6x7xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<2x?xi64>
// CHECK-SAME: %[[J:[a-z0-9]+]]: tensor<2x3xi64>
// CHECK-NEXT: %[[V0:.*]] = ourc.gather %[[X]] at %[[I]] axes [1] : tensor<5x6x7xf32>, tensor<2x?xi64> -> tensor<2x?x5x7xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.gather %[[X]] at %[[I]], %[[J]] axes [2, 0] : tensor<5x6x7xf32>, tensor<2x?xi64>, tensor<2x3xi64> -> tensor<2x3x6xf32>
// CHECK-NEXT: return
func.func @gather(%x: tensor<5x6x7xf32>, %i: tensor<2x?xi64>, %j: tensor<2x3xi64>) {
  %0 = ourc.gather %x at %i axes [1] : tensor<5x6x7xf32>, tensor<2x?xi64> -> tensor<2x?x5x7xf32>
  %1 = ourc.gather %x at %i, %j axes [2, 0] : tensor<5x6x7xf32>, tensor<2x?xi64>, tensor<2x3xi64> -> tensor<2x3x6xf32>
  return
}

// -----

// CHECK-LABEL: func.func @scatter(
// CHECK: ourc.scatter %{{.*}} into %{{.*}} at %{{.*}} axes [1] : tensor<2x5x7xf32>, tensor<5x6x7xf32>, tensor<2xi64> -> tensor<5x6x7xf32>
// CHECK: ourc.scatter by add %{{.*}} into %{{.*}} at %{{.*}}, %{{.*}} axes [2, 0] : tensor<?x6xf32>, tensor<5x6x7xf32>, tensor<?xi32>, tensor<?xi32> -> tensor<5x6x7xf32>
func.func @scatter(%x: tensor<5x6x7xf32>, %u: tensor<2x5x7xf32>, %v: tensor<?x6xf32>, %i: tensor<2xi64>, %j: tensor<?xi32>) {
  %0 = ourc.scatter %u into %x at %i axes [1] : tensor<2x5x7xf32>, tensor<5x6x7xf32>, tensor<2xi64> -> tensor<5x6x7xf32>
  %1 = ourc.scatter by add %v into %0 at %j, %j axes [2, 0] : tensor<?x6xf32>, tensor<5x6x7xf32>, tensor<?xi32>, tensor<?xi32> -> tensor<5x6x7xf32>
  return
}

// -----

// CHECK-LABEL: func.func @repeat(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x3xi1>
// CHECK-NEXT: ourc.repeat %[[X]] [1, 2] : tensor<?x3xi1> -> tensor<?x6xi1>
func.func @repeat(%x: tensor<?x3xi1>) {
  %0 = ourc.repeat %x [1, 2] : tensor<?x3xi1> -> tensor<?x6xi1>
  return
}
