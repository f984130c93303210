// Convolutions: padding, strides, dilations, groups, one to three dimensions,
// rows longer and shorter than a tile, packed weights.

// RUN: kernel-run --check "--dims=B=0,1,2;H=1,2,7;W=1,2,9" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 14, nr = 32, kb = 0, lanes = 16, splitN = true>' %s
// RUN: kernel-run --check "--dims=B=0,1,2;H=1,2,7;W=1,2,9" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 6, nr = 32, kb = 0, lanes = 16, splitN = false>' --num-threads=3 %s
// RUN: kernel-run --check "--dims=B=0,1,2;H=1,2,7;W=1,2,9" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 6, nr = 32, kb = 0, lanes = 8, splitN = true>' --target=cpu:x86-64-v3 %s
// RUN: kernel-run --check "--dims=B=0,1,2;H=1,2,7;W=1,2,9" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 4, nr = 32, kb = 0, lanes = 8, splitN = false>' --target=cpu:x86-64-v3 --num-threads=3 %s

kernel.func @padded(%x: tensor<2x5x9x5xf32>, %w: tensor<20x3x3x5xf32>,
    %out: tensor<2x5x9x20xf32>) -> tensor<2x5x9x20xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x5x9x5xf32> to tensor<2x7x11x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<2x5x9x20xf32>) -> tensor<2x5x9x20xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<2x7x11x5xf32>, tensor<20x3x3x5xf32>) outs(%init : tensor<2x5x9x20xf32>) -> tensor<2x5x9x20xf32>
  kernel.return %0 : tensor<2x5x9x20xf32>
}

kernel.func @long_rows(%x: tensor<1x3x45x4xf32>, %w: tensor<33x3x3x4xf32>,
    %out: tensor<1x3x45x33xf32>) -> tensor<1x3x45x33xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x3x45x4xf32> to tensor<1x5x47x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x3x45x33xf32>) -> tensor<1x3x45x33xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<1x5x47x4xf32>, tensor<33x3x3x4xf32>) outs(%init : tensor<1x3x45x33xf32>) -> tensor<1x3x45x33xf32>
  kernel.return %0 : tensor<1x3x45x33xf32>
}

kernel.func @stem(%x: tensor<1x14x29x3xf32>, %w: tensor<2x7x7x3x32xf32>,
    %out: tensor<1x7x15x40xf32>) -> tensor<1x7x15x40xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x14x29x3xf32> to tensor<1x20x35x3xf32>
  %empty = tensor.empty() : tensor<40x7x7x3xf32>
  %weight = linalg.unpack %w inner_dims_pos = [0] inner_tiles = [32] into %empty
    : tensor<2x7x7x3x32xf32> -> tensor<40x7x7x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x7x15x40xf32>) -> tensor<1x7x15x40xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%padded, %weight : tensor<1x20x35x3xf32>, tensor<40x7x7x3xf32>) outs(%init : tensor<1x7x15x40xf32>) -> tensor<1x7x15x40xf32>
  kernel.return %0 : tensor<1x7x15x40xf32>
}

kernel.func @dilated(%x: tensor<1x8x9x4xf32>, %w: tensor<33x3x3x4xf32>,
    %out: tensor<1x6x7x33xf32>) -> tensor<1x6x7x33xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x9x4xf32> to tensor<1x10x11x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x6x7x33xf32>) -> tensor<1x6x7x33xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<1x10x11x4xf32>, tensor<33x3x3x4xf32>) outs(%init : tensor<1x6x7x33xf32>) -> tensor<1x6x7x33xf32>
  kernel.return %0 : tensor<1x6x7x33xf32>
}

kernel.func @strided_and_dilated(%x: tensor<1x9x11x4xf32>, %w: tensor<7x3x3x4xf32>,
    %out: tensor<1x5x6x7xf32>) -> tensor<1x5x6x7xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x9x11x4xf32> to tensor<1x13x15x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x5x6x7xf32>) -> tensor<1x5x6x7xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<2> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%padded, %w : tensor<1x13x15x4xf32>, tensor<7x3x3x4xf32>) outs(%init : tensor<1x5x6x7xf32>) -> tensor<1x5x6x7xf32>
  kernel.return %0 : tensor<1x5x6x7xf32>
}

