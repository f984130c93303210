// RUN: kernel-run --assign --emit=assigned --target=cpu:x86-64-v4 %s 2>&1 | FileCheck %s

// 3x3 convolutions of step one, channels last, are made by Winograd's F(2x2, 3x3)
// where that is less work. The filters come transformed, in panels.

// CHECK-LABEL: kernel.func @plain
// CHECK-SAME:    tensor<2x4x4x64x32xf32>
// CHECK-SAME:    #kernel.cpu_winograd<mr = 14, nr = 32, tiles = 43, lanes = 16, prefetch = 2>
// CHECK:         kernel.winograd_filter %{{.*}} : tensor<2x4x4x64x32xf32> -> tensor<64x3x3x64xf32>
kernel.func @plain(%x: tensor<1x32x32x64xf32>, %w: tensor<64x3x3x64xf32>, %bias: tensor<64xf32>, %out: tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x32x32x64xf32> to tensor<1x34x34x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<1x34x34x64xf32>, tensor<64x3x3x64xf32>) outs(%init : tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<1x32x32x64xf32>, tensor<64xf32>) outs(%out : tensor<1x32x32x64xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<1x32x32x64xf32>
  kernel.return %1 : tensor<1x32x32x64xf32>
}

// The fewer tiles a product has, the more each of them fetches.

// CHECK-LABEL: kernel.func @large_weights
// CHECK-SAME:    #kernel.cpu_winograd<{{.*}}prefetch = 1>
kernel.func @large_weights(%x: tensor<1x14x14x256xf32>, %w: tensor<256x3x3x256xf32>, %bias: tensor<256xf32>, %out: tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x14x14x256xf32> to tensor<1x16x16x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<1x16x16x256xf32>, tensor<256x3x3x256xf32>) outs(%init : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<1x14x14x256xf32>, tensor<256xf32>) outs(%out : tensor<1x14x14x256xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<1x14x14x256xf32>
  kernel.return %1 : tensor<1x14x14x256xf32>
}

// The transformed filters of few pixels take longer to read than the filters.

// CHECK-LABEL: kernel.func @few_pixels
// CHECK-SAME:    #kernel.cpu_contraction
kernel.func @few_pixels(%x: tensor<1x7x7x512xf32>, %w: tensor<512x3x3x512xf32>, %bias: tensor<512xf32>, %out: tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x7x7x512xf32> to tensor<1x9x9x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<1x9x9x512xf32>, tensor<512x3x3x512xf32>) outs(%init : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<1x7x7x512xf32>, tensor<512xf32>) outs(%out : tensor<1x7x7x512xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<1x7x7x512xf32>
  kernel.return %1 : tensor<1x7x7x512xf32>
}

// CHECK-LABEL: kernel.func @few_channels
// CHECK-SAME:    #kernel.cpu_contraction
kernel.func @few_channels(%x: tensor<1x32x32x3xf32>, %w: tensor<64x3x3x3xf32>, %bias: tensor<64xf32>, %out: tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x32x32x3xf32> to tensor<1x34x34x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<1x34x34x3xf32>, tensor<64x3x3x3xf32>) outs(%init : tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<1x32x32x64xf32>, tensor<64xf32>) outs(%out : tensor<1x32x32x64xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<1x32x32x64xf32>
  kernel.return %1 : tensor<1x32x32x64xf32>
}

// CHECK-LABEL: kernel.func @step_two
// CHECK-SAME:    #kernel.cpu_contraction
kernel.func @step_two(%x: tensor<1x33x33x64xf32>, %w: tensor<64x3x3x64xf32>, %out: tensor<1x16x16x64xf32>)
    -> tensor<1x16x16x64xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %w : tensor<1x33x33x64xf32>, tensor<64x3x3x64xf32>) outs(%init : tensor<1x16x16x64xf32>)
    -> tensor<1x16x16x64xf32>
  kernel.return %0 : tensor<1x16x16x64xf32>
}

// CHECK-LABEL: kernel.func @adds
// CHECK-SAME:    #kernel.cpu_contraction
kernel.func @adds(%x: tensor<1x34x34x64xf32>, %w: tensor<64x3x3x64xf32>, %start: tensor<1x32x32x64xf32>,
    %out: tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32> {
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x34x34x64xf32>, tensor<64x3x3x64xf32>) outs(%start : tensor<1x32x32x64xf32>)
    -> tensor<1x32x32x64xf32>
  kernel.return %0 : tensor<1x32x32x64xf32>
}
