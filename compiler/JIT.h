//===- JIT.h - A program's code in this process ---------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_JIT_H
#define OURC_COMPILER_JIT_H

#include "compiler/CodeGenerator.h"
#include "runtime/abi/ProgramABI.h"

#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace ourc {

/// Objects linked into this process; the runtime's functions are those of the
/// library that holds this class.
class LoadedProgram {
public:
  static llvm::Expected<std::unique_ptr<LoadedProgram>>
  load(llvm::ArrayRef<const ObjectCode *> objects);
  ~LoadedProgram();

  const OurcProgram *getProgram() const { return program; }

private:
  LoadedProgram(std::unique_ptr<llvm::orc::LLJIT> jit,
                const OurcProgram *program);

  std::unique_ptr<llvm::orc::LLJIT> jit;
  const OurcProgram *program;
};

} // namespace ourc

#endif // OURC_COMPILER_JIT_H
