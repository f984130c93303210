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

/// Checks an argument's description of its dimensions: an entry for each, a
/// symbol or a size; in a destination also (`index`) the number of a result of
/// `@shapes`.
static LogicalResult verifyDimensions(func::FuncOp func, BlockArgument arg,
                                      StringRef attrName) {
  Attribute attr = func.getArgAttr(arg.getArgNumber(), attrName);
  if (!attr)
    return success();
  auto fail = [&]() {
    return func.emitError("argument ")
           << arg.getArgNumber() << ": '" << attrName << "' ";
  };
  auto type = dyn_cast<MemRefType>(arg.getType());
  auto dims = dyn_cast<ArrayAttr>(attr);
  if (!type || !dims || static_cast<int64_t>(dims.size()) != type.getRank())
    return fail() << "must be an array with an entry for each dimension";
  int64_t numComputed = 0;
  if (auto shapes =
          func->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(
              kShapesName))
    numComputed = shapes.getNumResults();
  for (auto [i, entry] : llvm::enumerate(dims)) {
    if (isa<FlatSymbolRefAttr>(entry))
      continue;
    auto size = dyn_cast<IntegerAttr>(entry);
    if (!size)
      return fail() << "entry " << i << " must be a symbol or a size, but is "
                    << entry;
    bool computed = size.getType().isIndex();
    if (computed && (attrName != kDestinationAttrName || size.getInt() < 0 ||
                     size.getInt() >= numComputed))
      return fail() << "entry " << i << " names result " << size.getInt()
                    << " of '@" << kShapesName << "', which has "
                    << numComputed;
    if (!computed && !type.isDynamicDim(i) &&
        size.getInt() != type.getDimSize(i))
      return fail() << "entry " << i << " is " << size.getInt()
                    << ", but the dimension has " << type.getDimSize(i);
  }
  return success();
}

FailureOr<ProgramSignature> ProgramSignature::of(func::FuncOp func) {
  ProgramSignature signature;
  for (BlockArgument arg : func.getArguments()) {
    unsigned number = arg.getArgNumber();
    auto has = [&](StringRef name) {
      return static_cast<bool>(func.getArgAttr(number, name));
    };
    if (has(kLifetimeAttrName)) {
      auto lifetime =
          func.getArgAttrOfType<DenseI64ArrayAttr>(number, kLifetimeAttrName);
      if (!arg.getType().isIndex() || !lifetime || lifetime.size() != 2)
        return func.emitError("argument ")
               << number << ": '" << kLifetimeAttrName
               << "' must be array<i64: first, last> on an index";
      signature.offsets.push_back(arg);
      continue;
    }
    if (!isa<MemRefType>(arg.getType()))
      return func.emitError("argument ")
             << number << " has type " << arg.getType()
             << "; a planned program's arguments are memrefs and offsets (run "
                "ourc-plan-memory first)";
    if (failed(verifyDimensions(func, arg, kDestinationAttrName)) ||
        failed(verifyDimensions(func, arg, kShapeAttrName)))
      return failure();
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
