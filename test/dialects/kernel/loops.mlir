// RUN: ourc-opt %s | ourc-opt | FileCheck %s
// RUN: ourc-opt %s --mlir-print-op-generic | ourc-opt | FileCheck %s

// The maximum and the sum of exponentials of softmax.

// CHECK-LABEL: func.func @coupled_reduce
// CHECK-SAME: %[[X:.*]]: tensor<4x?xf32>, %[[E:.*]]: tensor<4xf32>
func.func @coupled_reduce(%x: tensor<4x?xf32>, %e: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[R:.*]]:2 = kernel.coupled_reduce ins(%[[X]] : tensor<4x?xf32>) outs(%[[E]], %[[E]] : tensor<4xf32>, tensor<4xf32>) dimensions = [1] init {
  %0:2 = kernel.coupled_reduce ins(%x : tensor<4x?xf32>) outs(%e, %e : tensor<4xf32>, tensor<4xf32>) dimensions = [1] init {
    %ninf = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    // CHECK: kernel.yield %{{.*}}, %{{.*}} : f32, f32
    kernel.yield %ninf, %zero : f32, f32
  // CHECK: } accumulate {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
  } accumulate {
  ^bb0(%max: f32, %sum: f32, %v: f32):
    %m = arith.maximumf %max, %v : f32
    %s = arith.addf %sum, %v : f32
    kernel.yield %m, %s : f32, f32
  // CHECK: } merge {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
  } merge {
  ^bb0(%m0: f32, %s0: f32, %m1: f32, %s1: f32):
    %m = arith.maximumf %m0, %m1 : f32
    %s = arith.addf %s0, %s1 : f32
    kernel.yield %m, %s : f32, f32
  // CHECK: } finish {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
  } finish {
  ^bb0(%max: f32, %sum: f32):
    kernel.yield %max, %sum : f32, f32
  // CHECK: } -> tensor<4xf32>, tensor<4xf32>
  } -> tensor<4xf32>, tensor<4xf32>
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

#q = affine_map<(b, s, t, d, e) -> (b, s, d)>
#k = affine_map<(b, s, t, d, e) -> (t, b, d)>
#v = affine_map<(b, s, t, d, e) -> (b, t, e)>
#m = affine_map<(b, s, t, d, e) -> (0, t)>
#o = affine_map<(b, s, t, d, e) -> (b, s, e)>

// CHECK-LABEL: func.func @attention
// CHECK-SAME: %[[Q:.*]]: tensor<2x?x8xf16>, %[[K:.*]]: tensor<7x2x8xf16>, %[[V:.*]]: tensor<2x7x5xf16>, %[[M:.*]]: tensor<1x7xi8>, %[[E:.*]]: tensor<2x?x5xf16>
func.func @attention(%q: tensor<2x?x8xf16>, %k: tensor<7x2x8xf16>, %v: tensor<2x7x5xf16>, %m: tensor<1x7xi8>, %e: tensor<2x?x5xf16>) -> tensor<2x?x5xf16> {
  // CHECK: %[[R:.*]] = kernel.attention queries(%[[Q]] : tensor<2x?x8xf16>) keys(%[[K]] : tensor<7x2x8xf16>) values(%[[V]] : tensor<2x7x5xf16>) score_operands(%[[M]] : tensor<1x7xi8>) outs(%[[E]] : tensor<2x?x5xf16>) scale = 2.500000e-01 causal zero_masked_rows maps = [
  %0 = kernel.attention queries(%q : tensor<2x?x8xf16>) keys(%k : tensor<7x2x8xf16>) values(%v : tensor<2x7x5xf16>) score_operands(%m : tensor<1x7xi8>) outs(%e : tensor<2x?x5xf16>) scale = 0.25 causal zero_masked_rows maps = [#q, #k, #v, #m, #o] {
  // CHECK: ^bb0(%[[S:.*]]: f32, %{{.*}}: i8):
  ^bb0(%s: f32, %b: i8):
    // CHECK: kernel.yield %[[S]] : f32
    kernel.yield %s : f32
  // CHECK: } -> tensor<2x?x5xf16>
  } -> tensor<2x?x5xf16>
  return %0 : tensor<2x?x5xf16>
}

// CHECK-LABEL: func.func @plain_attention
func.func @plain_attention(%q: tensor<2x9x8xf32>, %v: tensor<2x9x5xf32>, %e: tensor<2x9x5xf32>) -> tensor<2x9x5xf32> {
  // CHECK: kernel.attention queries(%{{.*}}) keys(%{{.*}}) values(%{{.*}}) outs(%{{.*}}) scale = 1.000000e+00 maps = [
  %0 = kernel.attention queries(%q : tensor<2x9x8xf32>) keys(%q : tensor<2x9x8xf32>) values(%v : tensor<2x9x5xf32>) outs(%e : tensor<2x9x5xf32>) scale = 1.0 maps = [#q, affine_map<(b, s, t, d, e) -> (b, t, d)>, #v, #o] {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } -> tensor<2x9x5xf32>
  return %0 : tensor<2x9x5xf32>
}

// CHECK-LABEL: func.func @scatter
func.func @scatter(%u: tensor<2x4x8xf32>, %i: tensor<2xi64>, %x: tensor<4x?x8xf32>) -> tensor<4x?x8xf32> {
  // CHECK: kernel.scatter updates(%{{.*}} : tensor<2x4x8xf32>) at(%{{.*}} : tensor<2xi64>) outs(%{{.*}} : tensor<4x?x8xf32>) axes = [1] {
  %0 = kernel.scatter updates(%u : tensor<2x4x8xf32>) at(%i : tensor<2xi64>) outs(%x : tensor<4x?x8xf32>) axes = [1] {
  // CHECK: ^bb0(%{{.*}}: f32, %[[NEW:.*]]: f32):
  ^bb0(%old: f32, %new: f32):
    // CHECK: kernel.yield %[[NEW]] : f32
    kernel.yield %new : f32
  // CHECK: } -> tensor<4x?x8xf32>
  } -> tensor<4x?x8xf32>
  return %0 : tensor<4x?x8xf32>
}
