// Convolutions of bf16 in pairs: odd and even channels, padding, strides,
// dilations, groups, one to three dimensions, images with channels first, whose
// pairs run along the window's columns and meet the border half outside.

// RUN: kernel-run --check --assign "--dims=B=0,1,2;H=1,2,7;W=1,2,9" %s
// RUN: kernel-run --check --assign "--dims=B=0,1,2;H=1,2,7;W=1,2,9" --target=cpu:x86-64-v4 --num-threads=3 %s
// RUN: kernel-run --check --assign "--dims=B=0,1,2;H=1,2,7;W=1,2,9" --target=cpu:x86-64-v3 %s
// RUN: kernel-run --check "--dims=B=0,1,2;H=1,2,7;W=1,2,9" \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 14, nr = 32, kb = 0, lanes = 16, splitN = true, depth = 2>' %s
// RUN: kernel-run --check "--dims=B=0,1,2;H=1,2,7;W=1,2,9" --target=cpu:x86-64-v3 \
// RUN:   '--schedule=#kernel.cpu_contraction<mr = 4, nr = 16, kb = 0, lanes = 8, splitN = false, depth = 2>' --num-threads=3 %s

kernel.func @padded(%x: tensor<2x5x9x5xbf16>, %w: tensor<20x3x3x5xbf16>,
    %out: tensor<2x5x9x20xbf16>) -> tensor<2x5x9x20xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<2x5x9x5xbf16> to tensor<2x7x11x5xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<2x5x9x20xbf16>) -> tensor<2x5x9x20xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<2x7x11x5xbf16>, tensor<20x3x3x5xbf16>) outs(%init : tensor<2x5x9x20xbf16>) -> tensor<2x5x9x20xbf16>
  kernel.return %0 : tensor<2x5x9x20xbf16>
}

kernel.func @long_rows(%x: tensor<1x3x45x4xbf16>, %w: tensor<33x3x3x4xbf16>,
    %out: tensor<1x3x45x33xbf16>) -> tensor<1x3x45x33xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<1x3x45x4xbf16> to tensor<1x5x47x4xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x3x45x33xbf16>) -> tensor<1x3x45x33xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<1x5x47x4xbf16>, tensor<33x3x3x4xbf16>) outs(%init : tensor<1x3x45x33xbf16>) -> tensor<1x3x45x33xbf16>
  kernel.return %0 : tensor<1x3x45x33xbf16>
}

kernel.func @dilated(%x: tensor<1x8x9x4xbf16>, %w: tensor<33x3x3x4xbf16>,
    %out: tensor<1x6x7x33xbf16>) -> tensor<1x6x7x33xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<1x8x9x4xbf16> to tensor<1x10x11x4xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x6x7x33xbf16>) -> tensor<1x6x7x33xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<1x10x11x4xbf16>, tensor<33x3x3x4xbf16>) outs(%init : tensor<1x6x7x33xbf16>) -> tensor<1x6x7x33xbf16>
  kernel.return %0 : tensor<1x6x7x33xbf16>
}

kernel.func @strided_and_dilated(%x: tensor<1x9x11x4xbf16>, %w: tensor<7x3x3x4xbf16>,
    %out: tensor<1x5x6x7xbf16>) -> tensor<1x5x6x7xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<1x9x11x4xbf16> to tensor<1x13x15x4xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x5x6x7xbf16>) -> tensor<1x5x6x7xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<2> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%padded, %w : tensor<1x13x15x4xbf16>, tensor<7x3x3x4xbf16>) outs(%init : tensor<1x5x6x7xbf16>) -> tensor<1x5x6x7xbf16>
  kernel.return %0 : tensor<1x5x6x7xbf16>
}

kernel.func @more_padding_than_window(%x: tensor<1x2x3x4xbf16>, %w: tensor<7x2x2x4xbf16>,
    %out: tensor<1x7x8x7xbf16>) -> tensor<1x7x8x7xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<1x2x3x4xbf16> to tensor<1x8x9x4xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x7x8x7xbf16>) -> tensor<1x7x8x7xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<1x8x9x4xbf16>, tensor<7x2x2x4xbf16>) outs(%init : tensor<1x7x8x7xbf16>) -> tensor<1x7x8x7xbf16>
  kernel.return %0 : tensor<1x7x8x7xbf16>
}

