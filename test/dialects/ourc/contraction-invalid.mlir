// RUN: ourc-opt %s -split-input-file -verify-diagnostics

func.func @contract_elements(%a: tensor<4x5xf32>, %b: tensor<5x6xf16>) {
  // expected-error @below {{'ourc.contract' op operands must have one element type, but have 'f32' and 'f16'}}
  // expected-error @below {{'ourc.contract' op failed to infer returned types}}
  %0 = ourc.contract %a, %b batch [], [] contract [1], [0] : tensor<4x5xf32>, tensor<5x6xf16> -> tensor<4x6xf32>
  return
}

// -----

func.func @contract_twice(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) {
  // expected-error @below {{'ourc.contract' op batch and contract dimensions must be unique and in range}}
  // expected-error @below {{'ourc.contract' op failed to infer returned types}}
  %0 = ourc.contract %a, %b batch [1], [0] contract [1], [0] : tensor<4x5xf32>, tensor<5x6xf32> -> tensor<5x4x6xf32>
  return
}

// -----

func.func @contract_range(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) {
  // expected-error @below {{'ourc.contract' op batch and contract dimensions must be unique and in range}}
  // expected-error @below {{'ourc.contract' op failed to infer returned types}}
  %0 = ourc.contract %a, %b batch [], [] contract [1], [2] : tensor<4x5xf32>, tensor<5x6xf32> -> tensor<4x6xf32>
  return
}

// -----

func.func @contract_batch_count(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) {
  // expected-error @below {{'ourc.contract' op has 1 batch dimensions on the left, but 0 on the right}}
  // expected-error @below {{'ourc.contract' op failed to infer returned types}}
  %0 = ourc.contract %a, %b batch [0], [] contract [1], [0] : tensor<4x5xf32>, tensor<5x6xf32> -> tensor<4x6xf32>
  return
}

// -----

func.func @contract_count(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) {
  // expected-error @below {{'ourc.contract' op has 1 contract dimensions on the left, but 0 on the right}}
  // expected-error @below {{'ourc.contract' op failed to infer returned types}}
  %0 = ourc.contract %a, %b batch [], [] contract [1], [] : tensor<4x5xf32>, tensor<5x6xf32> -> tensor<4x5x6xf32>
  return
}

// -----

func.func @contract_batch_sizes(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) {
  // expected-error @below {{'ourc.contract' op batch dimensions 0 and 0 have sizes 4 and 5}}
  // expected-error @below {{'ourc.contract' op failed to infer returned types}}
  %0 = ourc.contract %a, %b batch [0], [0] contract [], [] : tensor<4x5xf32>, tensor<5x6xf32> -> tensor<4x5x6xf32>
  return
}

// -----

func.func @contract_sizes(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) {
  // expected-error @below {{'ourc.contract' op contract dimensions 0 and 0 have sizes 4 and 5}}
  // expected-error @below {{'ourc.contract' op failed to infer returned types}}
  %0 = ourc.contract %a, %b batch [], [] contract [0], [0] : tensor<4x5xf32>, tensor<5x6xf32> -> tensor<5x6xf32>
  return
}

// -----

func.func @contract_result(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) {
  // expected-error @below {{'ourc.contract' op inferred type(s) 'tensor<4x6xf32>' are incompatible with return type(s) of operation 'tensor<6x4xf32>'}}
  // expected-error @below {{'ourc.contract' op failed to infer returned types}}
  %0 = ourc.contract %a, %b batch [], [] contract [1], [0] : tensor<4x5xf32>, tensor<5x6xf32> -> tensor<6x4xf32>
  return
}

// -----

func.func @contract_booleans(%a: tensor<4x5xi1>) {
  // expected-error @below {{'ourc.contract' op operand #0 must be ranked tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4x5xi1>'}}
  %0 = ourc.contract %a, %a batch [], [] contract [0, 1], [0, 1] : tensor<4x5xi1>, tensor<4x5xi1> -> tensor<i1>
  return
}

// -----

func.func @convolution_rank(%x: tensor<1x8xf32>, %w: tensor<2x8xf32>) {
  // expected-error @below {{'ourc.convolution' op input and filter must have one rank, at least 3, and one element type, but are 'tensor<1x8xf32>' and 'tensor<2x8xf32>'}}
  // expected-error @below {{'ourc.convolution' op failed to infer returned types}}
  %0 = ourc.convolution %x, %w strides [] dilations [] low [] high [] groups 1 : tensor<1x8xf32>, tensor<2x8xf32> -> tensor<1x2xf32>
  return
}

// -----

func.func @convolution_ranks(%x: tensor<1x8x2xf32>, %w: tensor<2x3x3x2xf32>) {
  // expected-error @below {{'ourc.convolution' op input and filter must have one rank, at least 3, and one element type, but are 'tensor<1x8x2xf32>' and 'tensor<2x3x3x2xf32>'}}
  // expected-error @below {{'ourc.convolution' op failed to infer returned types}}
  %0 = ourc.convolution %x, %w strides [1] dilations [1] low [0] high [0] groups 1 : tensor<1x8x2xf32>, tensor<2x3x3x2xf32> -> tensor<1x6x2xf32>
  return
}

// -----

