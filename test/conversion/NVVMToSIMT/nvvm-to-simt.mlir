// RUN: ourc-opt %s -ourc-nvvm-to-simt | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.mlir.global internal @row() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<100 x i8>
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<256 x i8>
    llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>

    llvm.func @registers(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %0 = nvvm.read.ptx.sreg.tid.x : i32
      %1 = nvvm.read.ptx.sreg.ctaid.y : i32
      %2 = nvvm.read.ptx.sreg.laneid : i32
      %3 = llvm.add %0, %1 : i32
      %4 = llvm.add %3, %2 : i32
      llvm.store %4, %out : i32, !llvm.ptr<1>
      llvm.return
    }

    llvm.func @matrix(%src: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel, kernel.extents = [array<i64: 4, 8>, array<i64>]} {
      %local_size = llvm.mlir.constant(3 : i32) : i32
      %local = llvm.alloca %local_size x f32 : (i32) -> !llvm.ptr
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %dyn = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
      nvvm.cp.async.shared.global %tile, %src, 16, cache = cg, %n : !llvm.ptr<3>, !llvm.ptr<1>, i32
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 1
      nvvm.barrier0
      %r = nvvm.ldmatrix %dyn {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
      %a = llvm.extractvalue %r[0] : !llvm.struct<(i32, i32, i32, i32)>
      %h = llvm.bitcast %a : i32 to vector<2xf16>
      %z = llvm.mlir.constant(0.0 : f32) : f32
      %c = nvvm.mma.sync A[%h, %h, %h, %h] B[%h, %h] C[%z, %z, %z, %z] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      %c0 = llvm.extractvalue %c[0] : !llvm.struct<(f32, f32, f32, f32)>
      %m1 = llvm.mlir.constant(-1 : i32) : i32
      %k1 = llvm.mlir.constant(1 : i32) : i32
      %k31 = llvm.mlir.constant(31 : i32) : i32
      %s = nvvm.shfl.sync bfly %m1, %c0, %k1, %k31 : f32 -> f32
      %p = nvvm.shfl.sync up %m1, %k1, %k1, %k31 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
      %ok = llvm.extractvalue %p[1] : !llvm.struct<(i32, i1)>
      %v = nvvm.vote.sync ballot %m1, %ok -> i32
      nvvm.bar.warp.sync %m1 : i32
      nvvm.stmatrix %tile, %v, %v {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32
      nvvm.barrier id = %k1 number_of_threads = %k31
      llvm.store %s, %tile : f32, !llvm.ptr<3>
      llvm.store %s, %local : f32, !llvm.ptr
      %second = llvm.getelementptr %src[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      %loaded = llvm.load %second {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xf32>
      llvm.return
    }
  }

  llvm.func @entry(%ctx: !llvm.ptr, %buffer: !llvm.ptr<1>, %n: i32) -> i32 {
    %one = llvm.mlir.constant(1 : i64) : i64
    %threads = llvm.mlir.constant(32 : i64) : i64
    %bytes = llvm.mlir.constant(512 : i32) : i32
    %code = llvm.mlir.constant(0 : i32) : i32
    gpu.launch_func <%ctx : !llvm.ptr> @m::@matrix blocks in (%one, %one, %one) threads in (%threads, %one, %one) : i64 dynamic_shared_memory_size %bytes args(%buffer : !llvm.ptr<1>, %n : i32)
    llvm.return %code : i32
  }
}

// CHECK-NOT: gpu.module
// CHECK-NOT: = nvvm.

// CHECK-LABEL: llvm.func internal @registers(%{{.*}}: !llvm.ptr) {
// CHECK: %[[X:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.call @ourc_simt_tid(%[[X]])
// CHECK: %[[Y:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: llvm.call @ourc_simt_ctaid(%[[Y]])
// CHECK: llvm.call @ourc_simt_laneid()
// CHECK-LABEL: llvm.func internal @registers_simt(%{{.*}}: !llvm.ptr) {
// CHECK: %[[ARG:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: %[[V:.*]] = llvm.load %[[ARG]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.call @registers(%[[V]])

// CHECK-LABEL: llvm.func internal @matrix(
// CHECK-SAME: %[[SRC:.*]]: !llvm.ptr, %[[N:.*]]: i32) {
// CHECK: %[[SCRATCH:.*]] = llvm.alloca
// The tile follows the row of 100 bytes at its alignment.
// CHECK: %[[BASE:.*]] = llvm.call @ourc_simt_shared()
// CHECK: %[[TILE:.*]] = llvm.getelementptr %[[BASE]][128]
// CHECK: %[[BASE2:.*]] = llvm.call @ourc_simt_shared()
// CHECK: %[[DYNAMIC:.*]] = llvm.getelementptr %[[BASE2]][384]
// CHECK: llvm.call @ourc_simt_cp_async(%{{.*}}, %[[TILE]], %[[SRC]], %{{.*}}, %[[N]], %{{.*}})
// CHECK: llvm.call @ourc_simt_cp_async_commit()
// CHECK: llvm.call @ourc_simt_cp_async_wait(
// CHECK: llvm.call @ourc_simt_barrier(
// CHECK: llvm.call @ourc_simt_ldmatrix(%{{.*}}, %[[SCRATCH]], %[[DYNAMIC]],
// CHECK: llvm.load %[[SCRATCH]] : !llvm.ptr -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK: llvm.call @ourc_simt_mma(%{{.*}}, %{{.*}}, %[[SCRATCH]])
// CHECK: llvm.load %[[SCRATCH]] : !llvm.ptr -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK: %[[SHFL:.*]] = llvm.call @ourc_simt_shfl(
// CHECK: llvm.bitcast %[[SHFL]] : i32 to f32
// CHECK: llvm.call @ourc_simt_shfl(
// CHECK: llvm.call @ourc_simt_vote(
// CHECK: llvm.call @ourc_simt_syncwarp(
// CHECK: llvm.call @ourc_simt_stmatrix(%{{.*}}, %[[TILE]], %[[SCRATCH]],
// CHECK: llvm.call @ourc_simt_barrier(
// A store of 4 bytes in shared memory, aligned to 4; its root is no buffer.
// CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 : i64)
// CHECK: %[[STORE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: %[[SPACE:.*]] = llvm.mlir.constant(3 : i32)
// CHECK: %[[ALIGNMENT:.*]] = llvm.mlir.constant(4 : i32)
// CHECK: %[[UNKNOWN:.*]] = llvm.mlir.constant(-1 : i32)
// CHECK: llvm.call @ourc_simt_access(%{{.*}}, %[[TILE]], %[[FOUR]], %[[STORE]], %[[SPACE]], %[[ALIGNMENT]], %[[UNKNOWN]])
// CHECK: llvm.store %{{.*}}, %[[TILE]] : f32, !llvm.ptr
// CHECK: %[[SIZE:.*]] = llvm.mlir.constant(12 : i64)
// CHECK: llvm.call @ourc_simt_check_local(%{{.*}}, %[[LOCAL:.*]], %{{.*}}, %{{.*}}, %[[LOCAL]], %[[SIZE]])
// 16 bytes of argument 0 that promise an alignment of 4 alone.
// CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[SRC]][1]
// CHECK: %[[SIXTEEN:.*]] = llvm.mlir.constant(16 : i64)
// CHECK: %[[LOAD:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: %[[GLOBAL:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: %[[ALIGN4:.*]] = llvm.mlir.constant(4 : i32)
// CHECK: %[[ROOT:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.call @ourc_simt_access(%{{.*}}, %[[SECOND]], %[[SIXTEEN]], %[[LOAD]], %[[GLOBAL]], %[[ALIGN4]], %[[ROOT]])

// CHECK-LABEL: llvm.func @entry(
// CHECK-SAME: %[[CTX:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i32) -> i32 {
// CHECK: %[[STATIC:.*]] = llvm.mlir.constant(384 : i64)
// CHECK: %[[DYN:.*]] = llvm.zext %{{.*}} : i32 to i64
// CHECK: %[[SHARED:.*]] = llvm.add %[[STATIC]], %[[DYN]]
// CHECK: %[[THUNK:.*]] = llvm.mlir.addressof @matrix_simt
// The buffer of argument 0 has 8 elements of 4 bytes; argument 1 is none.
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(32 : i64)
// CHECK: %[[NAME0:.*]] = llvm.mlir.addressof @ourc_simt_argument_0
// CHECK: %[[NONE:.*]] = llvm.mlir.zero
// CHECK: %[[UNKNOWN_SIZE:.*]] = llvm.mlir.constant(-1 : i64)
// CHECK: %[[COUNT:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: %[[GRANULE:.*]] = llvm.mlir.constant(4 : i32)
// CHECK: %[[CODE:.*]] = llvm.call @ourc_simt_launch(%[[CTX]], %{{.*}}, %[[THUNK]], %{{.*}}, %{{.*}}, %{{.*}}, %[[SHARED]], %{{.*}}, %[[COUNT]], %[[GRANULE]])
// CHECK: %[[BAD:.*]] = llvm.icmp "ne" %[[CODE]],
// CHECK: llvm.cond_br %[[BAD]], ^[[FAILED:.*]], ^[[OK:.*]]
// CHECK: ^[[FAILED]]:
// CHECK: llvm.return %[[CODE]] : i32
