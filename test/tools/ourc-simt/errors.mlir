// What is wrong with the command line, and what would be right.
// RUN: not ourc-simt %s --block=8 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: errors.mlir:{{[0-9]+}}:3: error: takes 3 arguments, but 0 are given with --arg
// RUN: not ourc-simt %s --arg=f32[8] --arg=i32=1 --arg=f32[8] 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: argument 1 is of type 'memref<8xf32>', but --arg gives a scalar
// RUN: not ourc-simt %s --arg=f32[8] --arg=f32[9] --arg=i32=1 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: argument 1 has 8 elements, but --arg gives 9
// RUN: not ourc-simt %s --arg=f32[8] --arg=f32[8] --arg=i64=1 2>&1 | FileCheck %s --check-prefix=WIDTH
// WIDTH: argument 2 is of type 'i32', but --arg gives 8 bytes
// RUN: not ourc-simt %s --arg=f31[8] 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: argument 'f31[8]': the type must be i8, i16, i32, i64, f16, bf16, f32 or f64
// RUN: not ourc-simt %s --arg=f32[8=1 2>&1 | FileCheck %s --check-prefix=EXTENT
// EXTENT: a buffer is written f32[64]
// RUN: not ourc-simt %s --arg=f32[2]=1,x 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: 'x' is no number, nor zeros, ones, iota, random or poison
// RUN: not ourc-simt %s --arg=f32[2]=1 2>&1 | FileCheck %s --check-prefix=VALUES
// VALUES: has 1 values for a buffer of 2
// RUN: not ourc-simt %s --arg=i32 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: a scalar needs a value: i32=7
// RUN: not ourc-simt %s --kernel=other 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: the file has no kernel 'other'
// RUN: not ourc-simt %s --checks=race 2>&1 | FileCheck %s --check-prefix=CHECKS
// CHECKS: unknown check 'race'
// RUN: ourc-simt %s --block=8 --arg=f32[8]=1,2,3,4,5,6,7,8.5 --arg=f32[8]=zeros --arg=i32=7 --print=1 | FileCheck %s
// CHECK: argument 1: 1 2 3 4 5 6 7 0
// CHECK: ourc-simt: 1 passed

gpu.module @copies {
  llvm.func @helper() {
    llvm.return
  }
  gpu.func @copy(%x: memref<8xf32>, %y: memref<8xf32>, %n: i32) kernel {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %inside = arith.cmpi ult, %i, %n : i32
    scf.if %inside {
      %v = memref.load %x[%t] : memref<8xf32>
      memref.store %v, %y[%t] : memref<8xf32>
    }
    gpu.return
  }
}
