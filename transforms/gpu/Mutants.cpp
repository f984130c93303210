//===- Mutants.cpp - Small faults, made on purpose ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Mutants.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;

using Kind = GPUMutant::Kind;

llvm::StringRef ourc::getGPUMutantKindName(Kind kind) {
  switch (kind) {
  case Kind::DropSync:
    return "drop-sync";
  case Kind::ShiftWait:
    return "shift-wait";
  case Kind::DropPredicate:
    return "drop-predicate";
  case Kind::ShiftPredicate:
    return "shift-predicate";
  case Kind::DropStage:
    return "drop-stage";
  case Kind::ShiftStage:
    return "shift-stage";
  }
  llvm_unreachable("unknown kind of mutant");
}

/// Whether `op` exists to synchronise, and nothing uses what it gives.
static bool isSynchronisation(Operation *op) {
  if (!op->use_empty())
    return false;
  return isa<NVVM::Barrier0Op, NVVM::BarrierOp, NVVM::SyncWarpOp,
             NVVM::CpAsyncWaitGroupOp, NVVM::CpAsyncCommitGroupOp,
             NVVM::MembarOp, LLVM::FenceOp, NVVM::FenceProxyOp,
             NVVM::MBarrierArriveOp, NVVM::MBarrierTryWaitParityOp,
             NVVM::MBarrierInitOp, NVVM::CpAsyncMBarrierArriveOp>(op);
}

/// Whether a comparison decides where control goes or what is chosen, itself or
/// through and, or, xor.
static bool isPredicate(LLVM::ICmpOp compare) {
  llvm::DenseSet<Operation *> seen;
  SmallVector<Operation *> open{compare};
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (!seen.insert(op).second)
      continue;
    for (OpOperand &use : op->getUses()) {
      Operation *user = use.getOwner();
      if (isa<LLVM::CondBrOp>(user) ||
          (isa<LLVM::SelectOp>(user) && use.getOperandNumber() == 0))
        return true;
      if (isa<LLVM::AndOp, LLVM::OrOp, LLVM::XOrOp>(user))
        open.push_back(user);
    }
  }
  return false;
}

/// Whether a block argument is what the loop counts: a comparison uses it.
static bool isCounter(BlockArgument argument) {
  return llvm::any_of(argument.getUsers(),
                      [](Operation *user) { return isa<LLVM::ICmpOp>(user); });
}

/// Whether an address is computed from `value`.
static bool isIndex(Value value) {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> open{value};
  while (!open.empty()) {
    Value at = open.pop_back_val();
    if (!seen.insert(at).second)
      continue;
    for (Operation *user : at.getUsers()) {
      if (isa<LLVM::GEPOp>(user))
        return true;
      if (isa<LLVM::AddOp, LLVM::MulOp, LLVM::ShlOp, LLVM::SExtOp, LLVM::ZExtOp,
              LLVM::OrOp>(user))
        open.push_back(user->getResult(0));
    }
  }
  return false;
}

/// The constant that one step adds to an index: of `add` on the way from the
/// argument to what the loop passes on.
static std::optional<int64_t> getStep(BlockArgument argument) {
  for (Operation *user : argument.getUsers()) {
    APInt constant;
    if (isa<LLVM::AddOp>(user) &&
        matchPattern(user->getOperand(1), m_ConstantInt(&constant)))
      return constant.getSExtValue();
  }
  return std::nullopt;
}

/// Calls body(terminator, operand) for each edge that passes `argument`.
static void
forEachIncoming(BlockArgument argument,
                llvm::function_ref<void(Operation *, OpOperand &)> body) {
  Block *block = argument.getOwner();
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    if (!branch)
      continue;
    SuccessorOperands operands =
        branch.getSuccessorOperands(it.getSuccessorIndex());
    if (operands.isOperandProduced(argument.getArgNumber()))
      continue;
    unsigned first = operands.getForwardedOperands().getBeginOperandIndex();
    body(branch, branch->getOpOperand(first + argument.getArgNumber()));
  }
}

