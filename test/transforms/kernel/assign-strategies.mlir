// RUN: ourc-opt %s -ourc-assign-strategies='target=cpu:x86-64-v4' | FileCheck %s
// RUN: ourc-opt %s -ourc-assign-strategies='target=cpu:x86-64-v3' | FileCheck %s --check-prefix=AVX2
// RUN: ourc-opt %s -ourc-assign-strategies='target=cpu:x86-64-v4 pack=false' | FileCheck %s --check-prefix=PLAIN

// The weight arrives packed in panels; a kernel of its own packs it.
// CHECK: kernel.func @linear(%{{.*}}: tensor<5x64xf32>, %[[W:.*]]: tensor<[[P:[0-9]+]]x64x[[NR:[0-9]+]]xf32>
// CHECK-SAME: schedule = #kernel.cpu_contraction<mr = {{[0-9]+}}, nr = [[NR]], kb = 0, lanes = 16
// CHECK: linalg.unpack %[[W]] outer_dims_perm = [0, 1] inner_dims_pos = [0] inner_tiles = {{\[}}[[NR]]]
// CHECK: kernel.func @pack
// CHECK-SAME: schedule = #kernel.cpu_pointwise
// CHECK: linalg.pack
// CHECK: %[[PACKED:.*]] = kernel.launch @pack
// CHECK: kernel.launch @linear(%{{.*}}, %[[PACKED]])

// AVX2: kernel.func @linear
// AVX2-SAME: lanes = 8

// PLAIN: kernel.func @linear(%{{.*}}: tensor<5x64xf32>, %{{.*}}: tensor<96x64xf32>
// PLAIN-NOT: linalg.unpack
// PLAIN-NOT: @pack
kernel.func @linear(%x: tensor<5x64xf32>, %w: tensor<96x64xf32>, %out: tensor<5x96xf32>) -> tensor<5x96xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%out : tensor<5x96xf32>) -> tensor<5x96xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x64xf32>, tensor<96x64xf32>) outs(%f : tensor<5x96xf32>) {
  ^bb0(%a: f32, %c: f32, %acc: f32):
    %p = arith.mulf %a, %c fastmath<contract> : f32
    %s = arith.addf %acc, %p fastmath<contract> : f32
    linalg.yield %s : f32
  } -> tensor<5x96xf32>
  kernel.return %0 : tensor<5x96xf32>
}
func.func @main(%x: tensor<5x64xf32>, %w: tensor<96x64xf32> {ourc.parameter = "w", ourc.frozen}) -> tensor<5x96xf32> {
  %e = tensor.empty() : tensor<5x96xf32>
  %0 = kernel.launch @linear(%x, %w) outs(%e) : (tensor<5x64xf32>, tensor<96x64xf32>) outs(tensor<5x96xf32>) -> tensor<5x96xf32>
  return %0 : tensor<5x96xf32>
}

// An operand that is read in both places stays as it is.
// CHECK: kernel.func @gram(%{{.*}}: tensor<64x64xf32>,
// CHECK-NOT: linalg.unpack
// CHECK: kernel.return
kernel.func @gram(%x: tensor<64x64xf32>, %out: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%out : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%a: f32, %c: f32, %acc: f32):
    %p = arith.mulf %a, %c fastmath<contract> : f32
    %s = arith.addf %acc, %p fastmath<contract> : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  kernel.return %0 : tensor<64x64xf32>
}
func.func @both(%x: tensor<64x64xf32> {ourc.parameter = "x", ourc.frozen}) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = kernel.launch @gram(%x) outs(%e) : (tensor<64x64xf32>) outs(tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
