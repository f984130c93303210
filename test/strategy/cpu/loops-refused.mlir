// RUN: not ourc-opt %s -split-input-file -ourc-assign-strategies='target=cpu:x86-64-v4' 2>&1 | FileCheck %s

// What one nest would compute over and over belongs into kernels of its own.

// CHECK: row: it reduces results of a reduction, each of which it would compute more than once
kernel.func @sum_of_maxima(%x: tensor<4x8xf32>, %out: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %g = linalg.fill ins(%zero : f32) outs(%out : tensor<f32>) -> tensor<f32>
  %m = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.maximumf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
    ins(%m : tensor<4xf32>) outs(%g : tensor<f32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<f32>
  kernel.return %r : tensor<f32>
}

// -----

// CHECK: row: its reductions are of different rows
kernel.func @different_rows(%x: tensor<4x8x16xf32>, %out: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x : tensor<4x8x16xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %n = linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i)>],
    iterator_types = ["parallel", "reduction", "reduction"]}
    ins(%x : tensor<4x8x16xf32>) outs(%g : tensor<4xf32>) {
  ^bb0(%v: f32, %s: f32):
    %y = arith.addf %s, %v : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>,
                     affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (i, j, k)>],
    iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %m, %n : tensor<4x8x16xf32>, tensor<4x8xf32>, tensor<4xf32>) outs(%out : tensor<4x8x16xf32>) {
  ^bb0(%v: f32, %a: f32, %b: f32, %u: f32):
    %0 = arith.subf %v, %a : f32
    %1 = arith.subf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4x8x16xf32>
  kernel.return %r : tensor<4x8x16xf32>
}

// -----

// CHECK: pointwise: it would compute linalg.generic again for each index of an outer dimension
kernel.func @bias(%x: tensor<4x8xf32>, %b: tensor<8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %t = linalg.generic {
    indexing_maps = [affine_map<(j) -> (j)>, affine_map<(j) -> (j)>], iterator_types = ["parallel"]}
    ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%v: f32, %u: f32):
    %y = math.tanh %v : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%x, %t : tensor<4x8xf32>, tensor<8xf32>) outs(%out : tensor<4x8xf32>) {
  ^bb0(%v: f32, %w: f32, %u: f32):
    %y = arith.addf %v, %w : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  kernel.return %r : tensor<4x8xf32>
}

// -----

// CHECK: row: it has a contraction of computed values
kernel.func @contraction(%a: tensor<4x8xi32>, %b: tensor<8x4xi32>, %out: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%out : tensor<4x4xi32>) -> tensor<4x4xi32>
  %e = tensor.empty() : tensor<4x8xi32>
  %n = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) {
  ^bb0(%v: i32, %u: i32):
    %y = arith.subi %zero, %v : i32
    linalg.yield %y : i32
  } -> tensor<4x8xi32>
  %r = linalg.matmul ins(%n, %b : tensor<4x8xi32>, tensor<8x4xi32>) outs(%f : tensor<4x4xi32>) -> tensor<4x4xi32>
  kernel.return %r : tensor<4x4xi32>
}
