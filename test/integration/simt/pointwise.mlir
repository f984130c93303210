// RUN: %python %testlib/check_kernel.py --seeds=3 %s
// MUTANTS: --dims=_=5,133;s=5,133;b=5,133
//
// CASE: randn(5,7) ; randn(7,5); f16(randn(7))
// CASE: randn(133,7) ; randn(7,133); f16(randn(7))
// CASE: edges(70,7) ; randn(7,70); f16(edges(7))
// REF: np.exp(in0+in1.T)*in2
#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#b = affine_map<(d0, d1) -> (d1)>
kernel.func @p(%x: tensor<?x7xf32>, %y: tensor<7x?xf32>, %z: tensor<7xf16>, %o: tensor<?x7xf32>) -> tensor<?x7xf32> attributes {schedule = #kernel.gpu_pointwise<threads = 128>} {
  %0 = linalg.generic {indexing_maps = [#id, #t, #b, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y, %z : tensor<?x7xf32>, tensor<7x?xf32>, tensor<7xf16>) outs(%o : tensor<?x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f16, %d: f32):
    %e = arith.extf %c : f16 to f32
    %1 = arith.addf %a, %b : f32
    %2 = math.exp %1 : f32
    %3 = arith.mulf %2, %e : f32
    linalg.yield %3 : f32
  } -> tensor<?x7xf32>
  kernel.return %0 : tensor<?x7xf32>
}
