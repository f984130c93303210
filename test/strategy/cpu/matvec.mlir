// RUN: kernel-run --assign --emit=assigned --target=cpu:x86-64-v4 %s | FileCheck %s
// RUN: kernel-run --assign --emit=assigned --target=cpu:x86-64-v3 %s | FileCheck %s
// RUN: kernel-run --assign --check %s
// RUN: kernel-run --assign --check --target=cpu:x86-64-v3 %s

#x = affine_map<(m, n, k) -> (m, k)>
#rows = affine_map<(m, n, k) -> (n, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>

// One vector, and sums along the matrix's rows: dot products, nothing is packed.

// CHECK-LABEL: kernel.func @one(
// CHECK-SAME:    tensor<203x133xf32>
// CHECK-SAME:    #kernel.cpu_row<
kernel.func @one(%x: tensor<1x133xf32>, %w: tensor<203x133xf32>, %b: tensor<203xf32>, %out: tensor<1x203xf32>) -> tensor<1x203xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x203xf32>) -> tensor<1x203xf32>
  %0 = linalg.generic {indexing_maps = [#x, #rows, #y], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<1x133xf32>, tensor<203x133xf32>) outs(%init : tensor<1x203xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x203xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%0, %b : tensor<1x203xf32>, tensor<203xf32>) outs(%out : tensor<1x203xf32>) {
  ^bb0(%s: f32, %c: f32, %o: f32):
    %biased = arith.addf %s, %c : f32
    %y = arith.maximumf %biased, %zero : f32
    linalg.yield %y : f32
  } -> tensor<1x203xf32>
  kernel.return %1 : tensor<1x203xf32>
}

// Two vectors; sums along columns; short rows: panels.

// CHECK-LABEL: kernel.func @two(
// CHECK-SAME:    #kernel.cpu_contraction<
kernel.func @two(%x: tensor<2x133xf32>, %w: tensor<203x133xf32>, %out: tensor<2x203xf32>) -> tensor<2x203xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<2x203xf32>) -> tensor<2x203xf32>
  %0 = linalg.generic {indexing_maps = [#x, #rows, #y], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<2x133xf32>, tensor<203x133xf32>) outs(%init : tensor<2x203xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2x203xf32>
  kernel.return %0 : tensor<2x203xf32>
}

// CHECK-LABEL: kernel.func @columns(
// CHECK-SAME:    #kernel.cpu_contraction<
kernel.func @columns(%x: tensor<1x133xf32>, %w: tensor<133x203xf32>, %out: tensor<1x203xf32>) -> tensor<1x203xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x203xf32>) -> tensor<1x203xf32>
  %0 = linalg.generic {indexing_maps = [#x, #columns, #y], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<1x133xf32>, tensor<133x203xf32>) outs(%init : tensor<1x203xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x203xf32>
  kernel.return %0 : tensor<1x203xf32>
}

// CHECK-LABEL: kernel.func @short(
// CHECK-SAME:    #kernel.cpu_contraction<
kernel.func @short(%x: tensor<1x24xf32>, %w: tensor<203x24xf32>, %out: tensor<1x203xf32>) -> tensor<1x203xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<1x203xf32>) -> tensor<1x203xf32>
  %0 = linalg.generic {indexing_maps = [#x, #rows, #y], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<1x24xf32>, tensor<203x24xf32>) outs(%init : tensor<1x203xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %product = arith.mulf %p, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x203xf32>
  kernel.return %0 : tensor<1x203xf32>
}
