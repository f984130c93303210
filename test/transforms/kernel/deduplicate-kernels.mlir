// RUN: ourc-opt %s -ourc-deduplicate-kernels | FileCheck %s

// CHECK: kernel.func @a
// CHECK-NOT: kernel.func @b
// CHECK: kernel.func @different
// CHECK-NOT: kernel.func @unused
// CHECK: kernel.launch @a
// CHECK: kernel.launch @a
// CHECK: kernel.launch @different
kernel.func @a(%x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  kernel.return %x : tensor<8xf32>
}
kernel.func @b(%x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  kernel.return %x : tensor<8xf32>
}
kernel.func @different(%x: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  kernel.return %o : tensor<8xf32>
}
kernel.func @unused(%x: tensor<9xf32>, %o: tensor<9xf32>) -> tensor<9xf32> {
  kernel.return %x : tensor<9xf32>
}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = kernel.launch @a(%x) outs(%e) : (tensor<8xf32>) outs(tensor<8xf32>) -> tensor<8xf32>
  %1 = kernel.launch @b(%0) outs(%e) : (tensor<8xf32>) outs(tensor<8xf32>) -> tensor<8xf32>
  %2 = kernel.launch @different(%1) outs(%e) : (tensor<8xf32>) outs(tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
