// RUN: ourc-opt %s -split-input-file | ourc-opt -split-input-file | FileCheck %s
// RUN: ourc-opt %s -split-input-file --mlir-print-op-generic | ourc-opt -split-input-file | FileCheck %s

// CHECK-LABEL: kernel.func @relu(
// CHECK-SAME: %[[X:.*]]: tensor<?x64xf32> {ourc.shape = [@n, 64]}, %[[OUT:.*]]: tensor<?x64xf32> {ourc.shape = [@n, 64]}) -> tensor<?x64xf32>
// CHECK-SAME: attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 4096>}
kernel.func @relu(%x: tensor<?x64xf32> {ourc.shape = [@n, 64]}, %out: tensor<?x64xf32> {ourc.shape = [@n, 64]}) -> tensor<?x64xf32> attributes {schedule = #kernel.cpu_pointwise<lanes = 16, grain = 4096>} {
  // CHECK: kernel.return %[[X]] : tensor<?x64xf32>
  kernel.return %x : tensor<?x64xf32>
}

// -----

// The last argument of a kernel with a workspace is its scratch memory.

// CHECK-LABEL: kernel.func private @scratch(
// CHECK-SAME: %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<?xi8>) -> tensor<4xf32> attributes {workspace}
kernel.func private @scratch(%out: tensor<4xf32>, %space: tensor<?xi8>) -> tensor<4xf32> attributes {workspace} {
  kernel.return %out : tensor<4xf32>
}

// -----

// CHECK-LABEL: kernel.func @nothing(%{{.*}}: tensor<4xf32>)
kernel.func @nothing(%x: tensor<4xf32>) {
  // CHECK-NEXT: kernel.return{{$}}
  kernel.return
}
