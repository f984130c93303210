// RUN: ourc-opt %s -ourc-mutate-gpu -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: ourc-opt %s -ourc-mutate-gpu=mutant=0 | FileCheck %s --check-prefix=STAGE
// RUN: ourc-opt %s -ourc-mutate-gpu=mutant=1 | FileCheck %s --check-prefix=START
// RUN: ourc-opt %s -ourc-mutate-gpu=mutant=2 | FileCheck %s --check-prefix=DROP
// RUN: ourc-opt %s -ourc-mutate-gpu=mutant=3 | FileCheck %s --check-prefix=WAIT
// RUN: ourc-opt %s -ourc-mutate-gpu=mutant=5 | FileCheck %s --check-prefix=TRUE
// RUN: ourc-opt %s -ourc-mutate-gpu=mutant=6 | FileCheck %s --check-prefix=SHIFT
// RUN: not ourc-opt %s -ourc-mutate-gpu=mutant=9 2>&1 | FileCheck %s --check-prefix=NONE
//
// LIST: remark: mutant 0: drop-stage 0 loop index
// LIST: remark: mutant 1: shift-stage 0 loop index
// LIST: remark: mutant 2: drop-sync 0 nvvm.cp.async.wait.group
// LIST: remark: mutant 3: shift-wait 0 nvvm.cp.async.wait.group
// LIST: remark: mutant 4: drop-sync 1 nvvm.barrier0
// LIST: remark: mutant 5: drop-predicate 0 ult
// LIST: remark: mutant 6: shift-predicate 0 ult
// LIST: remark: mutant 7: drop-predicate 1 ult
// LIST: remark: mutant 8: shift-predicate 1 ult
// LIST-NOT: mutant
//
// The index no longer advances; or it starts where the second step was.
// STAGE: ^bb1(%[[I:.*]]: i32, %[[STAGE:.*]]: i32):
// STAGE: llvm.cond_br %{{.*}}, ^bb1(%{{.*}}, %[[STAGE]] : i32, i32), ^bb4
// START: %[[FIRST:.*]] = llvm.add %[[ZERO:.*]], %{{.*}} : i32
// START: llvm.br ^bb1(%[[ZERO]], %[[FIRST]] : i32, i32)
// DROP-NOT: nvvm.cp.async.wait.group
// WAIT: nvvm.cp.async.wait.group 2
// TRUE: %[[YES:.*]] = llvm.mlir.constant(true)
// TRUE: llvm.cond_br %[[YES]], ^bb2, ^bb3
// SHIFT: %[[MORE:.*]] = llvm.add %arg1, %{{.*}} : i32
// SHIFT: llvm.icmp "ult" %{{.*}}, %[[MORE]]
// NONE: there is no mutant 9: the kernels have 9
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %bytes = llvm.mlir.constant(64 : i32) : i32
      llvm.br ^loop(%zero, %zero : i32, i32)
    ^loop(%i: i32, %stage: i32):
      nvvm.cp.async.wait.group 1
      nvvm.barrier0
      %q = llvm.getelementptr %p[%stage] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
      %inside = llvm.icmp "ult" %i, %n : i32
      llvm.cond_br %inside, ^store, ^next
    ^store:
      llvm.store %i, %q : i32, !llvm.ptr<1>
      llvm.br ^next
    ^next:
      %j = llvm.add %i, %one : i32
      %advanced = llvm.add %stage, %bytes : i32
      %more = llvm.icmp "ult" %j, %n : i32
      llvm.cond_br %more, ^loop(%j, %advanced : i32, i32), ^end
    ^end:
      llvm.return
    }
  }
}
