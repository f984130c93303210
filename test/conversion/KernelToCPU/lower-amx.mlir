// RUN: ourc-opt -ourc-lower-amx=target=cpu:sapphirerapids %s | FileCheck %s --check-prefix=WITH
// RUN: ourc-opt -ourc-lower-amx=target=cpu:x86-64-v4 %s | FileCheck %s
// RUN: not ourc-opt -ourc-lower-amx=target=cpu:z80 %s 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: target 'cpu:z80' names an unknown x86-64 CPU 'z80'

// WITH-LABEL: func.func @product
// WITH:         llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"

// CHECK-LABEL: func.func @product
// CHECK-COUNT-3: llvm.alloca %{{.*}} x i8 {alignment = 64 : i64}
// CHECK:         %[[SUMS:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (!llvm.ptr)
// CHECK:           x86vector.avx512.dot
// CHECK-NOT:     x86_amx
// CHECK:         return
func.func @product(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 16 : i16
  %bytes = arith.constant 64 : i16
  %stride = arith.constant 64 : i64
  %zero = llvm.call_intrinsic "llvm.x86.tilezero.internal"(%rows, %bytes) : (i16, i16) -> !llvm.x86_amx
  %sums = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!llvm.x86_amx) {
    %x = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(%rows, %bytes, %a, %stride) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
    %y = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(%rows, %bytes, %b, %stride) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
    %next = llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(%rows, %bytes, %bytes, %sum, %x, %y) : (i16, i16, i16, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx) -> !llvm.x86_amx
    scf.yield %next : !llvm.x86_amx
  }
  llvm.call_intrinsic "llvm.x86.tilestored64.internal"(%rows, %bytes, %c, %stride, %sums) : (i16, i16, !llvm.ptr, i64, !llvm.x86_amx) -> ()
  return
}
