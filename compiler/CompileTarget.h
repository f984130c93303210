//===- CompileTarget.h - What a program is compiled for -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_COMPILETARGET_H
#define OURC_COMPILER_COMPILETARGET_H

#include "target/cpu/MachineDescription.h"

#include "llvm/Support/Error.h"

namespace ourc {

/// A parsed target: "cpu:<name>"; "simt", whose kernels run on the SIMT machine
/// of this CPU; or "cuda:sm_<number>", whose kernels run on a GPU.
struct CompileTarget {
  enum class Kind { cpu, simt, cuda };

  Kind kind;
  /// The name as given.
  std::string name;
  /// The CPU that runs the graph, and the kernels of a CPU target.
  cpu::MachineDescription machine;
  /// Of a GPU target: which ptxas makes its code (Assembler::getIdentity).
  std::string assembler;

  static llvm::Expected<CompileTarget> parse(llvm::StringRef name);
};

} // namespace ourc

#endif // OURC_COMPILER_COMPILETARGET_H
