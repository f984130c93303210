// RUN: not ourc-opt %s -ourc-assign-strategies='target=cpu:x86-64-v4' 2>&1 | FileCheck %s

// CHECK: no strategy of the target can make this kernel
// CHECK: pool: the kernel reduces no windows
// CHECK: row: the kernel reduces nothing
// CHECK: pointwise: scf.if in the region of linalg.generic is not elementwise
kernel.func @branch(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%v: f32, %u: f32):
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %v, %zero : f32
    %y = scf.if %c -> f32 {
      scf.yield %v : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %y : f32
  } -> tensor<4xf32>
  kernel.return %r : tensor<4xf32>
}
