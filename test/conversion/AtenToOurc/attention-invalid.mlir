// RUN: ourc-opt %s -split-input-file -verify-diagnostics -ourc-aten-to-ourc

// Attention.

func.func @scaled_dot_product_attention_default(%q: tensor<1x1x4x8xf32>, %k: tensor<1x1x4x8xf32>, %v: tensor<1x1x4x8xf32>) {
  // expected-error @below {{operator 'aten.scaled_dot_product_attention.default' is not supported: attention with dropout (dropout_p > 0)}}
  %0 = aten.call "scaled_dot_product_attention.default"(query = %q, key = %k, value = %v, dropout_p = 0.1 : f64) : (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
  return
}

// -----

func.func @scaled_dot_product_attention_default(%q: tensor<1x2x4x8xf32>, %k: tensor<1x1x4x8xf32>, %v: tensor<1x1x4x8xf32>) {
  // expected-error @below {{operator 'aten.scaled_dot_product_attention.default' is not supported: groups of queries that share keys (enable_gqa=True)}}
  %0 = aten.call "scaled_dot_product_attention.default"(query = %q, key = %k, value = %v, enable_gqa = true) : (tensor<1x2x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) -> tensor<1x2x4x8xf32>
  return
}

// -----

func.func @scaled_dot_product_attention_default(%q: tensor<1x1x4x8xf32>, %k: tensor<1x1x4x8xf32>, %v: tensor<1x1x4x8xf32>, %m: tensor<4x4xf32>) {
  // expected-error @below {{operator 'aten.scaled_dot_product_attention.default' is not supported: a mask beside is_causal=True}}
  %0 = aten.call "scaled_dot_product_attention.default"(query = %q, key = %k, value = %v, attn_mask = %m, is_causal = true) : (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<4x4xf32>) -> tensor<1x1x4x8xf32>
  return
}

// -----

func.func @scaled_dot_product_attention_default(%q: tensor<1x4x8xf32>, %k: tensor<4x8xf32>, %v: tensor<1x4x8xf32>) {
  // expected-error @below {{operator 'aten.scaled_dot_product_attention.default' is not supported: queries, keys and values must have one rank, at least 2}}
  %0 = aten.call "scaled_dot_product_attention.default"(query = %q, key = %k, value = %v) : (tensor<1x4x8xf32>, tensor<4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  return
}

// -----

func.func @scaled_dot_product_attention_default(%q: tensor<1x4x?xf32>, %k: tensor<1x4x?xf32>, %v: tensor<1x4x8xf32>) {
  // expected-error @below {{operator 'aten.scaled_dot_product_attention.default' is not supported: the default scale of a dynamic number of features}}
  %0 = aten.call "scaled_dot_product_attention.default"(query = %q, key = %k, value = %v) : (tensor<1x4x?xf32>, tensor<1x4x?xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  return
}

// -----

func.func @scaled_dot_product_attention_default(%q: tensor<1x4x8xf32>, %k: tensor<1x4x8xf32>, %v: tensor<1x4x8xf32>, %m: tensor<1x1x4x4xf32>) {
  // expected-error @below {{operator 'aten.scaled_dot_product_attention.default' is not supported: the mask has more dimensions than the scores}}
  %0 = aten.call "scaled_dot_product_attention.default"(query = %q, key = %k, value = %v, attn_mask = %m) : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x1x4x4xf32>) -> tensor<1x4x8xf32>
  return
}

// -----

func.func @_scaled_dot_product_flash_attention_for_cpu_default(%q: tensor<1x1x4x8xf32>, %k: tensor<1x1x4x8xf32>, %v: tensor<1x1x4x8xf32>) -> tensor<1x1x4xf32> {
  // expected-error @below {{operator 'aten._scaled_dot_product_flash_attention_for_cpu.default' is not supported: the logarithms of the sums (its second result) are used}}
  %0:2 = aten.call "_scaled_dot_product_flash_attention_for_cpu.default"(query = %q, key = %k, value = %v) : (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) -> (tensor<1x1x4x8xf32>, tensor<1x1x4xf32>)
  return %0#1 : tensor<1x1x4xf32>
}
