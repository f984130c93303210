//===- KernelCompiler.h - Kernels to object code, in parallel -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_KERNELCOMPILER_H
#define OURC_COMPILER_KERNELCOMPILER_H

#include "compiler/CodeCache.h"
#include "compiler/CodeGenerator.h"
#include "compiler/CompileTarget.h"

#include "mlir/IR/DialectRegistry.h"

namespace ourc {

/// One kernel on its way: its module as bytecode, and what became of it.
struct KernelJob {
  std::string name;
  std::string bytecode;
  ObjectCode object;
  std::string error;
};

/// Takes the kernels' modules out of a lowered program.
std::vector<KernelJob> takeKernels(mlir::ModuleOp program);

/// Compiles all jobs on `threads` threads (0: as many as the machine has), each
/// kernel in contexts of its own. Where `dumpFolder` is not empty, each
/// kernel's IR (<name>.mlir) and assembly (<name>.s) are written there. Kernels
/// that the cache has are not compiled. Returns all errors, one kernel after
/// the other.
llvm::Error compileKernels(std::vector<KernelJob> &jobs,
                           const mlir::DialectRegistry &registry,
                           const CompileTarget &target, unsigned threads,
                           llvm::StringRef dumpFolder, CodeCache &cache);

} // namespace ourc

#endif // OURC_COMPILER_KERNELCOMPILER_H
