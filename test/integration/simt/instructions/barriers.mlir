// Barriers of a part of the block: named ones, mbarriers, also for asynchronous copies.
//
// RUN: ourc-simt %s --kernel=named --block=64 --arg=i32[32] --print=0 --seeds=20 | FileCheck %s --check-prefix=NAMED
// NAMED: argument 0: 0 1 2 3 {{.*}} 31
// NAMED: 20 passed
// RUN: sed 's/nvvm.barrier.arrive.*//' %s >%t.arrive.mlir
// RUN: not ourc-simt %t.arrive.mlir --kernel=named --block=64 --arg=i32[32] 2>&1 | FileCheck %s --check-prefix=NOARRIVE
// NOARRIVE: deadlock: thread 32 waits at barrier 3, where 32 of 64 threads have arrived
//
// RUN: ourc-simt %s --kernel=phases --block=64 --arg=i32[64] --print=0 --seeds=20 | FileCheck %s --check-prefix=PHASES
// PHASES: argument 0: 100 101 {{.*}} 131 132 {{.*}} 163
// PHASES: 20 passed
// RUN: sed 's/nvvm.mbarrier.try_wait.parity.*//' %s >%t.wait.mlir
// RUN: not ourc-simt %t.wait.mlir --kernel=phases --block=64 --arg=i32[64] 2>&1 | FileCheck %s --check-prefix=NOWAIT
// NOWAIT: {{data race|nobody has written}}
//
// RUN: ourc-simt %s --kernel=copies --block=32 --arg=i32[128]=iota --arg=i32[32] --print=1 --seeds=20 | FileCheck %s --check-prefix=COPIES
// COPIES: argument 1: 4 0 12 8 {{.*}} 124 120
// COPIES: 20 passed
// RUN: sed 's/nvvm.cp.async.mbarrier.arrive %bar {noinc = true} :.*/%arrived = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64/' %s >%t.copies.mlir
// RUN: not ourc-simt %t.copies.mlir --kernel=copies --block=32 --arg=i32[128]=iota --arg=i32[32] 2>&1 | FileCheck %s --check-prefix=UNTRACKED
// UNTRACKED: is still under way: no wait has completed it
gpu.module @barriers {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1024 x i8>

  // Warp 0 hands its numbers to warp 1 and does not wait.
  llvm.func @named(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %w = llvm.mlir.constant(32 : i32) : i32
    %id = llvm.mlir.constant(3 : i32) : i32
    %all = llvm.mlir.constant(64 : i32) : i32
    %producer = llvm.icmp "ult" %t, %w : i32
    llvm.cond_br %producer, ^produce, ^consume
  ^produce:
    %p = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %p : i32, !llvm.ptr<3>
    nvvm.barrier.arrive id = %id number_of_threads = %all
    llvm.return
  ^consume:
    nvvm.barrier id = %id number_of_threads = %all
    %i = llvm.sub %t, %w : i32
    %q = llvm.getelementptr %tile[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %q : !llvm.ptr<3> -> i32
    %o = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %o : i32, !llvm.ptr<1>
    llvm.return
  }

  // All threads exchange through an mbarrier, in its second phase.
  llvm.func @phases(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %bar = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %hundred = llvm.mlir.constant(100 : i32) : i32
    %last = llvm.mlir.constant(63 : i32) : i32
    %count = llvm.mlir.constant(64 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %values = llvm.getelementptr %bar[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %first = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %first, ^init, ^go
  ^init:
    nvvm.mbarrier.init %bar, %count : !llvm.ptr<3>, i32
    llvm.br ^go
  ^go:
    nvvm.barrier0
    %s0 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
    %x = llvm.xor %t, %last : i32
    %v = llvm.add %x, %hundred : i32
    %p = llvm.getelementptr %values[%x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %v, %p : i32, !llvm.ptr<3>
    %s1 = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    nvvm.mbarrier.try_wait.parity %bar, %one, %ticks : !llvm.ptr<3>, i32, i32
    %q = llvm.getelementptr %values[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %r = llvm.load %q : !llvm.ptr<3> -> i32
    %o = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %r, %o : i32, !llvm.ptr<1>
    llvm.return
  }

  // The mbarrier's phase completes when all copies have.
  llvm.func @copies(%src: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %bar = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %count = llvm.mlir.constant(32 : i32) : i32
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    %values = llvm.getelementptr %bar[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %first = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %first, ^init, ^go
  ^init:
    nvvm.mbarrier.init %bar, %count : !llvm.ptr<3>, i32
    llvm.br ^go
  ^go:
    nvvm.barrier0
    %at = llvm.mul %t, %four : i32
    %from = llvm.getelementptr %src[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %to = llvm.getelementptr %values[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    nvvm.cp.async.shared.global %to, %from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.mbarrier.arrive %bar {noinc = true} : !llvm.ptr<3>
    nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
    %x = llvm.xor %t, %one : i32
    %other = llvm.mul %x, %four : i32
    %q = llvm.getelementptr %values[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %r = llvm.load %q : !llvm.ptr<3> -> i32
    %o = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %r, %o : i32, !llvm.ptr<1>
    llvm.return
  }
}
