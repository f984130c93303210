// Convolutions as contractions: padding, strides, dilations, groups, channels
// that are whole chunks of 16 bytes and that are not.

// RUN: kernel-run --target=simt --check --assign --dims=B=0,1,3 %s
// RUN: env OURC_SIMT_SEED=3 kernel-run --target=simt --check --assign --dims=B=2 %s

// f16.
kernel.func @padded_f16(%x: tensor<2x5x9x8xf16>, %w: tensor<20x3x3x8xf16>,
    %out: tensor<2x5x9x20xf32>) -> tensor<2x5x9x20xf32> {
  %zero = arith.constant 0.0 : f16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f16
  } : tensor<2x5x9x8xf16> to tensor<2x7x11x8xf16>
  %start = arith.constant 0.0 : f32
  %init = linalg.fill ins(%start : f32) outs(%out : tensor<2x5x9x20xf32>) -> tensor<2x5x9x20xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%padded, %w : tensor<2x7x11x8xf16>, tensor<20x3x3x8xf16>) outs(%init : tensor<2x5x9x20xf32>) -> tensor<2x5x9x20xf32>
  kernel.return %0 : tensor<2x5x9x20xf32>
}

kernel.func @strided_f16(%x: tensor<1x9x11x16xf16>, %w: tensor<33x3x3x16xf16>,
    %out: tensor<1x5x6x33xf32>) -> tensor<1x5x6x33xf32> {
  %zero = arith.constant 0.0 : f16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f16
  } : tensor<1x9x11x16xf16> to tensor<1x11x13x16xf16>
  %start = arith.constant 0.0 : f32
  %init = linalg.fill ins(%start : f32) outs(%out : tensor<1x5x6x33xf32>) -> tensor<1x5x6x33xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[2, 2]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x11x13x16xf16>, tensor<33x3x3x16xf16>) outs(%init : tensor<1x5x6x33xf32>) -> tensor<1x5x6x33xf32>
  kernel.return %0 : tensor<1x5x6x33xf32>
}

kernel.func @dilated_f16(%x: tensor<1x8x9x8xf16>, %w: tensor<17x3x3x8xf16>,
    %out: tensor<1x7x8x17xf32>) -> tensor<1x7x8x17xf32> {
  %zero = arith.constant 0.0 : f16
  %padded = tensor.pad %x low[0, 2, 1, 0] high[0, 1, 2, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f16
  } : tensor<1x8x9x8xf16> to tensor<1x11x12x8xf16>
  %start = arith.constant 0.0 : f32
  %init = linalg.fill ins(%start : f32) outs(%out : tensor<1x7x8x17xf32>) -> tensor<1x7x8x17xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[2, 2]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x11x12x8xf16>, tensor<17x3x3x8xf16>) outs(%init : tensor<1x7x8x17xf32>) -> tensor<1x7x8x17xf32>
  kernel.return %0 : tensor<1x7x8x17xf32>
}

kernel.func @strided_and_dilated_f16(%x: tensor<1x11x13x8xf16>, %w: tensor<9x3x2x8xf16>,
    %out: tensor<1x5x4x9xf32>) -> tensor<1x5x4x9xf32> {
  %zero = arith.constant 0.0 : f16
  %padded = tensor.pad %x low[0, 0, 1, 0] high[0, 2, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f16
  } : tensor<1x11x13x8xf16> to tensor<1x13x14x8xf16>
  %start = arith.constant 0.0 : f32
  %init = linalg.fill ins(%start : f32) outs(%out : tensor<1x5x4x9xf32>) -> tensor<1x5x4x9xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[2, 2]> : vector<2xi64>, strides = dense<[2, 3]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x13x14x8xf16>, tensor<9x3x2x8xf16>) outs(%init : tensor<1x5x4x9xf32>) -> tensor<1x5x4x9xf32>
  kernel.return %0 : tensor<1x5x4x9xf32>
}

kernel.func @stem_f16(%x: tensor<1x14x15x3xf16>, %w: tensor<24x7x7x3xf16>,
    %out: tensor<1x7x8x24xf32>) -> tensor<1x7x8x24xf32> {
  %zero = arith.constant 0.0 : f16
  %padded = tensor.pad %x low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f16
  } : tensor<1x14x15x3xf16> to tensor<1x20x21x3xf16>
  %start = arith.constant 0.0 : f32
  %init = linalg.fill ins(%start : f32) outs(%out : tensor<1x7x8x24xf32>) -> tensor<1x7x8x24xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[2, 2]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x20x21x3xf16>, tensor<24x7x7x3xf16>) outs(%init : tensor<1x7x8x24xf32>) -> tensor<1x7x8x24xf32>
  kernel.return %0 : tensor<1x7x8x24xf32>
}