kernel.func @padding_on_one_side(%x: tensor<1x6x7x4xf32>, %w: tensor<33x2x2x4xf32>,
    %out: tensor<1x6x7x33xf32>) -> tensor<1x6x7x33xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 1, 0] high[0, 1, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x6x7x4xf32> to tensor<1x7x8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x6x7x33xf32>) -> tensor<1x6x7x33xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<1x7x8x4xf32>, tensor<33x2x2x4xf32>) outs(%init : tensor<1x6x7x33xf32>) -> tensor<1x6x7x33xf32>
  kernel.return %0 : tensor<1x6x7x33xf32>
}

// Some results see padding alone.
kernel.func @more_padding_than_window(%x: tensor<1x2x3x4xf32>, %w: tensor<7x2x2x4xf32>,
    %out: tensor<1x7x8x7xf32>) -> tensor<1x7x8x7xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x2x3x4xf32> to tensor<1x8x9x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x7x8x7xf32>) -> tensor<1x7x8x7xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<1x8x9x4xf32>, tensor<7x2x2x4xf32>) outs(%init : tensor<1x7x8x7xf32>) -> tensor<1x7x8x7xf32>
  kernel.return %0 : tensor<1x7x8x7xf32>
}

kernel.func @no_padding(%x: tensor<2x5x8x6xf32>, %w: tensor<9x2x3x6xf32>,
    %out: tensor<2x4x6x9xf32>) -> tensor<2x4x6x9xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<2x4x6x9xf32>) -> tensor<2x4x6x9xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<2x5x8x6xf32>, tensor<9x2x3x6xf32>) outs(%init : tensor<2x4x6x9xf32>) -> tensor<2x4x6x9xf32>
  kernel.return %0 : tensor<2x4x6x9xf32>
}

kernel.func @pointwise(%x: tensor<2x5x6x40xf32>, %w: tensor<20x1x1x40xf32>,
    %out: tensor<2x5x6x20xf32>) -> tensor<2x5x6x20xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<2x5x6x20xf32>) -> tensor<2x5x6x20xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<2x5x6x40xf32>, tensor<20x1x1x40xf32>) outs(%init : tensor<2x5x6x20xf32>) -> tensor<2x5x6x20xf32>
  kernel.return %0 : tensor<2x5x6x20xf32>
}

kernel.func @pointwise_strided(%x: tensor<2x5x6x40xf32>, %w: tensor<20x1x1x40xf32>,
    %out: tensor<2x3x3x20xf32>) -> tensor<2x3x3x20xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<2x3x3x20xf32>) -> tensor<2x3x3x20xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %w : tensor<2x5x6x40xf32>, tensor<20x1x1x40xf32>) outs(%init : tensor<2x3x3x20xf32>) -> tensor<2x3x3x20xf32>
  kernel.return %0 : tensor<2x3x3x20xf32>
}

kernel.func @grouped(%x: tensor<2x5x6x4x5xf32>, %w: tensor<4x7x3x3x5xf32>,
    %out: tensor<2x3x4x4x7xf32>) -> tensor<2x3x4x4x7xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<2x3x4x4x7xf32>) -> tensor<2x3x4x4x7xf32>
  %0 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<2x5x6x4x5xf32>, tensor<4x7x3x3x5xf32>) outs(%init : tensor<2x3x4x4x7xf32>) -> tensor<2x3x4x4x7xf32>
  kernel.return %0 : tensor<2x3x4x4x7xf32>
}

kernel.func @grouped_padded(%x: tensor<1x5x6x2x5xf32>, %w: tensor<2x35x3x3x5xf32>,
    %out: tensor<1x5x6x2x35xf32>) -> tensor<1x5x6x2x35xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0, 0] high[0, 1, 1, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index, %e: index):
    tensor.yield %zero : f32
  } : tensor<1x5x6x2x5xf32> to tensor<1x7x8x2x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x5x6x2x35xf32>) -> tensor<1x5x6x2x35xf32>
  %0 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<1x7x8x2x5xf32>, tensor<2x35x3x3x5xf32>) outs(%init : tensor<1x5x6x2x35xf32>) -> tensor<1x5x6x2x35xf32>
  kernel.return %0 : tensor<1x5x6x2x35xf32>
}

