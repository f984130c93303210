// RUN: %python %testlib/check_kernel.py --seeds=3 %s
// MUTANTS: --dims=_=1,65,100
//
// CASE: f16(randn(100, 40)); f16(randn(72, 40)); randn(72)
// CASE: f16(randn(1, 40)); f16(randn(72, 40)); randn(72)
// CASE: f16(randn(65, 40)); f16(randn(72, 40)); randn(72)
// REF: gelu(in0 @ in1.T + in2)

// A linear layer's layouts: both operands along k, copied asynchronously.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#bias = affine_map<(m, n) -> (n)>
kernel.func @linear_gelu(%x: tensor<?x40xf16>, %w: tensor<72x40xf16>, %bias: tensor<72xf32>, %out: tensor<?x72xf16>)
    -> tensor<?x72xf16> attributes {schedule = #kernel.gpu_contraction<tileM = 64, tileN = 64, tileK = 32, warpsM = 2, warpsN = 2, stages = 3>} {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %c = arith.constant 0 : index
  %m = tensor.dim %x, %c : tensor<?x40xf16>
  %e = tensor.empty(%m) : tensor<?x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x72xf32>) -> tensor<?x72xf32>
  %mm = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x40xf16>, tensor<72x40xf16>) outs(%f : tensor<?x72xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %1 = arith.extf %p : f16 to f32
    %2 = arith.extf %q : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?x72xf32>
  %r = linalg.generic {indexing_maps = [#id, #bias, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mm, %bias : tensor<?x72xf32>, tensor<72xf32>) outs(%out : tensor<?x72xf16>) {
  ^bb0(%p: f32, %q: f32, %u: f16):
    %1 = arith.addf %p, %q : f32
    %2 = arith.mulf %1, %rsqrt2 : f32
    %3 = math.erf %2 : f32
    %4 = arith.addf %3, %one : f32
    %5 = arith.mulf %1, %half : f32
    %6 = arith.mulf %5, %4 : f32
    %7 = arith.truncf %6 : f32 to f16
    linalg.yield %7 : f16
  } -> tensor<?x72xf16>
  kernel.return %r : tensor<?x72xf16>
}
