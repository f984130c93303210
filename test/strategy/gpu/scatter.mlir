// RUN: ourc-opt %s -ourc-assign-strategies=target=simt | FileCheck %s

#transposed = affine_map<(i, h, d) -> (h, i, d)>
#id = affine_map<(i, h, d) -> (i, h, d)>

// Rows of a cache, with the loop that makes them: one thread a head and column.
// CHECK: kernel.func @cache
// CHECK-SAME: schedule = #kernel.gpu_scatter<threads = 128>
kernel.func @cache(%x: tensor<12x1x64xf32>, %i: tensor<1xi64>, %out: tensor<12x512x64xf32>) -> tensor<12x512x64xf32> {
  %e = tensor.empty() : tensor<1x12x64xf32>
  %u = linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<12x1x64xf32>) outs(%e : tensor<1x12x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<1x12x64xf32>
  %r = kernel.scatter updates(%u : tensor<1x12x64xf32>) at(%i : tensor<1xi64>) outs(%out : tensor<12x512x64xf32>) axes = [1] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<12x512x64xf32>
  kernel.return %r : tensor<12x512x64xf32>
}
