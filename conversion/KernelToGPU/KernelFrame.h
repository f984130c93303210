//===- KernelFrame.h - The module, function and entry of one kernel ----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOGPU_KERNELFRAME_H
#define OURC_CONVERSION_KERNELTOGPU_KERNELFRAME_H

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

#include <array>
#include <functional>

namespace ourc::gpucodegen {

/// Sizes and other scalars of a kernel's body, as `index` values at the top of
/// one function: the entry on the host, or the kernel on the device.
class SizeValues {
public:
  using ArgumentDim =
      std::function<mlir::Value(unsigned argument, int64_t dim)>;

  /// New values go before `end`; `argumentDim` gives a dynamic size of an
  /// argument of the kernel.
  SizeValues(mlir::Operation *end, ArgumentDim argumentDim)
      : end(end), argumentDim(std::move(argumentDim)) {}

  mlir::Value getConstant(int64_t value);
  /// A constant of any type.
  mlir::Value getConstant(mlir::TypedAttr value);
  /// The size of a dimension of any tensor of the kernel's body.
  mlir::Value getDim(mlir::Value tensor, int64_t dim);
  /// A size or offset of the kernel's body.
  mlir::Value getIndex(mlir::OpFoldResult index);
  /// A scalar that the kernel's body computes outside of its loops; null after
  /// an error.
  mlir::Value getScalar(mlir::Value scalar);
  /// The number of elements in the dimensions of `tensor` from `first` on.
  mlir::Value getNumElements(mlir::Value tensor, int64_t first = 0);
  mlir::Value getProduct(llvm::ArrayRef<mlir::Value> factors);

private:
  mlir::Operation *end;
  ArgumentDim argumentDim;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> dims;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
};

/// Shared memory that a kernel asks for, in order.
class SharedMemory {
public:
  /// Reserves bytes; returns their offset.
  int64_t reserve(int64_t bytes, int64_t alignment);
  int64_t getBytes() const { return bytes; }

private:
  int64_t bytes = 0;
};

/// Builds, beside one `kernel.func`, a GPU module with its kernel, and the
/// entry function (an OurcKernelFn of runtime/abi/ProgramABI.h) that launches
/// it. The GPU kernel takes the address of each operand and each dynamic size.
class KernelFrame {
public:
  KernelFrame(kernel::FuncOp kernel, int64_t numThreads);
  KernelFrame(const KernelFrame &) = delete;
  KernelFrame &operator=(const KernelFrame &) = delete;

  kernel::FuncOp getKernel() { return kernel; }
  mlir::Location getLoc() { return kernel.getLoc(); }
  int64_t getNumThreads() const { return numThreads; }

  /// Sizes on the device and on the host.
  SizeValues &device() { return deviceSizes; }
  SizeValues &host() { return hostSizes; }

  /// A builder at the end of the GPU kernel's body.
  mlir::OpBuilder getBodyBuilder();
  /// A builder at the end of the entry's body, before the launch.
  mlir::OpBuilder getEntryBuilder();

  /// The address of an operand's first element in global memory.
  mlir::Value getPointer(mlir::BlockArgument argument);

  /// Whether the addresses of all operands are multiples of 16 in this call, at
  /// the top; one value for all threads.
  mlir::Value areOperandsAligned();

  /// The address of the elements of a constant tensor in global memory, at the
  /// top.
  mlir::Value getTable(mlir::DenseElementsAttr elements);

  /// The thread's and the block's number in x, y or z, at the top.
  mlir::Value getThreadId();
  mlir::Value getBlockId(mlir::gpu::Dimension dimension);

  /// The base of the block's shared memory, at the top; `shared` says where
  /// things lie in it.
  mlir::Value getSharedBase();
  SharedMemory shared;

  /// Ends the kernel and the entry: a launch of `grid` blocks (index values of
  /// the host), skipped when one of them is zero.
  void finish(std::array<mlir::Value, 3> grid);

private:
  kernel::FuncOp kernel;
  int64_t numThreads;
  mlir::gpu::GPUModuleOp module;
  mlir::gpu::GPUFuncOp function;
  mlir::func::FuncOp entry;
  mlir::Operation *deviceTop, *hostTop;
  llvm::SmallVector<mlir::Value> hostOperands;
  llvm::DenseMap<std::pair<unsigned, int64_t>, unsigned> sizeIndex;
  mlir::Value threadId, sharedBase;
  llvm::DenseMap<mlir::Attribute, mlir::Value> tables;
  std::array<mlir::Value, 3> blockIds;
  SizeValues deviceSizes, hostSizes;
};

/// The coordinates of element `linear` of a space with these sizes.
llvm::SmallVector<mlir::Value> delinearize(mlir::OpBuilder &builder,
                                           mlir::Location loc,
                                           mlir::Value linear,
                                           llvm::ArrayRef<mlir::Value> sizes);

/// Binary operations on index values that fold what they can.
mlir::Value addIndex(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value a, mlir::Value b);
mlir::Value mulIndex(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value a, mlir::Value b);
mlir::Value subIndex(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value a, mlir::Value b);
mlir::Value divIndex(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value a, mlir::Value b);
mlir::Value remIndex(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value a, mlir::Value b);
/// a / b rounded up.
mlir::Value ceilDivIndex(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value a, mlir::Value b);

/// Address arithmetic: `elements` elements of `type` after `pointer`.
mlir::Value emitAddress(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value pointer, mlir::Value elements,
                        mlir::Type type);
/// `bytes` bytes after `pointer`; as a value, an integer.
mlir::Value emitByteAddress(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value pointer, int64_t bytes);
mlir::Value emitByteAddress(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value pointer, mlir::Value bytes);

} // namespace ourc::gpucodegen

#endif // OURC_CONVERSION_KERNELTOGPU_KERNELFRAME_H
