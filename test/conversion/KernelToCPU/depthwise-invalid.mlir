// RUN: ourc-opt -ourc-kernel-to-cpu -split-input-file -verify-diagnostics %s

// expected-error @below {{'kernel.func' op has weights packed by 16 channels, but the schedule's lanes and vectors make 8}}
kernel.func @packed(%x: tensor<1x28x28x40xf32>, %w: tensor<3x3x3x16xf32>, %out: tensor<1x28x28x40xf32>) -> tensor<1x28x28x40xf32> attributes {schedule = #kernel.cpu_depthwise<mr = 14, vectors = 1, lanes = 8, rows = 8, panel = 2, splitChannels = false>} {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x28x28x40xf32> to tensor<1x30x30x40xf32>
  %empty = tensor.empty() : tensor<40x3x3xf32>
  %weight = linalg.unpack %w outer_dims_perm = [0, 1, 2] inner_dims_pos = [0] inner_tiles = [16] into %empty
    : tensor<3x3x3x16xf32> -> tensor<40x3x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x28x28x40xf32>) -> tensor<1x28x28x40xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(n, h, w, c, i, j) -> (n, h + i, w + j, c)>,
                     affine_map<(n, h, w, c, i, j) -> (c, i, j)>,
                     affine_map<(n, h, w, c, i, j) -> (n, h, w, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%padded, %weight : tensor<1x30x30x40xf32>, tensor<40x3x3xf32>) outs(%init : tensor<1x28x28x40xf32>) {
  ^bb0(%u: f32, %v: f32, %sum: f32):
    %product = arith.mulf %u, %v : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x28x28x40xf32>
  kernel.return %r : tensor<1x28x28x40xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy depthwise: a loop steps through its weights and its result alone}}
kernel.func @matrices(%x: tensor<8x16xf32>, %w: tensor<16x48xf32>, %out: tensor<8x48xf32>) -> tensor<8x48xf32> attributes {schedule = #kernel.cpu_depthwise<mr = 14, vectors = 1, lanes = 16, rows = 8, panel = 2, splitChannels = false>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<8x48xf32>) -> tensor<8x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x48xf32>) outs(%init : tensor<8x48xf32>) -> tensor<8x48xf32>
  kernel.return %0 : tensor<8x48xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy depthwise: its input's channels are not contiguous}}
kernel.func @channels_first(%x: tensor<4x9xf32>, %w: tensor<4x3xf32>, %out: tensor<7x4xf32>) -> tensor<7x4xf32> attributes {schedule = #kernel.cpu_depthwise<mr = 14, vectors = 1, lanes = 16, rows = 8, panel = 2, splitChannels = false>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<7x4xf32>) -> tensor<7x4xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(w, c, j) -> (c, w + j)>, affine_map<(w, c, j) -> (c, j)>,
                     affine_map<(w, c, j) -> (w, c)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<4x9xf32>, tensor<4x3xf32>) outs(%init : tensor<7x4xf32>) {
  ^bb0(%u: f32, %v: f32, %sum: f32):
    %product = arith.mulf %u, %v : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<7x4xf32>
  kernel.return %0 : tensor<7x4xf32>
}

// -----

// expected-error @below {{'kernel.func' op cannot be made by the strategy depthwise: it has more than 16 taps along a row}}
kernel.func @long(%x: tensor<1x40x4xf32>, %w: tensor<4x17xf32>, %out: tensor<1x24x4xf32>) -> tensor<1x24x4xf32> attributes {schedule = #kernel.cpu_depthwise<mr = 14, vectors = 1, lanes = 16, rows = 8, panel = 2, splitChannels = false>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x24x4xf32>) -> tensor<1x24x4xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(n, w, c, j) -> (n, w + j, c)>, affine_map<(n, w, c, j) -> (c, j)>,
                     affine_map<(n, w, c, j) -> (n, w, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<1x40x4xf32>, tensor<4x17xf32>) outs(%init : tensor<1x24x4xf32>) {
  ^bb0(%u: f32, %v: f32, %sum: f32):
    %product = arith.mulf %u, %v : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x24x4xf32>
  kernel.return %0 : tensor<1x24x4xf32>
}
