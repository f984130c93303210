// Eight neighbours a thread: f16 in one access, f32 in two, a row that all rows share, and columns that have no
// neighbours in memory. Results of another shape are made beside it.
// RUN: %python %testlib/check_kernel.py --seeds=3 %s
//
// CASE: f16(randn(20, 24)) ; randn(20, 24); f16(randn(24)); randn(24, 20)
// CASE: f16(edges(20, 24)) ; edges(20, 24); f16(edges(24)); edges(24, 20)
// REF: in0 + in1 * in2 + in3.T
// REF: in0 * in1
#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
#b = affine_map<(i, j) -> (j)>
kernel.func @p(%x: tensor<20x24xf16>, %y: tensor<20x24xf32>, %z: tensor<24xf16>, %c: tensor<24x20xf32>, %o: tensor<20x24xf32>, %q: tensor<20x24xf16>)
    -> (tensor<20x24xf32>, tensor<20x24xf16>) attributes {schedule = #kernel.gpu_pointwise<threads = 64, width = 8>} {
  %0 = linalg.generic {indexing_maps = [#id, #id, #b, #t, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y, %z, %c : tensor<20x24xf16>, tensor<20x24xf32>, tensor<24xf16>, tensor<24x20xf32>) outs(%o : tensor<20x24xf32>) {
  ^bb0(%a: f16, %b: f32, %s: f16, %d: f32, %u: f32):
    %e = arith.extf %a : f16 to f32
    %f = arith.extf %s : f16 to f32
    %1 = arith.mulf %b, %f : f32
    %2 = arith.addf %e, %1 : f32
    %3 = arith.addf %2, %d : f32
    linalg.yield %3 : f32
  } -> tensor<20x24xf32>
  %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<20x24xf16>, tensor<20x24xf32>) outs(%q : tensor<20x24xf16>) {
  ^bb0(%a: f16, %b: f32, %u: f16):
    %e = arith.extf %a : f16 to f32
    %1 = arith.mulf %e, %b : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<20x24xf16>
  kernel.return %0, %4 : tensor<20x24xf32>, tensor<20x24xf16>
}
