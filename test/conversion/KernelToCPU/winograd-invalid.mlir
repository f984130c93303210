// RUN: ourc-opt -ourc-kernel-to-cpu -split-input-file -verify-diagnostics %s

// expected-error@+1 {{has a schedule whose nr is no multiple of its lanes: #kernel.cpu_winograd<mr = 8, nr = 24, tiles = 8, lanes = 16>}}
kernel.func @conv(%x: tensor<1x8x8x16xf32>, %u: tensor<1x4x4x16x32xf32>, %bias: tensor<32xf32>, %out: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    attributes {schedule = #kernel.cpu_winograd<mr = 8, nr = 24, tiles = 8, lanes = 16>} {
  %w = kernel.winograd_filter %u : tensor<1x4x4x16x32xf32> -> tensor<32x3x3x16xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x16xf32> to tensor<1x10x10x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<1x10x10x16xf32>, tensor<32x3x3x16xf32>) outs(%init : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<1x8x8x32xf32>, tensor<32xf32>) outs(%out : tensor<1x8x8x32xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<1x8x8x32xf32>
  kernel.return %1 : tensor<1x8x8x32xf32>
}

// -----

// expected-error@+1 {{has filters transformed in panels of 32, but the schedule's nr is 16}}
kernel.func @conv(%x: tensor<1x8x8x16xf32>, %u: tensor<1x4x4x16x32xf32>, %bias: tensor<32xf32>, %out: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    attributes {schedule = #kernel.cpu_winograd<mr = 8, nr = 16, tiles = 8, lanes = 16>} {
  %w = kernel.winograd_filter %u : tensor<1x4x4x16x32xf32> -> tensor<32x3x3x16xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x16xf32> to tensor<1x10x10x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<1x10x10x16xf32>, tensor<32x3x3x16xf32>) outs(%init : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<1x8x8x32xf32>, tensor<32xf32>) outs(%out : tensor<1x8x8x32xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<1x8x8x32xf32>
  kernel.return %1 : tensor<1x8x8x32xf32>
}

// -----

// expected-error@+1 {{has filters that are not transformed, as the strategy winograd needs them}}
kernel.func @conv(%x: tensor<1x8x8x16xf32>, %w: tensor<32x3x3x16xf32>, %bias: tensor<32xf32>, %out: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    attributes {schedule = #kernel.cpu_winograd<mr = 8, nr = 32, tiles = 8, lanes = 16>} {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x16xf32> to tensor<1x10x10x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<1x10x10x16xf32>, tensor<32x3x3x16xf32>) outs(%init : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<1x8x8x32xf32>, tensor<32xf32>) outs(%out : tensor<1x8x8x32xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<1x8x8x32xf32>
  kernel.return %1 : tensor<1x8x8x32xf32>
}

// -----

// expected-error@+1 {{has transformed filters, but its schedule is not for them: #kernel.cpu_contraction<mr = 8, nr = 32, kb = 0, lanes = 16, splitN = true>}}
kernel.func @conv(%x: tensor<1x8x8x16xf32>, %u: tensor<1x4x4x16x32xf32>, %bias: tensor<32xf32>, %out: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    attributes {schedule = #kernel.cpu_contraction<mr = 8, nr = 32, kb = 0, lanes = 16, splitN = true>} {
  %w = kernel.winograd_filter %u : tensor<1x4x4x16x32xf32> -> tensor<32x3x3x16xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x16xf32> to tensor<1x10x10x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<1x10x10x16xf32>, tensor<32x3x3x16xf32>) outs(%init : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<1x8x8x32xf32>, tensor<32xf32>) outs(%out : tensor<1x8x8x32xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<1x8x8x32xf32>
  kernel.return %1 : tensor<1x8x8x32xf32>
}

// -----

// expected-error@+1 {{cannot be made by the strategy winograd: it is no 3x3 convolution of step one, channels last}}
kernel.func @conv(%x: tensor<1x8x8x16xf32>, %w: tensor<32x3x3x16xf32>, %bias: tensor<32xf32>, %out: tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32>
    attributes {schedule = #kernel.cpu_winograd<mr = 8, nr = 32, tiles = 8, lanes = 16>} {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x16xf32> to tensor<1x10x10x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%p, %w : tensor<1x10x10x16xf32>, tensor<32x3x3x16xf32>) outs(%init : tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<1x4x4x32xf32>, tensor<32xf32>) outs(%out : tensor<1x4x4x32xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<1x4x4x32xf32>
  kernel.return %1 : tensor<1x4x4x32xf32>
}
