// RUN: ourc-opt -ourc-lower-amx=target=cpu:x86-64-v4 -split-input-file -verify-diagnostics %s

func.func @unknown(%a: !llvm.ptr) {
  %rows = arith.constant 16 : i16
  %bytes = arith.constant 64 : i16
  %stride = arith.constant 64 : i64
  // expected-error @below {{is an operation on AMX tiles that the target 'cpu:x86-64-v4' cannot make: llvm.x86.tileloaddt164.internal}}
  %0 = llvm.call_intrinsic "llvm.x86.tileloaddt164.internal"(%rows, %bytes, %a, %stride) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
  return
}

// -----

func.func @twice(%a: !llvm.ptr) {
  %rows = arith.constant 16 : i16
  %bytes = arith.constant 64 : i16
  %stride = arith.constant 64 : i64
  %x = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(%rows, %bytes, %a, %stride) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
  %zero = llvm.call_intrinsic "llvm.x86.tilezero.internal"(%rows, %bytes) : (i16, i16) -> !llvm.x86_amx
  // expected-error @below {{adds to a tile that is used again, which only the instruction can}}
  %0 = llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(%rows, %bytes, %bytes, %zero, %x, %x) : (i16, i16, i16, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx) -> !llvm.x86_amx
  llvm.call_intrinsic "llvm.x86.tilestored64.internal"(%rows, %bytes, %a, %stride, %zero) : (i16, i16, !llvm.ptr, i64, !llvm.x86_amx) -> ()
  return
}
