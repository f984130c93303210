// RUN: ourc-opt %s -split-input-file -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @reshape(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<?x3xf32>
// CHECK-SAME: %[[Z:[a-z0-9]+]]: tensor<?x?xf32>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[Z]] sizes {{\[}}%[[N]], %[[N]]] : tensor<?x?xf32> -> tensor<?x?xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[X]] sizes [6] : tensor<2x3xf32> -> tensor<6xf32>
// CHECK-NEXT: return %[[X]], %[[Y]], %[[V0]], %[[V1]] : tensor<2x3xf32>, tensor<?x3xf32>, tensor<?x?xf32>, tensor<6xf32>
func.func @reshape(%x: tensor<2x3xf32>, %y: tensor<?x3xf32>, %z: tensor<?x?xf32>, %n: index) -> (tensor<2x3xf32>, tensor<?x3xf32>, tensor<?x?xf32>, tensor<6xf32>) {
  %0 = ourc.reshape %x sizes [2, 3] : tensor<2x3xf32> -> tensor<2x3xf32>
  // The number of elements leaves one size.
  %1 = ourc.reshape %y sizes [%n, 3] : tensor<?x3xf32> -> tensor<?x3xf32>
  // Here it leaves two.
  %2 = ourc.reshape %z sizes [%n, %n] : tensor<?x?xf32> -> tensor<?x?xf32>
  %3 = ourc.reshape %x sizes [3, 2] : tensor<2x3xf32> -> tensor<3x2xf32>
  %4 = ourc.reshape %3 sizes [6] : tensor<3x2xf32> -> tensor<6xf32>
  return %0, %1, %2, %4 : tensor<2x3xf32>, tensor<?x3xf32>, tensor<?x?xf32>, tensor<6xf32>
}

// -----

// CHECK-LABEL: func.func @reshape_empty(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x0xf32>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[X]] sizes {{\[}}%[[N]], 0] : tensor<?x0xf32> -> tensor<?x0xf32>
// CHECK-NEXT: return %[[V0]] : tensor<?x0xf32>
func.func @reshape_empty(%x: tensor<?x0xf32>, %n: index) -> tensor<?x0xf32> {
  %0 = ourc.reshape %x sizes [%n, 0] : tensor<?x0xf32> -> tensor<?x0xf32>
  return %0 : tensor<?x0xf32>
}

// -----

