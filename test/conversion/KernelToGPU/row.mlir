// RUN: ourc-opt %s -ourc-kernel-to-gpu -canonicalize -cse | FileCheck %s

// One block a row: each reduction is one loop over the thread's share, shuffles,
// and one exchange through shared memory; what consumes it reads the result.

#id = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
kernel.func @r(%x: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {schedule = #kernel.gpu_row<threads = 128>} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%ninf : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %m = linalg.generic {indexing_maps = [#id, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%a: f32, %c: f32):
    %1 = arith.maximumf %a, %c : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %ex = linalg.generic {indexing_maps = [#id, #r, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<?x?xf32>, tensor<?xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.subf %a, %b : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#id, #r], iterator_types = ["parallel", "reduction"]} ins(%ex : tensor<?x?xf32>) outs(%fz : tensor<?xf32>) {
  ^bb0(%a: f32, %c: f32):
    %1 = arith.addf %a, %c : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #r, #id], iterator_types = ["parallel", "parallel"]} ins(%ex, %s : tensor<?x?xf32>, tensor<?xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  kernel.return %0 : tensor<?x?xf32>
}

// CHECK: llvm.mlir.global internal @shared() {addr_space = 3 : i32
// CHECK-SAME: !llvm.array<64 x i8>
// CHECK-LABEL: gpu.func @r_kernel(
// CHECK-DAG: %[[C128:.*]] = arith.constant 128 : index
// CHECK-DAG: %[[T:.*]] = gpu.thread_id x
// CHECK-DAG: %[[ROW:.*]] = gpu.block_id x
// CHECK: scf.for %{{.*}} = %[[T]] to %{{.*}} step %[[C128]]
// CHECK-NOT: scf.for
// CHECK: arith.maximumf
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: gpu.barrier
// CHECK: scf.for %{{.*}} = %[[T]] to %{{.*}} step %[[C128]]
// CHECK-NOT: scf.for
// CHECK: math.exp
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: gpu.barrier
// CHECK: scf.for %{{.*}} = %[[T]] to %{{.*}} step %[[C128]]
// CHECK-NOT: scf.for
// CHECK: arith.divf
// CHECK: llvm.store
// CHECK: gpu.return
