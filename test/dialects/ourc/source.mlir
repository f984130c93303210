// RUN: ourc-opt %s -split-input-file | ourc-opt -split-input-file | FileCheck %s
// RUN: ourc-opt %s -split-input-file --mlir-print-op-generic | ourc-opt -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @constants(
// CHECK-NEXT: %[[V0:.*]] = ourc.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-NEXT: %[[V1:.*]] = ourc.constant dense<[1, 2]> : tensor<2xi64>
// CHECK-NEXT: %[[V2:.*]] = ourc.constant dense<true> : tensor<i1>
// CHECK-NEXT: %[[V3:.*]] = ourc.constant dense<> : tensor<0x2xf32>
// CHECK-NEXT: return
func.func @constants() {
  %0 = ourc.constant dense<0.5> : tensor<4xf32>
  %1 = ourc.constant dense<[1, 2]> : tensor<2xi64>
  %2 = ourc.constant dense<true> : tensor<i1>
  %3 = ourc.constant dense<> : tensor<0x2xf32>
  return
}

// -----

// CHECK-LABEL: func.func @iota(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-NEXT: %[[V0:.*]] = ourc.iota dim 1 sizes {{\[}}%[[N]], 4] : tensor<?x4xi64>
// CHECK-NEXT: %[[V1:.*]] = ourc.iota dim 0 sizes [4] : tensor<4xf32>
// CHECK-NEXT: return
func.func @iota(%n: index) {
  %0 = ourc.iota dim 1 sizes [%n, 4] : tensor<?x4xi64>
  %1 = ourc.iota dim 0 sizes [4] : tensor<4xf32>
  return
}

// -----

// CHECK: ourc.symbol @batch {max = 4096 : i64, min = 1 : i64, multiple_of = 2 : i64}
ourc.symbol @batch {min = 1, max = 4096, multiple_of = 2}
// CHECK: ourc.symbol @any {max = 9 : i64, min = 0 : i64}
ourc.symbol @any {min = 0, max = 9}
// CHECK-LABEL: func.func @dim(
// CHECK-NEXT: %[[V0:.*]] = ourc.dim @batch : index
// CHECK-NEXT: return %[[V0]] : index
func.func @dim() -> index {
  %0 = ourc.dim @batch : index
  return %0 : index
}
