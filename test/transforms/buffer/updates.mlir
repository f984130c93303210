// RUN: ourc-opt %s -split-input-file --ourc-pass-destinations --ourc-bufferize-graph | FileCheck %s
// RUN: ourc-opt %s -split-input-file --ourc-pass-destinations --ourc-bufferize-graph \
// RUN:   --remarks-filter-missed=ourc-bufferize-graph --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// A result that updates an argument is written into its memory: nothing is
// allocated, nothing copied. What reads the new value reads that memory.

kernel.func @write(%u: tensor<1x8xf32>, %i: tensor<1xi64>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = kernel.scatter updates(%u : tensor<1x8xf32>) at(%i : tensor<1xi64>) outs(%out : tensor<4x8xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  kernel.return %r : tensor<4x8xf32>
}
kernel.func @double(%x: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%out : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  kernel.return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[CACHE:[^:]*]]: memref<4x8xf32> {ourc.name = "cache"}
// CHECK-SAME: %[[U:[^:]*]]: memref<1x8xf32>
// CHECK-SAME: %[[I:[^:]*]]: memref<1xi64>
// CHECK-SAME: %[[NEW:[^:]*]]: memref<4x8xf32> {kernel.destination = [4, 8], kernel.updates = 0 : i64}
// CHECK-SAME: %[[Y:[^:]*]]: memref<4x8xf32> {kernel.destination = [4, 8]}
// CHECK-NEXT: kernel.launch @write(%[[U]], %[[I]]) outs(%[[CACHE]])
// CHECK-NEXT: kernel.launch @double(%[[CACHE]]) outs(%[[Y]])
// CHECK-NEXT: return
func.func @main(%cache: tensor<4x8xf32> {ourc.name = "cache"}, %u: tensor<1x8xf32>, %i: tensor<1xi64>)
    -> (tensor<4x8xf32> {ourc.updates = 0 : i64}, tensor<4x8xf32>) {
  %0 = kernel.launch @write(%u, %i) outs(%cache) : (tensor<1x8xf32>, tensor<1xi64>) outs(tensor<4x8xf32>) -> tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %1 = kernel.launch @double(%0) outs(%e) : (tensor<4x8xf32>) outs(tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// The old value is read later: the new one is made elsewhere and copied, and
// the user is told of both copies.

// REMARK: argument 0 is updated by a copy of 128 bytes, not in place
// REMARK: argument 0 is updated by a copy of 128 bytes, not in place

kernel.func @write(%u: tensor<1x8xf32>, %i: tensor<1xi64>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = kernel.scatter updates(%u : tensor<1x8xf32>) at(%i : tensor<1xi64>) outs(%out : tensor<4x8xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  kernel.return %r : tensor<4x8xf32>
}
kernel.func @double(%x: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%out : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  kernel.return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[CACHE:[^:]*]]: memref<4x8xf32>
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: memref.copy %[[CACHE]], %[[A]]
// CHECK: kernel.launch @write({{.*}}) outs(%[[A]])
// CHECK: kernel.launch @double(%[[CACHE]])
// CHECK: memref.copy %[[A]], %[[CACHE]]
func.func @main(%cache: tensor<4x8xf32>, %u: tensor<1x8xf32>, %i: tensor<1xi64>)
    -> (tensor<4x8xf32> {ourc.updates = 0 : i64}, tensor<4x8xf32>) {
  %0 = kernel.launch @write(%u, %i) outs(%cache) : (tensor<1x8xf32>, tensor<1xi64>) outs(tensor<4x8xf32>) -> tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %1 = kernel.launch @double(%cache) outs(%e) : (tensor<4x8xf32>) outs(tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// An element that is computed from the same element alone can be written over
// it.

kernel.func @double(%x: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%out : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  kernel.return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: memref<4x8xf32>
// CHECK-NEXT: kernel.launch @double(%[[X]]) outs(%[[X]])
// CHECK-NEXT: return
func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x8xf32> {ourc.updates = 0 : i64}) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = kernel.launch @double(%x) outs(%e) : (tensor<4x8xf32>) outs(tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// One that is computed from others cannot.

// REMARK: argument 0 is updated by a copy of 128 bytes, not in place
// REMARK-NOT: argument

kernel.func @shift(%x: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (3 - i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%out : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4x8xf32>
  kernel.return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: memref<4x8xf32>
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: kernel.launch @shift(%[[X]]) outs(%[[A]])
// CHECK: memref.copy %[[A]], %[[X]]
func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x8xf32> {ourc.updates = 0 : i64}) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = kernel.launch @shift(%x) outs(%e) : (tensor<4x8xf32>) outs(tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// What is not updated is not written: a copy of it is.

kernel.func @write(%u: tensor<1x8xf32>, %i: tensor<1xi64>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = kernel.scatter updates(%u : tensor<1x8xf32>) at(%i : tensor<1xi64>) outs(%out : tensor<4x8xf32>) axes = [0] {
  ^bb0(%old: f32, %new: f32):
    kernel.yield %new : f32
  } -> tensor<4x8xf32>
  kernel.return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: memref<4x8xf32>
// CHECK-SAME: %[[Y:[^:]*]]: memref<4x8xf32> {kernel.destination = [4, 8]}
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: memref.copy %[[X]], %[[A]]
// CHECK: kernel.launch @write({{.*}}) outs(%[[A]])
// CHECK: memref.copy %[[A]], %[[Y]]
func.func @main(%x: tensor<4x8xf32>, %u: tensor<1x8xf32>, %i: tensor<1xi64>) -> tensor<4x8xf32> {
  %0 = kernel.launch @write(%u, %i) outs(%x) : (tensor<1x8xf32>, tensor<1xi64>) outs(tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// An argument that updates itself is left alone.

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: return
func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x8xf32> {ourc.updates = 0 : i64}) {
  return %x : tensor<4x8xf32>
}
