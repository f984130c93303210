// Rows of seven: what has the result's shape is read in fours across their ends, the rest one by one.
// RUN: %python %testlib/check_kernel.py --seeds=3 %s
//
// CASE: randn(12, 7) ; randn(7)
// CASE: edges(12, 7) ; edges(7)
// REF: in0 * in1
#id = affine_map<(i, j) -> (i, j)>
#b = affine_map<(i, j) -> (j)>
kernel.func @p(%x: tensor<12x7xf32>, %z: tensor<7xf32>, %o: tensor<12x7xf32>) -> tensor<12x7xf32>
    attributes {schedule = #kernel.gpu_pointwise<threads = 32, width = 4>} {
  %0 = linalg.generic {indexing_maps = [#id, #b, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %z : tensor<12x7xf32>, tensor<7xf32>) outs(%o : tensor<12x7xf32>) {
  ^bb0(%a: f32, %b: f32, %u: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<12x7xf32>
  kernel.return %0 : tensor<12x7xf32>
}
