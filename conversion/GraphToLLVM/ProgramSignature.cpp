//===- ProgramSignature.cpp - What the arguments of @main are -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/GraphToLLVM/ProgramSignature.h"

#include "dialects/ourc/OurcDialect.h"
#include "transforms/buffer/ProgramFunctions.h"

using namespace mlir;
using namespace ourc;

FailureOr<ProgramSignature> ProgramSignature::of(func::FuncOp func) {
  ProgramSignature signature;
  for (BlockArgument arg : func.getArguments()) {
    unsigned number = arg.getArgNumber();
    auto has = [&](StringRef name) {
      return static_cast<bool>(func.getArgAttr(number, name));
    };
    if (has(kLifetimeAttrName)) {
      signature.offsets.push_back(arg);
      continue;
    }
    if (!isa<MemRefType>(arg.getType()))
      return func.emitError("argument ")
             << number << " has type " << arg.getType()
             << "; a planned program's arguments are memrefs and offsets (run "
                "ourc-plan-memory first)";
    if (has(kArenaAttrName))
      signature.arena = arg;
    else if (has(kDestinationAttrName))
      signature.results.push_back(arg);
    else if (has(kPreparedAttrName))
      signature.prepared.push_back(arg);
    else if (has(kParameterAttrName))
      signature.parameters.push_back(arg);
    else
      signature.inputs.push_back(arg);
  }
  return signature;
}

SmallVector<BlockArgument> ProgramSignature::operands() const {
  SmallVector<BlockArgument> all;
  llvm::append_range(all, inputs);
  llvm::append_range(all, parameters);
  llvm::append_range(all, prepared);
  llvm::append_range(all, results);
  return all;
}

SmallVector<Operation *> ourc::programSymbols(ModuleOp module) {
  SmallVector<Operation *> symbols;
  for (auto symbol : module.getOps<SymbolOp>())
    symbols.push_back(symbol);
  return symbols;
}

llvm::StringMap<int64_t> ourc::programSymbolNumbers(ModuleOp module) {
  llvm::StringMap<int64_t> numbers;
  for (auto [i, symbol] : llvm::enumerate(programSymbols(module)))
    numbers[cast<SymbolOp>(symbol).getSymName()] = i;
  return numbers;
}
