// RUN: ourc-opt %s -ourc-form-kernels='target=cpu:x86-64-v4' -cse | FileCheck %s
// RUN: ourc-opt %s -ourc-form-kernels='target=cpu:x86-64-v4' --remarks-filter-missed=ourc-form-kernels \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

ourc.symbol @batch {min = 1 : i64, max = 64 : i64}

// The bias joins the contraction; dimensions are named; the reshape stays in
// the graph.
// CHECK: kernel.func @[[K:.*]](%[[X:.*]]: tensor<?x64xf32> {ourc.shape = [@d0, 64]}, %[[W:.*]]: tensor<96x64xf32>, %[[B:.*]]: tensor<96xf32>,
// CHECK-SAME: %[[OUT:.*]]: tensor<?x96xf32> {ourc.shape = [@d0, 96]}) -> tensor<?x96xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[W]]
// CHECK: linalg.generic {{.*}} outs(%[[OUT]]
// CHECK: kernel.return

// CHECK: func.func @main
// CHECK: %[[N:.*]] = ourc.dim @batch
// CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x96xf32>
// CHECK: %[[L:.*]] = kernel.launch @[[K]](%{{.*}}) outs(%[[E]])
// CHECK: %[[V:.*]] = tensor.expand_shape %[[L]]
// CHECK: return %[[V]]

// The weight's preparation is not pulled into the call.
// REMARK: NotFused
// REMARK-SAME: one of them is prepared ahead of the call
func.func @main(%x: tensor<?x64xf32> {ourc.name = "x", ourc.shape = [@batch, 64]},
                %w: tensor<96x64xf32> {ourc.parameter = "w", ourc.frozen},
                %b: tensor<96xf32> {ourc.parameter = "b", ourc.frozen}) -> tensor<?x8x12xf32> {
  %zero = arith.constant 0.0 : f32
  %n = ourc.dim @batch : index
  %ew = tensor.empty() : tensor<96x64xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>],
                            iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<96x64xf32>) outs(%ew : tensor<96x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<96x64xf32>
  %e = tensor.empty(%n) : tensor<?x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x96xf32>) -> tensor<?x96xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %scaled : tensor<?x64xf32>, tensor<96x64xf32>) outs(%f : tensor<?x96xf32>) {
  ^bb0(%a: f32, %c: f32, %acc: f32):
    %p = arith.mulf %a, %c fastmath<contract> : f32
    %s = arith.addf %acc, %p fastmath<contract> : f32
    linalg.yield %s : f32
  } -> tensor<?x96xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%0, %b : tensor<?x96xf32>, tensor<96xf32>) outs(%e : tensor<?x96xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c fastmath<contract> : f32
    linalg.yield %s : f32
  } -> tensor<?x96xf32>
  %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [%n, 8, 12] : tensor<?x96xf32> into tensor<?x8x12xf32>
  return %2 : tensor<?x8x12xf32>
}
