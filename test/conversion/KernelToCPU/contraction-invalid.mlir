// RUN: ourc-opt -ourc-kernel-to-cpu -split-input-file -verify-diagnostics %s

// expected-error @below {{'kernel.func' op cannot be made by the strategy contraction: it has no contraction}}
kernel.func @refused(%a: tensor<4x4xf32>, %b: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  kernel.return %init : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy contraction: it has more than one reduction}}
kernel.func @refused(%a: tensor<4x4xf32>, %b: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x8xf32>)
    outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x8xf32>)
    outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  kernel.return %1 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy contraction: its reduction does not multiply two tensors}}
kernel.func @refused(%a: tensor<4x4xf32>, %out: tensor<4xf32>) -> tensor<4xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4x4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%p: f32, %s: f32):
    %y = arith.addf %s, %p : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  kernel.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy contraction: its reduction is not a sum of products}}
kernel.func @refused(%a: tensor<4x4xf32>, %b: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<4x4xf32>, tensor<4x8xf32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %x = arith.mulf %p, %q : f32
    %y = arith.maximumf %s, %x : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy contraction: its products are not of one element of each operand}}
kernel.func @refused(%a: tensor<4x4xf32>, %b: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<4x4xf32>, tensor<4x8xf32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %x = arith.mulf %p, %p : f32
    %y = arith.addf %s, %x : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy contraction: it sums over a loop that steps through one operand alone}}
kernel.func @refused(%a: tensor<4x4xf32>, %b: tensor<8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<4x4xf32>, tensor<8xf32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %x = arith.mulf %p, %q : f32
    %y = arith.addf %s, %x : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy contraction: its operand is padded with something else than zero}}
kernel.func @refused(%a: tensor<4x2xf32>, %b: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %one = arith.constant 1.0 : f32
  %padded = tensor.pad %a low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<4x2xf32> to tensor<4x4xf32>
  %0 = linalg.matmul ins(%padded, %b : tensor<4x4xf32>, tensor<4x8xf32>)
    outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy contraction: a padded dimension is not stepped through by one loop of the result and one of the sum}}
kernel.func @refused(%a: tensor<4x2xf32>, %b: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %padded = tensor.pad %a low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x2xf32> to tensor<4x4xf32>
  %0 = linalg.matmul ins(%padded, %b : tensor<4x4xf32>, tensor<4x8xf32>)
    outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy contraction: its packed operand has more than one tiled dimension}}
kernel.func @refused(%a: tensor<4x4xf32>, %b: tensor<2x1x2x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %u = linalg.unpack %b inner_dims_pos = [0, 1] inner_tiles = [2, 8] into %empty
    : tensor<2x1x2x8xf32> -> tensor<4x8xf32>
  %0 = linalg.matmul ins(%a, %u : tensor<4x4xf32>, tensor<4x8xf32>)
    outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy contraction: its packed operand is not tiled along the result's columns}}
kernel.func @refused(%a: tensor<4x4xf32>, %b: tensor<2x8x2xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %u = linalg.unpack %b inner_dims_pos = [0] inner_tiles = [2] into %empty
    : tensor<2x8x2xf32> -> tensor<4x8xf32>
  %0 = linalg.matmul ins(%a, %u : tensor<4x4xf32>, tensor<4x8xf32>)
    outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy contraction: an operand is computed inside the kernel}}
kernel.func @refused(%a: tensor<4x4xf32>, %b: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = linalg.generic {
    indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) {
  ^bb0(%p: f32, %s: f32):
    %y = arith.negf %p : f32
    linalg.yield %y : f32
  } -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%c, %b : tensor<4x4xf32>, tensor<4x8xf32>)
    outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy contraction: an operation joins elements of its result that are not computed together}}
kernel.func @refused(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %out: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>)
    outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> (m, n)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%out : tensor<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %y = arith.addf %p, %q : f32
    linalg.yield %y : f32
  } -> tensor<4x4xf32>
  kernel.return %1 : tensor<4x4xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy contraction: result 0 of the kernel is not an elementwise function of the contraction's result}}
kernel.func @refused(%a: tensor<4x4xf32>, %b: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x8xf32>)
    outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  kernel.return %b : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op has a schedule whose nr is no multiple of its lanes}}
kernel.func @refused(%a: tensor<4x4xf32>, %b: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 9, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x8xf32>)
    outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op has a schedule with reduction blocks, which the emitter does not make}}
kernel.func @refused(%a: tensor<4x4xf32>, %b: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 2, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x8xf32>)
    outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op has an operand packed by 4 columns, but the schedule's nr is 8}}
kernel.func @refused(%a: tensor<4x4xf32>, %b: tensor<4x2x4xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %u = linalg.unpack %b inner_dims_pos = [1] inner_tiles = [4] into %empty
    : tensor<4x2x4xf32> -> tensor<4x8xf32>
  %0 = linalg.matmul ins(%a, %u : tensor<4x4xf32>, tensor<4x8xf32>)
    outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op has a schedule whose depth is 2, but its sum cannot be taken in pairs of bf16}}
kernel.func @no_pairs(%a: tensor<4x4xf32>, %b: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true, depth = 2>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x8xf32>)
    outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  kernel.return %0 : tensor<4x8xf32>
}

// -----

// expected-error @below {{'kernel.func' op has a schedule whose depth is 1, but its sum is of an operand that is packed in pairs}}
kernel.func @packed_pairs(%a: tensor<4x4xbf16>, %b: tensor<1x2x8x2xbf16>, %out: tensor<4x8xbf16>) -> tensor<4x8xbf16>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true>} {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<4x8xbf16>
  %weight = linalg.unpack %b outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 2] into %empty
    : tensor<1x2x8x2xbf16> -> tensor<4x8xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %0 = linalg.matmul ins(%a, %weight : tensor<4x4xbf16>, tensor<4x8xbf16>)
    outs(%init : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  kernel.return %0 : tensor<4x8xbf16>
}

// -----

// expected-error @below {{'kernel.func' op has a schedule in pairs whose vectors are not of 4, 8 or 16 lanes}}
kernel.func @wide_pairs(%a: tensor<4x4xbf16>, %b: tensor<4x32xbf16>, %out: tensor<4x32xbf16>) -> tensor<4x32xbf16>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 32, kb = 0, lanes = 32, splitN = true, depth = 2>} {
  %zero = arith.constant 0.0 : bf16
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<4x32xbf16>) -> tensor<4x32xbf16>
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xbf16>, tensor<4x32xbf16>)
    outs(%init : tensor<4x32xbf16>) -> tensor<4x32xbf16>
  kernel.return %0 : tensor<4x32xbf16>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy contraction: its packed operand has more than one tiled dimension, and the second does not hold pairs}}
kernel.func @packed_fours(%a: tensor<4x4xbf16>, %b: tensor<1x1x8x4xbf16>, %out: tensor<4x8xbf16>) -> tensor<4x8xbf16>
    attributes {schedule = #kernel.cpu_contraction<mr = 2, nr = 8, kb = 0, lanes = 8, splitN = true, depth = 2>} {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<4x8xbf16>
  %weight = linalg.unpack %b outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %empty
    : tensor<1x1x8x4xbf16> -> tensor<4x8xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %0 = linalg.matmul ins(%a, %weight : tensor<4x4xbf16>, tensor<4x8xbf16>)
    outs(%init : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  kernel.return %0 : tensor<4x8xbf16>
}
