// RUN: ourc-opt %s -split-input-file -verify-diagnostics

func.func @reduce_descending(%x: tensor<4x5xf32>) {
  // expected-error @below {{'ourc.reduce' op dimensions must be unique, ascending and in range for rank 2}}
  // expected-error @below {{'ourc.reduce' op failed to infer returned types}}
  %0 = ourc.reduce add %x [1, 0] : tensor<4x5xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_twice(%x: tensor<4x5xf32>) {
  // expected-error @below {{'ourc.reduce' op dimensions must be unique, ascending and in range for rank 2}}
  // expected-error @below {{'ourc.reduce' op failed to infer returned types}}
  %0 = ourc.reduce add %x [1, 1] : tensor<4x5xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_range(%x: tensor<4x5xf32>) {
  // expected-error @below {{'ourc.reduce' op dimensions must be unique, ascending and in range for rank 2}}
  // expected-error @below {{'ourc.reduce' op failed to infer returned types}}
  %0 = ourc.reduce add %x [2] : tensor<4x5xf32> -> tensor<4x5xf32>
  return
}

// -----

func.func @reduce_logic_of_floats(%x: tensor<4xf32>) {
  // expected-error @below {{'ourc.reduce' op and takes integers or i1, not 'f32'}}
  // expected-error @below {{'ourc.reduce' op failed to infer returned types}}
  %0 = ourc.reduce and %x [0] : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_sum_of_booleans(%x: tensor<4xi1>) {
  // expected-error @below {{'ourc.reduce' op add does not take 'i1'}}
  // expected-error @below {{'ourc.reduce' op failed to infer returned types}}
  %0 = ourc.reduce add %x [0] : tensor<4xi1> -> tensor<i1>
  return
}

// -----

func.func @reduce_result(%x: tensor<4x5xf32>) {
  // expected-error @below {{'ourc.reduce' op inferred type(s) 'tensor<5xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error @below {{'ourc.reduce' op failed to infer returned types}}
  %0 = ourc.reduce add %x [0] : tensor<4x5xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_combiner(%x: tensor<4xf32>) {
  // expected-error @below {{custom op 'ourc.reduce' expected one of [add, mul, maximum, minimum, and, or] for how a reduction joins two elements, got: median}}
  // expected-error @below {{custom op 'ourc.reduce' failed to parse Ourc_CombinerAttr parameter 'value' which is to be a `::ourc::Combiner`}}
  %0 = ourc.reduce median %x [0] : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @pool_rank(%x: tensor<4x5xf32>) {
  // expected-error @below {{'ourc.pool' op needs an operand of rank 3 or more, but has rank 2}}
  // expected-error @below {{'ourc.pool' op failed to infer returned types}}
  %0 = ourc.pool max %x window [2] strides [1] dilations [1] low [0] high [0] : tensor<4x5xf32> -> tensor<3x5xf32>
  return
}

// -----

func.func @pool_window_count(%x: tensor<1x4x5xf32>) {
  // expected-error @below {{'ourc.pool' op needs a positive window size for each of the 1 spatial dimensions}}
  // expected-error @below {{'ourc.pool' op failed to infer returned types}}
  %0 = ourc.pool max %x window [2, 2] strides [1] dilations [1] low [0] high [0] : tensor<1x4x5xf32> -> tensor<1x3x5xf32>
  return
}

// -----

func.func @pool_window_zero(%x: tensor<1x4x5xf32>) {
  // expected-error @below {{'ourc.pool' op needs a positive window size for each of the 1 spatial dimensions}}
  // expected-error @below {{'ourc.pool' op failed to infer returned types}}
  %0 = ourc.pool max %x window [0] strides [1] dilations [1] low [0] high [0] : tensor<1x4x5xf32> -> tensor<1x4x5xf32>
  return
}

// -----

func.func @pool_count(%x: tensor<1x4x5xf32>) {
  // expected-error @below {{'ourc.pool' op needs one stride, dilation, low and high padding for each of the 1 spatial dimensions}}
  // expected-error @below {{'ourc.pool' op failed to infer returned types}}
  %0 = ourc.pool max %x window [2] strides [1, 1] dilations [1] low [0] high [0] : tensor<1x4x5xf32> -> tensor<1x3x5xf32>
  return
}

// -----

func.func @pool_stride(%x: tensor<1x4x5xf32>) {
  // expected-error @below {{'ourc.pool' op strides and dilations must be positive}}
  // expected-error @below {{'ourc.pool' op failed to infer returned types}}
  %0 = ourc.pool max %x window [2] strides [0] dilations [1] low [0] high [0] : tensor<1x4x5xf32> -> tensor<1x3x5xf32>
  return
}

// -----

func.func @pool_dilation(%x: tensor<1x4x5xf32>) {
  // expected-error @below {{'ourc.pool' op strides and dilations must be positive}}
  // expected-error @below {{'ourc.pool' op failed to infer returned types}}
  %0 = ourc.pool max %x window [2] strides [1] dilations [-1] low [0] high [0] : tensor<1x4x5xf32> -> tensor<1x3x5xf32>
  return
}

// -----

func.func @pool_negative_padding(%x: tensor<1x4x5xf32>) {
  // expected-error @below {{'ourc.pool' op padding must not be negative}}
  // expected-error @below {{'ourc.pool' op failed to infer returned types}}
  %0 = ourc.pool max %x window [2] strides [1] dilations [1] low [-1] high [0] : tensor<1x4x5xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pool_padding(%x: tensor<1x4x5xf32>) {
  // expected-error @below {{'ourc.pool' op padding of spatial dimension 0 must be less than the window's 2 elements}}
  // expected-error @below {{'ourc.pool' op failed to infer returned types}}
  %0 = ourc.pool max %x window [2] strides [1] dilations [1] low [2] high [0] : tensor<1x4x5xf32> -> tensor<1x5x5xf32>
  return
}

// -----

func.func @pool_large_window(%x: tensor<1x4x5xf32>) {
  // expected-error @below {{'ourc.pool' op window of spatial dimension 0 spans 5 elements, more than the padded operand has}}
  // expected-error @below {{'ourc.pool' op failed to infer returned types}}
  %0 = ourc.pool max %x window [5] strides [1] dilations [1] low [0] high [0] : tensor<1x4x5xf32> -> tensor<1x0x5xf32>
  return
}

// -----

func.func @pool_endless_window(%x: tensor<1x4x5xf32>) {
  // expected-error @below {{'ourc.pool' op window of spatial dimension 0 is too large}}
  // expected-error @below {{'ourc.pool' op failed to infer returned types}}
  %0 = ourc.pool max %x window [9223372036854775807] strides [1] dilations [3] low [0] high [0] : tensor<1x4x5xf32> -> tensor<1x0x5xf32>
  return
}

// -----

func.func @pool_result(%x: tensor<1x4x5xf32>) {
  // expected-error @below {{'ourc.pool' op inferred type(s) 'tensor<1x3x5xf32>' are incompatible with return type(s) of operation 'tensor<1x4x5xf32>'}}
  // expected-error @below {{'ourc.pool' op failed to infer returned types}}
  %0 = ourc.pool max %x window [2] strides [1] dilations [1] low [0] high [0] : tensor<1x4x5xf32> -> tensor<1x4x5xf32>
  return
}

// -----

func.func @pool_elements(%x: tensor<1x4x5xi1>) {
  // expected-error @below {{'ourc.pool' op operand #0 must be ranked tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<1x4x5xi1>'}}
  %0 = ourc.pool max %x window [2] strides [1] dilations [1] low [0] high [0] : tensor<1x4x5xi1> -> tensor<1x3x5xi1>
  return
}

// -----

func.func @pool_kind(%x: tensor<1x4x5xf32>) {
  // expected-error @below {{custom op 'ourc.pool' expected one of [max, sum] for what a pooling window computes, got: mean}}
  // expected-error @below {{custom op 'ourc.pool' failed to parse Ourc_PoolKindAttr parameter 'value' which is to be a `::ourc::PoolKind`}}
  %0 = ourc.pool mean %x window [2] strides [1] dilations [1] low [0] high [0] : tensor<1x4x5xf32> -> tensor<1x3x5xf32>
  return
}
