//===- KernelNames.cpp - Names of kernels
//-------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/kernel/KernelNames.h"

#include "mlir/IR/Location.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ourc;

/// Collects the names of NameLocs, outermost first.
static void collectNames(Location loc, llvm::SetVector<StringRef> &names) {
  if (auto name = dyn_cast<NameLoc>(loc))
    names.insert(name.getName());
  else if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      collectNames(part, names);
  else if (auto call = dyn_cast<CallSiteLoc>(loc))
    collectNames(call.getCallee(), names);
}

std::string ourc::nameKernel(const OperationGroup &ops) {
  llvm::SetVector<StringRef> names;
  for (Operation *op : ops)
    collectNames(op->getLoc(), names);
  if (names.empty())
    for (Operation *op : ops)
      names.insert(op->getName().stripDialect());
  std::string result;
  for (StringRef name : names.getArrayRef().take_front(4)) {
    if (!result.empty())
      result += '_';
    for (char c : name)
      result += llvm::isAlnum(c) ? c : '_';
  }
  return result.empty() ? "kernel" : result;
}