func.func @convolution_elements(%x: tensor<1x8x2xf32>, %w: tensor<2x3x2xf16>) {
  // expected-error @below {{'ourc.convolution' op input and filter must have one rank, at least 3, and one element type, but are 'tensor<1x8x2xf32>' and 'tensor<2x3x2xf16>'}}
  // expected-error @below {{'ourc.convolution' op failed to infer returned types}}
  %0 = ourc.convolution %x, %w strides [1] dilations [1] low [0] high [0] groups 1 : tensor<1x8x2xf32>, tensor<2x3x2xf16> -> tensor<1x6x2xf32>
  return
}

// -----

func.func @convolution_count(%x: tensor<1x8x2xf32>, %w: tensor<2x3x2xf32>) {
  // expected-error @below {{'ourc.convolution' op needs one stride, dilation, low and high padding for each of the 1 spatial dimensions}}
  // expected-error @below {{'ourc.convolution' op failed to infer returned types}}
  %0 = ourc.convolution %x, %w strides [1] dilations [1, 1] low [0] high [0] groups 1 : tensor<1x8x2xf32>, tensor<2x3x2xf32> -> tensor<1x6x2xf32>
  return
}

// -----

func.func @convolution_stride(%x: tensor<1x8x2xf32>, %w: tensor<2x3x2xf32>) {
  // expected-error @below {{'ourc.convolution' op strides and dilations must be positive}}
  // expected-error @below {{'ourc.convolution' op failed to infer returned types}}
  %0 = ourc.convolution %x, %w strides [-1] dilations [1] low [0] high [0] groups 1 : tensor<1x8x2xf32>, tensor<2x3x2xf32> -> tensor<1x6x2xf32>
  return
}

// -----

func.func @convolution_padding(%x: tensor<1x8x2xf32>, %w: tensor<2x3x2xf32>) {
  // expected-error @below {{'ourc.convolution' op padding must not be negative}}
  // expected-error @below {{'ourc.convolution' op failed to infer returned types}}
  %0 = ourc.convolution %x, %w strides [1] dilations [1] low [0] high [-1] groups 1 : tensor<1x8x2xf32>, tensor<2x3x2xf32> -> tensor<1x5x2xf32>
  return
}

// -----

func.func @convolution_groups(%x: tensor<1x8x2xf32>, %w: tensor<2x3x2xf32>) {
  // expected-error @below {{'ourc.convolution' op groups must be positive}}
  // expected-error @below {{'ourc.convolution' op failed to infer returned types}}
  %0 = ourc.convolution %x, %w strides [1] dilations [1] low [0] high [0] groups 0 : tensor<1x8x2xf32>, tensor<2x3x2xf32> -> tensor<1x6x2xf32>
  return
}

// -----

func.func @convolution_channels(%x: tensor<1x8x3xf32>, %w: tensor<2x3x2xf32>) {
  // expected-error @below {{'ourc.convolution' op input has 3 channels, but the filter's 2 by 1 groups make 2}}
  // expected-error @below {{'ourc.convolution' op failed to infer returned types}}
  %0 = ourc.convolution %x, %w strides [1] dilations [1] low [0] high [0] groups 1 : tensor<1x8x3xf32>, tensor<2x3x2xf32> -> tensor<1x6x2xf32>
  return
}

// -----

func.func @convolution_out_channels(%x: tensor<1x8x4xf32>, %w: tensor<3x3x2xf32>) {
  // expected-error @below {{'ourc.convolution' op 2 groups do not divide the filter's 3 out channels}}
  // expected-error @below {{'ourc.convolution' op failed to infer returned types}}
  %0 = ourc.convolution %x, %w strides [1] dilations [1] low [0] high [0] groups 2 : tensor<1x8x4xf32>, tensor<3x3x2xf32> -> tensor<1x6x3xf32>
  return
}

// -----

func.func @convolution_dynamic_filter(%x: tensor<1x8x2xf32>, %w: tensor<2x?x2xf32>) {
  // expected-error @below {{'ourc.convolution' op filter's spatial dimension 0 must have a static size}}
  // expected-error @below {{'ourc.convolution' op failed to infer returned types}}
  %0 = ourc.convolution %x, %w strides [1] dilations [1] low [0] high [0] groups 1 : tensor<1x8x2xf32>, tensor<2x?x2xf32> -> tensor<1x?x2xf32>
  return
}

// -----

func.func @convolution_large_filter(%x: tensor<1x8x2xf32>, %w: tensor<2x9x2xf32>) {
  // expected-error @below {{'ourc.convolution' op filter is larger than the padded input in spatial dimension 0}}
  // expected-error @below {{'ourc.convolution' op failed to infer returned types}}
  %0 = ourc.convolution %x, %w strides [1] dilations [1] low [0] high [0] groups 1 : tensor<1x8x2xf32>, tensor<2x9x2xf32> -> tensor<1x0x2xf32>
  return
}

// -----

func.func @convolution_result(%x: tensor<1x8x2xf32>, %w: tensor<2x3x2xf32>) {
  // expected-error @below {{'ourc.convolution' op inferred type(s) 'tensor<1x6x2xf32>' are incompatible with return type(s) of operation 'tensor<1x8x2xf32>'}}
  // expected-error @below {{'ourc.convolution' op failed to infer returned types}}
  %0 = ourc.convolution %x, %w strides [1] dilations [1] low [0] high [0] groups 1 : tensor<1x8x2xf32>, tensor<2x3x2xf32> -> tensor<1x8x2xf32>
  return
}
