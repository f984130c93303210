//===- ProgramLayout.h - The structs of ProgramABI.h in LLVM --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mirrors runtime/abi/ProgramABI.h field by field. The names of fields are
// those of the C structs; a test compares sizes and offsets.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_GRAPHTOLLVM_PROGRAMLAYOUT_H
#define OURC_CONVERSION_GRAPHTOLLVM_PROGRAMLAYOUT_H

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

namespace ourc {

/// The LLVM types of the program's structs.
class ProgramLayout {
public:
  explicit ProgramLayout(mlir::MLIRContext *context)
      : ptr(mlir::LLVM::LLVMPointerType::get(context)),
        i8(mlir::IntegerType::get(context, 8)),
        i32(mlir::IntegerType::get(context, 32)),
        i64(mlir::IntegerType::get(context, 64)),
        // name, min, max, multipleOf
        symbol(structOf(context, {ptr, i64, i64, i64})),
        // symbol, size
        dim(structOf(context, {i32, i64})),
        // name, dtype, rank, dims, layout, updates
        tensorDesc(structOf(context, {ptr, i32, i32, ptr, ptr, i32})),
        // firstUse, lastUse
        bufferDesc(structOf(context, {i32, i32})),
        program(structOf(context, {i32, i32,                // abiVersion, flags
                                   ptr, ptr,                // name, target
                                   i64, i64, i64, i64, i64, // num…
                                   ptr,                     // symbols
                                   ptr, ptr, ptr, ptr,      // inputs … results
                                   i64, ptr,                // buffers
                                   i64,                     // numComputedDims
                                   ptr, ptr, i64, ptr, // shapes, init, …, run
                                   ptr,                // report
                                   ptr})),             // device
        // architecture, data, bytes
        deviceBinary(structOf(context, {i32, ptr, i64})),
        // name, signature, binaries, numBinaries, ptx, twin
        deviceKernel(structOf(context, {ptr, ptr, ptr, i64, ptr, ptr})) {}

  mlir::LLVM::LLVMPointerType ptr;
  mlir::IntegerType i8, i32, i64;
  mlir::LLVM::LLVMStructType symbol, dim, tensorDesc, bufferDesc, program,
      deviceBinary, deviceKernel;

private:
  static mlir::LLVM::LLVMStructType
  structOf(mlir::MLIRContext *context, llvm::ArrayRef<mlir::Type> fields) {
    return mlir::LLVM::LLVMStructType::getLiteral(context, fields);
  }
};

} // namespace ourc

#endif // OURC_CONVERSION_GRAPHTOLLVM_PROGRAMLAYOUT_H
