// RUN: ourc-opt -ourc-kernel-to-cpu -canonicalize -cse -split-input-file %s | FileCheck %s

// One row an iteration: several vectors are reduced at a time, then merged by
// halves.

// CHECK-LABEL: func.func private @sum.task0
// CHECK:         scf.for
// CHECK:           %[[PARTS:.*]]:4 = scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-4:     arith.addf {{.*}} fastmath<contract> : vector<16xf32>
// CHECK:           arith.addf %[[PARTS]]#0, %[[PARTS]]#1 fastmath<contract>
// CHECK:           arith.addf %[[PARTS]]#2, %[[PARTS]]#3 fastmath<contract>
// CHECK:           arith.addf {{.*}} : vector<8xf32>
// CHECK:           arith.addf {{.*}} : vector<4xf32>
// CHECK:           arith.addf {{.*}} : vector<2xf32>
// CHECK:           arith.addf {{.*}} : f32
// CHECK:           llvm.store {{.*}} : f32
kernel.func @sum(%x: tensor<8x256xf32>, %out: tensor<8xf32>) -> tensor<8xf32>
    attributes {schedule = #kernel.cpu_row<lanes = 16, unroll = 4, grain = 1>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<8x256xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  kernel.return %r : tensor<8xf32>
}

// -----

// The dimension that is contiguous is not reduced: lanes reduce apart, several
// vectors of them.

// CHECK-LABEL: func.func private @columns.task0
// CHECK:         scf.for
// CHECK:           %[[SUM:.*]] = scf.for {{.*}} -> (vector<64xf32>)
// CHECK:             arith.addf
// CHECK-NOT:       vector.reduction
// CHECK:           llvm.store {{.*}} : vector<64xf32>
kernel.func @columns(%x: tensor<8x256xf32>, %out: tensor<256xf32>) -> tensor<256xf32>
    attributes {schedule = #kernel.cpu_row<lanes = 16, unroll = 4, grain = 1>} {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<256xf32>) -> tensor<256xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (j)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<8x256xf32>) outs(%init : tensor<256xf32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<256xf32>
  kernel.return %r : tensor<256xf32>
}

// -----

// What a sum and the result both need, and is dear, is kept in memory of the
// thread: one tanh.

// CHECK-LABEL: func.func private @kept.task0
// CHECK:         %[[ROW:.*]] = call @ourc_thread_scratch
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             math.copysign
// CHECK:             llvm.store
// CHECK-NOT:         math.copysign
// CHECK:           return
kernel.func @kept(%x: tensor<8x64xf32>, %out: tensor<8x64xf32>) -> tensor<8x64xf32>
    attributes {schedule = #kernel.cpu_row<lanes = 16, unroll = 1, grain = 1>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %es = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%es : tensor<8xf32>) -> tensor<8xf32>
  %t = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%v: f32, %u: f32):
    %y = math.tanh %v : f32
    linalg.yield %y : f32
  } -> tensor<8x64xf32>
  %s = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%t : tensor<8x64xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%v: f32, %u: f32):
    %y = arith.addf %u, %v : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%t, %s : tensor<8x64xf32>, tensor<8xf32>) outs(%out : tensor<8x64xf32>) {
  ^bb0(%v: f32, %w: f32, %u: f32):
    %y = arith.subf %v, %w : f32
    linalg.yield %y : f32
  } -> tensor<8x64xf32>
  kernel.return %r : tensor<8x64xf32>
}

// -----

// The form of softmax: first the maximum alone, then the sum, without an
// exponential for the sum's scale in each step.

// CHECK-LABEL: func.func private @log_sum_exp.task0
// CHECK:         scf.for
// CHECK:           scf.for {{.*}} -> (vector<16xf32>)
// CHECK-NOT:         math.fma
// CHECK:             scf.yield
// CHECK:           scf.for {{.*}} -> (vector<16xf32>)
// CHECK:             math.fma
// CHECK:             arith.addf {{.*}} fastmath<contract>
// CHECK:             scf.yield
kernel.func @log_sum_exp(%x: tensor<8x64xf32>, %m: tensor<8xf32>, %s: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    attributes {schedule = #kernel.cpu_row<lanes = 16, unroll = 1, grain = 1>} {
  %r:2 = kernel.coupled_reduce ins(%x : tensor<8x64xf32>) outs(%m, %s : tensor<8xf32>, tensor<8xf32>)
      dimensions = [1] init {
    %low = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    kernel.yield %low, %zero : f32, f32
  } accumulate {
  ^bb0(%max: f32, %sum: f32, %v: f32):
    %new = arith.maximumf %max, %v : f32
    %old = arith.subf %max, %new : f32
    %factor = math.exp %old : f32
    %scaled = arith.mulf %sum, %factor : f32
    %difference = arith.subf %v, %new : f32
    %e = math.exp %difference : f32
    %added = arith.addf %scaled, %e : f32
    kernel.yield %new, %added : f32, f32
  } merge {
  ^bb0(%max0: f32, %sum0: f32, %max1: f32, %sum1: f32):
    %new = arith.maximumf %max0, %max1 : f32
    %d0 = arith.subf %max0, %new : f32
    %e0 = math.exp %d0 : f32
    %s0 = arith.mulf %sum0, %e0 : f32
    %d1 = arith.subf %max1, %new : f32
    %e1 = math.exp %d1 : f32
    %s1 = arith.mulf %sum1, %e1 : f32
    %added = arith.addf %s0, %s1 : f32
    kernel.yield %new, %added : f32, f32
  } finish {
  ^bb0(%max: f32, %sum: f32):
    kernel.yield %max, %sum : f32, f32
  } -> tensor<8xf32>, tensor<8xf32>
  kernel.return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