kernel.func @no_padding(%x: tensor<2x5x8x6xbf16>, %w: tensor<9x2x3x6xbf16>,
    %out: tensor<2x4x6x9xbf16>) -> tensor<2x4x6x9xbf16> {
  %zero = arith.constant 0.0 : bf16
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<2x4x6x9xbf16>) -> tensor<2x4x6x9xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<2x5x8x6xbf16>, tensor<9x2x3x6xbf16>) outs(%init : tensor<2x4x6x9xbf16>) -> tensor<2x4x6x9xbf16>
  kernel.return %0 : tensor<2x4x6x9xbf16>
}

kernel.func @pointwise_strided(%x: tensor<2x5x6x40xbf16>, %w: tensor<20x1x1x40xbf16>,
    %out: tensor<2x3x3x20xbf16>) -> tensor<2x3x3x20xbf16> {
  %zero = arith.constant 0.0 : bf16
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<2x3x3x20xbf16>) -> tensor<2x3x3x20xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %w : tensor<2x5x6x40xbf16>, tensor<20x1x1x40xbf16>) outs(%init : tensor<2x3x3x20xbf16>) -> tensor<2x3x3x20xbf16>
  kernel.return %0 : tensor<2x3x3x20xbf16>
}

kernel.func @grouped(%x: tensor<2x5x6x4x5xbf16>, %w: tensor<4x7x3x3x5xbf16>,
    %out: tensor<2x3x4x4x7xbf16>) -> tensor<2x3x4x4x7xbf16> {
  %zero = arith.constant 0.0 : bf16
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<2x3x4x4x7xbf16>) -> tensor<2x3x4x4x7xbf16>
  %0 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<2x5x6x4x5xbf16>, tensor<4x7x3x3x5xbf16>) outs(%init : tensor<2x3x4x4x7xbf16>) -> tensor<2x3x4x4x7xbf16>
  kernel.return %0 : tensor<2x3x4x4x7xbf16>
}

kernel.func @grouped_padded(%x: tensor<1x5x6x2x5xbf16>, %w: tensor<2x35x3x3x5xbf16>,
    %out: tensor<1x5x6x2x35xbf16>) -> tensor<1x5x6x2x35xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 1, 1, 0, 0] high[0, 1, 1, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index, %e: index):
    tensor.yield %zero : bf16
  } : tensor<1x5x6x2x5xbf16> to tensor<1x7x8x2x5xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x5x6x2x35xbf16>) -> tensor<1x5x6x2x35xbf16>
  %0 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<1x7x8x2x5xbf16>, tensor<2x35x3x3x5xbf16>) outs(%init : tensor<1x5x6x2x35xbf16>) -> tensor<1x5x6x2x35xbf16>
  kernel.return %0 : tensor<1x5x6x2x35xbf16>
}

kernel.func @dynamic(%x: tensor<?x?x?x4xbf16> {ourc.shape = [@B, @H, @W, 4]}, %w: tensor<33x3x3x4xbf16>,
    %out: tensor<?x?x?x33xbf16> {ourc.shape = [@B, @H, @W, 33]}) -> tensor<?x?x?x33xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<?x?x?x4xbf16> to tensor<?x?x?x4xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<?x?x?x33xbf16>) -> tensor<?x?x?x33xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<?x?x?x4xbf16>, tensor<33x3x3x4xbf16>) outs(%init : tensor<?x?x?x33xbf16>) -> tensor<?x?x?x33xbf16>
  kernel.return %0 : tensor<?x?x?x33xbf16>
}

kernel.func @one_dimension(%x: tensor<2x19x5xbf16>, %w: tensor<20x3x5xbf16>,
    %out: tensor<2x10x20xbf16>) -> tensor<2x10x20xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : bf16
  } : tensor<2x19x5xbf16> to tensor<2x21x5xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<2x10x20xbf16>) -> tensor<2x10x20xbf16>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(n, w, f, k, c) -> (n, w * 2 + k, c)>,
                     affine_map<(n, w, f, k, c) -> (f, k, c)>,
                     affine_map<(n, w, f, k, c) -> (n, w, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%padded, %w : tensor<2x21x5xbf16>, tensor<20x3x5xbf16>) outs(%init : tensor<2x10x20xbf16>) {
  ^bb0(%p: bf16, %q: bf16, %sum: bf16):
    %product = arith.mulf %p, %q : bf16
    %next = arith.addf %sum, %product : bf16
    linalg.yield %next : bf16
  } -> tensor<2x10x20xbf16>
  kernel.return %0 : tensor<2x10x20xbf16>
}

