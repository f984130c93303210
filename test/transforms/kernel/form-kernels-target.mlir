// RUN: not ourc-opt %s -ourc-form-kernels='target=abacus' 2>&1 | FileCheck %s
// RUN: not ourc-opt %s -ourc-assign-strategies='target=abacus' 2>&1 | FileCheck %s

// CHECK: error: unknown target 'abacus': expected
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
