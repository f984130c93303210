// RUN: ourc-opt %s -split-input-file -verify-diagnostics

func.func @linear_ranks(%x: tensor<2x8xf32>, %w: tensor<8xf32>) {
  // expected-error @below {{'ourc.linear' op needs x of rank 1 or more and a weight of rank 2 with its element type, but has 'tensor<2x8xf32>' and 'tensor<8xf32>'}}
  // expected-error @below {{'ourc.linear' op failed to infer returned types}}
  %0 = ourc.linear %x, %w : tensor<2x8xf32>, tensor<8xf32> -> tensor<2xf32>
  return
}

// -----

func.func @linear_scalar(%x: tensor<f32>, %w: tensor<4x8xf32>) {
  // expected-error @below {{'ourc.linear' op needs x of rank 1 or more and a weight of rank 2 with its element type, but has 'tensor<f32>' and 'tensor<4x8xf32>'}}
  // expected-error @below {{'ourc.linear' op failed to infer returned types}}
  %0 = ourc.linear %x, %w : tensor<f32>, tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @linear_elements(%x: tensor<2x8xf32>, %w: tensor<4x8xf16>) {
  // expected-error @below {{'ourc.linear' op needs x of rank 1 or more and a weight of rank 2 with its element type, but has 'tensor<2x8xf32>' and 'tensor<4x8xf16>'}}
  // expected-error @below {{'ourc.linear' op failed to infer returned types}}
  %0 = ourc.linear %x, %w : tensor<2x8xf32>, tensor<4x8xf16> -> tensor<2x4xf32>
  return
}

// -----

func.func @linear_features(%x: tensor<2x8xf32>, %w: tensor<4x9xf32>) {
  // expected-error @below {{'ourc.linear' op x has 8 features, but the weight 9}}
  // expected-error @below {{'ourc.linear' op failed to infer returned types}}
  %0 = ourc.linear %x, %w : tensor<2x8xf32>, tensor<4x9xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @linear_bias(%x: tensor<2x8xf32>, %w: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @below {{'ourc.linear' op bias is 'tensor<8xf32>', but the weight is 'tensor<4x8xf32>'}}
  // expected-error @below {{'ourc.linear' op failed to infer returned types}}
  %0 = ourc.linear %x, %w bias %b : tensor<2x8xf32>, tensor<4x8xf32>, tensor<8xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @linear_result(%x: tensor<2x8xf32>, %w: tensor<4x8xf32>) {
  // expected-error @below {{'ourc.linear' op inferred type(s) 'tensor<2x4xf32>' are incompatible with return type(s) of operation 'tensor<2x8xf32>'}}
  // expected-error @below {{'ourc.linear' op failed to infer returned types}}
  %0 = ourc.linear %x, %w : tensor<2x8xf32>, tensor<4x8xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @softmax_dim(%x: tensor<2x8xf32>) {
  // expected-error @below {{'ourc.softmax' op dim 2 is out of range for rank 2}}
  %0 = ourc.softmax %x dim 2 : tensor<2x8xf32>
  return
}

// -----

func.func @softmax_negative_dim(%x: tensor<2x8xf32>) {
  // expected-error @below {{'ourc.softmax' op dim -1 is out of range for rank 2}}
  %0 = ourc.softmax %x dim -1 : tensor<2x8xf32>
  return
}

// -----

func.func @layer_norm_dims(%x: tensor<2x8xf32>) {
  // expected-error @below {{'ourc.layer_norm' op normalises 3 dimensions of 2}}
  %0 = ourc.layer_norm %x dims 3 epsilon 0.0 : tensor<2x8xf32>
  return
}

// -----

func.func @layer_norm_no_dims(%x: tensor<2x8xf32>) {
  // expected-error @below {{'ourc.layer_norm' op normalises 0 dimensions of 2}}
  %0 = ourc.layer_norm %x dims 0 epsilon 0.0 : tensor<2x8xf32>
  return
}

// -----

func.func @layer_norm_epsilon(%x: tensor<2x8xf32>) {
  // expected-error @below {{'ourc.layer_norm' op epsilon must not be negative}}
  %0 = ourc.layer_norm %x dims 1 epsilon -1.0 : tensor<2x8xf32>
  return
}

// -----

func.func @layer_norm_weight(%x: tensor<2x8xf32>, %w: tensor<2xf32>) {
  // expected-error @below {{'ourc.layer_norm' op weight and bias must have the shape and elements of the last 1 dimensions of 'tensor<2x8xf32>', but one is 'tensor<2xf32>'}}
  %0 = ourc.layer_norm %x weight %w : tensor<2xf32> dims 1 epsilon 0.0 : tensor<2x8xf32>
  return
}

// -----

func.func @layer_norm_bias_elements(%x: tensor<2x8xf32>, %b: tensor<8xf64>) {
  // expected-error @below {{'ourc.layer_norm' op weight and bias must have the shape and elements of the last 1 dimensions of 'tensor<2x8xf32>', but one is 'tensor<8xf64>'}}
  %0 = ourc.layer_norm %x bias %b : tensor<8xf64> dims 1 epsilon 0.0 : tensor<2x8xf32>
  return
}

// -----

func.func @batch_norm_channel(%x: tensor<2x8xf32>, %v: tensor<8xf32>) {
  // expected-error @below {{'ourc.batch_norm' op channel 2 is out of range for rank 2}}
  %0 = ourc.batch_norm %x mean %v variance %v channel 2 epsilon 0.0 : tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @batch_norm_epsilon(%x: tensor<2x8xf32>, %v: tensor<8xf32>) {
  // expected-error @below {{'ourc.batch_norm' op epsilon must not be negative}}
  %0 = ourc.batch_norm %x mean %v variance %v channel 1 epsilon -0.5 : tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @batch_norm_mean(%x: tensor<2x8xf32>, %v: tensor<8xf32>, %m: tensor<2xf32>) {
  // expected-error @below {{'ourc.batch_norm' op vectors must have the size and elements of dimension 1 of 'tensor<2x8xf32>', but one is 'tensor<2xf32>'}}
  %0 = ourc.batch_norm %x mean %m variance %v channel 1 epsilon 0.0 : tensor<2x8xf32>, tensor<2xf32>, tensor<8xf32>
  return
}

// -----

func.func @batch_norm_weight(%x: tensor<2x8xf32>, %v: tensor<8xf32>, %w: tensor<1x8xf32>) {
  // expected-error @below {{'ourc.batch_norm' op vectors must have the size and elements of dimension 1 of 'tensor<2x8xf32>', but one is 'tensor<1x8xf32>'}}
  %0 = ourc.batch_norm %x mean %v variance %v weight %w : tensor<1x8xf32> channel 1 epsilon 0.0 : tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @gelu_form(%x: tensor<4xf32>) {
  // expected-error @below {{custom op 'ourc.gelu' expected one of [exact, tanh] for which function GELU is, got: fast}}
  // expected-error @below {{custom op 'ourc.gelu' failed to parse Ourc_GeluFormAttr parameter 'value' which is to be a `::ourc::GeluForm`}}
  %0 = ourc.gelu %x fast : tensor<4xf32>
  return
}

// -----

func.func @silu_elements(%x: tensor<4xi32>) {
  // expected-error @below {{'ourc.silu' op operand #0 must be ranked tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %0 = ourc.silu %x : tensor<4xi32>
  return
}

// -----

func.func @attention_rank(%q: tensor<9x8xf32>) {
  // expected-error @below {{'ourc.attention' op queries, keys and values must have one rank, at least 3, and one element type, but are 'tensor<9x8xf32>', 'tensor<9x8xf32>' and 'tensor<9x8xf32>'}}
  // expected-error @below {{'ourc.attention' op failed to infer returned types}}
  %0 = ourc.attention %q, %q, %q scale 1.0 : tensor<9x8xf32>, tensor<9x8xf32>, tensor<9x8xf32> -> tensor<9x8xf32>
  return
}

// -----

func.func @attention_ranks(%q: tensor<1x9x8xf32>, %k: tensor<1x1x7x8xf32>) {
  // expected-error @below {{'ourc.attention' op queries, keys and values must have one rank, at least 3, and one element type, but are 'tensor<1x9x8xf32>', 'tensor<1x1x7x8xf32>' and 'tensor<1x1x7x8xf32>'}}
  // expected-error @below {{'ourc.attention' op failed to infer returned types}}
  %0 = ourc.attention %q, %k, %k scale 1.0 : tensor<1x9x8xf32>, tensor<1x1x7x8xf32>, tensor<1x1x7x8xf32> -> tensor<1x9x8xf32>
  return
}

// -----

func.func @attention_elements(%q: tensor<1x9x8xf32>, %k: tensor<1x7x8xf16>) {
  // expected-error @below {{'ourc.attention' op queries, keys and values must have one rank, at least 3, and one element type, but are 'tensor<1x9x8xf32>', 'tensor<1x7x8xf16>' and 'tensor<1x7x8xf16>'}}
  // expected-error @below {{'ourc.attention' op failed to infer returned types}}
  %0 = ourc.attention %q, %k, %k scale 1.0 : tensor<1x9x8xf32>, tensor<1x7x8xf16>, tensor<1x7x8xf16> -> tensor<1x9x8xf32>
  return
}

// -----

func.func @attention_batch(%q: tensor<2x9x8xf32>, %k: tensor<3x7x8xf32>) {
  // expected-error @below {{'ourc.attention' op batch dimension 0 has sizes 2, 3 and 3}}
  // expected-error @below {{'ourc.attention' op failed to infer returned types}}
  %0 = ourc.attention %q, %k, %k scale 1.0 : tensor<2x9x8xf32>, tensor<3x7x8xf32>, tensor<3x7x8xf32> -> tensor<2x9x8xf32>
  return
}

// -----

func.func @attention_features(%q: tensor<2x9x8xf32>, %k: tensor<2x7x5xf32>) {
  // expected-error @below {{'ourc.attention' op queries have 8 features, but keys 5}}
  // expected-error @below {{'ourc.attention' op failed to infer returned types}}
  %0 = ourc.attention %q, %k, %k scale 1.0 : tensor<2x9x8xf32>, tensor<2x7x5xf32>, tensor<2x7x5xf32> -> tensor<2x9x5xf32>
  return
}

// -----

func.func @attention_keys(%q: tensor<2x9x8xf32>, %v: tensor<2x7x8xf32>) {
  // expected-error @below {{'ourc.attention' op there are 9 keys, but 7 values}}
  // expected-error @below {{'ourc.attention' op failed to infer returned types}}
  %0 = ourc.attention %q, %q, %v scale 1.0 : tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<2x7x8xf32> -> tensor<2x9x8xf32>
  return
}

// -----

func.func @attention_mask_rank(%q: tensor<2x9x8xf32>, %m: tensor<9x9xi1>) {
  // expected-error @below {{'ourc.attention' op mask must have rank 3 and i1 or the queries' elements, but is 'tensor<9x9xi1>'}}
  // expected-error @below {{'ourc.attention' op failed to infer returned types}}
  %0 = ourc.attention %q, %q, %q mask %m : tensor<9x9xi1> scale 1.0 : tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32> -> tensor<2x9x8xf32>
  return
}

// -----

func.func @attention_mask_elements(%q: tensor<2x9x8xf32>, %m: tensor<1x9x9xi8>) {
  // expected-error @below {{'ourc.attention' op mask must have rank 3 and i1 or the queries' elements, but is 'tensor<1x9x9xi8>'}}
  // expected-error @below {{'ourc.attention' op failed to infer returned types}}
  %0 = ourc.attention %q, %q, %q mask %m : tensor<1x9x9xi8> scale 1.0 : tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32> -> tensor<2x9x8xf32>
  return
}

// -----

func.func @attention_mask_size(%q: tensor<2x9x8xf32>, %m: tensor<1x9x8xi1>) {
  // expected-error @below {{'ourc.attention' op mask has size 8 in dimension 2, which is neither 1 nor 9}}
  // expected-error @below {{'ourc.attention' op failed to infer returned types}}
  %0 = ourc.attention %q, %q, %q mask %m : tensor<1x9x8xi1> scale 1.0 : tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32> -> tensor<2x9x8xf32>
  return
}

// -----

func.func @attention_result(%q: tensor<2x9x8xf32>) {
  // expected-error @below {{'ourc.attention' op inferred type(s) 'tensor<2x9x8xf32>' are incompatible with return type(s) of operation 'tensor<2x9x9xf32>'}}
  // expected-error @below {{'ourc.attention' op failed to infer returned types}}
  %0 = ourc.attention %q, %q, %q scale 1.0 : tensor<2x9x8xf32>, tensor<2x9x8xf32>, tensor<2x9x8xf32> -> tensor<2x9x9xf32>
  return
}

// -----

func.func @group_norm_channel(%x: tensor<2x8xf32>) {
  // expected-error @below {{'ourc.group_norm' op channel 0 must be from 1 to 1}}
  %0 = ourc.group_norm %x groups 2 channel 0 epsilon 0.0 : tensor<2x8xf32>
  return
}

// -----

func.func @group_norm_groups(%x: tensor<2x8xf32>) {
  // expected-error @below {{'ourc.group_norm' op dimension 1 of 'tensor<2x8xf32>' does not split into 3 equal groups}}
  %0 = ourc.group_norm %x groups 3 channel 1 epsilon 0.0 : tensor<2x8xf32>
  return
}

// -----

func.func @group_norm_epsilon(%x: tensor<2x8xf32>) {
  // expected-error @below {{'ourc.group_norm' op epsilon must not be negative}}
  %0 = ourc.group_norm %x groups 2 channel 1 epsilon -0.5 : tensor<2x8xf32>
  return
}

// -----

func.func @group_norm_weight(%x: tensor<2x8xf32>, %w: tensor<2xf32>) {
  // expected-error @below {{'ourc.group_norm' op weight and bias must have the size and elements of dimension 1 of 'tensor<2x8xf32>', but one is 'tensor<2xf32>'}}
  %0 = ourc.group_norm %x weight %w : tensor<2xf32> groups 2 channel 1 epsilon 0.0 : tensor<2x8xf32>
  return
}
