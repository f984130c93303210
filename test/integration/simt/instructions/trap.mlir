// trap, in one thread alone: the launch ends with the reason, if one is given.
//
// RUN: not ourc-simt %s --kernel=reason --block=64 --arg=i32[64] 2>&1 | FileCheck %s --check-prefix=REASON
// REASON: kernel 'reason', block (0, 0, 0), llvm.intr.trap #{{[0-9]+}} (trap.mlir:[[#@LINE + 19]]): thread 40: the number is 40
// RUN: not ourc-simt %s --kernel=plain --block=64 --arg=i32[64] 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: thread {{[0-9]+}}: trap
//
// No thread is there that would come to it.
// RUN: ourc-simt %s --kernel=reason --block=32 --arg=i32[32] --print=0 --seeds=5 | FileCheck %s --check-prefix=NONE
// NONE: argument 0: 0 1 2 {{.*}} 31
// NONE: 5 passed
//
// RUN: ourc-opt %s -ourc-nvvm-to-ptx-pipeline=chip=sm_80 | %python %testlib/assemble_ptx.py sm_80 sm_100 | FileCheck %s --check-prefix=PTX
// PTX: trap;
// PTX: assembled for sm_80
gpu.module @traps {
  llvm.func @reason(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %last = llvm.mlir.constant(40 : i32) : i32
    %is = llvm.icmp "eq" %t, %last : i32
    llvm.cond_br %is, ^bad, ^good
  ^bad:
    "llvm.intr.trap"() {kernel.reason = "the number is 40"} : () -> ()
    llvm.br ^good
  ^good:
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %t, %p : i32, !llvm.ptr<1>
    llvm.return
  }

  llvm.func @plain(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    "llvm.intr.trap"() : () -> ()
    llvm.return
  }
}
