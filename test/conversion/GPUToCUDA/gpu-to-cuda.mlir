// RUN: ourc-opt %s -ourc-gpu-to-cuda="chip=sm_90 assemble=false" | FileCheck %s
// RUN: ourc-opt %s -ourc-gpu-to-cuda="chip=sm_90 assemble=false twins=false" | FileCheck %s --check-prefix=BARE
// RUN: ourc-opt %s --pass-pipeline="builtin.module(ourc-nvvm-to-cuda-pipeline{target=cuda:sm_100 assemble=false})" | FileCheck %s --check-prefix=WHOLE
// RUN: ourc-opt %s -ourc-gpu-to-cuda="chip=sm_90 dump-stem=%t" -o %t.mlir && FileCheck %s --check-prefix=PTX < %t.ptx

// The data of a module is described kernel by kernel.
// CHECK-LABEL: llvm.mlir.global internal constant @ourc_kernel_k() {{.*}} : !llvm.struct<(ptr, ptr, ptr, i64, ptr, ptr)>
// CHECK: llvm.mlir.addressof @k_twin
// CHECK: llvm.mlir.global internal constant @ourc_signature_k("pi\00")
// CHECK: llvm.mlir.global internal constant @ourc_name_k("k\00")
// CHECK: llvm.mlir.global internal constant @ourc_ptx_m("{{.*}}.target sm_90{{.*}}\00")

// The kernel stays for the SIMT machine, with a function that launches it.
// CHECK-LABEL: llvm.func internal @k_twin(
// CHECK-SAME: %[[ARGS:[^:]*]]: !llvm.ptr, %[[GRID:[^:]*]]: !llvm.ptr, %[[BLOCK:[^:]*]]: !llvm.ptr, %[[SHARED:[^:]*]]: i64) -> i32
// CHECK: gpu.launch_func <%{{.*}} : !llvm.ptr> @m::@k blocks in ({{.*}}) threads in ({{.*}}) : i64 dynamic_shared_memory_size %{{.*}} args(%{{.*}} : !llvm.ptr<1>, %{{.*}} : i64)
// CHECK: gpu.module @m {

// CHECK-LABEL: llvm.func @entry(
// CHECK-SAME: %[[CTX:[^:]*]]: !llvm.ptr
// CHECK: %[[TABLE:.*]] = llvm.mlir.addressof @ourc_kernel_k
// CHECK: %[[CODE:.*]] = llvm.call @ourc_device_launch(%[[CTX]], %[[TABLE]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: %[[BAD:.*]] = llvm.icmp "ne" %[[CODE]]
// CHECK: llvm.cond_br %[[BAD]], ^[[FAILED:.*]], ^
// CHECK: ^[[FAILED]]:
// CHECK-NEXT: llvm.return %[[CODE]]

// BARE-NOT: gpu.
// BARE-NOT: k_twin
// BARE: llvm.call @ourc_device_launch

// WHOLE: .target sm_100
// WHOLE-NOT: gpu.launch_func
// WHOLE: llvm.call @ourc_simt_launch

// PTX: .target sm_90
// PTX: .visible .entry k(
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>, %n: i64) attributes {gpu.kernel, nvvm.kernel} {
      llvm.store %n, %p : i64, !llvm.ptr<1>
      llvm.return
    }
  }
  llvm.func @entry(%ctx: !llvm.ptr, %p: !llvm.ptr<1>, %n: i64) -> i32 {
    %zero = llvm.mlir.constant(0 : i32) : i32
    gpu.launch_func <%ctx : !llvm.ptr> @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64 args(%p : !llvm.ptr<1>, %n : i64)
    llvm.return %zero : i32
  }
}