kernel.func @pointwise_f16(%x: tensor<2x5x6x40xf16>, %w: tensor<20x1x1x40xf16>,
    %out: tensor<2x5x6x20xf32>) -> tensor<2x5x6x20xf32> {
  %zero = arith.constant 0.0 : f16
  %start = arith.constant 0.0 : f32
  %init = linalg.fill ins(%start : f32) outs(%out : tensor<2x5x6x20xf32>) -> tensor<2x5x6x20xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%x, %w : tensor<2x5x6x40xf16>, tensor<20x1x1x40xf16>) outs(%init : tensor<2x5x6x20xf32>) -> tensor<2x5x6x20xf32>
  kernel.return %0 : tensor<2x5x6x20xf32>
}

kernel.func @downsampling_f16(%x: tensor<1x8x8x32xf16>, %w: tensor<24x1x1x32xf16>,
    %out: tensor<1x4x4x24xf32>) -> tensor<1x4x4x24xf32> {
  %zero = arith.constant 0.0 : f16
  %start = arith.constant 0.0 : f32
  %init = linalg.fill ins(%start : f32) outs(%out : tensor<1x4x4x24xf32>) -> tensor<1x4x4x24xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[2, 2]> : vector<2xi64>}
    ins(%x, %w : tensor<1x8x8x32xf16>, tensor<24x1x1x32xf16>) outs(%init : tensor<1x4x4x24xf32>) -> tensor<1x4x4x24xf32>
  kernel.return %0 : tensor<1x4x4x24xf32>
}

kernel.func @long_f16(%x: tensor<1x9x9x64xf16>, %w: tensor<40x3x3x64xf16>,
    %out: tensor<1x9x9x40xf32>) -> tensor<1x9x9x40xf32> {
  %zero = arith.constant 0.0 : f16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f16
  } : tensor<1x9x9x64xf16> to tensor<1x11x11x64xf16>
  %start = arith.constant 0.0 : f32
  %init = linalg.fill ins(%start : f32) outs(%out : tensor<1x9x9x40xf32>) -> tensor<1x9x9x40xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x11x11x64xf16>, tensor<40x3x3x64xf16>) outs(%init : tensor<1x9x9x40xf32>) -> tensor<1x9x9x40xf32>
  kernel.return %0 : tensor<1x9x9x40xf32>
}

kernel.func @more_padding_than_window_f16(%x: tensor<1x2x3x8xf16>, %w: tensor<9x2x2x8xf16>,
    %out: tensor<1x7x8x9xf32>) -> tensor<1x7x8x9xf32> {
  %zero = arith.constant 0.0 : f16
  %padded = tensor.pad %x low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f16
  } : tensor<1x2x3x8xf16> to tensor<1x8x9x8xf16>
  %start = arith.constant 0.0 : f32
  %init = linalg.fill ins(%start : f32) outs(%out : tensor<1x7x8x9xf32>) -> tensor<1x7x8x9xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x8x9x8xf16>, tensor<9x2x2x8xf16>) outs(%init : tensor<1x7x8x9xf32>) -> tensor<1x7x8x9xf32>
  kernel.return %0 : tensor<1x7x8x9xf32>
}

// bf16.
kernel.func @padded_bf16(%x: tensor<2x5x9x8xbf16>, %w: tensor<20x3x3x8xbf16>,
    %out: tensor<2x5x9x20xbf16>) -> tensor<2x5x9x20xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<2x5x9x8xbf16> to tensor<2x7x11x8xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<2x5x9x20xbf16>) -> tensor<2x5x9x20xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%padded, %w : tensor<2x7x11x8xbf16>, tensor<20x3x3x8xbf16>) outs(%init : tensor<2x5x9x20xbf16>) -> tensor<2x5x9x20xbf16>
  kernel.return %0 : tensor<2x5x9x20xbf16>
}

kernel.func @strided_bf16(%x: tensor<1x9x11x16xbf16>, %w: tensor<33x3x3x16xbf16>,
    %out: tensor<1x5x6x33xbf16>) -> tensor<1x5x6x33xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<1x9x11x16xbf16> to tensor<1x11x13x16xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x5x6x33xbf16>) -> tensor<1x5x6x33xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[2, 2]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x11x13x16xbf16>, tensor<33x3x3x16xbf16>) outs(%init : tensor<1x5x6x33xbf16>) -> tensor<1x5x6x33xbf16>
  kernel.return %0 : tensor<1x5x6x33xbf16>
}

