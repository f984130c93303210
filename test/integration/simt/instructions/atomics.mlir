// Atomic operations, fences and flags, from text to what memory holds in the end.
//
// RUN: ourc-simt %s --kernel=add --grid=3 --block=64 --arg=i32[1]=zeros --arg=f32[1]=zeros --arg=i32[1]=zeros --print=0,1,2 --seeds=20 | FileCheck %s --check-prefix=ADD
// ADD: argument 0: 192
// ADD: argument 1: 96
// 0 + 1 + ... + 63 is the same in each block: the largest thread wins.
// ADD: argument 2: 63
// ADD: 20 passed
//
// RUN: ourc-simt %s --kernel=last_block --grid=4 --block=32 --arg=i32[4]=zeros --arg=i32[1]=zeros --arg=i32[1]=zeros --print=2 --seeds=20 | FileCheck %s --check-prefix=LAST
// LAST: argument 2: 10
// LAST: 20 passed
// RUN: sed 's/nvvm.memory.barrier.*//' %s >%t.mlir
// RUN: not ourc-simt %t.mlir --kernel=last_block --grid=4 --block=32 --arg=i32[4]=zeros --arg=i32[1]=zeros --arg=i32[1]=zeros 2>&1 | FileCheck %s --check-prefix=NOFENCE
// NOFENCE: data race: reads 4 bytes at offset {{[0-9]+}} of the 16 bytes of argument 0, which thread 0 of block (
//
// RUN: ourc-simt %s --kernel=flag --block=64 --arg=i32[1]=zeros --arg=i32[1]=zeros --arg=i32[1] --print=2 --seeds=20 | FileCheck %s --check-prefix=FLAG
// FLAG: argument 2: 42
// FLAG: 20 passed
gpu.module @atomics {
  llvm.func @add(%sum: !llvm.ptr<1>, %half: !llvm.ptr<1>, %max: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %0 = llvm.atomicrmw add %sum, %one monotonic : !llvm.ptr<1>, i32
    %f = llvm.mlir.constant(0.5 : f32) : f32
    %1 = llvm.atomicrmw fadd %half, %f monotonic : !llvm.ptr<1>, f32
    %2 = llvm.atomicrmw max %max, %t monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
  // Each block writes its part; the last to be counted adds all of them.
  llvm.func @last_block(%parts: !llvm.ptr<1>, %count: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %three = llvm.mlir.constant(3 : i32) : i32
    %first = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %first, ^leader, ^end
  ^leader:
    %value = llvm.add %b, %one : i32
    %mine = llvm.getelementptr %parts[%b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %value, %mine : i32, !llvm.ptr<1>
    nvvm.memory.barrier #nvvm.mem_scope<gpu>
    %before = llvm.atomicrmw add %count, %one monotonic : !llvm.ptr<1>, i32
    nvvm.memory.barrier #nvvm.mem_scope<gpu>
    %last = llvm.icmp "eq" %before, %three : i32
    llvm.cond_br %last, ^sum(%zero, %zero : i32, i32), ^end
  ^sum(%i: i32, %s: i32):
    %p = llvm.getelementptr %parts[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %part = llvm.load %p : !llvm.ptr<1> -> i32
    %next = llvm.add %s, %part : i32
    %j = llvm.add %i, %one : i32
    %done = llvm.icmp "eq" %i, %three : i32
    llvm.cond_br %done, ^store, ^sum(%j, %next : i32, i32)
  ^store:
    llvm.store %next, %out : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
  // Thread 0 waits for what thread 33 says is there.
  llvm.func @flag(%flag: !llvm.ptr<1>, %data: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %who = llvm.mlir.constant(33 : i32) : i32
    %what = llvm.mlir.constant(42 : i32) : i32
    %writes = llvm.icmp "eq" %t, %who : i32
    llvm.cond_br %writes, ^write, ^else
  ^write:
    llvm.store %what, %data : i32, !llvm.ptr<1>
    llvm.store %one, %flag atomic syncscope("block") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    llvm.br ^end
  ^else:
    %waits = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %waits, ^wait, ^end
  ^wait:
    %seen = llvm.load %flag atomic syncscope("block") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    %go = llvm.icmp "eq" %seen, %one : i32
    llvm.cond_br %go, ^read, ^wait
  ^read:
    %value = llvm.load %data : !llvm.ptr<1> -> i32
    llvm.store %value, %out : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
