// RUN: ourc-opt -ourc-kernel-to-cpu %s | FileCheck %s

// Scores of a block of keys go to scratch memory, become weights there, and
// multiply the values; no buffer has the size of all scores.

// CHECK-LABEL: func.func private @attention.task0
// CHECK:       call @ourc_thread_scratch
//              Keys are transposed in registers.
// CHECK:       vector.shuffle
//              Blocks of keys.
// CHECK:       scf.for {{.*}} step %c64_i64
//              Q K^T for a panel of two vectors, then the mask and the maximum.
// CHECK:         scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>)
// CHECK:           scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK:             vector.fma
// CHECK:           arith.addf
// CHECK:           arith.cmpf ogt
//              The weights.
// CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>)
// CHECK:           math.fma
//              Weights times values.
// CHECK:         scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK:           vector.fma
// CHECK:       arith.divf
// CHECK-LABEL: func.func @attention(
kernel.func @attention(%q: tensor<1x4x?x16xf32> {ourc.shape = [1, 4, @s, 16]},
    %k: tensor<1x4x?x16xf32> {ourc.shape = [1, 4, @t, 16]},
    %v: tensor<1x4x?x16xf32> {ourc.shape = [1, 4, @t, 16]}, %m: tensor<?xf32> {ourc.shape = [@t]},
    %out: tensor<1x4x?x16xf32> {ourc.shape = [1, 4, @s, 16]}) -> tensor<1x4x?x16xf32>
    attributes {schedule = #kernel.cpu_attention<mr = 2, kb = 64, lanes = 8>} {
  %0 = kernel.attention queries(%q : tensor<1x4x?x16xf32>)
    keys(%k : tensor<1x4x?x16xf32>)
    values(%v : tensor<1x4x?x16xf32>)
    score_operands(%m : tensor<?xf32>)
    outs(%out : tensor<1x4x?x16xf32>)
    scale = 0.25 maps = [affine_map<(b, h, s, t, d, e) -> (b, h, s, d)>,
                         affine_map<(b, h, s, t, d, e) -> (b, h, t, d)>,
                         affine_map<(b, h, s, t, d, e) -> (b, h, t, e)>,
                         affine_map<(b, h, s, t, d, e) -> (t)>,
                         affine_map<(b, h, s, t, d, e) -> (b, h, s, e)>] {
  ^bb0(%score: f32, %mask: f32):
    %sum = arith.addf %score, %mask : f32
    kernel.yield %sum : f32
  } -> tensor<1x4x?x16xf32>
  kernel.return %0 : tensor<1x4x?x16xf32>
}
