//===- Frozen.cpp - What cannot change between calls ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/Frozen.h"

#include "dialects/ourc/OurcDialect.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace ourc;

bool ourc::isFrozen(Value value) {
  SmallVector<Value> open{value};
  llvm::SmallDenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto arg = dyn_cast<BlockArgument>(next)) {
      auto func = dyn_cast<FunctionOpInterface>(arg.getOwner()->getParentOp());
      if (!func || !arg.getOwner()->isEntryBlock() ||
          !func.getArgAttr(arg.getArgNumber(), kFrozenAttrName))
        return false;
      continue;
    }
    Operation *op = next.getDefiningOp();
    if (isa<DimOp>(op) || op->getNumRegions() != 0 || !isPure(op))
      return false;
    llvm::append_range(open, op->getOperands());
  }
  return true;
}
