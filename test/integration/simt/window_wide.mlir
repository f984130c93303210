// Eight channels a thread, whose windows are gone over together; rows of padding around the image.
// RUN: %python %testlib/check_kernel.py --seeds=3 %s
// RUN: ourc-opt %s -ourc-kernel-to-ptx-pipeline=chip=sm_80 | %python %testlib/assemble_ptx.py sm_80 sm_90 | FileCheck %s
// CHECK: .visible .entry depthwise_kernel
// CHECK: ld.global{{.*}}.v4.
// CHECK: st.global{{.*}}.v4.
// CHECK: assembled for sm_90
//
// CASE: f16(randn(1, 5, 4, 16)) ; f16(randn(3, 3, 16))
// CASE: f16(edges(1, 5, 4, 16)) ; f16(edges(3, 3, 16))
// REF: sum(np.pad(in0, ((0, 0), (1, 1), (1, 1), (0, 0)))[:, i:i + 5, j:j + 4] * in1[i, j] for i in range(3) for j in range(3))
#x = affine_map<(n, h, w, c, i, j) -> (n, h + i, w + j, c)>
#f = affine_map<(n, h, w, c, i, j) -> (i, j, c)>
#o = affine_map<(n, h, w, c, i, j) -> (n, h, w, c)>
#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
kernel.func @depthwise(%x: tensor<1x5x4x16xf16>, %w: tensor<3x3x16xf16>, %out: tensor<1x5x4x16xf32>) -> tensor<1x5x4x16xf32>
    attributes {schedule = #kernel.gpu_pointwise<threads = 32, width = 8>} {
  %none = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %none : f16
  } : tensor<1x5x4x16xf16> to tensor<1x7x6x16xf16>
  %f = linalg.fill ins(%zero : f32) outs(%out : tensor<1x5x4x16xf32>) -> tensor<1x5x4x16xf32>
  %r = linalg.generic {indexing_maps = [#x, #f, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %w : tensor<1x7x6x16xf16>, tensor<3x3x16xf16>) outs(%f : tensor<1x5x4x16xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %1 = arith.extf %p : f16 to f32
    %2 = arith.extf %q : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x5x4x16xf32>
  kernel.return %r : tensor<1x5x4x16xf32>
}
