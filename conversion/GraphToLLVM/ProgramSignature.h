//===- ProgramSignature.h - What the arguments of @main are ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_GRAPHTOLLVM_PROGRAMSIGNATURE_H
#define OURC_CONVERSION_GRAPHTOLLVM_PROGRAMSIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace ourc {

/// The arguments of a planned program function by role, in program order: the
/// order of operands in the ABI is inputs, parameters, prepared, results.
struct ProgramSignature {
  llvm::SmallVector<mlir::BlockArgument> inputs, parameters, prepared, results;
  /// The offset of each arena buffer.
  llvm::SmallVector<mlir::BlockArgument> offsets;
  mlir::BlockArgument arena;

  static mlir::FailureOr<ProgramSignature> of(mlir::func::FuncOp func);

  /// All that the ABI passes as operands, in its order.
  llvm::SmallVector<mlir::BlockArgument> operands() const;
};

/// Symbols of a module by number, as OurcProgram::symbols lists them.
llvm::SmallVector<mlir::Operation *> programSymbols(mlir::ModuleOp module);
llvm::StringMap<int64_t> programSymbolNumbers(mlir::ModuleOp module);

} // namespace ourc

#endif // OURC_CONVERSION_GRAPHTOLLVM_PROGRAMSIGNATURE_H
