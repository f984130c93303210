// RUN: ourc-opt %s --ourc-graph-to-llvm=target=cpu:x86-64-v3 | FileCheck %s

ourc.symbol @s {min = 1 : i64, max = 64 : i64}
// Each kernel is in a module of its own.
// CHECK: llvm.func @kernel_k_relu(!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK: module @k_relu {
// CHECK: kernel.func @kernel_k_relu(
kernel.func @k_relu(%x: tensor<?x8xf32>, %out: tensor<?x8xf32>) -> tensor<?x8xf32> {
  kernel.return %out : tensor<?x8xf32>
}

// CHECK-LABEL: llvm.func internal @ourc_run(
// CHECK-SAME: %[[CTX:[^:]*]]: !llvm.ptr, %[[OPERANDS:[^:]*]]: !llvm.ptr, %[[SYMBOLS:[^:]*]]: !llvm.ptr, %[[ARENA:[^:]*]]: !llvm.ptr, %[[OFFSETS:[^:]*]]: !llvm.ptr) -> i32
// Launches are numbered for those who watch them.
// CHECK: %[[KERNEL:.*]] = llvm.mlir.addressof @kernel_k_relu
// CHECK: %[[CODE:.*]] = llvm.call @ourc_launch(%[[CTX]], %[[KERNEL]], %{{.*}}, %{{.*}}, %[[NUMBER:[^)]*]])
// CHECK: %[[BAD:.*]] = llvm.icmp "ne" %[[CODE]]
// CHECK: llvm.cond_br %[[BAD]], ^[[STOP:.*]](%[[CODE]] : i32), ^
// CHECK: ^[[STOP]](%[[RETURNED:.*]]: i32):
// CHECK: llvm.return %[[RETURNED]]
func.func @main(%x: memref<?x8xf32> {ourc.name = "x", ourc.shape = [@s, 8]},
                %y: memref<?x8xf32> {kernel.destination = [@s, 8], ourc.name = "y"},
                %arena: memref<?xi8> {kernel.arena},
                %o: index {kernel.lifetime = array<i64: 0, 1>}) {
  %d = ourc.dim @s : index
  %a = memref.view %arena[%o][%d] : memref<?xi8> to memref<?x8xf32>
  kernel.launch @k_relu(%x) outs(%a) : (memref<?x8xf32>) outs(memref<?x8xf32>)
  kernel.launch @k_relu(%a) outs(%y) : (memref<?x8xf32>) outs(memref<?x8xf32>)
  return
}
// CHECK-LABEL: llvm.func internal @ourc_shapes(
func.func @shapes() -> index {
  %d = ourc.dim @s : index
  %c = arith.constant 32 : index
  %b = arith.muli %d, %c : index
  return %b : index
}
// CHECK: llvm.mlir.global external constant @ourc_program()
// CHECK-NOT: unrealized_conversion_cast
