// RUN: ourc-opt -ourc-assign-strategies='target=cpu:x86-64-v4' -ourc-hoist-preparation %s | FileCheck %s
// RUN: ourc-opt -ourc-assign-strategies='target=cpu:x86-64-v4 strict=true' %s | FileCheck %s --check-prefix=STRICT
// RUN: ourc-opt -ourc-assign-strategies='target=cpu:x86-64-v4 pack=false' %s | FileCheck %s --check-prefix=STRICT

// Filters that come from a frozen weight are packed and transformed in @init.
// Those that the caller may change in each call are not worth it, nor is anything
// under `strict`, or where weights may not be copied.

// CHECK-LABEL: kernel.func @frozen
// CHECK-SAME:    %{{.*}}: tensor<1x4x4x32x32xf32>
// CHECK-SAME:    #kernel.cpu_winograd
// CHECK:         kernel.winograd_filter %{{.*}} : tensor<1x4x4x32x32xf32> -> tensor<32x3x3x32xf32>
// CHECK-LABEL: kernel.func @changing
// CHECK-SAME:    #kernel.cpu_contraction
// CHECK:       kernel.func @pack
// CHECK:         linalg.pack {{.*}} : tensor<32x3x3x32xf32> -> tensor<1x3x3x32x32xf32>
// CHECK:       kernel.func @winograd_transform
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4x3xf32>, tensor<4x3xf32>, tensor<1x3x3x32x32xf32>)
// CHECK-LABEL: func.func @init
// CHECK:         arith.constant dense<{{.*}}[1.000000e+00, 0.000000e+00, 0.000000e+00], [5.000000e-01, 5.000000e-01, 5.000000e-01], [5.000000e-01, -5.000000e-01, 5.000000e-01], [0.000000e+00, 0.000000e+00, 1.000000e+00]
// CHECK:         kernel.launch @pack
// CHECK:         kernel.launch @winograd_transform
// STRICT-NOT:  winograd

kernel.func @frozen(%x: tensor<1x16x16x32xf32>, %w: tensor<32x3x3x32xf32>, %bias: tensor<32xf32>, %out: tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x16x16x32xf32> to tensor<1x18x18x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<1x18x18x32xf32>, tensor<32x3x3x32xf32>) outs(%init : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<1x16x16x32xf32>, tensor<32xf32>) outs(%out : tensor<1x16x16x32xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<1x16x16x32xf32>
  kernel.return %1 : tensor<1x16x16x32xf32>
}
kernel.func @changing(%x: tensor<1x16x16x32xf32>, %w: tensor<32x3x3x32xf32>, %bias: tensor<32xf32>, %out: tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x16x16x32xf32> to tensor<1x18x18x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %0 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<1x18x18x32xf32>, tensor<32x3x3x32xf32>) outs(%init : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d) -> (a,b,c,d)>, affine_map<(a,b,c,d) -> (d)>, affine_map<(a,b,c,d) -> (a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%0, %bias : tensor<1x16x16x32xf32>, tensor<32xf32>) outs(%out : tensor<1x16x16x32xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32 } -> tensor<1x16x16x32xf32>
  kernel.return %1 : tensor<1x16x16x32xf32>
}
func.func @main(%x: tensor<1x16x16x32xf32>, %w: tensor<32x3x3x32xf32> {ourc.parameter = "w", ourc.frozen},
    %v: tensor<32x3x3x32xf32> {ourc.parameter = "v"}, %bias: tensor<32xf32>)
    -> (tensor<1x16x16x32xf32>, tensor<1x16x16x32xf32>) {
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %0 = kernel.launch @frozen(%x, %w, %bias) outs(%e) : (tensor<1x16x16x32xf32>, tensor<32x3x3x32xf32>, tensor<32xf32>)
    outs(tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %1 = kernel.launch @changing(%x, %v, %bias) outs(%e) : (tensor<1x16x16x32xf32>, tensor<32x3x3x32xf32>, tensor<32xf32>)
    outs(tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %0, %1 : tensor<1x16x16x32xf32>, tensor<1x16x16x32xf32>
}