kernel.func @dilated_bf16(%x: tensor<1x8x9x8xbf16>, %w: tensor<17x3x3x8xbf16>,
    %out: tensor<1x7x8x17xbf16>) -> tensor<1x7x8x17xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 2, 1, 0] high[0, 1, 2, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<1x8x9x8xbf16> to tensor<1x11x12x8xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x7x8x17xbf16>) -> tensor<1x7x8x17xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[2, 2]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x11x12x8xbf16>, tensor<17x3x3x8xbf16>) outs(%init : tensor<1x7x8x17xbf16>) -> tensor<1x7x8x17xbf16>
  kernel.return %0 : tensor<1x7x8x17xbf16>
}

kernel.func @strided_and_dilated_bf16(%x: tensor<1x11x13x8xbf16>, %w: tensor<9x3x2x8xbf16>,
    %out: tensor<1x5x4x9xbf16>) -> tensor<1x5x4x9xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 0, 1, 0] high[0, 2, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<1x11x13x8xbf16> to tensor<1x13x14x8xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x5x4x9xbf16>) -> tensor<1x5x4x9xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[2, 2]> : vector<2xi64>, strides = dense<[2, 3]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x13x14x8xbf16>, tensor<9x3x2x8xbf16>) outs(%init : tensor<1x5x4x9xbf16>) -> tensor<1x5x4x9xbf16>
  kernel.return %0 : tensor<1x5x4x9xbf16>
}

kernel.func @stem_bf16(%x: tensor<1x14x15x3xbf16>, %w: tensor<24x7x7x3xbf16>,
    %out: tensor<1x7x8x24xbf16>) -> tensor<1x7x8x24xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<1x14x15x3xbf16> to tensor<1x20x21x3xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x7x8x24xbf16>) -> tensor<1x7x8x24xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[2, 2]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x20x21x3xbf16>, tensor<24x7x7x3xbf16>) outs(%init : tensor<1x7x8x24xbf16>) -> tensor<1x7x8x24xbf16>
  kernel.return %0 : tensor<1x7x8x24xbf16>
}

kernel.func @pointwise_bf16(%x: tensor<2x5x6x40xbf16>, %w: tensor<20x1x1x40xbf16>,
    %out: tensor<2x5x6x20xbf16>) -> tensor<2x5x6x20xbf16> {
  %zero = arith.constant 0.0 : bf16
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<2x5x6x20xbf16>) -> tensor<2x5x6x20xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%x, %w : tensor<2x5x6x40xbf16>, tensor<20x1x1x40xbf16>) outs(%init : tensor<2x5x6x20xbf16>) -> tensor<2x5x6x20xbf16>
  kernel.return %0 : tensor<2x5x6x20xbf16>
}

kernel.func @downsampling_bf16(%x: tensor<1x8x8x32xbf16>, %w: tensor<24x1x1x32xbf16>,
    %out: tensor<1x4x4x24xbf16>) -> tensor<1x4x4x24xbf16> {
  %zero = arith.constant 0.0 : bf16
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x4x4x24xbf16>) -> tensor<1x4x4x24xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[2, 2]> : vector<2xi64>}
    ins(%x, %w : tensor<1x8x8x32xbf16>, tensor<24x1x1x32xbf16>) outs(%init : tensor<1x4x4x24xbf16>) -> tensor<1x4x4x24xbf16>
  kernel.return %0 : tensor<1x4x4x24xbf16>
}

kernel.func @long_bf16(%x: tensor<1x9x9x64xbf16>, %w: tensor<40x3x3x64xbf16>,
    %out: tensor<1x9x9x40xbf16>) -> tensor<1x9x9x40xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<1x9x9x64xbf16> to tensor<1x11x11x64xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x9x9x40xbf16>) -> tensor<1x9x9x40xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x11x11x64xbf16>, tensor<40x3x3x64xbf16>) outs(%init : tensor<1x9x9x40xbf16>) -> tensor<1x9x9x40xbf16>
  kernel.return %0 : tensor<1x9x9x40xbf16>
}

