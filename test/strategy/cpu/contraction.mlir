// RUN: kernel-run --assign --emit=assigned --target=cpu:x86-64-v4 %s | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: kernel-run --assign --emit=assigned --target=cpu:x86-64-v3 %s | FileCheck %s --check-prefixes=CHECK,NARROW

// Few rows of many columns where there is a body for each number of rows. The
// weight comes packed, the columns of a panel innermost.

// CHECK-LABEL: kernel.func @dynamic_rows
// WIDE-SAME:     tensor<8x384x48xf32>
// WIDE-SAME:     #kernel.cpu_contraction<mr = 8, nr = 48, kb = 0, lanes = 16, splitN = true>
// NARROW-SAME:   tensor<24x384x16xf32>
// NARROW-SAME:   #kernel.cpu_contraction<mr = 6, nr = 16, kb = 0, lanes = 8, splitN = true>
// WIDE:          linalg.unpack {{.*}} outer_dims_perm = [0, 1] inner_dims_pos = [0] inner_tiles = [48]
kernel.func @dynamic_rows(%x: tensor<?x384xf32> {ourc.shape = [@m, 384]}, %w: tensor<384x384xf32>,
    %out: tensor<?x384xf32> {ourc.shape = [@m, 384]}) -> tensor<?x384xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<?x384xf32>) -> tensor<?x384xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<?x384xf32>, tensor<384x384xf32>) outs(%init : tensor<?x384xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x384xf32>
  kernel.return %0 : tensor<?x384xf32>
}

// The rows of the weight are those of the sum: its columns still become panels.
// It is larger than the cache, so that a panel is fetched while the one before
// is used: 16 tiles, whose rows stay in the cache, fetch two lines for each of
// their 512 steps.

// CHECK-LABEL: kernel.func @weight_by_rows
// WIDE-SAME:     #kernel.cpu_contraction<mr = 8, nr = 32, kb = 0, lanes = 16, splitN = false, prefetch = 8, mb = 16>
// WIDE:          linalg.unpack {{.*}} outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [32]
kernel.func @weight_by_rows(%x: tensor<1024x512xf32>, %w: tensor<512x1024xf32>,
    %out: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<1024x512xf32>, tensor<512x1024xf32>)
    outs(%init : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  kernel.return %0 : tensor<1024x1024xf32>
}

// A row of 56 pixels is four tiles of 14. The filters are little to read twice:
// tasks own rows of the image, which they also do in the next layer. Two rows
// stay in the cache from the first panel to the second.

// CHECK-LABEL: kernel.func @convolution
// WIDE-SAME:     tensor<2x3x3x64x32xf32>
// WIDE-SAME:     #kernel.cpu_contraction<mr = 14, nr = 32, kb = 0, lanes = 16, splitN = false, mb = 2>
kernel.func @convolution(%x: tensor<1x113x113x64xf32>, %w: tensor<64x3x3x64xf32>,
    %out: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %w : tensor<1x113x113x64xf32>, tensor<64x3x3x64xf32>)
    outs(%init : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  kernel.return %0 : tensor<1x56x56x64xf32>
}

// One operand of a batch is no weight: it stays as it is. Vectors of f64 have
// half the lanes.

// CHECK-LABEL: kernel.func @batch
// CHECK-SAME:    tensor<4x64x96xf64>
// WIDE-SAME:     lanes = 8
// NARROW-SAME:   lanes = 4
// CHECK-NOT:     linalg.unpack
kernel.func @batch(%a: tensor<4x32x64xf64>, %b: tensor<4x64x96xf64>, %out: tensor<4x32x96xf64>)
    -> tensor<4x32x96xf64> {
  %zero = arith.constant 0.0 : f64
  %init = linalg.fill ins(%zero : f64) outs(%out : tensor<4x32x96xf64>) -> tensor<4x32x96xf64>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<4x32x64xf64>, tensor<4x64x96xf64>)
    outs(%init : tensor<4x32x96xf64>) -> tensor<4x32x96xf64>
  kernel.return %0 : tensor<4x32x96xf64>
}

// Small images of many channels have more filters than pixels: tasks own panels
// of filters.

// CHECK-LABEL: kernel.func @deep
// CHECK-SAME:    splitN = true
kernel.func @deep(%x: tensor<1x7x7x512xf32>, %w: tensor<512x1x1x512xf32>,
    %out: tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x7x7x512xf32>, tensor<512x1x1x512xf32>)
    outs(%init : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
  kernel.return %0 : tensor<1x7x7x512xf32>
}

// 40 channels are one panel, which threads cannot share.

