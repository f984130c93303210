//===- CodeGenerator.h - LLVM modules to machine code ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_CODEGENERATOR_H
#define OURC_COMPILER_CODEGENERATOR_H

#include "target/cpu/MachineDescription.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace ourc {

/// An object file in memory.
using ObjectCode = llvm::SmallVector<char, 0>;

/// Makes machine code for one machine, with LLVM's code generator alone: what
/// the emitters write needs no optimiser in front of it. One instance is used
/// by one thread.
class CodeGenerator {
public:
  /// Makes LLVM know this machine's kind; whoever generates or loads code needs
  /// it. Any thread may call, any number of times.
  static void initialize();

  static llvm::Expected<CodeGenerator>
  create(const cpu::MachineDescription &machine);

  /// Translates a module of the LLVM dialect. Where `assembly` is not null it
  /// gets the code as text, too.
  llvm::Expected<ObjectCode> generate(mlir::ModuleOp module,
                                      std::string *assembly = nullptr);

private:
  explicit CodeGenerator(std::unique_ptr<llvm::TargetMachine> machine)
      : machine(std::move(machine)) {}

  std::unique_ptr<llvm::TargetMachine> machine;
};

} // namespace ourc

#endif // OURC_COMPILER_CODEGENERATOR_H
