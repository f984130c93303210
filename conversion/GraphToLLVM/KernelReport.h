//===- KernelReport.h - A program's kernels for tools ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_GRAPHTOLLVM_KERNELREPORT_H
#define OURC_CONVERSION_GRAPHTOLLVM_KERNELREPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace ourc {

/// One object for each kernel of the module: "name", "strategy", "schedule",
/// "locations" (the user's lines that it was formed of), "launches" (how often
/// the program runs it), "cost" (see KernelCost) where all sizes are static.
llvm::json::Array describeKernels(mlir::ModuleOp module);

/// One object for each launch of a function of the program, in order: "kernel"
/// (its place among describeKernels) and "locations".
llvm::json::Array describeLaunches(mlir::ModuleOp module,
                                   llvm::StringRef function);

/// Writes "kernels", "sequence" (the launches of a call) and "preparation"
/// (those that prepare weights) into the report.
void describeProgram(mlir::ModuleOp module, llvm::json::Object &report);

/// The user's lines ("file:line") of a location, each once, in order.
llvm::SmallVector<std::string> userLines(mlir::Location loc);

} // namespace ourc

#endif // OURC_CONVERSION_GRAPHTOLLVM_KERNELREPORT_H