kernel.func @three_dimensions(%x: tensor<1x3x4x5x4xbf16>, %w: tensor<18x3x3x3x4xbf16>,
    %out: tensor<1x3x4x5x18xbf16>) -> tensor<1x3x4x5x18xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 1, 1, 1, 0] high[0, 1, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index, %e: index):
    tensor.yield %zero : bf16
  } : tensor<1x3x4x5x4xbf16> to tensor<1x5x6x7x4xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x3x4x5x18xbf16>) -> tensor<1x3x4x5x18xbf16>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(n, d, h, w, f, i, j, k, c) -> (n, d + i, h + j, w + k, c)>,
                     affine_map<(n, d, h, w, f, i, j, k, c) -> (f, i, j, k, c)>,
                     affine_map<(n, d, h, w, f, i, j, k, c) -> (n, d, h, w, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel",
                      "reduction", "reduction", "reduction", "reduction"]}
    ins(%padded, %w : tensor<1x5x6x7x4xbf16>, tensor<18x3x3x3x4xbf16>) outs(%init : tensor<1x3x4x5x18xbf16>) {
  ^bb0(%p: bf16, %q: bf16, %sum: bf16):
    %product = arith.mulf %p, %q : bf16
    %next = arith.addf %sum, %product : bf16
    linalg.yield %next : bf16
  } -> tensor<1x3x4x5x18xbf16>
  kernel.return %0 : tensor<1x3x4x5x18xbf16>
}

kernel.func @channels_first_stem(%x: tensor<1x3x11x13xbf16>, %w: tensor<20x7x7x3xbf16>,
    %out: tensor<1x6x7x20xbf16>) -> tensor<1x6x7x20xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<1x11x13x3xbf16>
  %moved = linalg.transpose ins(%x : tensor<1x3x11x13xbf16>) outs(%empty : tensor<1x11x13x3xbf16>) permutation = [0, 2, 3, 1]
  %padded = tensor.pad %moved low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<1x11x13x3xbf16> to tensor<1x17x19x3xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x6x7x20xbf16>) -> tensor<1x6x7x20xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%padded, %w : tensor<1x17x19x3xbf16>, tensor<20x7x7x3xbf16>)
    outs(%init : tensor<1x6x7x20xbf16>) -> tensor<1x6x7x20xbf16>
  kernel.return %0 : tensor<1x6x7x20xbf16>
}

kernel.func @channels_first_patches(%x: tensor<1x3x8x12xbf16>, %w: tensor<20x4x4x3xbf16>,
    %out: tensor<1x2x3x20xbf16>) -> tensor<1x2x3x20xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<1x8x12x3xbf16>
  %moved = linalg.transpose ins(%x : tensor<1x3x8x12xbf16>) outs(%empty : tensor<1x8x12x3xbf16>) permutation = [0, 2, 3, 1]
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x2x3x20xbf16>) -> tensor<1x2x3x20xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<4> : vector<2xi64>}
    ins(%moved, %w : tensor<1x8x12x3xbf16>, tensor<20x4x4x3xbf16>)
    outs(%init : tensor<1x2x3x20xbf16>) -> tensor<1x2x3x20xbf16>
  kernel.return %0 : tensor<1x2x3x20xbf16>
}

kernel.func @channels_first_narrow(%x: tensor<1x2x5x6xbf16>, %w: tensor<7x3x3x2xbf16>,
    %out: tensor<1x5x6x7xbf16>) -> tensor<1x5x6x7xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<1x5x6x2xbf16>
  %moved = linalg.transpose ins(%x : tensor<1x2x5x6xbf16>) outs(%empty : tensor<1x5x6x2xbf16>) permutation = [0, 2, 3, 1]
  %padded = tensor.pad %moved low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<1x5x6x2xbf16> to tensor<1x7x8x2xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x5x6x7xbf16>) -> tensor<1x5x6x7xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<1x7x8x2xbf16>, tensor<7x3x3x2xbf16>)
    outs(%init : tensor<1x5x6x7xbf16>) -> tensor<1x5x6x7xbf16>
  kernel.return %0 : tensor<1x5x6x7xbf16>
}

