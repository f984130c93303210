//===- FrozenValues.cpp - What depends on frozen parameters alone
//-------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/kernel/FrozenValues.h"

#include "dialects/kernel/KernelDialect.h"
#include "dialects/ourc/OurcDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "transforms/kernel/Outline.h"

using namespace mlir;
using namespace ourc;

/// What may be kept for all calls even where it is larger than its operands.
static constexpr int64_t kSmallBytes = 1 << 20;

/// Whether an operation does more than repeat and move elements.
static bool computes(Operation *op) {
  if (isa<kernel::LaunchOp>(op))
    return true;
  return op->getNumRegions() == 1 && op->getRegion(0).hasOneBlock() &&
         llvm::hasNItemsOrMore(op->getRegion(0).front(), 2);
}

bool FrozenValues::isFrozen(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto func =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return func && func.getArgAttr(argument.getArgNumber(), kFrozenAttrName);
  }
  Operation *op = value.getDefiningOp();
  if (matchPattern(op, m_Constant()))
    return true;
  if (isView(op))
    return isFrozen(op->getOperand(0));
  return isPreparation(op);
}

bool FrozenValues::isPreparation(Operation *op) {
  auto it = known.find(op);
  if (it != known.end())
    return it->second;
  known[op] = false;
  int64_t bytesIn = 0, bytesOut = 0;
  auto bytes = [](Value value, int64_t &sum) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!type.hasStaticShape())
      return false;
    sum += type.getNumElements() *
           llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    return true;
  };
  llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), operands);
  for (Value operand : operands) {
    Operation *def = operand.getDefiningOp();
    if (def && isClonedIntoKernels(def))
      continue;
    if (matchPattern(operand, m_Constant())) {
      bytes(operand, bytesIn);
      continue;
    }
    if (!isa<RankedTensorType>(operand.getType()) || !isFrozen(operand) ||
        !bytes(operand, bytesIn))
      return false;
  }
  for (Value result : op->getResults())
    if (!isa<RankedTensorType>(result.getType()) || !bytes(result, bytesOut))
      return false;
  // A pack may pad its last panel.
  return known[op] = bytesIn > 0 && (bytesOut <= 2 * bytesIn ||
                                     (bytesOut <= kSmallBytes && computes(op)));
}