kernel.func @more_padding_than_window_bf16(%x: tensor<1x2x3x8xbf16>, %w: tensor<9x2x2x8xbf16>,
    %out: tensor<1x7x8x9xbf16>) -> tensor<1x7x8x9xbf16> {
  %zero = arith.constant 0.0 : bf16
  %padded = tensor.pad %x low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : bf16
  } : tensor<1x2x3x8xbf16> to tensor<1x8x9x8xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x7x8x9xbf16>) -> tensor<1x7x8x9xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x8x9x8xbf16>, tensor<9x2x2x8xbf16>) outs(%init : tensor<1x7x8x9xbf16>) -> tensor<1x7x8x9xbf16>
  kernel.return %0 : tensor<1x7x8x9xbf16>
}

// f32.
kernel.func @padded_f32(%x: tensor<2x5x9x8xf32>, %w: tensor<20x3x3x8xf32>,
    %out: tensor<2x5x9x20xf32>) -> tensor<2x5x9x20xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x5x9x8xf32> to tensor<2x7x11x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<2x5x9x20xf32>) -> tensor<2x5x9x20xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%padded, %w : tensor<2x7x11x8xf32>, tensor<20x3x3x8xf32>) outs(%init : tensor<2x5x9x20xf32>) -> tensor<2x5x9x20xf32>
  kernel.return %0 : tensor<2x5x9x20xf32>
}

kernel.func @strided_f32(%x: tensor<1x9x11x16xf32>, %w: tensor<33x3x3x16xf32>,
    %out: tensor<1x5x6x33xf32>) -> tensor<1x5x6x33xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x9x11x16xf32> to tensor<1x11x13x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x5x6x33xf32>) -> tensor<1x5x6x33xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[2, 2]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x11x13x16xf32>, tensor<33x3x3x16xf32>) outs(%init : tensor<1x5x6x33xf32>) -> tensor<1x5x6x33xf32>
  kernel.return %0 : tensor<1x5x6x33xf32>
}

kernel.func @dilated_f32(%x: tensor<1x8x9x8xf32>, %w: tensor<17x3x3x8xf32>,
    %out: tensor<1x7x8x17xf32>) -> tensor<1x7x8x17xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 2, 1, 0] high[0, 1, 2, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x9x8xf32> to tensor<1x11x12x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x7x8x17xf32>) -> tensor<1x7x8x17xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[2, 2]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x11x12x8xf32>, tensor<17x3x3x8xf32>) outs(%init : tensor<1x7x8x17xf32>) -> tensor<1x7x8x17xf32>
  kernel.return %0 : tensor<1x7x8x17xf32>
}

kernel.func @strided_and_dilated_f32(%x: tensor<1x11x13x8xf32>, %w: tensor<9x3x2x8xf32>,
    %out: tensor<1x5x4x9xf32>) -> tensor<1x5x4x9xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 1, 0] high[0, 2, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x11x13x8xf32> to tensor<1x13x14x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x5x4x9xf32>) -> tensor<1x5x4x9xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[2, 2]> : vector<2xi64>, strides = dense<[2, 3]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x13x14x8xf32>, tensor<9x3x2x8xf32>) outs(%init : tensor<1x5x4x9xf32>) -> tensor<1x5x4x9xf32>
  kernel.return %0 : tensor<1x5x4x9xf32>
}

kernel.func @stem_f32(%x: tensor<1x14x15x3xf32>, %w: tensor<24x7x7x3xf32>,
    %out: tensor<1x7x8x24xf32>) -> tensor<1x7x8x24xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x14x15x3xf32> to tensor<1x20x21x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x7x8x24xf32>) -> tensor<1x7x8x24xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[2, 2]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x20x21x3xf32>, tensor<24x7x7x3xf32>) outs(%init : tensor<1x7x8x24xf32>) -> tensor<1x7x8x24xf32>
  kernel.return %0 : tensor<1x7x8x24xf32>
}

kernel.func @pointwise_f32(%x: tensor<2x5x6x40xf32>, %w: tensor<20x1x1x40xf32>,
    %out: tensor<2x5x6x20xf32>) -> tensor<2x5x6x20xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<2x5x6x20xf32>) -> tensor<2x5x6x20xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%x, %w : tensor<2x5x6x40xf32>, tensor<20x1x1x40xf32>) outs(%init : tensor<2x5x6x20xf32>) -> tensor<2x5x6x20xf32>
  kernel.return %0 : tensor<2x5x6x20xf32>
}

