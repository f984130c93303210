// RUN: ourc-opt %s -ourc-form-kernels -cse | FileCheck %s

// A boolean is a byte between kernels and at the program's boundary.
// CHECK: kernel.func @{{.*}}(%{{.*}}: tensor<4x8xi8>, %{{.*}}: tensor<4x8xi8>) -> tensor<4x8xi8>
// CHECK: arith.cmpi ne
// CHECK: arith.xori
// CHECK: arith.extui
// CHECK: func.func @main(%{{.*}}: tensor<4x8xi8> {kernel.boolean, ourc.name = "mask"}) -> (tensor<32xi8> {kernel.boolean})
// CHECK: tensor.collapse_shape {{.*}} : tensor<4x8xi8> into tensor<32xi8>
func.func @main(%m: tensor<4x8xi1> {ourc.name = "mask"}) -> tensor<32xi1> {
  %e = tensor.empty() : tensor<4x8xi1>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<4x8xi1>) outs(%e : tensor<4x8xi1>) {
  ^bb0(%a: i1, %o: i1):
    %true = arith.constant true
    %s = arith.xori %a, %true : i1
    linalg.yield %s : i1
  } -> tensor<4x8xi1>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x8xi1> into tensor<32xi1>
  return %1 : tensor<32xi1>
}
