//===- Reference.h - The dialect's specification, executable --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// An interpreter of the ourc dialect. Floats are f64 whatever their type is,
// integers wrap at their width. It shares no code with the folders and the
// lowerings: each operation's meaning is written a second time, plainly.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_REFERENCE_REFERENCE_H
#define OURC_REFERENCE_REFERENCE_H

#include "reference/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ourc::reference {

/// The size of each `ourc.symbol` in a call.
using Symbols = llvm::StringMap<int64_t>;

using Results = llvm::FailureOr<llvm::SmallVector<Tensor>>;

/// The results of `function` on `arguments`. Fails, with an error at the
/// operation, where one has no meaning here or not on these values.
Results interpret(mlir::func::FuncOp function, llvm::ArrayRef<Tensor> arguments,
                  const Symbols &symbols);

/// Attaches the meaning of every operation; without it nothing can be
/// interpreted.
void registerReferenceModels(mlir::DialectRegistry &registry);

} // namespace ourc::reference

#endif // OURC_REFERENCE_REFERENCE_H
