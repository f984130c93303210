// RUN: ourc-opt %s --ourc-plan-memory | FileCheck %s

ourc.symbol @s {min = 1 : i64, max = 64 : i64}
kernel.func @k_relu(%x: tensor<?x8xf32>, %out: tensor<?x8xf32>) -> tensor<?x8xf32> {
  kernel.return %out : tensor<?x8xf32>
}
kernel.func @k_pack(%x: tensor<16xf32>, %out: tensor<16xf32>) -> tensor<16xf32> {
  kernel.return %out : tensor<16xf32>
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: memref<?x8xf32> {ourc.shape = [@s, 8]}
// CHECK-SAME: %[[P:[^:]*]]: memref<16xf32> {kernel.prepared = 0 : i64}
// CHECK-SAME: %[[Y:[^:]*]]: memref<?x8xf32>
// CHECK-SAME: %[[ARENA:[^:]*]]: memref<?xi8> {kernel.arena}
// CHECK-SAME: %[[O0:[^:]*]]: index {kernel.lifetime = array<i64: 0, 2>}
// CHECK-SAME: %[[O1:[^:]*]]: index {kernel.lifetime = array<i64: 1, 2>}
// CHECK: %[[B0:.*]] = memref.view %[[ARENA]][%[[O0]]]
// CHECK: kernel.launch @k_relu(%[[X]]) outs(%[[B0]])
// CHECK: %[[B1:.*]] = memref.view %[[ARENA]][%[[O1]]]
func.func @main(%x: memref<?x8xf32> {ourc.shape = [@s, 8]},
                %p: memref<16xf32> {kernel.prepared = 0 : i64},
                %y: memref<?x8xf32> {kernel.destination = [@s, 8]}) {
  %d = ourc.dim @s : index
  %a = memref.alloc(%d) : memref<?x8xf32>
  kernel.launch @k_relu(%x) outs(%a) : (memref<?x8xf32>) outs(memref<?x8xf32>)
  %b = memref.alloc(%d) : memref<?x8xf32>
  %flat = memref.collapse_shape %a [[0, 1]] : memref<?x8xf32> into memref<?xf32>
  %back = memref.expand_shape %flat [[0, 1]] output_shape [%d, 8]
      : memref<?xf32> into memref<?x8xf32>
  kernel.launch @k_relu(%x) outs(%b) : (memref<?x8xf32>) outs(memref<?x8xf32>)
  kernel.launch @k_relu(%back) outs(%b) : (memref<?x8xf32>) outs(memref<?x8xf32>)
  return
}

// The bytes of both buffers.
// CHECK-LABEL: func.func @shapes() -> (index, index)

// CHECK-LABEL: func.func @init(
// CHECK-SAME: %[[W:[^:]*]]: memref<16xf32>
// CHECK-SAME: %[[P:[^:]*]]: memref<16xf32>
// CHECK-SAME: %[[SCRATCH:[^:]*]]: memref<?xi8> {kernel.arena}
// CHECK-SAME: attributes {kernel.scratch_bytes = 64 : i64}
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: memref.view %[[SCRATCH]][%[[ZERO]]][]
func.func @init(%w: memref<16xf32> {ourc.parameter = "w"},
                %p: memref<16xf32> {kernel.destination = [16]}) {
  %a = memref.alloc() : memref<16xf32>
  kernel.launch @k_pack(%w) outs(%a) : (memref<16xf32>) outs(memref<16xf32>)
  kernel.launch @k_pack(%a) outs(%p) : (memref<16xf32>) outs(memref<16xf32>)
  return
}
