// RUN: ourc-opt %s | ourc-opt | FileCheck %s
// RUN: ourc-opt %s --mlir-print-op-generic | ourc-opt | FileCheck %s

// CHECK-LABEL: func.func @call
// CHECK-SAME: %[[X:.*]]: tensor<?x384xf32>, %[[N:.*]]: index
func.func @call(%x: tensor<?x384xf32>, %n: index) -> tensor<?x384xf32> {
  // CHECK: %[[V:.*]] = aten.call "view.default"(self = %[[X]], size = [%[[N]], 12, 32]) : (tensor<?x384xf32>, index) -> tensor<?x12x32xf32>
  %0 = aten.call "view.default"(self = %x, size = [%n, 12, 32]) : (tensor<?x384xf32>, index) -> tensor<?x12x32xf32>
  // CHECK: aten.call "add.Tensor"(alpha = 2, other = %[[V]], self = %[[V]]) : (tensor<?x12x32xf32>) -> tensor<?x12x32xf32>
  %1 = aten.call "add.Tensor"(self = %0, other = %0, alpha = 2) : (tensor<?x12x32xf32>) -> tensor<?x12x32xf32>
  // CHECK: aten.call "gelu.default"(approximate = "none", self = %[[X]])
  %2 = aten.call "gelu.default"(self = %x, approximate = "none") : (tensor<?x384xf32>) -> tensor<?x384xf32>
  // CHECK: aten.call "cat.default"(tensors = [%{{.*}}, %[[X]]])
  %3 = aten.call "cat.default"(tensors = [%2, %x]) : (tensor<?x384xf32>, tensor<?x384xf32>) -> tensor<?x384xf32>
  return %3 : tensor<?x384xf32>
}
