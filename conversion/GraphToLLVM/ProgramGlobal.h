//===- ProgramGlobal.h - The constant that describes a program ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_GRAPHTOLLVM_PROGRAMGLOBAL_H
#define OURC_CONVERSION_GRAPHTOLLVM_PROGRAMGLOBAL_H

#include "conversion/GraphToLLVM/GraphFunctions.h"

namespace ourc {

/// What the constant says besides the signature of `main`.
struct ProgramFacts {
  std::string name, target, report;
  /// The symbol of the device's runtime; empty: kernels run on the CPU.
  std::string device;
  unsigned numComputedDims = 0;
  int64_t initScratchBytes = 0;
};

/// Makes the constant `ourc_program` and all that it points to.
llvm::LogicalResult emitProgramGlobal(mlir::ModuleOp module,
                                      mlir::func::FuncOp main,
                                      const ProgramSignature &signature,
                                      const GraphFunctions &functions,
                                      const ProgramFacts &facts);

} // namespace ourc

#endif // OURC_CONVERSION_GRAPHTOLLVM_PROGRAMGLOBAL_H
