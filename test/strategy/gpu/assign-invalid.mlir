// RUN: ourc-opt %s -ourc-assign-strategies=target=simt -split-input-file -verify-diagnostics

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// The second reduction goes along the columns of what the first one scaled.
// expected-error @+7 {{no strategy of the target can make this kernel}}
// expected-note @+6 {{contraction: there is another reduction than a contraction}}
// expected-note @+5 {{attention: there is something else than an attention}}
// expected-note @+4 {{tile: there is another reduction than a contraction}}
// expected-note @+3 {{scatter: the kernel reduces}}
// expected-note @+2 {{row: a reduction reads another one across rows}}
// expected-note @+1 {{pointwise: threads would repeat a reduction for another one}}
kernel.func @both_ways(%x: tensor<8x8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%out : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #column], iterator_types = ["reduction", "parallel"]} ins(%x, %0 : tensor<8x8xf32>, tensor<8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %s: f32, %b: f32):
    %p = arith.mulf %a, %s : f32
    %1 = arith.addf %p, %b : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  kernel.return %2 : tensor<8xf32>
}

// -----

#id = affine_map<(b, h, w, c) -> (b, h, w, c)>
#pixels = affine_map<(b, h, w, c) -> (b, c)>

// A window that is not written as linalg.generic reduces too.
// expected-error @+7 {{no strategy of the target can make this kernel}}
// expected-note @+6 {{contraction: there is another reduction than a contraction}}
// expected-note @+5 {{attention: there is something else than an attention}}
// expected-note @+4 {{tile: there is another reduction than a contraction}}
// expected-note @+3 {{scatter: the kernel reduces}}
// expected-note @+2 {{row: a loop nest reduces in another way than along rows}}
// expected-note @+1 {{pointwise: threads would repeat a reduction for another one}}
kernel.func @mean_of_convolution(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x4xf32>, %out: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x6x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) outs(%f : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %g = linalg.fill ins(%zero : f32) outs(%out : tensor<1x4xf32>) -> tensor<1x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #pixels], iterator_types = ["parallel", "reduction", "reduction", "parallel"]} ins(%c : tensor<1x6x6x4xf32>) outs(%g : tensor<1x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<1x4xf32>
  kernel.return %0 : tensor<1x4xf32>
}
