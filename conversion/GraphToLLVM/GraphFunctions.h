//===- GraphFunctions.h - Code of run, init and shapes --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_GRAPHTOLLVM_GRAPHFUNCTIONS_H
#define OURC_CONVERSION_GRAPHTOLLVM_GRAPHFUNCTIONS_H

#include "conversion/GraphToLLVM/ProgramSignature.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace ourc {

/// The functions that OurcProgram points to. They still hold `arith` on index
/// values, for the usual conversion.
struct GraphFunctions {
  mlir::LLVM::LLVMFuncOp run, init, shapes;
};

/// The symbol of a kernel's entry.
std::string kernelEntryName(llvm::StringRef kernel);

/// Emits i32 run(ctx, operands, symbols, arena, offsets) for a planned main.
/// `onDevice`: buffers are in the memory of a device.
mlir::FailureOr<mlir::LLVM::LLVMFuncOp>
emitRun(mlir::ModuleOp module, mlir::func::FuncOp main,
        const ProgramSignature &signature, bool onDevice);

/// Emits i32 init(ctx, operands, scratch) for a planned init.
mlir::FailureOr<mlir::LLVM::LLVMFuncOp>
emitInit(mlir::ModuleOp module, mlir::func::FuncOp init,
         const ProgramSignature &signature, bool onDevice);

/// Emits void shapes(symbols, computedDims, bufferBytes).
mlir::FailureOr<mlir::LLVM::LLVMFuncOp> emitShapes(mlir::ModuleOp module,
                                                   mlir::func::FuncOp shapes,
                                                   unsigned numComputedDims);

} // namespace ourc

#endif // OURC_CONVERSION_GRAPHTOLLVM_GRAPHFUNCTIONS_H
