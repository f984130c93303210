//===- KernelABI.h - The functions that a kernel becomes ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_KERNELABI_H
#define OURC_CONVERSION_KERNELTOCPU_KERNELABI_H

#include "dialects/kernel/KernelDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace ourc {

/// Builds the entry function of one kernel (an OurcKernelFn of
/// runtime/abi/ProgramABI.h) and the tasks that it hands to the runtime. Sizes,
/// indices and offsets are i64 everywhere; addresses are `!llvm.ptr`.
///
/// Values that this class hands out (pointers, sizes, constants) live at the
/// top of the entry function and may be used anywhere, also inside a task: a
/// task captures what it uses.
class KernelABI {
public:
  /// Creates the entry function beside `kernel`, without a terminator.
  explicit KernelABI(kernel::FuncOp kernel);

  /// Ends the entry function: it returns 0. Fails where an index could not be
  /// computed.
  llvm::LogicalResult finish();

  kernel::FuncOp getKernel() { return kernel; }
  mlir::func::FuncOp getEntry() { return entry; }
  mlir::Location getLoc() { return kernel.getLoc(); }

  /// A builder at the top of the entry function, behind all that is there:
  /// for computations on sizes.
  mlir::OpBuilder getSizeBuilder() { return getTopBuilder(); }

  /// A builder at the end of the entry function's body.
  mlir::OpBuilder getBodyBuilder();

  /// The runtime's context, to be passed on.
  mlir::Value getContext() { return entry.getArgument(0); }

  /// The address of an argument's first element.
  mlir::Value getPointer(mlir::BlockArgument argument);

  /// The address of the workspace.
  mlir::Value getWorkspace();

  /// The size of dimension `dim` of any tensor of the kernel's body.
  mlir::Value getDim(mlir::Value tensor, int64_t dim);

  /// The i64 value of an index that the kernel's body computes from sizes. An
  /// operation other than `arith`, `affine.apply` and `tensor.dim` is an error.
  mlir::Value getIndex(mlir::OpFoldResult index);

  /// The element stride of dimension `dim` of a contiguous tensor.
  mlir::Value getStride(mlir::Value tensor, int64_t dim);

  /// An i64 constant.
  mlir::Value getConstant(int64_t value);

  /// A constant of any type.
  mlir::Value getConstant(mlir::TypedAttr value);

  /// The address of constant data: a one-dimensional table.
  mlir::Value getTable(mlir::DenseElementsAttr elements);

  /// Reports an error to the runtime. The first message of a call wins.
  void emitReportError(mlir::OpBuilder &builder, llvm::StringRef message,
                       mlir::Value value);

  /// Runs body(begin, end) over shares of [0, n) on the runtime's threads.
  /// Must not be nested.
  void
  emitParallelFor(mlir::OpBuilder &builder, mlir::Value n, mlir::Value grain,
                  llvm::function_ref<void(mlir::OpBuilder &, mlir::Value begin,
                                          mlir::Value end)>
                      body);

  /// Scratch memory of the calling thread, 64-aligned; valid until the next
  /// call in the same thread.
  mlir::Value emitThreadScratch(mlir::OpBuilder &builder, mlir::Value bytes);

  /// The address `elements` elements of `type` after `pointer`.
  static mlir::Value emitAddress(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value pointer, mlir::Value elements,
                                 mlir::Type type);
  static mlir::Value emitAddress(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value pointer, int64_t elements,
                                 mlir::Type type);

private:
  /// Declares a function of the runtime in the module, once.
  mlir::func::FuncOp declare(llvm::StringRef name, mlir::FunctionType type);
  /// The address of a constant of the module.
  mlir::Value getGlobal(llvm::StringRef name, mlir::Type type,
                        mlir::Attribute value);
  /// A builder at the end of what is computed at the top of the entry.
  mlir::OpBuilder getTopBuilder();
  /// Makes `task` load the values of the entry that it uses from its argument;
  /// gives the address of the structure that holds them.
  mlir::Value capture(mlir::OpBuilder &builder, mlir::func::FuncOp task);
  /// The i64 (or i1) counterpart of a scalar of the kernel's body.
  mlir::Value evaluate(mlir::Value scalar);

  kernel::FuncOp kernel;
  mlir::ModuleOp module;
  mlir::func::FuncOp entry;
  /// Computations at the top of the entry go before this operation.
  mlir::Operation *topEnd = nullptr;
  llvm::DenseMap<mlir::Value, mlir::Value> pointers;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> dims;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  llvm::DenseMap<mlir::Attribute, mlir::Value> globals;
  unsigned numTasks = 0;
  bool anyError = false;
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_KERNELABI_H
