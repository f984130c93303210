// RUN: %python %testlib/check_kernel.py --seeds=3 %s
// MUTANTS: --dims=_=1,65,100
//
// CASE: f16(randn(40, 296)); f16(randn(40, 296)); randn(40)
// REF: gelu(in0 @ in1.T + in2)

// The least that a ring can be, and rows of 128 bytes.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#bias = affine_map<(m, n) -> (n)>
kernel.func @linear_gelu(%x: tensor<40x296xf16>, %w: tensor<40x296xf16>, %bias: tensor<40xf32>, %out: tensor<40x40xf16>)
    -> tensor<40x40xf16> attributes {schedule = #kernel.gpu_contraction<tileM = 32, tileN = 64, tileK = 64, warpsM = 1, warpsN = 2, stages = 2>} {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %e = tensor.empty() : tensor<40x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x40xf32>) -> tensor<40x40xf32>
  %mm = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<40x296xf16>, tensor<40x296xf16>) outs(%f : tensor<40x40xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %1 = arith.extf %p : f16 to f32
    %2 = arith.extf %q : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<40x40xf32>
  %r = linalg.generic {indexing_maps = [#id, #bias, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mm, %bias : tensor<40x40xf32>, tensor<40xf32>) outs(%out : tensor<40x40xf16>) {
  ^bb0(%p: f32, %q: f32, %u: f16):
    %1 = arith.addf %p, %q : f32
    %2 = arith.mulf %1, %rsqrt2 : f32
    %3 = math.erf %2 : f32
    %4 = arith.addf %3, %one : f32
    %5 = arith.mulf %1, %half : f32
    %6 = arith.mulf %5, %4 : f32
    %7 = arith.truncf %6 : f32 to f16
    linalg.yield %7 : f16
  } -> tensor<40x40xf16>
  kernel.return %r : tensor<40x40xf16>
}
