// RUN: ourc-opt --pass-pipeline='builtin.module(kernel.func(ourc-split-coupled-reductions))' -split-input-file %s | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The last loop computes what the sum adds: terms become elements that both read.

// CHECK-LABEL: kernel.func @softmax
// CHECK-SAME:    (%[[X:.*]]: tensor<?x64xf32>, %[[OUT:.*]]: tensor<?x64xf32>)
// CHECK:         %[[MAX:.*]] = kernel.coupled_reduce ins(%[[X]] : tensor<?x64xf32>)
// CHECK:           arith.maximumf
// CHECK-NOT:       math.exp
// CHECK:         %[[ROWS:.*]] = tensor.dim %[[X]]
// CHECK:         %[[EMPTY:.*]] = tensor.empty(%[[ROWS]]) : tensor<?x64xf32>
// CHECK:         %[[TERMS:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[MAX]] : tensor<?x64xf32>, tensor<?xf32>) outs(%[[EMPTY]]
// CHECK:           %[[SHIFT:.*]] = arith.select
// CHECK:           %[[D:.*]] = arith.subf %{{.*}}, %[[SHIFT]]
// CHECK:           %[[E:.*]] = math.exp %[[D]]
// CHECK:           linalg.yield %[[E]]
// CHECK:         %[[SUM:.*]] = kernel.coupled_reduce ins(%[[TERMS]] : tensor<?x64xf32>)
// CHECK-NOT:       math.exp
// CHECK:           arith.addf
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[MAX]], %[[SUM]], %[[TERMS]] :
// CHECK:         ^bb0(%{{.*}}: f32, %{{.*}}: f32, %[[S:.*]]: f32, %[[T:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[Q:.*]] = arith.divf %[[T]], %[[S]]
// CHECK-NEXT:      linalg.yield %[[Q]]
kernel.func @softmax(%x: tensor<?x64xf32>, %out: tensor<?x64xf32>) -> tensor<?x64xf32>
    attributes {schedule = #kernel.cpu_row<lanes = 16, unroll = 4, grain = 1>} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%rows) : tensor<?xf32>
  %m, %s = kernel.coupled_reduce ins(%x : tensor<?x64xf32>) outs(%e, %e : tensor<?xf32>, tensor<?xf32>) dimensions = [1] init {
    kernel.yield %low, %zero : f32, f32
  } accumulate {
  ^bb0(%m0: f32, %s0: f32, %v: f32):
    %m1 = arith.maximumf %m0, %v : f32
    %is = arith.cmpf oeq, %m1, %low : f32
    %shift = arith.select %is, %zero, %m1 : f32
    %d = arith.subf %m0, %shift : f32
    %f = math.exp %d : f32
    %s1 = arith.mulf %s0, %f : f32
    %d1 = arith.subf %v, %shift : f32
    %f1 = math.exp %d1 : f32
    %s2 = arith.addf %s1, %f1 : f32
    kernel.yield %m1, %s2 : f32, f32
  } merge {
  ^bb0(%m0: f32, %s0: f32, %n: f32, %t: f32):
    %m1 = arith.maximumf %m0, %n : f32
    %d = arith.subf %m0, %m1 : f32
    %f = math.exp %d : f32
    %s1 = arith.mulf %s0, %f : f32
    %d1 = arith.subf %n, %m1 : f32
    %f1 = math.exp %d1 : f32
    %s2 = arith.mulf %t, %f1 : f32
    %s3 = arith.addf %s1, %s2 : f32
    kernel.yield %m1, %s3 : f32, f32
  } finish {
  ^bb0(%m0: f32, %s0: f32):
    kernel.yield %m0, %s0 : f32, f32
  } -> tensor<?xf32>, tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %s : tensor<?x64xf32>, tensor<?xf32>, tensor<?xf32>) outs(%out : tensor<?x64xf32>) {
  ^bb0(%v: f32, %a: f32, %b: f32, %o: f32):
    %is = arith.cmpf oeq, %a, %low : f32
    %shift = arith.select %is, %zero, %a : f32
    %d = arith.subf %v, %shift : f32
    %f = math.exp %d : f32
    %q = arith.divf %f, %b : f32
    linalg.yield %q : f32
  } -> tensor<?x64xf32>
  kernel.return %r : tensor<?x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// No loop needs the terms (log softmax): one operation as before. With `parts`,
// or in rows that no cache holds, terms are not kept either.

