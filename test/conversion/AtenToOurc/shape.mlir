// RUN: ourc-opt %s -split-input-file -ourc-aten-to-ourc | FileCheck %s

// What only names the same values is gone.

// CHECK-LABEL: func.func @identities(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NEXT: return %[[X]] : tensor<4xf32>
func.func @identities(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = aten.call "clone.default"(self = %x, memory_format = "contiguous_format") : (tensor<4xf32>) -> tensor<4xf32>
  %1 = aten.call "detach.default"(self = %0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = aten.call "alias.default"(self = %1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = aten.call "contiguous.default"(self = %2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = aten.call "lift_fresh_copy.default"(self = %3) : (tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @view(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x6xf32>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<?x6xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[X]] sizes [3, 4] : tensor<2x6xf32> -> tensor<3x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[X]] sizes [2, 3, 2] : tensor<2x6xf32> -> tensor<2x3x2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.reshape %[[Y]] sizes {{\[}}%[[N]], 2, 3] : tensor<?x6xf32> -> tensor<?x2x3xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<3x4xf32>, tensor<2x3x2xf32>, tensor<?x2x3xf32>
func.func @view(%x: tensor<2x6xf32>, %n: index, %y: tensor<?x6xf32>) -> (tensor<3x4xf32>, tensor<2x3x2xf32>, tensor<?x2x3xf32>) {
  %0 = aten.call "view.default"(self = %x, size = [3, 4]) : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %1 = aten.call "reshape.default"(self = %x, shape = [2, -1, 2]) : (tensor<2x6xf32>) -> tensor<2x3x2xf32>
  %2 = aten.call "_unsafe_view.default"(self = %y, size = [%n, 2, 3]) : (tensor<?x6xf32>, index) -> tensor<?x2x3xf32>
  return %0, %1, %2 : tensor<3x4xf32>, tensor<2x3x2xf32>, tensor<?x2x3xf32>
}

// -----

// What is left for -1 after equal factors have cancelled: here the sequence.

ourc.symbol @b {min = 1 : i64, max = 64 : i64}
ourc.symbol @s {min = 1 : i64, max = 64 : i64}
// CHECK-LABEL: func.func @view_rest(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?x12x32xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.dim @s : index
// CHECK-NEXT: %[[V1:.*]] = ourc.dim @b : index
// CHECK-NEXT: %[[V2:.*]] = ourc.reshape %[[X]] sizes {{\[}}%[[V1]], %[[V0]], 384] : tensor<?x?x12x32xf32> -> tensor<?x?x384xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.muli %[[V1]], %[[V0]] : index
// CHECK-NEXT: %[[V4:.*]] = ourc.reshape %[[V2]] sizes {{\[}}%[[V3]], 384] : tensor<?x?x384xf32> -> tensor<?x384xf32>
// CHECK-NEXT: return %[[V2]], %[[V4]] : tensor<?x?x384xf32>, tensor<?x384xf32>
func.func @view_rest(%x: tensor<?x?x12x32xf32> {ourc.shape = [@b, @s, 12, 32]}) -> (tensor<?x?x384xf32>, tensor<?x384xf32>) {
  %b = ourc.dim @b : index
  %0 = aten.call "view.default"(self = %x, size = [%b, -1, 384]) : (tensor<?x?x12x32xf32>, index) -> tensor<?x?x384xf32>
  %1 = aten.call "view.default"(self = %0, size = [-1, 384]) : (tensor<?x?x384xf32>) -> tensor<?x384xf32>
  return %0, %1 : tensor<?x?x384xf32>, tensor<?x384xf32>
}

// -----

// CHECK-LABEL: func.func @flatten(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4x5xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[X]] sizes [2, 12, 5] : tensor<2x3x4x5xf32> -> tensor<2x12x5xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x12x5xf32>
func.func @flatten(%x: tensor<2x3x4x5xf32>) -> tensor<2x12x5xf32> {
  %0 = aten.call "flatten.using_ints"(self = %x, start_dim = 1, end_dim = -2) : (tensor<2x3x4x5xf32>) -> tensor<2x12x5xf32>
  return %0 : tensor<2x12x5xf32>
}

// -----

// CHECK-LABEL: func.func @unsqueeze(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x?xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<2x?xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.reshape %[[X]] sizes [1, 2, %[[V1]]] : tensor<2x?xf32> -> tensor<1x2x?xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.reshape %[[X]] sizes [2, %[[V1]], 1] : tensor<2x?xf32> -> tensor<2x?x1xf32>
// CHECK-NEXT: return %[[V2]], %[[V3]] : tensor<1x2x?xf32>, tensor<2x?x1xf32>
func.func @unsqueeze(%x: tensor<2x?xf32>) -> (tensor<1x2x?xf32>, tensor<2x?x1xf32>) {
  %0 = aten.call "unsqueeze.default"(self = %x, dim = 0) : (tensor<2x?xf32>) -> tensor<1x2x?xf32>
  %1 = aten.call "unsqueeze.default"(self = %x, dim = -1) : (tensor<2x?xf32>) -> tensor<2x?x1xf32>
  return %0, %1 : tensor<1x2x?xf32>, tensor<2x?x1xf32>
}

// -----

// Only dimensions of size 1 go.

// CHECK-LABEL: func.func @squeeze(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[X]] sizes [2, 4] : tensor<1x2x1x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[X]] sizes [1, 2, 4] : tensor<1x2x1x4xf32> -> tensor<1x2x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.reshape %[[X]] sizes [2, 1, 4] : tensor<1x2x1x4xf32> -> tensor<2x1x4xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[X]] : tensor<2x4xf32>, tensor<1x2x4xf32>, tensor<2x1x4xf32>, tensor<1x2x1x4xf32>
func.func @squeeze(%x: tensor<1x2x1x4xf32>) -> (tensor<2x4xf32>, tensor<1x2x4xf32>, tensor<2x1x4xf32>, tensor<1x2x1x4xf32>) {
  %0 = aten.call "squeeze.default"(self = %x) : (tensor<1x2x1x4xf32>) -> tensor<2x4xf32>
  %1 = aten.call "squeeze.dim"(self = %x, dim = -2) : (tensor<1x2x1x4xf32>) -> tensor<1x2x4xf32>
  %2 = aten.call "squeeze.dims"(self = %x, dim = [0, 1]) : (tensor<1x2x1x4xf32>) -> tensor<2x1x4xf32>
  %3 = aten.call "squeeze.dims"(self = %x, dim = []) : (tensor<1x2x1x4xf32>) -> tensor<1x2x1x4xf32>
  return %0, %1, %2, %3 : tensor<2x4xf32>, tensor<1x2x4xf32>, tensor<2x1x4xf32>, tensor<1x2x1x4xf32>
}

// -----

// CHECK-LABEL: func.func @transposes(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-SAME: %[[Z:[a-z0-9]+]]: tensor<3xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.transpose %[[X]] [0, 2, 1] : tensor<2x3x4xf32> -> tensor<2x4x3xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.transpose %[[X]] [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.transpose %[[Y]] [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[Z]] : tensor<2x4x3xf32>, tensor<4x2x3xf32>, tensor<3x2xf32>, tensor<3xf32>
func.func @transposes(%x: tensor<2x3x4xf32>, %y: tensor<2x3xf32>, %z: tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<4x2x3xf32>, tensor<3x2xf32>, tensor<3xf32>) {
  %0 = aten.call "transpose.int"(self = %x, dim0 = 1, dim1 = -1) : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = aten.call "permute.default"(self = %x, dims = [-1, 0, 1]) : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %2 = aten.call "t.default"(self = %y) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %3 = aten.call "t.default"(self = %z) : (tensor<3xf32>) -> tensor<3xf32>
  return %0, %1, %2, %3 : tensor<2x4x3xf32>, tensor<4x2x3xf32>, tensor<3x2xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @expand(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<?x1xf32>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[Y]], %[[V0]] : tensor<?x1xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.broadcast %[[X]] dims [0, 1] sizes [3, 4] : tensor<1x4xf32> -> tensor<3x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.broadcast %[[X]] dims [1, 2] sizes [2, 3, 4] : tensor<1x4xf32> -> tensor<2x3x4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.broadcast %[[Y]] dims [0, 1] sizes {{\[}}%[[V1]], %[[N]]] : tensor<?x1xf32> -> tensor<?x?xf32>
// CHECK-NEXT: return %[[V2]], %[[V3]], %[[V4]] : tensor<3x4xf32>, tensor<2x3x4xf32>, tensor<?x?xf32>
func.func @expand(%x: tensor<1x4xf32>, %y: tensor<?x1xf32>, %n: index) -> (tensor<3x4xf32>, tensor<2x3x4xf32>, tensor<?x?xf32>) {
  %0 = aten.call "expand.default"(self = %x, size = [3, -1]) : (tensor<1x4xf32>) -> tensor<3x4xf32>
  %1 = aten.call "expand.default"(self = %x, size = [2, 3, 4]) : (tensor<1x4xf32>) -> tensor<2x3x4xf32>
  %2 = aten.call "expand.default"(self = %y, size = [-1, %n]) : (tensor<?x1xf32>, index) -> tensor<?x?xf32>
  return %0, %1, %2 : tensor<3x4xf32>, tensor<2x3x4xf32>, tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @repeat(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.broadcast %[[X]] dims [3, 5] sizes [4, 1, 1, 2, 3, 3] : tensor<2x3xf32> -> tensor<4x1x1x2x3x3xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[V0]] sizes [4, 2, 9] : tensor<4x1x1x2x3x3xf32> -> tensor<4x2x9xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4x2x9xf32>
func.func @repeat(%x: tensor<2x3xf32>) -> tensor<4x2x9xf32> {
  %0 = aten.call "repeat.default"(self = %x, repeats = [4, 1, 3]) : (tensor<2x3xf32>) -> tensor<4x2x9xf32>
  return %0 : tensor<4x2x9xf32>
}

// -----

// CHECK-LABEL: func.func @slice(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x9xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.slice %[[X]] offsets [5, 0] sizes [3, 9] strides [1, 1] : tensor<8x9xf32> -> tensor<3x9xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.slice %[[X]] offsets [0, 6] sizes [8, 2] strides [1, 1] : tensor<8x9xf32> -> tensor<8x2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.slice %[[X]] offsets [0, 1] sizes [8, 3] strides [1, 3] : tensor<8x9xf32> -> tensor<8x3xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.slice %[[X]] offsets [0, 5] sizes [8, 0] strides [1, 1] : tensor<8x9xf32> -> tensor<8x0xf32>
// CHECK-NEXT: return %[[X]], %[[V0]], %[[V1]], %[[V2]], %[[V3]] : tensor<8x9xf32>, tensor<3x9xf32>, tensor<8x2xf32>, tensor<8x3xf32>, tensor<8x0xf32>
func.func @slice(%x: tensor<8x9xf32>) -> (tensor<8x9xf32>, tensor<3x9xf32>, tensor<8x2xf32>, tensor<8x3xf32>, tensor<8x0xf32>) {
  %0 = aten.call "slice.Tensor"(self = %x) : (tensor<8x9xf32>) -> tensor<8x9xf32>
  %1 = aten.call "slice.Tensor"(self = %x, dim = 0, start = 5, end = 9223372036854775807) : (tensor<8x9xf32>) -> tensor<3x9xf32>
  %2 = aten.call "slice.Tensor"(self = %x, dim = 1, start = -3, end = -1) : (tensor<8x9xf32>) -> tensor<8x2xf32>
  %3 = aten.call "slice.Tensor"(self = %x, dim = -1, start = 1, end = 8, step = 3) : (tensor<8x9xf32>) -> tensor<8x3xf32>
  %4 = aten.call "slice.Tensor"(self = %x, dim = 1, start = 5, end = 2) : (tensor<8x9xf32>) -> tensor<8x0xf32>
  return %0, %1, %2, %3, %4 : tensor<8x9xf32>, tensor<3x9xf32>, tensor<8x2xf32>, tensor<8x3xf32>, tensor<8x0xf32>
}

// -----

// The bounds of the symbol tell that the end lies inside the operand.

ourc.symbol @s {min = 2 : i64, max = 512 : i64}
// CHECK-LABEL: func.func @slice_to_symbol(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x512xi64>
// CHECK-NEXT: %[[V0:.*]] = ourc.dim @s : index
// CHECK-NEXT: %[[V1:.*]] = ourc.slice %[[X]] offsets [0, 0] sizes [1, %[[V0]]] strides [1, 1] : tensor<1x512xi64> -> tensor<1x?xi64>
// CHECK-NEXT: return %[[V1]] : tensor<1x?xi64>
func.func @slice_to_symbol(%x: tensor<1x512xi64>) -> tensor<1x?xi64> {
  %s = ourc.dim @s : index
  %0 = aten.call "slice.Tensor"(self = %x, dim = 1, start = 0, end = %s) : (tensor<1x512xi64>, index) -> tensor<1x?xi64>
  return %0 : tensor<1x?xi64>
}

// -----

// Without them it is clamped.

ourc.symbol @s {min = 2 : i64, max = 1024 : i64}
// CHECK-LABEL: func.func @slice_to_large_symbol(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<512xi64>
// CHECK-NEXT: %[[V0:.*]] = ourc.dim @s : index
// CHECK-NEXT: %[[V1:.*]] = arith.constant 512 : index
// CHECK-NEXT: %[[V2:.*]] = arith.minsi %[[V0]], %[[V1]] : index
// CHECK-NEXT: %[[V3:.*]] = ourc.slice %[[X]] offsets [0] sizes {{\[}}%[[V2]]] strides [1] : tensor<512xi64> -> tensor<?xi64>
// CHECK-NEXT: return %[[V3]] : tensor<?xi64>
func.func @slice_to_large_symbol(%x: tensor<512xi64>) -> tensor<?xi64> {
  %s = ourc.dim @s : index
  %0 = aten.call "slice.Tensor"(self = %x, end = %s) : (tensor<512xi64>, index) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

// -----

// Of an index of unknown sign both cases are there.

// CHECK-LABEL: func.func @slice_from_unknown(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: index
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<?xf32>
// CHECK-NEXT: %[[V2:.*]] = arith.addi %[[I]], %[[V1]] : index
// CHECK-NEXT: %[[V3:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V4:.*]] = arith.cmpi slt, %[[I]], %[[V3]] : index
// CHECK-NEXT: %[[V5:.*]] = arith.select %[[V4]], %[[V2]], %[[I]] : index
// CHECK-NEXT: %[[V6:.*]] = arith.minsi %[[V5]], %[[V1]] : index
// CHECK-NEXT: %[[V7:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V8:.*]] = arith.maxsi %[[V6]], %[[V7]] : index
// CHECK-NEXT: %[[V9:.*]] = arith.subi %[[V1]], %[[V8]] : index
// CHECK-NEXT: %[[V10:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V11:.*]] = arith.maxsi %[[V9]], %[[V10]] : index
// CHECK-NEXT: %[[V12:.*]] = ourc.slice %[[X]] offsets {{\[}}%[[V8]]] sizes {{\[}}%[[V11]]] strides [1] : tensor<?xf32> -> tensor<?xf32>
// CHECK-NEXT: return %[[V12]] : tensor<?xf32>
func.func @slice_from_unknown(%x: tensor<?xf32>, %i: index) -> tensor<?xf32> {
  %0 = aten.call "slice.Tensor"(self = %x, start = %i) : (tensor<?xf32>, index) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// All but the last of a dynamic dimension.

ourc.symbol @s {min = 2 : i64, max = 512 : i64}
// CHECK-LABEL: func.func @slice_dynamic(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.dim @s : index
// CHECK-NEXT: %[[V1:.*]] = arith.constant -1 : index
// CHECK-NEXT: %[[V2:.*]] = arith.addi %[[V1]], %[[V0]] : index
// CHECK-NEXT: %[[V3:.*]] = ourc.slice %[[X]] offsets [0, 0] sizes {{\[}}%[[V2]], 4] strides [1, 1] : tensor<?x4xf32> -> tensor<?x4xf32>
// CHECK-NEXT: return %[[V3]], %[[X]] : tensor<?x4xf32>, tensor<?x4xf32>
func.func @slice_dynamic(%x: tensor<?x4xf32> {ourc.shape = [@s, 4]}) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %0 = aten.call "slice.Tensor"(self = %x, start = 0, end = -1) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = aten.call "slice.Tensor"(self = %x, start = 0, end = 9223372036854775807) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @select(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3x4xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<?x4xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[Y]], %[[V0]] : tensor<?x4xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.slice %[[X]] offsets [2, 0] sizes [1, 4] strides [1, 1] : tensor<3x4xf32> -> tensor<1x4xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.reshape %[[V2]] sizes [4] : tensor<1x4xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.slice %[[X]] offsets [0, 3] sizes [3, 1] strides [1, 1] : tensor<3x4xf32> -> tensor<3x1xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.reshape %[[V4]] sizes [3] : tensor<3x1xf32> -> tensor<3xf32>
// CHECK-NEXT: %[[V6:.*]] = arith.constant -1 : index
// CHECK-NEXT: %[[V7:.*]] = arith.addi %[[V6]], %[[V1]] : index
// CHECK-NEXT: %[[V8:.*]] = ourc.slice %[[Y]] offsets {{\[}}%[[V7]], 0] sizes [1, 4] strides [1, 1] : tensor<?x4xf32> -> tensor<1x4xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.reshape %[[V8]] sizes [4] : tensor<1x4xf32> -> tensor<4xf32>
// CHECK-NEXT: return %[[V3]], %[[V5]], %[[V9]] : tensor<4xf32>, tensor<3xf32>, tensor<4xf32>
func.func @select(%x: tensor<3x4xf32>, %y: tensor<?x4xf32>) -> (tensor<4xf32>, tensor<3xf32>, tensor<4xf32>) {
  %0 = aten.call "select.int"(self = %x, dim = 0, index = 2) : (tensor<3x4xf32>) -> tensor<4xf32>
  %1 = aten.call "select.int"(self = %x, dim = -1, index = -1) : (tensor<3x4xf32>) -> tensor<3xf32>
  %2 = aten.call "select.int"(self = %y, dim = 0, index = -1) : (tensor<?x4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<3xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @unbind(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.slice %[[X]] offsets [0, 0] sizes [1, 3] strides [1, 1] : tensor<2x3xf32> -> tensor<1x3xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[V0]] sizes [3] : tensor<1x3xf32> -> tensor<3xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.slice %[[X]] offsets [1, 0] sizes [1, 3] strides [1, 1] : tensor<2x3xf32> -> tensor<1x3xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.reshape %[[V2]] sizes [3] : tensor<1x3xf32> -> tensor<3xf32>
// CHECK-NEXT: return %[[V1]], %[[V3]] : tensor<3xf32>, tensor<3xf32>
func.func @unbind(%x: tensor<2x3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0:2 = aten.call "unbind.int"(self = %x) : (tensor<2x3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @split(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x5xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.slice %[[X]] offsets [0, 0] sizes [2, 2] strides [1, 1] : tensor<2x5xf32> -> tensor<2x2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.slice %[[X]] offsets [0, 2] sizes [2, 2] strides [1, 1] : tensor<2x5xf32> -> tensor<2x2xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.slice %[[X]] offsets [0, 4] sizes [2, 1] strides [1, 1] : tensor<2x5xf32> -> tensor<2x1xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x1xf32>
func.func @split(%x: tensor<2x5xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x1xf32>) {
  %0:3 = aten.call "split.Tensor"(self = %x, split_size = 2, dim = -1) : (tensor<2x5xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x1xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x1xf32>
}

// -----

// CHECK-LABEL: func.func @split_with_sizes(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<5x2xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.slice %[[X]] offsets [0, 0] sizes [4, 2] strides [1, 1] : tensor<5x2xf32> -> tensor<4x2xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.slice %[[X]] offsets [4, 0] sizes [1, 2] strides [1, 1] : tensor<5x2xf32> -> tensor<1x2xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<4x2xf32>, tensor<1x2xf32>
func.func @split_with_sizes(%x: tensor<5x2xf32>) -> (tensor<4x2xf32>, tensor<1x2xf32>) {
  %0:2 = aten.call "split_with_sizes.default"(self = %x, split_sizes = [4, 1]) : (tensor<5x2xf32>) -> (tensor<4x2xf32>, tensor<1x2xf32>)
  return %0#0, %0#1 : tensor<4x2xf32>, tensor<1x2xf32>
}

// -----

// Types are promoted; a tensor of shape [0] beside others counts for nothing.

// CHECK-LABEL: func.func @cat(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<?x3xbf16>
// CHECK-SAME: %[[Z:[a-z0-9]+]]: tensor<0xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.cast %[[Y]] : tensor<?x3xbf16> -> tensor<?x3xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.concat %[[X]], %[[V0]] dim 0 : tensor<2x3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
// CHECK-NEXT: return %[[V1]] : tensor<?x3xf32>
func.func @cat(%x: tensor<2x3xf32>, %y: tensor<?x3xbf16>, %z: tensor<0xf32>) -> tensor<?x3xf32> {
  %0 = aten.call "cat.default"(tensors = [%x, %z, %y]) : (tensor<2x3xf32>, tensor<0xf32>, tensor<?x3xbf16>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func.func @cat_last(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2x1xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.concat %[[X]], %[[Y]] dim 1 : tensor<2x3xf32>, tensor<2x1xf32> -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x4xf32>
func.func @cat_last(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x4xf32> {
  %0 = aten.call "cat.default"(tensors = [%x, %y], dim = -1) : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @stack(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.reshape %[[X]] sizes [2, 1, 3] : tensor<2x3xf32> -> tensor<2x1x3xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.reshape %[[Y]] sizes [2, 1, 3] : tensor<2x3xf32> -> tensor<2x1x3xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.concat %[[V0]], %[[V1]] dim 1 : tensor<2x1x3xf32>, tensor<2x1x3xf32> -> tensor<2x2x3xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x2x3xf32>
func.func @stack(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x2x3xf32> {
  %0 = aten.call "stack.default"(tensors = [%x, %y], dim = 1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2x3xf32>
  return %0 : tensor<2x2x3xf32>
}

// -----

// Pairs from the last dimension on; a negative one cuts.

// CHECK-LABEL: func.func @pad(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x?x8xf32>
// CHECK-NEXT: %[[V0:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V1:.*]] = tensor.dim %[[X]], %[[V0]] : tensor<2x?x8xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.pad %[[X]] low [0, 3, 1] high [0, 0, 2] value(5.000000e-01 : f32) : tensor<2x?x8xf32> -> tensor<2x?x11xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.slice %[[X]] offsets [0, 0, 2] sizes [2, %[[V1]], 6] strides [1, 1, 1] : tensor<2x?x8xf32> -> tensor<2x?x6xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.pad %[[V3]] low [0, 0, 0] high [0, 0, 1] value(0.000000e+00 : f32) : tensor<2x?x6xf32> -> tensor<2x?x7xf32>
// CHECK-NEXT: return %[[V2]], %[[V4]] : tensor<2x?x11xf32>, tensor<2x?x7xf32>
func.func @pad(%x: tensor<2x?x8xf32>) -> (tensor<2x?x11xf32>, tensor<2x?x7xf32>) {
  %0 = aten.call "constant_pad_nd.default"(self = %x, pad = [1, 2, 3, 0], value = 0.5 : f64) : (tensor<2x?x8xf32>) -> tensor<2x?x11xf32>
  %1 = aten.call "constant_pad_nd.default"(self = %x, pad = [-2, 1]) : (tensor<2x?x8xf32>) -> tensor<2x?x7xf32>
  return %0, %1 : tensor<2x?x11xf32>, tensor<2x?x7xf32>
}

// -----

ourc.symbol @s {min = 2 : i64, max = 512 : i64}
// CHECK-LABEL: func.func @sizes(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.dim @s : index
// CHECK-NEXT: %[[V1:.*]] = arith.constant 4 : index
// CHECK-NEXT: %[[V2:.*]] = arith.constant 4 : index
// CHECK-NEXT: %[[V3:.*]] = arith.muli %[[V0]], %[[V2]] : index
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V3]] : index, index, index
func.func @sizes(%x: tensor<?x4xf32> {ourc.shape = [@s, 4]}) -> (index, index, index) {
  %0 = aten.call "sym_size.int"(self = %x, dim = 0) : (tensor<?x4xf32>) -> index
  %1 = aten.call "sym_size.int"(self = %x, dim = -1) : (tensor<?x4xf32>) -> index
  %2 = aten.call "sym_numel.default"(self = %x) : (tensor<?x4xf32>) -> index
  return %0, %1, %2 : index, index, index
}

// -----

// What falls off at the end comes first.

// CHECK-LABEL: func.func @roll(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x5xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.slice %[[X]] offsets [3, 0] sizes [1, 5] strides [1, 1] : tensor<4x5xf32> -> tensor<1x5xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.slice %[[X]] offsets [0, 0] sizes [3, 5] strides [1, 1] : tensor<4x5xf32> -> tensor<3x5xf32>
// CHECK-NEXT: %[[V2:.*]] = ourc.concat %[[V0]], %[[V1]] dim 0 : tensor<1x5xf32>, tensor<3x5xf32> -> tensor<4x5xf32>
// CHECK-NEXT: %[[V3:.*]] = ourc.slice %[[V2]] offsets [0, 2] sizes [4, 3] strides [1, 1] : tensor<4x5xf32> -> tensor<4x3xf32>
// CHECK-NEXT: %[[V4:.*]] = ourc.slice %[[V2]] offsets [0, 0] sizes [4, 2] strides [1, 1] : tensor<4x5xf32> -> tensor<4x2xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.concat %[[V3]], %[[V4]] dim 1 : tensor<4x3xf32>, tensor<4x2xf32> -> tensor<4x5xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.reshape %[[X]] sizes [20] : tensor<4x5xf32> -> tensor<20xf32>
// CHECK-NEXT: %[[V7:.*]] = ourc.slice %[[V6]] offsets [17] sizes [3] strides [1] : tensor<20xf32> -> tensor<3xf32>
// CHECK-NEXT: %[[V8:.*]] = ourc.slice %[[V6]] offsets [0] sizes [17] strides [1] : tensor<20xf32> -> tensor<17xf32>
// CHECK-NEXT: %[[V9:.*]] = ourc.concat %[[V7]], %[[V8]] dim 0 : tensor<3xf32>, tensor<17xf32> -> tensor<20xf32>
// CHECK-NEXT: %[[V10:.*]] = ourc.reshape %[[V9]] sizes [4, 5] : tensor<20xf32> -> tensor<4x5xf32>
// CHECK-NEXT: return %[[V5]], %[[V10]], %[[X]] : tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
func.func @roll(%x: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>) {
  %0 = aten.call "roll.default"(self = %x, shifts = [1, -2], dims = [0, 1]) : (tensor<4x5xf32>) -> tensor<4x5xf32>
  %1 = aten.call "roll.default"(self = %x, shifts = [3]) : (tensor<4x5xf32>) -> tensor<4x5xf32>
  %2 = aten.call "roll.default"(self = %x, shifts = [8], dims = [0]) : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0, %1, %2 : tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
}

// -----

ourc.symbol @s {min = 2 : i64, max = 512 : i64}
// CHECK-LABEL: func.func @roll_dynamic(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
// CHECK-NEXT: %[[V0:.*]] = ourc.dim @s : index
// CHECK-NEXT: %[[V1:.*]] = arith.constant -1 : index
// CHECK-NEXT: %[[V2:.*]] = arith.addi %[[V0]], %[[V1]] : index
// CHECK-NEXT: %[[V3:.*]] = arith.subi %[[V0]], %[[V2]] : index
// CHECK-NEXT: %[[V4:.*]] = ourc.slice %[[X]] offsets {{\[}}%[[V3]]] sizes {{\[}}%[[V2]]] strides [1] : tensor<?xf32> -> tensor<?xf32>
// CHECK-NEXT: %[[V5:.*]] = ourc.slice %[[X]] offsets [0] sizes {{\[}}%[[V3]]] strides [1] : tensor<?xf32> -> tensor<?xf32>
// CHECK-NEXT: %[[V6:.*]] = ourc.concat %[[V4]], %[[V5]] dim 0 : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
// CHECK-NEXT: return %[[V6]] : tensor<?xf32>
func.func @roll_dynamic(%x: tensor<?xf32> {ourc.shape = [@s]}) -> tensor<?xf32> {
  %0 = aten.call "roll.default"(self = %x, shifts = [-1], dims = [-1]) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
