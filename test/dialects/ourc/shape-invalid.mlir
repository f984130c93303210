// RUN: ourc-opt %s -split-input-file -verify-diagnostics

func.func @reshape_elements(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.reshape' op must keep the element type, but takes 'tensor<4xf32>' to 'tensor<4xf64>'}}
  %0 = ourc.reshape %x sizes [4] : tensor<4xf32> -> tensor<4xf64>
  return
}

// -----

func.func @reshape_count(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.reshape' op must keep the number of elements, but takes 4 to 5}}
  %0 = ourc.reshape %x sizes [5] : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @reshape_rank(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.reshape' op has 1 sizes, but the result has rank 2}}
  %0 = ourc.reshape %x sizes [4] : tensor<4xf32> -> tensor<4x1xf32>
  return
}

// -----

func.func @reshape_operands(%x: tensor<4xf32>, %n: index) {
  // expected-error @below {{'ourc.reshape' op has 1 size operands for 0 dynamic sizes}}
  %0 = "ourc.reshape"(%x, %n) {static_sizes = array<i64: 2, 2>} : (tensor<4xf32>, index) -> tensor<2x2xf32>
  return
}

// -----

func.func @reshape_size(%x: tensor<?xf32>) {
  // expected-error @below {{'ourc.reshape' op size 0 is 3, but the result's is 2}}
  %0 = ourc.reshape %x sizes [3] : tensor<?xf32> -> tensor<2xf32>
  return
}

// -----

func.func @reshape_negative(%x: tensor<?xf32>) {
  // expected-error @below {{'ourc.reshape' op size 0 is negative}}
  %0 = ourc.reshape %x sizes [-3] : tensor<?xf32> -> tensor<?xf32>
  return
}

// -----

func.func @transpose_length(%x: tensor<4x5xf32>) {
  // expected-error @below {{'ourc.transpose' op permutation must hold each of the 2 dimensions once}}
  // expected-error @below {{'ourc.transpose' op failed to infer returned types}}
  %0 = ourc.transpose %x [0] : tensor<4x5xf32> -> tensor<4xf32>
  return
}

// -----

func.func @transpose_twice(%x: tensor<4x5xf32>) {
  // expected-error @below {{'ourc.transpose' op permutation must hold each of the 2 dimensions once}}
  // expected-error @below {{'ourc.transpose' op failed to infer returned types}}
  %0 = ourc.transpose %x [0, 0] : tensor<4x5xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @transpose_range(%x: tensor<4x5xf32>) {
  // expected-error @below {{'ourc.transpose' op permutation must hold each of the 2 dimensions once}}
  // expected-error @below {{'ourc.transpose' op failed to infer returned types}}
  %0 = ourc.transpose %x [0, 2] : tensor<4x5xf32> -> tensor<4x5xf32>
  return
}

// -----

func.func @transpose_result(%x: tensor<4x5xf32>) {
  // expected-error @below {{'ourc.transpose' op inferred type(s) 'tensor<5x4xf32>' are incompatible with return type(s) of operation 'tensor<4x5xf32>'}}
  // expected-error @below {{'ourc.transpose' op failed to infer returned types}}
  %0 = ourc.transpose %x [1, 0] : tensor<4x5xf32> -> tensor<4x5xf32>
  return
}

// -----

func.func @broadcast_elements(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.broadcast' op must keep the element type, but takes 'tensor<4xf32>' to 'tensor<4xi32>'}}
  %0 = ourc.broadcast %x dims [0] sizes [4] : tensor<4xf32> -> tensor<4xi32>
  return
}

// -----

func.func @broadcast_dims(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.broadcast' op has 2 dims, but the operand has rank 1}}
  %0 = ourc.broadcast %x dims [0, 1] sizes [4, 4] : tensor<4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_descending(%x: tensor<4x5xf32>) {
  // expected-error @below {{'ourc.broadcast' op dims must be ascending and below the result's rank 2}}
  %0 = ourc.broadcast %x dims [1, 0] sizes [5, 4] : tensor<4x5xf32> -> tensor<5x4xf32>
  return
}

// -----

func.func @broadcast_range(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.broadcast' op dims must be ascending and below the result's rank 1}}
  %0 = ourc.broadcast %x dims [1] sizes [4] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_size(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.broadcast' op operand dimension 0 has size 4, which is neither 1 nor 5}}
  %0 = ourc.broadcast %x dims [0] sizes [5] : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @broadcast_sizes(%x: tensor<1xf32>) {
  // expected-error @below {{'ourc.broadcast' op size 0 is 5, but the result's is 4}}
  %0 = ourc.broadcast %x dims [0] sizes [5] : tensor<1xf32> -> tensor<4xf32>
  return
}

// -----

func.func @slice_elements(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.slice' op must keep the element type, but takes 'tensor<4xf32>' to 'tensor<2xf16>'}}
  %0 = ourc.slice %x offsets [0] sizes [2] strides [1] : tensor<4xf32> -> tensor<2xf16>
  return
}

// -----

func.func @slice_rank(%x: tensor<4x4xf32>) {
  // expected-error @below {{'ourc.slice' op needs an offset, a size and a stride for each of the 2 dimensions}}
  %0 = ourc.slice %x offsets [0] sizes [2] strides [1] : tensor<4x4xf32> -> tensor<2xf32>
  return
}

// -----

func.func @slice_stride(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.slice' op strides must be positive}}
  %0 = ourc.slice %x offsets [0] sizes [2] strides [0] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

func.func @slice_offset_operands(%x: tensor<4xf32>, %o: index) {
  // expected-error @below {{'ourc.slice' op has 1 offset operands for 0 dynamic offsets}}
  %0 = "ourc.slice"(%x, %o) <{operandSegmentSizes = array<i32: 1, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xf32>, index) -> tensor<2xf32>
  return
}

// -----

func.func @slice_negative(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.slice' op offset 0 is negative}}
  %0 = ourc.slice %x offsets [-1] sizes [2] strides [1] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

func.func @slice_outside(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.slice' op reaches element 4 of dimension 0, which has size 4}}
  %0 = ourc.slice %x offsets [1] sizes [2] strides [3] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

func.func @slice_far_outside(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.slice' op reaches beyond all elements of dimension 0}}
  %0 = ourc.slice %x offsets [1] sizes [3] strides [9223372036854775807] : tensor<4xf32> -> tensor<3xf32>
  return
}

// -----

func.func @slice_sizes(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.slice' op size 0 is 2, but the result's is 3}}
  %0 = ourc.slice %x offsets [0] sizes [2] strides [1] : tensor<4xf32> -> tensor<3xf32>
  return
}

// -----

func.func @pad_length(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.pad' op needs low and high for each of the 1 dimensions}}
  // expected-error @below {{'ourc.pad' op failed to infer returned types}}
  %0 = ourc.pad %x low [1, 1] high [1] value(0.0 : f32) : tensor<4xf32> -> tensor<6xf32>
  return
}

// -----

func.func @pad_negative(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.pad' op padding must not be negative}}
  // expected-error @below {{'ourc.pad' op failed to infer returned types}}
  %0 = ourc.pad %x low [-1] high [1] value(0.0 : f32) : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @pad_value(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.pad' op value is 'i32', but the elements are 'f32'}}
  // expected-error @below {{'ourc.pad' op failed to infer returned types}}
  %0 = ourc.pad %x low [1] high [1] value(0 : i32) : tensor<4xf32> -> tensor<6xf32>
  return
}

// -----

func.func @pad_result(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.pad' op inferred type(s) 'tensor<6xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error @below {{'ourc.pad' op failed to infer returned types}}
  %0 = ourc.pad %x low [1] high [1] value(0.0 : f32) : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @pad_large(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.pad' op padding of dimension 0 is too large}}
  // expected-error @below {{'ourc.pad' op failed to infer returned types}}
  %0 = ourc.pad %x low [9223372036854775807] high [1] value(0.0 : f32) : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @concat_nothing() {
  // expected-error @below {{'ourc.concat' op needs an operand}}
  // expected-error @below {{'ourc.concat' op failed to infer returned types}}
  %0 = "ourc.concat"() {dim = 0} : () -> tensor<4xf32>
  return
}

// -----

func.func @concat_dim(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.concat' op dim 1 is out of range for rank 1}}
  // expected-error @below {{'ourc.concat' op failed to infer returned types}}
  %0 = ourc.concat %x, %x dim 1 : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @concat_types(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @below {{'ourc.concat' op operand 1 is 'tensor<4xi32>', but operand 0 is 'tensor<4xf32>'}}
  // expected-error @below {{'ourc.concat' op failed to infer returned types}}
  %0 = ourc.concat %x, %y dim 0 : tensor<4xf32>, tensor<4xi32> -> tensor<8xf32>
  return
}

// -----

func.func @concat_ranks(%x: tensor<4xf32>, %y: tensor<4x1xf32>) {
  // expected-error @below {{'ourc.concat' op operand 1 is 'tensor<4x1xf32>', but operand 0 is 'tensor<4xf32>'}}
  // expected-error @below {{'ourc.concat' op failed to infer returned types}}
  %0 = ourc.concat %x, %y dim 0 : tensor<4xf32>, tensor<4x1xf32> -> tensor<8xf32>
  return
}

// -----

func.func @concat_sizes(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>) {
  // expected-error @below {{'ourc.concat' op operand 1 has size 3 in dimension 1, but another has 2}}
  // expected-error @below {{'ourc.concat' op failed to infer returned types}}
  %0 = ourc.concat %x, %y dim 0 : tensor<4x2xf32>, tensor<4x3xf32> -> tensor<8x2xf32>
  return
}

// -----

func.func @concat_result(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.concat' op inferred type(s) 'tensor<8xf32>' are incompatible with return type(s) of operation 'tensor<7xf32>'}}
  // expected-error @below {{'ourc.concat' op failed to infer returned types}}
  %0 = ourc.concat %x, %x dim 0 : tensor<4xf32>, tensor<4xf32> -> tensor<7xf32>
  return
}

// -----

func.func @concat_large(%x: tensor<9223372036854775807xf32>) {
  // expected-error @below {{'ourc.concat' op the result is too large}}
  // expected-error @below {{'ourc.concat' op failed to infer returned types}}
  %0 = ourc.concat %x, %x dim 0 : tensor<9223372036854775807xf32>, tensor<9223372036854775807xf32> -> tensor<?xf32>
  return
}

// -----

func.func @gather_axes(%x: tensor<4x5xf32>, %i: tensor<2xi64>) {
  // expected-error @below {{'ourc.gather' op needs one index tensor for each axis, at least one}}
  // expected-error @below {{'ourc.gather' op failed to infer returned types}}
  %0 = ourc.gather %x at %i axes [0, 1] : tensor<4x5xf32>, tensor<2xi64> -> tensor<2xf32>
  return
}

// -----

func.func @gather_no_axes(%x: tensor<4x5xf32>) {
  // expected-error @below {{'ourc.gather' op needs one index tensor for each axis, at least one}}
  // expected-error @below {{'ourc.gather' op failed to infer returned types}}
  %0 = "ourc.gather"(%x) {axes = array<i64>} : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @gather_axis_twice(%x: tensor<4x5xf32>, %i: tensor<2xi64>) {
  // expected-error @below {{'ourc.gather' op axes must be unique and in range for rank 2}}
  // expected-error @below {{'ourc.gather' op failed to infer returned types}}
  %0 = ourc.gather %x at %i, %i axes [1, 1] : tensor<4x5xf32>, tensor<2xi64>, tensor<2xi64> -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_axis_range(%x: tensor<4x5xf32>, %i: tensor<2xi64>) {
  // expected-error @below {{'ourc.gather' op axes must be unique and in range for rank 2}}
  // expected-error @below {{'ourc.gather' op failed to infer returned types}}
  %0 = ourc.gather %x at %i axes [2] : tensor<4x5xf32>, tensor<2xi64> -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_index_types(%x: tensor<4x5xf32>, %i: tensor<2xi64>, %j: tensor<2xi32>) {
  // expected-error @below {{'ourc.gather' op index tensors must have one type, but are 'tensor<2xi64>' and 'tensor<2xi32>'}}
  // expected-error @below {{'ourc.gather' op failed to infer returned types}}
  %0 = ourc.gather %x at %i, %j axes [0, 1] : tensor<4x5xf32>, tensor<2xi64>, tensor<2xi32> -> tensor<2xf32>
  return
}

// -----

func.func @gather_index_elements(%x: tensor<4x5xf32>, %i: tensor<2xi8>) {
  // expected-error @below {{'ourc.gather' op operand #1 must be variadic of ranked tensor of 64-bit signless integer or 32-bit signless integer values, but got 'tensor<2xi8>'}}
  %0 = ourc.gather %x at %i axes [0] : tensor<4x5xf32>, tensor<2xi8> -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_result(%x: tensor<4x5xf32>, %i: tensor<2xi64>) {
  // expected-error @below {{'ourc.gather' op inferred type(s) 'tensor<2x5xf32>' are incompatible with return type(s) of operation 'tensor<2x4xf32>'}}
  // expected-error @below {{'ourc.gather' op failed to infer returned types}}
  %0 = ourc.gather %x at %i axes [0] : tensor<4x5xf32>, tensor<2xi64> -> tensor<2x4xf32>
  return
}

// -----

func.func @scatter_no_axes(%x: tensor<4x5xf32>, %u: tensor<4x5xf32>) {
  // expected-error @below {{'ourc.scatter' op needs one index tensor for each axis, at least one}}
  // expected-error @below {{'ourc.scatter' op failed to infer returned types}}
  %0 = "ourc.scatter"(%u, %x) {axes = array<i64>} : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_axis_range(%x: tensor<4x5xf32>, %u: tensor<2x4xf32>, %i: tensor<2xi64>) {
  // expected-error @below {{'ourc.scatter' op axes must be unique and in range for rank 2}}
  // expected-error @below {{'ourc.scatter' op failed to infer returned types}}
  %0 = ourc.scatter %u into %x at %i axes [2] : tensor<2x4xf32>, tensor<4x5xf32>, tensor<2xi64> -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_index_types(%x: tensor<4x5xf32>, %u: tensor<2xf32>, %i: tensor<2xi64>, %j: tensor<3xi64>) {
  // expected-error @below {{'ourc.scatter' op index tensors must have one type, but are 'tensor<2xi64>' and 'tensor<3xi64>'}}
  // expected-error @below {{'ourc.scatter' op failed to infer returned types}}
  %0 = ourc.scatter %u into %x at %i, %j axes [0, 1] : tensor<2xf32>, tensor<4x5xf32>, tensor<2xi64>, tensor<3xi64> -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_updates(%x: tensor<4x5xf32>, %u: tensor<4x2xf32>, %i: tensor<2xi64>) {
  // expected-error @below {{'ourc.scatter' op updates must be 'tensor<2x4xf32>', but are 'tensor<4x2xf32>'}}
  // expected-error @below {{'ourc.scatter' op failed to infer returned types}}
  %0 = ourc.scatter %u into %x at %i axes [1] : tensor<4x2xf32>, tensor<4x5xf32>, tensor<2xi64> -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_combiner(%x: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<2xi64>) {
  // expected-error @below {{'ourc.scatter' op combiner 'and' does not take 'f32'}}
  // expected-error @below {{'ourc.scatter' op failed to infer returned types}}
  %0 = ourc.scatter by and %u into %x at %i axes [0] : tensor<2xf32>, tensor<4xf32>, tensor<2xi64> -> tensor<4xf32>
  return
}

// -----

func.func @scatter_result(%x: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<2xi64>) {
  // expected-error @below {{'ourc.scatter' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error @below {{'ourc.scatter' op failed to infer returned types}}
  %0 = ourc.scatter %u into %x at %i axes [0] : tensor<2xf32>, tensor<4xf32>, tensor<2xi64> -> tensor<5xf32>
  return
}

// -----

func.func @repeat_factors(%x: tensor<4x5xf32>) {
  // expected-error @below {{'ourc.repeat' op needs a factor of 1 or more for each of the 2 dimensions}}
  // expected-error @below {{'ourc.repeat' op failed to infer returned types}}
  %0 = ourc.repeat %x [2] : tensor<4x5xf32> -> tensor<8x5xf32>
  return
}

// -----

func.func @repeat_none(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.repeat' op needs a factor of 1 or more for each of the 1 dimensions}}
  // expected-error @below {{'ourc.repeat' op failed to infer returned types}}
  %0 = ourc.repeat %x [0] : tensor<4xf32> -> tensor<0xf32>
  return
}

// -----

func.func @repeat_size(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.repeat' op inferred type(s) 'tensor<8xf32>' are incompatible with return type(s) of operation 'tensor<6xf32>'}}
  // expected-error @below {{'ourc.repeat' op failed to infer returned types}}
  %0 = ourc.repeat %x [2] : tensor<4xf32> -> tensor<6xf32>
  return
}

// -----

func.func @repeat_overflow(%x: tensor<4x9223372036854775807xf32>) {
  // expected-error @below {{'ourc.repeat' op dimension 1 is too large}}
  // expected-error @below {{'ourc.repeat' op failed to infer returned types}}
  %0 = ourc.repeat %x [1, 2] : tensor<4x9223372036854775807xf32> -> tensor<4x?xf32>
  return
}
