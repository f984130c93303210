// RUN: ourc-opt %s -ourc-nvvm-to-simt | FileCheck %s

// Constant data moves to the host's module, under a name of its own.
// CHECK: llvm.mlir.global internal constant @table0(dense<[1, 2]> : tensor<2xi32>) {addr_space = 0 : i32
// CHECK-LABEL: llvm.func internal @k1(
// CHECK: llvm.mlir.addressof @table0 : !llvm.ptr
gpu.module @m1 {
  llvm.mlir.global internal constant @table0(dense<[1, 2]> : tensor<2xi32>) {addr_space = 1 : i32} : !llvm.array<2 x i32>
  llvm.func @k1(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %0 = llvm.mlir.addressof @table0 : !llvm.ptr<1>
    %1 = llvm.load %0 : !llvm.ptr<1> -> i32
    llvm.store %1, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK: llvm.mlir.global internal constant @[[TABLE:table0_.*]](dense<[3, 4]> : tensor<2xi32>) {addr_space = 0 : i32
// CHECK: llvm.func internal @k2(
// CHECK: llvm.mlir.addressof @[[TABLE]] : !llvm.ptr
gpu.module @m2 {
  llvm.mlir.global internal constant @table0(dense<[3, 4]> : tensor<2xi32>) {addr_space = 1 : i32} : !llvm.array<2 x i32>
  llvm.func @k2(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %0 = llvm.mlir.addressof @table0 : !llvm.ptr<1>
    %1 = llvm.load %0 : !llvm.ptr<1> -> i32
    llvm.store %1, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}

// No arithmetic or conversion of bf16 is left, only bits.
// CHECK-LABEL: llvm.func internal @bfloat(
// CHECK-NOT: llvm.fpext %{{.*}} : bf16
// CHECK-NOT: llvm.fptrunc %{{.*}} to bf16
// CHECK: llvm.bitcast %{{.*}} : bf16 to i16
// CHECK: llvm.fadd %{{.*}}, %{{.*}} : f32
// CHECK: llvm.bitcast %{{.*}} : i16 to bf16
// CHECK: llvm.return
gpu.module @m3 {
  llvm.func @bfloat(%out: !llvm.ptr<1>, %x: bf16, %y: f32, %z: f64) attributes {nvvm.kernel} {
    %0 = llvm.fptrunc %y : f32 to bf16
    %1 = llvm.fadd %x, %0 : bf16
    %2 = llvm.fptrunc %z : f64 to bf16
    %3 = llvm.fadd %1, %2 : bf16
    %4 = llvm.fpext %3 : bf16 to f32
    llvm.store %4, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}
