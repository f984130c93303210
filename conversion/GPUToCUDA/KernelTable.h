//===- KernelTable.h - What the runtime loads of a GPU module -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_GPUTOCUDA_KERNELTABLE_H
#define OURC_CONVERSION_GPUTOCUDA_KERNELTABLE_H

#include "conversion/GraphToLLVM/ProgramLayout.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace ourc {

/// Constant data that describes the kernels of GPU modules, in the module
/// around them.
class KernelTable {
public:
  explicit KernelTable(mlir::ModuleOp module)
      : module(module), layout(module.getContext()), loc(module.getLoc()) {}

  /// Machine code (empty: none, else for `architecture`) and PTX of a module.
  void addCode(mlir::gpu::GPUModuleOp gpuModule, llvm::StringRef ptx,
               llvm::StringRef cubin, int32_t architecture);

  /// The OurcDeviceKernel of a kernel of the last module. `twin`: null where it
  /// has none.
  mlir::LLVM::GlobalOp addKernel(mlir::LLVM::LLVMFuncOp kernel,
                                 mlir::LLVM::LLVMFuncOp twin);

private:
  mlir::LLVM::GlobalOp addData(const llvm::Twine &name, llvm::StringRef bytes);
  mlir::LLVM::GlobalOp
  addStruct(const llvm::Twine &name, mlir::LLVM::LLVMStructType type,
            llvm::function_ref<void(mlir::OpBuilder &,
                                    llvm::SmallVectorImpl<mlir::Value> &)>
                fill);

  mlir::ModuleOp module;
  ProgramLayout layout;
  mlir::Location loc;
  mlir::LLVM::GlobalOp ptxData, binaries;
};

} // namespace ourc

#endif // OURC_CONVERSION_GPUTOCUDA_KERNELTABLE_H