kernel.func @doubles(%x: tensor<1x4x5x3xf64>, %w: tensor<20x3x3x3xf64>,
    %out: tensor<1x4x5x20xf64>) -> tensor<1x4x5x20xf64> {
  %zero = arith.constant 0.0 : f64
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f64
  } : tensor<1x4x5x3xf64> to tensor<1x6x7x3xf64>
  %init = linalg.fill ins(%zero : f64) outs(%out : tensor<1x4x5x20xf64>) -> tensor<1x4x5x20xf64>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<1x6x7x3xf64>, tensor<20x3x3x3xf64>) outs(%init : tensor<1x4x5x20xf64>) -> tensor<1x4x5x20xf64>
  kernel.return %0 : tensor<1x4x5x20xf64>
}

kernel.func @halves(%x: tensor<1x4x5x3xf16>, %w: tensor<20x3x3x3xf16>,
    %out: tensor<1x4x5x20xf16>) -> tensor<1x4x5x20xf16> {
  %zero = arith.constant 0.0 : f16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f16
  } : tensor<1x4x5x3xf16> to tensor<1x6x7x3xf16>
  %init = linalg.fill ins(%zero : f16) outs(%out : tensor<1x4x5x20xf16>) -> tensor<1x4x5x20xf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<1x6x7x3xf16>, tensor<20x3x3x3xf16>) outs(%init : tensor<1x4x5x20xf16>) -> tensor<1x4x5x20xf16>
  kernel.return %0 : tensor<1x4x5x20xf16>
}

// The borders are found at run time.
kernel.func @dynamic(%x: tensor<?x?x?x4xf32> {ourc.shape = [@B, @H, @W, 4]}, %w: tensor<33x3x3x4xf32>,
    %out: tensor<?x?x?x33xf32> {ourc.shape = [@B, @H, @W, 33]}) -> tensor<?x?x?x33xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<?x?x?x4xf32> to tensor<?x?x?x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x?x?x33xf32>) -> tensor<?x?x?x33xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<?x?x?x4xf32>, tensor<33x3x3x4xf32>) outs(%init : tensor<?x?x?x33xf32>) -> tensor<?x?x?x33xf32>
  kernel.return %0 : tensor<?x?x?x33xf32>
}

kernel.func @one_dimension(%x: tensor<2x19x5xf32>, %w: tensor<20x3x5xf32>,
    %out: tensor<2x10x20xf32>) -> tensor<2x10x20xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x19x5xf32> to tensor<2x21x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<2x10x20xf32>) -> tensor<2x10x20xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(n, w, f, k, c) -> (n, w * 2 + k, c)>,
                     affine_map<(n, w, f, k, c) -> (f, k, c)>,
                     affine_map<(n, w, f, k, c) -> (n, w, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%padded, %w : tensor<2x21x5xf32>, tensor<20x3x5xf32>) outs(%init : tensor<2x10x20xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2x10x20xf32>
  kernel.return %0 : tensor<2x10x20xf32>
}

kernel.func @three_dimensions(%x: tensor<1x3x4x5x4xf32>, %w: tensor<18x3x3x3x4xf32>,
    %out: tensor<1x3x4x5x18xf32>) -> tensor<1x3x4x5x18xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 1, 0] high[0, 1, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index, %e: index):
    tensor.yield %zero : f32
  } : tensor<1x3x4x5x4xf32> to tensor<1x5x6x7x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x3x4x5x18xf32>) -> tensor<1x3x4x5x18xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(n, d, h, w, f, i, j, k, c) -> (n, d + i, h + j, w + k, c)>,
                     affine_map<(n, d, h, w, f, i, j, k, c) -> (f, i, j, k, c)>,
                     affine_map<(n, d, h, w, f, i, j, k, c) -> (n, d, h, w, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel",
                      "reduction", "reduction", "reduction", "reduction"]}
    ins(%padded, %w : tensor<1x5x6x7x4xf32>, tensor<18x3x3x3x4xf32>) outs(%init : tensor<1x3x4x5x18xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x3x4x5x18xf32>
  kernel.return %0 : tensor<1x3x4x5x18xf32>
}
