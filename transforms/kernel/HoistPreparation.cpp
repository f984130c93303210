//===- HoistPreparation.cpp - Prepare weights once
//----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/kernel/Passes.h"

#include "dialects/ourc/OurcDialect.h"
#include "mlir/IR/IRMapping.h"
#include "transforms/kernel/FrozenValues.h"
#include "transforms/kernel/Outline.h"

#define DEBUG_TYPE "ourc-hoist-preparation"

namespace ourc {
#define GEN_PASS_DEF_HOISTPREPARATION
#include "transforms/kernel/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

namespace {
struct HoistPreparationPass
    : ourc::impl::HoistPreparationBase<HoistPreparationPass> {
  void runOnOperation() override;
};
} // namespace

/// Clones what `value` is computed from into `builder`'s block.
static void cloneBackward(OpBuilder &builder, Value value, IRMapping &mapping) {
  if (mapping.contains(value))
    return;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    cloneBackward(builder, operand, mapping);
  builder.clone(*op, mapping);
}

/// Whether an operation that is not moved reads `value`, perhaps through views.
static bool isUsedByRest(Value value,
                         const llvm::SetVector<Operation *> &moved) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isView(user))
      return isUsedByRest(user->getResult(0), moved);
    return !moved.contains(user);
  });
}

void HoistPreparationPass::runOnOperation() {
  ModuleOp module = getOperation();
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isDeclaration() ||
      module.lookupSymbol<func::FuncOp>("init"))
    return;
  FrozenValues frozen;
  llvm::SetVector<Operation *> moved;
  Block &block = main.getBody().front();
  for (Operation &op : block)
    if (isa<kernel::LaunchOp>(op) && frozen.isPreparation(&op))
      moved.insert(&op);
  if (moved.empty())
    return;

  // @init takes all parameters, so that a program binds them once.
  OpBuilder builder(main);
  SmallVector<Type> argumentTypes;
  SmallVector<DictionaryAttr> argumentAttrs;
  SmallVector<BlockArgument> parameters;
  for (BlockArgument argument : block.getArguments()) {
    if (!main.getArgAttr(argument.getArgNumber(), kParameterAttrName))
      continue;
    parameters.push_back(argument);
    argumentTypes.push_back(argument.getType());
    argumentAttrs.push_back(main.getArgAttrDict(argument.getArgNumber()));
  }
  SmallVector<Value> prepared;
  for (Operation *op : moved)
    for (Value result : op->getResults())
      if (isUsedByRest(result, moved))
        prepared.push_back(result);
  auto init = func::FuncOp::create(
      builder, main.getLoc(), "init",
      builder.getFunctionType(argumentTypes, ValueRange(prepared).getTypes()));
  init.setAllArgAttrs(argumentAttrs);
  Block *initBlock = init.addEntryBlock();
  OpBuilder body = OpBuilder::atBlockEnd(initBlock);
  IRMapping mapping;
  for (auto [parameter, argument] :
       llvm::zip(parameters, initBlock->getArguments()))
    mapping.map(parameter, argument);
  SmallVector<Value> results;
  for (Value value : prepared) {
    cloneBackward(body, value, mapping);
    results.push_back(mapping.lookup(value));
  }
  func::ReturnOp::create(body, main.getLoc(), results);

  for (auto [i, value] : llvm::enumerate(prepared)) {
    unsigned index = main.getNumArguments();
    NamedAttribute mark(builder.getStringAttr(kPreparedMarkName),
                        builder.getI64IntegerAttr(i));
    if (failed(main.insertArgument(index, value.getType(),
                                   builder.getDictionaryAttr(mark),
                                   value.getLoc())))
      return signalPassFailure();
    value.replaceAllUsesWith(main.getArgument(index));
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  numHoisted += moved.size();
  numPrepared += prepared.size();
}