kernel.func @downsampling_f32(%x: tensor<1x8x8x32xf32>, %w: tensor<24x1x1x32xf32>,
    %out: tensor<1x4x4x24xf32>) -> tensor<1x4x4x24xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x4x4x24xf32>) -> tensor<1x4x4x24xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[2, 2]> : vector<2xi64>}
    ins(%x, %w : tensor<1x8x8x32xf32>, tensor<24x1x1x32xf32>) outs(%init : tensor<1x4x4x24xf32>) -> tensor<1x4x4x24xf32>
  kernel.return %0 : tensor<1x4x4x24xf32>
}

kernel.func @long_f32(%x: tensor<1x9x9x64xf32>, %w: tensor<40x3x3x64xf32>,
    %out: tensor<1x9x9x40xf32>) -> tensor<1x9x9x40xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x9x9x64xf32> to tensor<1x11x11x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x9x9x40xf32>) -> tensor<1x9x9x40xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x11x11x64xf32>, tensor<40x3x3x64xf32>) outs(%init : tensor<1x9x9x40xf32>) -> tensor<1x9x9x40xf32>
  kernel.return %0 : tensor<1x9x9x40xf32>
}

kernel.func @more_padding_than_window_f32(%x: tensor<1x2x3x8xf32>, %w: tensor<9x2x2x8xf32>,
    %out: tensor<1x7x8x9xf32>) -> tensor<1x7x8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x2x3x8xf32> to tensor<1x8x9x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x7x8x9xf32>) -> tensor<1x7x8x9xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>}
    ins(%padded, %w : tensor<1x8x9x8xf32>, tensor<9x2x2x8xf32>) outs(%init : tensor<1x7x8x9xf32>) -> tensor<1x7x8x9xf32>
  kernel.return %0 : tensor<1x7x8x9xf32>
}

// Groups are a batch; the image is seen in groups of channels.
#image = affine_map<(n, y, x, g, f, u, v, c) -> (n, y + u, x + v, g, c)>
#weight = affine_map<(n, y, x, g, f, u, v, c) -> (g, f, u, v, c)>
#result = affine_map<(n, y, x, g, f, u, v, c) -> (n, y, x, g, f)>

kernel.func @groups_f16(%x: tensor<?x6x7x32xf16> {ourc.shape = [@B, 6, 7, 32]}, %w: tensor<2x12x3x3x16xf16>,
    %out: tensor<?x6x7x2x12xf32> {ourc.shape = [@B, 6, 7, 2, 12]}) -> tensor<?x6x7x2x12xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  %start = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x6x7x32xf16>
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f16
  } : tensor<?x6x7x32xf16> to tensor<?x8x9x32xf16>
  %grouped = tensor.expand_shape %padded [[0], [1], [2], [3, 4]] output_shape [%n, 8, 9, 2, 16]
    : tensor<?x8x9x32xf16> into tensor<?x8x9x2x16xf16>
  %init = linalg.fill ins(%start : f32) outs(%out : tensor<?x6x7x2x12xf32>) -> tensor<?x6x7x2x12xf32>
  %0 = linalg.generic {indexing_maps = [#image, #weight, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%grouped, %w : tensor<?x8x9x2x16xf16>, tensor<2x12x3x3x16xf16>) outs(%init : tensor<?x6x7x2x12xf32>) {
  ^bb0(%a: f16, %b: f16, %acc: f32):
    %p = arith.extf %a : f16 to f32
    %q = arith.extf %b : f16 to f32
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x6x7x2x12xf32>
  kernel.return %0 : tensor<?x6x7x2x12xf32>
}

kernel.func @groups_f32(%x: tensor<?x6x7x32xf32> {ourc.shape = [@B, 6, 7, 32]}, %w: tensor<2x12x3x3x16xf32>,
    %out: tensor<?x6x7x2x12xf32> {ourc.shape = [@B, 6, 7, 2, 12]}) -> tensor<?x6x7x2x12xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %start = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x6x7x32xf32>
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<?x6x7x32xf32> to tensor<?x8x9x32xf32>
  %grouped = tensor.expand_shape %padded [[0], [1], [2], [3, 4]] output_shape [%n, 8, 9, 2, 16]
    : tensor<?x8x9x32xf32> into tensor<?x8x9x2x16xf32>
  %init = linalg.fill ins(%start : f32) outs(%out : tensor<?x6x7x2x12xf32>) -> tensor<?x6x7x2x12xf32>
  %0 = linalg.generic {indexing_maps = [#image, #weight, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%grouped, %w : tensor<?x8x9x2x16xf32>, tensor<2x12x3x3x16xf32>) outs(%init : tensor<?x6x7x2x12xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x6x7x2x12xf32>
  kernel.return %0 : tensor<?x6x7x2x12xf32>
}
