// RUN: ourc-opt %s -ourc-kernel-to-gpu -canonicalize -cse | FileCheck %s

// One thread computes one element; operands are read through the maps, and
// blocks beyond the elements are guarded.

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#b = affine_map<(d0, d1) -> (d1)>
kernel.func @p(%x: tensor<?x7xf32>, %y: tensor<7x?xf32>, %z: tensor<7xf16>, %o: tensor<?x7xf32>) -> tensor<?x7xf32> attributes {schedule = #kernel.gpu_pointwise<threads = 128>} {
  %0 = linalg.generic {indexing_maps = [#id, #t, #b, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y, %z : tensor<?x7xf32>, tensor<7x?xf32>, tensor<7xf16>) outs(%o : tensor<?x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f16, %d: f32):
    %e = arith.extf %c : f16 to f32
    %1 = arith.addf %a, %b : f32
    %2 = math.exp %1 : f32
    %3 = arith.mulf %2, %e : f32
    linalg.yield %3 : f32
  } -> tensor<?x7xf32>
  kernel.return %0 : tensor<?x7xf32>
}

// CHECK-LABEL: gpu.func @p_kernel(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr<1>, %[[Y:.*]]: !llvm.ptr<1>, %[[Z:.*]]: !llvm.ptr<1>, %[[OUT:.*]]: !llvm.ptr<1>, %{{.*}}: i64, %[[YD:.*]]: i64, %[[OD:.*]]: i64) kernel
// CHECK-DAG: %[[C128:.*]] = arith.constant 128 : index
// CHECK-DAG: %[[C7:.*]] = arith.constant 7 : index
// CHECK-DAG: %[[T:.*]] = gpu.thread_id x
// CHECK-DAG: %[[B:.*]] = gpu.block_id x
// CHECK-DAG: %[[ROWS:.*]] = arith.index_cast %[[OD]]
// CHECK-DAG: %[[YS:.*]] = arith.index_cast %[[YD]]
// CHECK: %[[N:.*]] = arith.muli %[[ROWS]], %[[C7]]
// CHECK: %[[B0:.*]] = arith.muli %[[B]], %[[C128]]
// CHECK: %[[I:.*]] = arith.addi %[[B0]], %[[T]]
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[I]], %[[N]]
// CHECK: scf.if %[[INSIDE]]
// CHECK: %[[D1:.*]] = arith.remui %[[I]], %[[C7]]
// CHECK: %[[D0:.*]] = arith.divui %[[I]], %[[C7]]
// CHECK: llvm.getelementptr %[[X]]
// The transposed operand.
// CHECK: %[[R:.*]] = arith.muli %[[D1]], %[[YS]]
// CHECK: %[[L:.*]] = arith.addi %[[R]], %[[D0]]
// CHECK: %[[L64:.*]] = arith.index_cast %[[L]]
// CHECK: llvm.getelementptr %[[Y]][%[[L64]]]
// The broadcast one.
// CHECK: %[[C64:.*]] = arith.index_cast %[[D1]]
// CHECK: llvm.getelementptr %[[Z]][%[[C64]]]
// CHECK: math.exp
// CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr<1>
// CHECK-NOT: scf.for
// CHECK: gpu.return

// CHECK-LABEL: func.func @p(
// CHECK-SAME: %[[CTX:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// CHECK: gpu.launch_func <%[[CTX]] : !llvm.ptr> @p_gpu::@p_kernel
// CHECK: return %{{.*}} : i32
