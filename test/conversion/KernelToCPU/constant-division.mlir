// RUN: ourc-opt -ourc-kernel-to-cpu -canonicalize %s | FileCheck %s

// By a constant: a product and the correction by its remainder, which an
// infinite quotient does not have.

// CHECK-LABEL: func.func private @by_six.task0
// CHECK:         %[[Q:.*]] = arith.mulf %[[X:.*]], %{{.*}} : vector<16xf32>
// CHECK:         %[[N:.*]] = arith.negf %[[X]]
// CHECK:         %[[R:.*]] = math.fma %{{.*}}, %[[Q]], %[[N]]
// CHECK:         %[[E:.*]] = math.fma %[[R]], %{{.*}}, %[[Q]]
// CHECK:         %[[I:.*]] = arith.cmpf uno, %[[E]], %[[E]]
// CHECK:         arith.select %[[I]], %[[Q]], %[[E]]
// CHECK-NOT:     arith.divf
// CHECK-LABEL: func.func @by_six(
kernel.func @by_six(%a: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 65536>} {
  %c = arith.constant 6.0 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) {
    ^bb0(%x: f32, %old: f32):
      %y = arith.divf %x, %c : f32
      linalg.yield %y : f32
  } -> tensor<?xf32>
  kernel.return %r : tensor<?xf32>
}

// By a power of two the product alone is exact.

// CHECK-LABEL: func.func private @by_four.task0
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK-NOT:     math.fma
// CHECK-NOT:     arith.divf
// CHECK-LABEL: func.func @by_four(
kernel.func @by_four(%a: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 65536>} {
  %c = arith.constant 4.0 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) {
    ^bb0(%x: f32, %old: f32):
      %y = arith.divf %x, %c : f32
      linalg.yield %y : f32
  } -> tensor<?xf32>
  kernel.return %r : tensor<?xf32>
}

// The reciprocal would lose exponents, or the product overflow, or the sign of
// a zero be lost.

// CHECK-LABEL: func.func private @small_and_negative.task0
// CHECK:         arith.divf
// CHECK:         arith.divf
kernel.func @small_and_negative(%a: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32>
    attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 65536>} {
  %c = arith.constant 0.3 : f32
  %d = arith.constant -6.0 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) {
    ^bb0(%x: f32, %old: f32):
      %y = arith.divf %x, %c : f32
      %z = arith.divf %y, %d : f32
      linalg.yield %z : f32
  } -> tensor<?xf32>
  kernel.return %r : tensor<?xf32>
}
