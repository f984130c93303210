// RUN: %python %testlib/check_kernel.py --seeds=4 %s
// MUTANTS: --dims=b=1,2;s=3;n=1,77,300
//
// CASE: f16(randn(3, 5, 300))
// CASE: f16(randn(1, 1, 1))
// CASE: f16(randn(2, 3, 1000, scale=8))
// CASE: f16(edges(4, 2, 77))
// REF: softmax(in0)

#id = affine_map<(b, s, j) -> (b, s, j)>
#row = affine_map<(b, s, j) -> (b, s)>
kernel.func @softmax(%x: tensor<?x?x?xf16> {ourc.shape = [@b, @s, @n]}, %out: tensor<?x?x?xf16> {ourc.shape = [@b, @s, @n]})
    -> tensor<?x?x?xf16> attributes {schedule = #kernel.gpu_row<threads = 64>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x?xf16>
  %s = tensor.dim %x, %c1 : tensor<?x?x?xf16>
  %e = tensor.empty(%b, %s) : tensor<?x?xf32>
  %m, %z = kernel.coupled_reduce ins(%x : tensor<?x?x?xf16>) outs(%e, %e : tensor<?x?xf32>, tensor<?x?xf32>) dimensions = [2] init {
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
  } -> tensor<?x?xf32>, tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %m, %z : tensor<?x?x?xf16>, tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?x?xf16>) {
  ^bb0(%h: f16, %max: f32, %sum: f32, %u: f16):
    %v = arith.extf %h : f16 to f32
    %0 = arith.subf %v, %max : f32
    %1 = math.exp %0 : f32
    %2 = arith.divf %1, %sum : f32
    %3 = arith.truncf %2 : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<?x?x?xf16>
  kernel.return %r : tensor<?x?x?xf16>
}
