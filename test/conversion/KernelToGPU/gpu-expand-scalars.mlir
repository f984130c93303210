// RUN: ourc-opt %s -pass-pipeline='builtin.module(gpu.module(ourc-gpu-expand-scalars))' -split-input-file -verify-diagnostics | FileCheck %s

gpu.module @m {
  // CHECK-LABEL: gpu.func @instructions
  gpu.func @instructions(%p: !llvm.ptr<1>, %x: f32, %y: f32) kernel {
    // CHECK: llvm.call_intrinsic "llvm.sqrt.f32"
    %0 = math.sqrt %x : f32
    // CHECK: llvm.intr.minnum
    %1 = arith.minnumf %0, %y : f32
    // CHECK: llvm.intr.maxnum
    %2 = arith.maxnumf %1, %y : f32
    // CHECK: llvm.intr.fma
    %3 = math.fma %2, %x, %y : f32
    // CHECK: llvm.call_intrinsic "llvm.floor.f32"
    %4 = math.floor %3 : f32
    // CHECK: llvm.call_intrinsic "llvm.fabs.f32"
    %5 = math.absf %4 : f32
    llvm.store %5, %p : f32, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @integers
  gpu.func @integers(%p: !llvm.ptr<1>, %i: i64) kernel {
    // CHECK: %[[NEGATED:.*]] = arith.subi %{{.*}}, %[[I:.*]] : i64
    // CHECK: arith.maxsi %[[I]], %[[NEGATED]] : i64
    %0 = math.absi %i : i64
    llvm.store %0, %p : i64, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @polynomials
  // CHECK-NOT: math.
  gpu.func @polynomials(%p: !llvm.ptr<1>, %x: f32, %h: f16) kernel {
    %0 = math.exp %x : f32
    %1 = math.erf %0 : f32
    %2 = math.tanh %h : f16
    %3 = arith.extf %2 : f16 to f32
    %4 = math.powf %3, %1 : f32
    llvm.store %4, %p : f32, !llvm.ptr<1>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @wide(%p: !llvm.ptr<1>, %x: f64) kernel {
    // expected-error @+1 {{on 'f64' has no form for GPUs; f32 has one}}
    %0 = math.exp %x : f64
    llvm.store %0, %p : f64, !llvm.ptr<1>
    gpu.return
  }
}
