// mma.sync of types that carry more than one value in a register, or less than all bits of it. The
// product of an A of ones with a B of ones and a C of zeros is k, everywhere; test/runtime/simt/MmaTest.cpp
// checks the place of every element.
//
// RUN: ourc-simt %s --kernel=tf32 --block=32 --arg=f32[32] --print=0 | FileCheck %s --check-prefix=TF32
// 1 + 2^-11 rounds to 1 + 2^-10 when its half is away from zero; times 8.
// TF32: argument 0: 8.0078125 8.0078125
// RUN: ourc-simt %s --kernel=s8 --block=32 --arg=i32[32] --print=0 | FileCheck %s --check-prefix=S8
// S8: argument 0: -32 -32
// RUN: ourc-simt %s --kernel=f64 --block=32 --arg=f64[32] --print=0 | FileCheck %s --check-prefix=F64
// F64: argument 0: 4.5 4.5
// RUN: ourc-simt %s --kernel=half --block=32 --arg=f16[64] --print=0 | FileCheck %s --check-prefix=HALF
// HALF: argument 0: 16 16
gpu.module @products {
  llvm.func @tf32(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %x = llvm.mlir.constant(1.00048828125 : f32) : f32
    %z = llvm.mlir.constant(0.0 : f32) : f32
    %a = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rna>}
    %one = llvm.mlir.constant(0x3f800000 : i32) : i32
    %d = nvvm.mma.sync A[%a, %a, %a, %a] B[%one, %one] C[%z, %z, %z, %z] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %v = llvm.extractvalue %d[3] : !llvm.struct<(f32, f32, f32, f32)>
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %p : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @s8(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %ones = llvm.mlir.constant(0x01010101 : i32) : i32
    %minus = llvm.mlir.constant(-1 : i32) : i32
    %z = llvm.mlir.constant(0 : i32) : i32
    %d = nvvm.mma.sync A[%ones, %ones, %ones, %ones] B[%minus, %minus] C[%z, %z, %z, %z] {intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
    %v = llvm.extractvalue %d[2] : !llvm.struct<(i32, i32, i32, i32)>
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @f64(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %one = llvm.mlir.constant(1.0 : f64) : f64
    %half = llvm.mlir.constant(0.5 : f64) : f64
    %d = nvvm.mma.sync A[%one] B[%one] C[%half, %half] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (f64, f64, f64) -> !llvm.struct<(f64, f64)>
    %v = llvm.extractvalue %d[1] : !llvm.struct<(f64, f64)>
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f64
    llvm.store %v, %p : f64, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @half(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %one = llvm.mlir.constant(dense<1.0> : vector<2xf16>) : vector<2xf16>
    %z = llvm.mlir.constant(dense<0.0> : vector<2xf16>) : vector<2xf16>
    %d = nvvm.mma.sync A[%one, %one, %one, %one] B[%one, %one] C[%z, %z] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
    %v = llvm.extractvalue %d[1] : !llvm.struct<(vector<2xf16>, vector<2xf16>)>
    %two = llvm.mlir.constant(2 : i32) : i32
    %i = llvm.mul %t, %two : i32
    %p = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
    llvm.store %v, %p : vector<2xf16>, !llvm.ptr<1>
    llvm.return
  }
}
