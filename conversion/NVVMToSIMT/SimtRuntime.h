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

/// The name of locations in the printed kernel (see -ourc-nvvm-to-simt).
inline constexpr llvm::StringLiteral kKernelLineTag = "kernel line";

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
  /// number of its own and, where known, the kernel's and the user's line.
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

/// A load, a store or an atomic operation of the LLVM dialect.
struct MemoryAccess {
  mlir::Value pointer;
  uint64_t bytes;
  int32_t kind;       ///< OurcSimtAccess
  uint64_t alignment; ///< that the access needs
  int32_t order = 0;  ///< OurcSimtOrder of an atomic access

  static std::optional<MemoryAccess> of(mlir::Operation *op);
};

/// OurcSimtOrder of an ordering and a scope of LLVM.
int32_t getOrder(mlir::LLVM::AtomicOrdering ordering,
                 std::optional<llvm::StringRef> scope);

/// The argument, variable or local memory that an address was computed from;
/// null: more than one, or unknown.
mlir::Value findRoot(mlir::Value pointer);

/// No access of `op` is smaller than this, or straddles two multiples of it.
uint64_t getGranule(mlir::Operation *op);

/// The number of the buffer of a launch (OurcSimtBuffer) that an address was
/// computed from.
struct BufferRoots {
  /// Only of a kernel are the arguments buffers.
  bool isKernel;
  llvm::DenseMap<mlir::StringAttr, int32_t> tables;

  /// -1: unknown.
  int32_t find(mlir::Value pointer) const;
};

/// Puts a call that checks it before a memory access; false: `op` is none.
bool checkAccess(mlir::Operation *op, RuntimeCalls &runtime,
                 const BufferRoots &roots);

/// Replaces one NVVM operation by calls. `scratch` is 64 bytes on the thread's
/// stack for operands and results that pass through memory. Fails with an error
/// on an operation that the machine does not have.
llvm::LogicalResult lowerInstruction(mlir::Operation *op, RuntimeCalls &runtime,
                                     mlir::Value scratch,
                                     const BufferRoots &roots);

/// Rewrites an operation of the LLVM dialect on bf16 scalars in f32 and
/// integers; leaves others alone.
void expandBFloat(mlir::Operation *op);

/// Where the variables of a GPU module lie in a block's shared memory.
struct SharedLayout {
  llvm::DenseMap<mlir::StringAttr, int64_t> offsets;
  /// Bytes of the variables of static size; the dynamic array starts here.
  int64_t staticBytes = 0;
};

/// What a launch says about a kernel.
struct KernelInfo {
  mlir::LLVM::LLVMFuncOp thunk;
  /// Extents of the buffers behind the arguments, from kExtentsAttrName; may be
  /// null.
  mlir::ArrayAttr extents;
  /// The smallest access.
  uint64_t granule;
};

/// On a kernel: an array for each argument. Empty: not a buffer, or of unknown
/// extent. Else the bytes of an element and the sizes of the dimensions, where
/// -1 - i stands for the value of argument i.
inline constexpr llvm::StringLiteral kExtentsAttrName = "kernel.extents";
/// Of `llvm.intr.trap`: why the kernel ends there, for the error.
inline constexpr llvm::StringLiteral kReasonAttrName = "kernel.reason";

/// Replaces `gpu.launch_func` by a launch on the machine.
llvm::LogicalResult lowerLaunch(mlir::Operation *launch, RuntimeCalls &runtime,
                                const KernelInfo &kernel,
                                llvm::ArrayRef<mlir::LLVM::GlobalOp> tables,
                                const SharedLayout &layout);

} // namespace ourc::simt

#endif // OURC_CONVERSION_NVVMTOSIMT_SIMTRUNTIME_H