std::vector<GPUMutant> ourc::findGPUMutants(ModuleOp module) {
  std::vector<GPUMutant> mutants;
  llvm::DenseMap<int, unsigned> numbers;
  auto add = [&](Kind kind, Operation *op, StringRef what,
                 BlockArgument index = {}) {
    unsigned number = numbers[static_cast<int>(kind)]++;
    mutants.push_back(
        {kind, op, index,
         (getGPUMutantKindName(kind) + " " + Twine(number) + " " + what)
             .str()});
  };
  DominanceInfo dominance(module);
  module.walk([&](gpu::GPUModuleOp gpuModule) {
    gpuModule.walk<WalkOrder::PreOrder>([&](Block *block) {
      bool isLoop = llvm::any_of(block->getPredecessors(), [&](Block *from) {
        return dominance.dominates(block, from);
      });
      if (isLoop)
        for (BlockArgument argument : block->getArguments())
          if (argument.getType().isSignlessInteger() && !isCounter(argument) &&
              isIndex(argument)) {
            add(Kind::DropStage, block->getParentOp(), "loop index", argument);
            if (getStep(argument))
              add(Kind::ShiftStage, block->getParentOp(), "loop index",
                  argument);
          }
      for (Operation &op : *block) {
        StringRef name = op.getName().getStringRef();
        if (isSynchronisation(&op))
          add(Kind::DropSync, &op, name);
        if (isa<NVVM::CpAsyncWaitGroupOp>(op))
          add(Kind::ShiftWait, &op, name);
        auto compare = dyn_cast<LLVM::ICmpOp>(op);
        if (compare && isPredicate(compare)) {
          std::string what =
              stringifyICmpPredicate(compare.getPredicate()).str();
          add(Kind::DropPredicate, &op, what);
          add(Kind::ShiftPredicate, &op, what);
        }
      }
    });
  });
  return mutants;
}

void ourc::applyGPUMutant(const GPUMutant &mutant) {
  Operation *op = mutant.op;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  switch (mutant.kind) {
  case Kind::DropSync:
    op->erase();
    return;
  case Kind::ShiftWait: {
    auto wait = cast<NVVM::CpAsyncWaitGroupOp>(op);
    wait.setN(wait.getN() + 1);
    return;
  }
  case Kind::DropPredicate: {
    Value yes =
        LLVM::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    op->getResult(0).replaceAllUsesWith(yes);
    op->erase();
    return;
  }
  case Kind::ShiftPredicate: {
    auto compare = cast<LLVM::ICmpOp>(op);
    Type type = compare.getRhs().getType();
    if (!type.isSignlessInteger())
      return;
    Value one = LLVM::ConstantOp::create(builder, loc, type,
                                         builder.getIntegerAttr(type, 1));
    compare.getRhsMutable().assign(
        LLVM::AddOp::create(builder, loc, compare.getRhs(), one));
    return;
  }
  case Kind::DropStage:
  case Kind::ShiftStage: {
    BlockArgument argument = mutant.index;
    DominanceInfo dominance(argument.getOwner()->getParentOp());
    std::optional<int64_t> step = getStep(argument);
    forEachIncoming(argument, [&](Operation *branch, OpOperand &operand) {
      bool again = dominance.dominates(argument.getOwner(), branch->getBlock());
      if (mutant.kind == Kind::DropStage && again) {
        operand.set(argument);
      } else if (mutant.kind == Kind::ShiftStage && !again) {
        OpBuilder before(branch);
        Type type = argument.getType();
        Value constant = LLVM::ConstantOp::create(
            before, loc, type, before.getIntegerAttr(type, *step));
        operand.set(LLVM::AddOp::create(before, loc, operand.get(), constant));
      }
    });
    return;
  }
  }
}

void ourc::probeGPUMutant(const GPUMutant &mutant) {
  auto compare = cast<LLVM::ICmpOp>(mutant.op);
  auto function = compare->getParentOfType<LLVM::LLVMFuncOp>();
  Location loc = compare.getLoc();
  OpBuilder entry = OpBuilder::atBlockBegin(&function.getBody().front());
  auto pointer = LLVM::LLVMPointerType::get(compare.getContext());
  Type i8 = entry.getI8Type();
  Value one = LLVM::ConstantOp::create(entry, loc, entry.getI32IntegerAttr(1));
  Value local = LLVM::AllocaOp::create(entry, loc, pointer, i8, one);
  OpBuilder builder(compare);
  builder.setInsertionPointAfter(compare);
  Value original = compare.getResult(), changed;
  if (mutant.kind == Kind::DropPredicate) {
    changed = LLVM::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  } else {
    Type type = compare.getRhs().getType();
    Value step = LLVM::ConstantOp::create(builder, loc, type,
                                          builder.getIntegerAttr(type, 1));
    changed = LLVM::ICmpOp::create(
        builder, loc, compare.getPredicate(), compare.getLhs(),
        LLVM::AddOp::create(builder, loc, compare.getRhs(), step));
  }
  Value differs = LLVM::XOrOp::create(builder, loc, original, changed);
  Value offset =
      LLVM::ZExtOp::create(builder, loc, builder.getI32Type(), differs);
  Value place = LLVM::GEPOp::create(builder, loc, pointer, i8, local,
                                    ArrayRef<LLVM::GEPArg>{offset});
  LLVM::LoadOp::create(builder, loc, i8, place, /*alignment=*/1,
                       /*isVolatile=*/true);
}