// CHECK-LABEL: kernel.func @log_softmax
// CHECK-COUNT-1: kernel.coupled_reduce
// CHECK-NOT:   kernel.coupled_reduce
// CHECK:       kernel.return
kernel.func @log_softmax(%x: tensor<8x64xf32>, %out: tensor<8x64xf32>) -> tensor<8x64xf32>
    attributes {schedule = #kernel.cpu_row<lanes = 16, unroll = 4, grain = 1>} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %m, %s = kernel.coupled_reduce ins(%x : tensor<8x64xf32>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) dimensions = [1] init {
    kernel.yield %low, %zero : f32, f32
  } accumulate {
  ^bb0(%m0: f32, %s0: f32, %v: f32):
    %m1 = arith.maximumf %m0, %v : f32
    %d = arith.subf %m0, %m1 : f32
    %f = math.exp %d : f32
    %s1 = arith.mulf %s0, %f : f32
    %d1 = arith.subf %v, %m1 : f32
    %f1 = math.exp %d1 : f32
    %s2 = arith.addf %s1, %f1 : f32
    kernel.yield %m1, %s2 : f32, f32
  } merge {
  ^bb0(%m0: f32, %s0: f32, %n: f32, %t: f32):
    %m1 = arith.maximumf %m0, %n : f32
    %d = arith.subf %m0, %m1 : f32
    %f = math.exp %d : f32
    %s1 = arith.mulf %s0, %f : f32
    %d1 = arith.subf %n, %m1 : f32
    %f1 = math.exp %d1 : f32
    %s2 = arith.mulf %t, %f1 : f32
    %s3 = arith.addf %s1, %s2 : f32
    kernel.yield %m1, %s3 : f32, f32
  } finish {
  ^bb0(%m0: f32, %s0: f32):
    kernel.yield %m0, %s0 : f32, f32
  } -> tensor<8xf32>, tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %s : tensor<8x64xf32>, tensor<8xf32>, tensor<8xf32>) outs(%out : tensor<8x64xf32>) {
  ^bb0(%v: f32, %a: f32, %b: f32, %o: f32):
    %d = arith.subf %v, %a : f32
    %l = math.log %b : f32
    %q = arith.subf %d, %l : f32
    linalg.yield %q : f32
  } -> tensor<8x64xf32>
  kernel.return %r : tensor<8x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: kernel.func @long_rows
// CHECK-COUNT-1: kernel.coupled_reduce
// CHECK-NOT:   kernel.coupled_reduce
// CHECK:       kernel.return
kernel.func @long_rows(%x: tensor<8x65537xf32>, %out: tensor<8x65537xf32>) -> tensor<8x65537xf32>
    attributes {schedule = #kernel.cpu_row<lanes = 16, unroll = 4, grain = 1>} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %m, %s = kernel.coupled_reduce ins(%x : tensor<8x65537xf32>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) dimensions = [1] init {
    kernel.yield %low, %zero : f32, f32
  } accumulate {
  ^bb0(%m0: f32, %s0: f32, %v: f32):
    %m1 = arith.maximumf %m0, %v : f32
    %d = arith.subf %m0, %m1 : f32
    %f = math.exp %d : f32
    %s1 = arith.mulf %s0, %f : f32
    %d1 = arith.subf %v, %m1 : f32
    %f1 = math.exp %d1 : f32
    %s2 = arith.addf %s1, %f1 : f32
    kernel.yield %m1, %s2 : f32, f32
  } merge {
  ^bb0(%m0: f32, %s0: f32, %n: f32, %t: f32):
    %m1 = arith.maximumf %m0, %n : f32
    %d = arith.subf %m0, %m1 : f32
    %f = math.exp %d : f32
    %s1 = arith.mulf %s0, %f : f32
    %d1 = arith.subf %n, %m1 : f32
    %f1 = math.exp %d1 : f32
    %s2 = arith.mulf %t, %f1 : f32
    %s3 = arith.addf %s1, %s2 : f32
    kernel.yield %m1, %s3 : f32, f32
  } finish {
  ^bb0(%m0: f32, %s0: f32):
    kernel.yield %m0, %s0 : f32, f32
  } -> tensor<8xf32>, tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %s : tensor<8x65537xf32>, tensor<8xf32>, tensor<8xf32>) outs(%out : tensor<8x65537xf32>) {
  ^bb0(%v: f32, %a: f32, %b: f32, %o: f32):
    %d = arith.subf %v, %a : f32
    %f = math.exp %d : f32
    %q = arith.divf %f, %b : f32
    linalg.yield %q : f32
  } -> tensor<8x65537xf32>
  kernel.return %r : tensor<8x65537xf32>
}
