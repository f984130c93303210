// RUN: %python %testlib/check_kernel.py --seeds=4 %s
// MUTANTS: --dims=_=1,5
//
// CASE: randn(7, 384) + 3 ; randn(384) ; randn(384)
// CASE: randn(1, 384, scale=100) ; randn(384) ; randn(384)
// REF: layer_norm(in0) * in1 + in2

#id = affine_map<(s, j) -> (s, j)>
#row = affine_map<(s, j) -> (s)>
#column = affine_map<(s, j) -> (j)>
kernel.func @layer_norm(%x: tensor<?x384xf32>, %w: tensor<384xf32>, %b: tensor<384xf32>, %out: tensor<?x384xf32>)
    -> tensor<?x384xf32> attributes {schedule = #kernel.gpu_row<threads = 128>} {
  %c0 = arith.constant 0 : index
  %s = tensor.dim %x, %c0 : tensor<?x384xf32>
  %e = tensor.empty(%s) : tensor<?xf32>
  %m, %rate = kernel.coupled_reduce ins(%x : tensor<?x384xf32>) outs(%e, %e : tensor<?xf32>, tensor<?xf32>) dimensions = [1] init {
    %zero = arith.constant 0.0 : f32
    kernel.yield %zero, %zero, %zero : f32, f32, f32
  } accumulate {
  ^bb0(%count: f32, %mean: f32, %squares: f32, %v: f32):
    %one = arith.constant 1.0 : f32
    %0 = arith.addf %count, %one : f32
    %1 = arith.subf %v, %mean : f32
    %2 = arith.divf %1, %0 : f32
    %3 = arith.addf %mean, %2 : f32
    %4 = arith.subf %v, %3 : f32
    %5 = arith.mulf %1, %4 : f32
    %6 = arith.addf %squares, %5 : f32
    kernel.yield %0, %3, %6 : f32, f32, f32
  } merge {
  ^bb0(%n0: f32, %m0: f32, %q0: f32, %n1: f32, %m1: f32, %q1: f32):
    %zero = arith.constant 0.0 : f32
    %n = arith.addf %n0, %n1 : f32
    %ratio = arith.divf %n1, %n : f32
    %none = arith.cmpf oeq, %n, %zero : f32
    %share = arith.select %none, %zero, %ratio : f32
    %d = arith.subf %m1, %m0 : f32
    %0 = arith.mulf %d, %share : f32
    %1 = arith.addf %m0, %0 : f32
    %2 = arith.mulf %d, %d : f32
    %3 = arith.mulf %n0, %share : f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %q0, %q1 : f32
    %6 = arith.addf %5, %4 : f32
    kernel.yield %n, %1, %6 : f32, f32, f32
  } finish {
  ^bb0(%n: f32, %mean: f32, %q: f32):
    %eps = arith.constant 1.0e-5 : f32
    %one = arith.constant 1.0 : f32
    %0 = arith.divf %q, %n : f32
    %1 = arith.addf %0, %eps : f32
    %2 = math.sqrt %1 : f32
    %3 = arith.divf %one, %2 : f32
    kernel.yield %mean, %3 : f32, f32
  } -> tensor<?xf32>, tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #row, #column, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %rate, %w, %b : tensor<?x384xf32>, tensor<?xf32>, tensor<?xf32>, tensor<384xf32>, tensor<384xf32>) outs(%out : tensor<?x384xf32>) {
  ^bb0(%v: f32, %mean: f32, %q: f32, %g: f32, %h: f32, %u: f32):
    %0 = arith.subf %v, %mean : f32
    %1 = arith.mulf %0, %q : f32
    %2 = arith.mulf %1, %g : f32
    %3 = arith.addf %2, %h : f32
    linalg.yield %3 : f32
  } -> tensor<?x384xf32>
  kernel.return %r : tensor<?x384xf32>
}
