// Rows that are neighbours in memory: a lane each, four threads share one; the last block has rows that are not there.
// RUN: %python %testlib/check_kernel.py --seeds=4 %s
//
// CASE: f16(randn(70, 45, scale=4))
// CASE: f16(edges(70, 45))
// REF: softmax(in0.T).T

#id = affine_map<(s, j) -> (s, j)>
#row = affine_map<(s, j) -> (j)>
kernel.func @softmax(%x: tensor<70x45xf16>, %out: tensor<70x45xf16>)
    -> tensor<70x45xf16> attributes {schedule = #kernel.gpu_row<threads = 4, columns = 32>} {
  %e = tensor.empty() : tensor<45xf32>
  %m, %z = kernel.coupled_reduce ins(%x : tensor<70x45xf16>) outs(%e, %e : tensor<45xf32>, tensor<45xf32>) dimensions = [0] init {
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
  } -> tensor<45xf32>, tensor<45xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %z : tensor<70x45xf16>, tensor<45xf32>, tensor<45xf32>) outs(%out : tensor<70x45xf16>) {
  ^bb0(%h: f16, %max: f32, %sum: f32, %u: f16):
    %v = arith.extf %h : f16 to f32
    %0 = arith.subf %v, %max : f32
    %1 = math.exp %0 : f32
    %2 = arith.divf %1, %sum : f32
    %3 = arith.truncf %2 : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<70x45xf16>
  kernel.return %r : tensor<70x45xf16>
}
