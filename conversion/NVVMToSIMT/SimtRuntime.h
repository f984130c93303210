//===- SimtRuntime.h - Calls into the SIMT machine ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_NVVMTOSIMT_SIMTRUNTIME_H
#define OURC_CONVERSION_NVVMTOSIMT_SIMTRUNTIME_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace ourc::simt {

/// Declares and calls the functions of runtime/simt in one module.
class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::ModuleOp module) : module(module) {}

  /// Calls `name`; returns null when `result` is null or void. Pointers of any
  /// address space may be passed: the declaration takes plain ones.
  mlir::Value call(mlir::OpBuilder &builder, mlir::Location loc,
                   llvm::StringRef name, mlir::Type result,
                   mlir::ValueRange arguments);

  /// The address of a string that names `op` in messages: its mnemonic, a
  /// number of its own and, where known, the user's line.
  mlir::Value getSite(mlir::OpBuilder &builder, mlir::Operation *op);

  /// The address of a string constant.
  mlir::Value getString(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::StringRef name, llvm::StringRef text);

  static mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc,
                              int32_t value);

private:
  mlir::ModuleOp module;
  unsigned numSites = 0;
};

/// Replaces one NVVM operation by calls. `scratch` is 64 bytes on the thread's
/// stack for operands and results that pass through memory. Fails with an error
/// on an operation that the machine does not have.
llvm::LogicalResult lowerInstruction(mlir::Operation *op, RuntimeCalls &runtime,
                                     mlir::Value scratch);

/// Rewrites an operation of the LLVM dialect on bf16 scalars in f32 and
/// integers; leaves others alone.
void expandBFloat(mlir::Operation *op);

/// Where the variables of a GPU module lie in a block's shared memory.
struct SharedLayout {
  llvm::DenseMap<mlir::StringAttr, int64_t> offsets;
  /// Bytes of the variables of static size; the dynamic array starts here.
  int64_t staticBytes = 0;
};

/// Replaces `gpu.launch_func` by a launch on the machine.
llvm::LogicalResult lowerLaunch(mlir::Operation *launch, RuntimeCalls &runtime,
                                mlir::LLVM::LLVMFuncOp thunk,
                                const SharedLayout &layout);

} // namespace ourc::simt

#endif // OURC_CONVERSION_NVVMTOSIMT_SIMTRUNTIME_H