// CHECK-LABEL: func.func @reshape_constant(
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x2xf32>
func.func @reshape_constant() -> tensor<2x2xf32> {
  %c = ourc.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = ourc.reshape %c sizes [2, 2] : tensor<4xf32> -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: func.func @transpose(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2x?xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [2, 1, 0] : tensor<2x3x4xf32> -> tensor<4x3x2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.transpose %[[Y]] [0, 1] : tensor<2x?xf32> -> tensor<2x3xf32>
// CHECK-NEXT: return %[[X]], %[[V0]], %[[V1]] : tensor<2x3x4xf32>, tensor<4x3x2xf32>, tensor<2x3xf32>
func.func @transpose(%x: tensor<2x3x4xf32>, %y: tensor<2x?xf32>) -> (tensor<2x3x4xf32>, tensor<4x3x2xf32>, tensor<2x3xf32>) {
  %0 = ourc.transpose %x [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %1 = ourc.transpose %0 [2, 0, 1] : tensor<3x4x2xf32> -> tensor<2x3x4xf32>
  %2 = ourc.transpose %0 [1, 0, 2] : tensor<3x4x2xf32> -> tensor<4x3x2xf32>
  // An identity that tells more about sizes stays.
  %3 = ourc.transpose %y [0, 1] : tensor<2x?xf32> -> tensor<2x3xf32>
  return %1, %2, %3 : tensor<2x3x4xf32>, tensor<4x3x2xf32>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x3xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<?x1xf32>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[X]] dims [1, 2] sizes [4, 2, 3] : tensor<1x3xf32> -> tensor<4x2x3xf32>
// CHECK-NEXT: return %[[V0]], %[[Y]] : tensor<4x2x3xf32>, tensor<?x1xf32>
func.func @broadcast(%x: tensor<1x3xf32>, %y: tensor<?x1xf32>, %n: index) -> (tensor<4x2x3xf32>, tensor<?x1xf32>) {
  %0 = ourc.broadcast %x dims [0, 1] sizes [2, 3] : tensor<1x3xf32> -> tensor<2x3xf32>
  %1 = ourc.broadcast %0 dims [1, 2] sizes [4, 2, 3] : tensor<2x3xf32> -> tensor<4x2x3xf32>
  %2 = ourc.broadcast %y dims [0, 1] sizes [%n, 1] : tensor<?x1xf32> -> tensor<?x1xf32>
  return %1, %2 : tensor<4x2x3xf32>, tensor<?x1xf32>
}

// -----

// One element under any static shape.

// CHECK-LABEL: func.func @splats(
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<5.000000e-01> : tensor<2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<5.000000e-01> : tensor<4x2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<5.000000e-01> : tensor<2xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<5.000000e-01> : tensor<6xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.constant dense<5.000000e-01> : tensor<8xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]], %[[V4]], %[[V4]] : tensor<2x4xf32>, tensor<4x2xf32>, tensor<2xf32>, tensor<6xf32>, tensor<8xf32>, tensor<8xf32>
func.func @splats() -> (tensor<2x4xf32>, tensor<4x2xf32>, tensor<2xf32>, tensor<6xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c = ourc.constant dense<0.5> : tensor<4xf32>
  %m = ourc.constant dense<0.5> : tensor<2x4xf32>
  %0 = ourc.broadcast %c dims [1] sizes [2, 4] : tensor<4xf32> -> tensor<2x4xf32>
  %1 = ourc.transpose %m [1, 0] : tensor<2x4xf32> -> tensor<4x2xf32>
  %2 = ourc.slice %c offsets [1] sizes [2] strides [2] : tensor<4xf32> -> tensor<2xf32>
  %3 = ourc.pad %c low [1] high [1] value(0.5 : f32) : tensor<4xf32> -> tensor<6xf32>
  %4 = ourc.concat %c, %c dim 0 : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>
  %5 = ourc.reshape %m sizes [8] : tensor<2x4xf32> -> tensor<8xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2x4xf32>, tensor<4x2xf32>, tensor<2xf32>, tensor<6xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// A border or a part of another value makes no splat.

// CHECK-LABEL: func.func @no_splats(
// CHECK-DAG: %[[V0:.*]] = ourc.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-DAG: %[[V2:.*]] = ourc.pad %[[V0]] low [1] high [1] value(0.000000e+00 : f32) : tensor<4xf32> -> tensor<6xf32>
// CHECK-DAG: %[[V3:.*]] = ourc.constant dense<[5.000000e-01, 5.000000e-01, 5.000000e-01, 5.000000e-01, 2.500000e-01, 2.500000e-01, 2.500000e-01, 2.500000e-01]> : tensor<8xf32>
// CHECK-NEXT: return %[[V2]], %[[V3]] : tensor<6xf32>, tensor<8xf32>
func.func @no_splats() -> (tensor<6xf32>, tensor<8xf32>) {
  %c = ourc.constant dense<0.5> : tensor<4xf32>
  %d = ourc.constant dense<0.25> : tensor<4xf32>
  %0 = ourc.pad %c low [1] high [1] value(0.0 : f32) : tensor<4xf32> -> tensor<6xf32>
  %1 = ourc.concat %c, %d dim 0 : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>
  return %0, %1 : tensor<6xf32>, tensor<8xf32>
}

// -----

// A view of one element repeated is that element repeated.

// CHECK-LABEL: func.func @views_of_scalar(
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<f32>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-SAME: %[[M:[a-z0-9]+]]: index
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[S]] dims [] sizes {{\[}}%[[N]], 4] : tensor<f32> -> tensor<?x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.broadcast %[[S]] dims [] sizes [4, %[[M]]] : tensor<f32> -> tensor<4x?xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.broadcast %[[S]] dims [] sizes [2, %[[M]]] : tensor<f32> -> tensor<2x?xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[S]] : tensor<?x4xf32>, tensor<4x?xf32>, tensor<2x?xf32>, tensor<f32>
func.func @views_of_scalar(%s: tensor<f32>, %n: index, %m: index) -> (tensor<?x4xf32>, tensor<4x?xf32>, tensor<2x?xf32>, tensor<f32>) {
  %0 = ourc.broadcast %s dims [] sizes [4, %n] : tensor<f32> -> tensor<4x?xf32>
  %1 = ourc.transpose %0 [1, 0] : tensor<4x?xf32> -> tensor<?x4xf32>
  %2 = ourc.reshape %1 sizes [4, %m] : tensor<?x4xf32> -> tensor<4x?xf32>
  %3 = ourc.slice %0 offsets [1, %n] sizes [2, %m] strides [1, 2] : tensor<4x?xf32> -> tensor<2x?xf32>
  %4 = ourc.broadcast %s dims [] sizes [1] : tensor<f32> -> tensor<1xf32>
  %5 = ourc.reshape %4 sizes [] : tensor<1xf32> -> tensor<f32>
  return %1, %2, %3, %5 : tensor<?x4xf32>, tensor<4x?xf32>, tensor<2x?xf32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @whole(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<?xf32>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NEXT: %[[V0:.*]] = ourc.slice %[[Y]] offsets [0] sizes {{\[}}%[[N]]] strides [1] : tensor<?xf32> -> tensor<?xf32>
// CHECK-NEXT: return %[[X]], %[[X]], %[[Y]], %[[V0]] : tensor<4xf32>, tensor<4xf32>, tensor<?xf32>, tensor<?xf32>
func.func @whole(%x: tensor<4xf32>, %y: tensor<?xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = ourc.slice %x offsets [0] sizes [4] strides [1] : tensor<4xf32> -> tensor<4xf32>
  %1 = ourc.pad %x low [0] high [0] value(0.0 : f32) : tensor<4xf32> -> tensor<4xf32>
  %2 = ourc.concat %y dim 0 : tensor<?xf32> -> tensor<?xf32>
  // Not known to be all of it.
  %3 = ourc.slice %y offsets [0] sizes [%n] strides [1] : tensor<?xf32> -> tensor<?xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// Elements of constants move when compiled, while they are few.
// CHECK-LABEL: func.func @move_constants(
// CHECK-DAG: %[[C0:.*]] = ourc.constant dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
// CHECK-DAG: %[[C1:.*]] = ourc.constant dense<{{\[\[}}2], [5]]> : tensor<2x1xi32>
// CHECK-DAG: %[[C2:.*]] = ourc.constant dense<{{\[\[}}1, 2, 3, 7, 7], [4, 5, 6, 7, 7]]> : tensor<2x5xi32>
// CHECK-DAG: %[[C3:.*]] = ourc.constant dense<{{\[\[}}true, true], [false, true], [true, true]]> : tensor<3x2xi1>
// CHECK-DAG: %[[C4:.*]] = ourc.constant dense<{{\[\[}}2.000000e+00, 5.000000e-01]]> : tensor<1x2xbf16>
// CHECK: return %[[C0]], %[[C1]], %[[C2]], %[[C3]], %[[C4]]
func.func @move_constants() -> (tensor<3x2xi32>, tensor<2x1xi32>, tensor<2x5xi32>, tensor<3x2xi1>, tensor<1x2xbf16>) {
  %x = ourc.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %sevens = ourc.constant dense<7> : tensor<2x2xi32>
  %bits = ourc.constant dense<[[true, false]]> : tensor<1x2xi1>
  %ones = ourc.constant dense<true> : tensor<2x2xi1>
  %floats = ourc.constant dense<[[0.5, 1.0, 2.0]]> : tensor<1x3xbf16>
  %0 = ourc.transpose %x [1, 0] : tensor<2x3xi32> -> tensor<3x2xi32>
  %1 = ourc.slice %x offsets [0, 1] sizes [2, 1] strides [1, 2] : tensor<2x3xi32> -> tensor<2x1xi32>
  %2 = ourc.concat %x, %sevens dim 1 : tensor<2x3xi32>, tensor<2x2xi32> -> tensor<2x5xi32>
  %b = ourc.transpose %bits [1, 0] : tensor<1x2xi1> -> tensor<2x1xi1>
  %c = ourc.slice %ones offsets [0, 0] sizes [2, 1] strides [1, 1] : tensor<2x2xi1> -> tensor<2x1xi1>
  %d = ourc.concat %b, %c dim 1 : tensor<2x1xi1>, tensor<2x1xi1> -> tensor<2x2xi1>
  %l = ourc.slice %ones offsets [0, 0] sizes [1, 2] strides [1, 1] : tensor<2x2xi1> -> tensor<1x2xi1>
  %3 = ourc.concat %d, %l dim 0 : tensor<2x2xi1>, tensor<1x2xi1> -> tensor<3x2xi1>
  %a = ourc.slice %floats offsets [0, 2] sizes [1, 1] strides [1, 1] : tensor<1x3xbf16> -> tensor<1x1xbf16>
  %f = ourc.slice %floats offsets [0, 0] sizes [1, 1] strides [1, 1] : tensor<1x3xbf16> -> tensor<1x1xbf16>
  %4 = ourc.concat %a, %f dim 1 : tensor<1x1xbf16>, tensor<1x1xbf16> -> tensor<1x2xbf16>
  return %0, %1, %2, %3, %4 : tensor<3x2xi32>, tensor<2x1xi32>, tensor<2x5xi32>, tensor<3x2xi1>, tensor<1x2xbf16>
}

// -----

// CHECK-LABEL: func.func @large_constant(
// CHECK: ourc.concat
func.func @large_constant() -> tensor<300x300xi32> {
  %x = ourc.constant dense<1> : tensor<300x299xi32>
  %y = ourc.constant dense<2> : tensor<300x1xi32>
  %0 = ourc.concat %x, %y dim 1 : tensor<300x299xi32>, tensor<300x1xi32> -> tensor<300x300xi32>
  return %0 : tensor<300x300xi32>
}
