// As long a tile, but operands begin anywhere: loops.
// RUN: %python %testlib/check_kernel.py --seeds=4 %s
//
// CASE: f16(randn(37, 49, scale=4))
// CASE: f16(edges(37, 49))
// REF: softmax(in0)

#id = affine_map<(s, j) -> (s, j)>
#row = affine_map<(s, j) -> (s)>
kernel.func @softmax(%x: tensor<37x49xf16>, %out: tensor<37x49xf16>)
    -> tensor<37x49xf16> attributes {schedule = #kernel.gpu_row<threads = 32, rows = 16, chunks = 2, staged = true>} {
  %e = tensor.empty() : tensor<37xf32>
  %m, %z = kernel.coupled_reduce ins(%x : tensor<37x49xf16>) outs(%e, %e : tensor<37xf32>, tensor<37xf32>) dimensions = [1] init {
    %ninf = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    kernel.yield %ninf, %zero : f32, f32
  } accumulate {
  ^bb0(%max: f32, %sum: f32, %h: f16):
    %v = arith.extf %h : f16 to f32
    %ninf = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %new = arith.maximumf %max, %v : f32
    %none = arith.cmpf oeq, %new, %ninf : f32
    %shift = arith.select %none, %zero, %new : f32
    %0 = arith.subf %max, %shift : f32
    %1 = math.exp %0 : f32
    %2 = arith.mulf %sum, %1 : f32
    %3 = arith.subf %v, %shift : f32
    %4 = math.exp %3 : f32
    %5 = arith.addf %2, %4 : f32
    kernel.yield %new, %5 : f32, f32
  } merge {
  ^bb0(%m0: f32, %s0: f32, %m1: f32, %s1: f32):
    %ninf = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %new = arith.maximumf %m0, %m1 : f32
    %none = arith.cmpf oeq, %new, %ninf : f32
    %shift = arith.select %none, %zero, %new : f32
    %0 = arith.subf %m0, %shift : f32
    %1 = math.exp %0 : f32
    %2 = arith.mulf %s0, %1 : f32
    %3 = arith.subf %m1, %shift : f32
    %4 = math.exp %3 : f32
    %5 = arith.mulf %s1, %4 : f32
    %6 = arith.addf %2, %5 : f32
    kernel.yield %new, %6 : f32, f32
  } finish {
  ^bb0(%max: f32, %sum: f32):
    kernel.yield %max, %sum : f32, f32
  } -> tensor<37xf32>, tensor<37xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %z : tensor<37x49xf16>, tensor<37xf32>, tensor<37xf32>) outs(%out : tensor<37x49xf16>) {
  ^bb0(%h: f16, %max: f32, %sum: f32, %u: f16):
    %v = arith.extf %h : f16 to f32
    %0 = arith.subf %v, %max : f32
    %1 = math.exp %0 : f32
    %2 = arith.divf %1, %sum : f32
    %3 = arith.truncf %2 : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<37x49xf16>
  kernel.return %r : tensor<37x49xf16>
}