// CHECK-LABEL: kernel.func @one_panel
// WIDE-SAME:     nr = 48, kb = 0, lanes = 16, splitN = false
kernel.func @one_panel(%x: tensor<1x7x7x512xf32>, %w: tensor<40x1x1x512xf32>,
    %out: tensor<1x7x7x40xf32>) -> tensor<1x7x7x40xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x7x7x40xf32>) -> tensor<1x7x7x40xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x7x7x512xf32>, tensor<40x1x1x512xf32>)
    outs(%init : tensor<1x7x7x40xf32>) -> tensor<1x7x7x40xf32>
  kernel.return %0 : tensor<1x7x7x40xf32>
}

// Products of bf16 are taken in pairs, which the weight comes packed in: nine
// channels are five pairs.

// CHECK-LABEL: kernel.func @pairs
// WIDE-SAME:     tensor<2x3x3x5x32x2xbf16>
// WIDE-SAME:     #kernel.cpu_contraction<mr = 8, nr = 32, kb = 0, lanes = 16, splitN = {{.*}}, depth = 2{{[,>]}}
// NARROW-SAME:   tensor<4x3x3x5x16x2xbf16>
// NARROW-SAME:   #kernel.cpu_contraction<mr = 4, nr = 16, kb = 0, lanes = 8, splitN = {{.*}}, depth = 2{{[,>]}}
// WIDE:          linalg.unpack {{.*}} outer_dims_perm = [0, 1, 2, 3] inner_dims_pos = [0, 3] inner_tiles = [32, 2]
kernel.func @pairs(%x: tensor<1x58x58x9xbf16>, %w: tensor<64x3x3x9xbf16>,
    %out: tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16> {
  %zero = arith.constant 0.0 : bf16
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x58x58x9xbf16>, tensor<64x3x3x9xbf16>)
    outs(%init : tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16>
  kernel.return %0 : tensor<1x56x56x64xbf16>
}

// Pairs run along the loop that is consecutive in the image: here the window's
// columns.

// CHECK-LABEL: kernel.func @channels_first
// WIDE-SAME:     tensor<16x16x3x8x48x2xbf16>
// WIDE-SAME:     depth = 2
// WIDE:          linalg.unpack {{.*}} outer_dims_perm = [0, 1, 3, 2] inner_dims_pos = [0, 2] inner_tiles = [48, 2]
kernel.func @channels_first(%x: tensor<1x3x224x224xbf16>, %w: tensor<768x16x16x3xbf16>,
    %out: tensor<1x14x14x768xbf16>) -> tensor<1x14x14x768xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<1x224x224x3xbf16>
  %moved = linalg.transpose ins(%x : tensor<1x3x224x224xbf16>) outs(%empty : tensor<1x224x224x3xbf16>) permutation = [0, 2, 3, 1]
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<1x14x14x768xbf16>) -> tensor<1x14x14x768xbf16>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<16> : vector<2xi64>}
    ins(%moved, %w : tensor<1x224x224x3xbf16>, tensor<768x16x16x3xbf16>)
    outs(%init : tensor<1x14x14x768xbf16>) -> tensor<1x14x14x768xbf16>
  kernel.return %0 : tensor<1x14x14x768xbf16>
}

// Two activations: in pairs as well, but for a few rows it would not pay to
// rearrange the second.

// CHECK-LABEL: kernel.func @many_rows
// WIDE-SAME:     depth = 2
kernel.func @many_rows(%a: tensor<4x32x64xbf16>, %b: tensor<4x64x96xbf16>, %out: tensor<4x32x96xbf16>)
    -> tensor<4x32x96xbf16> {
  %zero = arith.constant 0.0 : bf16
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<4x32x96xbf16>) -> tensor<4x32x96xbf16>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<4x32x64xbf16>, tensor<4x64x96xbf16>)
    outs(%init : tensor<4x32x96xbf16>) -> tensor<4x32x96xbf16>
  kernel.return %0 : tensor<4x32x96xbf16>
}

// CHECK-LABEL: kernel.func @few_rows
// WIDE-SAME:     splitN = {{true|false}}>
kernel.func @few_rows(%a: tensor<4x2x64xbf16>, %b: tensor<4x64x96xbf16>, %out: tensor<4x2x96xbf16>)
    -> tensor<4x2x96xbf16> {
  %zero = arith.constant 0.0 : bf16
  %init = linalg.fill ins(%zero : bf16) outs(%out : tensor<4x2x96xbf16>) -> tensor<4x2x96xbf16>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<4x2x64xbf16>, tensor<4x64x96xbf16>)
    outs(%init : tensor<4x2x96xbf16>) -> tensor<4x2x96xbf16>
  kernel.return %0 : tensor<4x2x96xbf16>
}
