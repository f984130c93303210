// RUN: ourc-opt -ourc-kernel-to-cpu -split-input-file -verify-diagnostics %s

// expected-error @below {{'kernel.func' op cannot be made by the strategy attention: it has no attention}}
kernel.func @refused(%out: tensor<4xf32>) -> tensor<4xf32>
    attributes {schedule = #kernel.cpu_attention<mr = 2, kb = 64, lanes = 8>} {
  kernel.return %out : tensor<4xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy attention: the kernel's result is not the attention's}}
kernel.func @refused(%q: tensor<2x5x4xf32>, %k: tensor<2x6x4xf32>, %v: tensor<2x6x4xf32>, %out: tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    attributes {schedule = #kernel.cpu_attention<mr = 2, kb = 64, lanes = 8>} {
  %0 = kernel.attention queries(%q : tensor<2x5x4xf32>)
    keys(%k : tensor<2x6x4xf32>) values(%v : tensor<2x6x4xf32>)
    outs(%out : tensor<2x5x4xf32>)
    scale = 0.5 maps = [affine_map<(b, s, t, d, e) -> (b, s, d)>, affine_map<(b, s, t, d, e) -> (b, t, d)>,
                        affine_map<(b, s, t, d, e) -> (b, t, e)>, affine_map<(b, s, t, d, e) -> (b, s, e)>] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x5x4xf32>
  kernel.return %out : tensor<2x5x4xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy attention: the number of features of a key or of a value is dynamic}}
kernel.func @refused(%q: tensor<2x5x?xf32>, %k: tensor<2x6x?xf32>, %v: tensor<2x6x4xf32>, %out: tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    attributes {schedule = #kernel.cpu_attention<mr = 2, kb = 64, lanes = 8>} {
  %0 = kernel.attention queries(%q : tensor<2x5x?xf32>)
    keys(%k : tensor<2x6x?xf32>) values(%v : tensor<2x6x4xf32>)
    outs(%out : tensor<2x5x4xf32>)
    scale = 0.5 maps = [affine_map<(b, s, t, d, e) -> (b, s, d)>, affine_map<(b, s, t, d, e) -> (b, t, d)>,
                        affine_map<(b, s, t, d, e) -> (b, t, e)>, affine_map<(b, s, t, d, e) -> (b, s, e)>] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x5x4xf32>
  kernel.return %0 : tensor<2x5x4xf32>
}

// -----

// expected-error @below {{'kernel.func' op has a schedule whose kb is no multiple of four vectors of lanes}}
kernel.func @refused(%q: tensor<2x5x4xf32>, %k: tensor<2x6x4xf32>, %v: tensor<2x6x4xf32>, %out: tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    attributes {schedule = #kernel.cpu_attention<mr = 2, kb = 60, lanes = 8>} {
  %0 = kernel.attention queries(%q : tensor<2x5x4xf32>)
    keys(%k : tensor<2x6x4xf32>) values(%v : tensor<2x6x4xf32>)
    outs(%out : tensor<2x5x4xf32>)
    scale = 0.5 maps = [affine_map<(b, s, t, d, e) -> (b, s, d)>, affine_map<(b, s, t, d, e) -> (b, t, d)>,
                        affine_map<(b, s, t, d, e) -> (b, t, e)>, affine_map<(b, s, t, d, e) -> (b, s, e)>] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x5x4xf32>
  kernel.return %0 : tensor<2x5x4xf32>
}

// -----

// expected-error @below {{'kernel.func' op has no schedule: run ourc-assign-strategies first}}
kernel.func @refused(%out: tensor<4xf32>) -> tensor<4xf32>
    attributes {} {
  kernel.return %out : tensor<4xf32>
}

// -----

// expected-error @below {{'kernel.func' op has a schedule of pairs, but an operand that is not of bf16: #kernel.cpu_attention<mr = 2, kb = 64, lanes = 8, depth = 2>}}
kernel.func @refused(%q: tensor<2x5x4xf32>, %k: tensor<2x6x4xf32>, %v: tensor<2x6x4xf32>, %out: tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    attributes {schedule = #kernel.cpu_attention<mr = 2, kb = 64, lanes = 8, depth = 2>} {
  %0 = kernel.attention queries(%q : tensor<2x5x4xf32>)
    keys(%k : tensor<2x6x4xf32>) values(%v : tensor<2x6x4xf32>)
    outs(%out : tensor<2x5x4xf32>)
    scale = 0.5 maps = [affine_map<(b, s, t, d, e) -> (b, s, d)>, affine_map<(b, s, t, d, e) -> (b, t, d)>,
                        affine_map<(b, s, t, d, e) -> (b, t, e)>, affine_map<(b, s, t, d, e) -> (b, s, e)>] {
  ^bb0(%score: f32):
    kernel.yield %score : f32
  } -> tensor<2x5x4xf32>
  kernel.return %0 : tensor<2x5x4xf32>
}
