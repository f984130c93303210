//===- FormKernels.cpp - Group operations into kernels
//------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/kernel/Passes.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "strategy/Strategies.h"
#include "transforms/kernel/Booleans.h"
#include "transforms/kernel/FrozenValues.h"
#include "transforms/kernel/KernelNames.h"
#include "transforms/kernel/Outline.h"

#define DEBUG_TYPE "ourc-form-kernels"

namespace ourc {
#define GEN_PASS_DEF_FORMKERNELS
#include "transforms/kernel/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

namespace {
struct Group {
  OperationGroup ops;
  const Strategy *strategy;
};

/// Forms the kernels of one function.
class KernelFormer {
public:
  KernelFormer(func::FuncOp func,
               ArrayRef<std::unique_ptr<Strategy>> strategies)
      : func(func), block(func.getBody().front()), strategies(strategies),
        shapes(func), scratch(ModuleOp::create(func.getLoc())) {}

  LogicalResult run(SymbolTable &symbols);

  unsigned numKernels = 0, numAbsorbed = 0, numRefused = 0;

private:
  /// Whether the operation is to be computed by a kernel.
  bool isComputation(Operation *op);
  /// The operation of this block that holds `op`.
  Operation *topLevel(Operation *op) {
    return block.findAncestorOpInBlock(*op);
  }
  bool matches(const Strategy &strategy, const OperationGroup &ops,
               std::string &reason);
  /// Whether some path leaves `ops` and comes back, kernels counted as one.
  bool makesCycle(const OperationGroup &ops);
  unsigned countUsersOutside(const Group &group, Operation *op);
  void collectViewsInto(const Group &group, Operation *op,
                        SmallVectorImpl<Operation *> &views);
  void grow(Group &group);
  void mergeViews();
  bool tryAbsorb(Group &group, Operation *op, ArrayRef<Operation *> views,
                 StringRef role);
  void refuse(Operation *op, const Group &group, const Twine &reason);
  SmallVector<Value> operandsOf(Operation *op);

  func::FuncOp func;
  Block &block;
  ArrayRef<std::unique_ptr<Strategy>> strategies;
  SymbolicShapes shapes;
  FrozenValues frozen;
  /// Where candidate kernels are built to be matched.
  OwningOpRef<ModuleOp> scratch;
  std::vector<Group> groups;
  DenseMap<Operation *, unsigned> groupOf;
};
} // namespace

bool KernelFormer::isComputation(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isView(op) ||
      isa<kernel::LaunchOp>(op) || op->getNumResults() == 0 ||
      !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return false;
  if (!isClonedIntoKernels(op))
    return !matchPattern(op, m_Constant());
  // A fill that the graph itself reads has to be computed once as well.
  return isa<linalg::FillOp>(op) &&
         llvm::any_of(op->getUsers(), [&](Operation *user) {
           Operation *top = topLevel(user);
           return !top || isView(top) || isa<kernel::ScatterOp>(top) ||
                  top->hasTrait<OpTrait::IsTerminator>();
         });
}

SmallVector<Value> KernelFormer::operandsOf(Operation *op) {
  llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), operands);
  return operands.takeVector();
}

bool KernelFormer::matches(const Strategy &strategy, const OperationGroup &ops,
                           std::string &reason) {
  OpBuilder builder = OpBuilder::atBlockEnd(scratch->getBody());
  FailureOr<OutlinedKernel> outlined =
      outlineKernel(builder, ops, "candidate", shapes, &reason);
  if (failed(outlined))
    return false;
  bool match = succeeded(strategy.match(outlined->kernel, &reason));
  outlined->kernel.erase();
  return match;
}

bool KernelFormer::makesCycle(const OperationGroup &ops) {
  SmallVector<Operation *> stack;
  DenseSet<Operation *> seen;
  auto follow = [&](Operation *op) {
    for (Operation *user : op->getUsers())
      if (Operation *top = topLevel(user))
        if (seen.insert(top).second)
          stack.push_back(top);
  };
  // What leaves the group…
  for (Operation *op : ops)
    for (Operation *user : op->getUsers())
      if (Operation *top = topLevel(user))
        if (!ops.contains(top) && seen.insert(top).second)
          stack.push_back(top);
  // … must not come back. Entering a kernel reaches all that leaves it.
  while (!stack.empty()) {
    Operation *op = stack.pop_back_val();
    if (ops.contains(op))
      return true;
    follow(op);
    auto it = groupOf.find(op);
    if (it == groupOf.end())
      continue;
    for (Operation *member : groups[it->second].ops)
      follow(member);
  }
  return false;
}

void KernelFormer::refuse(Operation *op, const Group &group,
                          const Twine &reason) {
  ++numRefused;
  remark::missed(op->getLoc(), remark::RemarkOpts::name("NotFused")
                                   .category(DEBUG_TYPE)
                                   .function(func.getSymName()))
      << "not fused into the kernel of "
      << group.ops.front()->getName().getStringRef() << ": " << reason.str();
}

bool KernelFormer::tryAbsorb(Group &group, Operation *op,
                             ArrayRef<Operation *> views, StringRef role) {
  bool prepared = frozen.isPreparation(group.ops.front());
  if (prepared != frozen.isPreparation(op)) {
    refuse(op, group, "one of them is prepared ahead of the call");
    return false;
  }
  SmallVector<Operation *> members(group.ops.begin(), group.ops.end());
  members.push_back(op);
  llvm::append_range(members, views);
  llvm::sort(members,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  OperationGroup candidate(members.begin(), members.end());
  if (makesCycle(candidate)) {
    refuse(op, group, "something between them runs apart");
    return false;
  }
  std::string reason;
  if (!matches(*group.strategy, candidate, reason)) {
    refuse(op, group,
           Twine("as ") + role + ", " + group.strategy->getName() +
               " cannot take it: " + reason);
    return false;
  }
  group.ops = std::move(candidate);
  ++numAbsorbed;
  return true;
}

/// The users, views looked through, that a kernel does not hold.
unsigned KernelFormer::countUsersOutside(const Group &group, Operation *op) {
  unsigned count = 0;
  for (Operation *user : op->getUsers()) {
    Operation *top = topLevel(user);
    if (!top || !group.ops.contains(top))
      count += top && isView(top) ? countUsersOutside(group, top) : 1;
  }
  return count;
}

/// The views of an operation's results that only a kernel uses.
void KernelFormer::collectViewsInto(const Group &group, Operation *op,
                                    SmallVectorImpl<Operation *> &views) {
  for (Operation *user : op->getUsers())
    if (isView(user) && !group.ops.contains(user) &&
        countUsersOutside(group, user) == 0) {
      views.push_back(user);
      collectViewsInto(group, user, views);
    }
}

void KernelFormer::grow(Group &group) {
  unsigned index = &group - groups.data();
  // What was refused is tried again once more of its users are in the kernel.
  DenseMap<Operation *, unsigned> refused;
  auto isCandidate = [&](Operation *op) {
    if (!op || groupOf.contains(op) || group.ops.contains(op) ||
        !isComputation(op))
      return false;
    auto it = refused.find(op);
    return it == refused.end() || it->second != countUsersOutside(group, op);
  };
  auto absorb = [&](Operation *op, ArrayRef<Operation *> views,
                    StringRef role) {
    if (!tryAbsorb(group, op, views, role)) {
      refused[op] = countUsersOutside(group, op);
      return false;
    }
    groupOf[op] = index;
    for (Operation *view : views)
      groupOf[view] = index;
    return true;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    SmallVector<Operation *> members(group.ops.begin(), group.ops.end());
    // Consumers first: they save a store and a load, and nothing is computed
    // twice.
    for (Operation *member : members)
      for (Operation *user : member->getUsers()) {
        Operation *top = topLevel(user);
        if (isCandidate(top))
          changed |= absorb(top, {}, "consumer");
      }
    if (changed)
      continue;
    for (Operation *member : llvm::reverse(members))
      for (Value operand : operandsOf(member)) {
        Operation *producer = operand.getDefiningOp();
        SmallVector<Operation *> views;
        if (group.strategy->readsThroughViews()) {
          while (producer && isView(producer))
            producer = producer->getOperand(0).getDefiningOp();
          if (producer)
            collectViewsInto(group, producer, views);
        }
        if (producer && producer->getBlock() == &block && isCandidate(producer))
          changed |= absorb(producer, views, "producer");
      }
  }
}

/// Gives each user of a view a view of its own, so that kernels that take some
/// of them in share none.
static void separateViews(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (!isView(&op))
      continue;
    OpBuilder builder(&op);
    while (!op.use_empty() && !op.hasOneUse()) {
      OpOperand &use = *op.use_begin();
      use.set(builder.clone(op)->getResult(0));
    }
  }
}

/// Sizes come from symbols, not from tensors, so that asking for the size of a
/// tensor inside of a kernel does not count as a use of it.
static void replaceDims(func::FuncOp func) {
  // An analysis of its own: operations go away here.
  SymbolicShapes shapes(func);
  SmallVector<tensor::DimOp> dims(
      func.getBody().front().getOps<tensor::DimOp>());
  for (tensor::DimOp dim : dims) {
    std::optional<int64_t> position = dim.getConstantIndex();
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    if (!position || !type || *position >= type.getRank())
      continue;
    OpBuilder builder(dim);
    Value size = getValueOrCreateConstantIndexOp(
        builder, dim.getLoc(),
        shapes.materialize(builder, dim.getLoc(),
                           shapes.getSize(dim.getSource(), *position)));
    dim.getResult().replaceAllUsesWith(size);
  }
  for (tensor::DimOp dim : llvm::reverse(dims))
    if (dim->use_empty())
      dim.erase();
}

/// Views that no kernel took in are one again where they are equal.
void KernelFormer::mergeViews() {
  for (Operation &op : block) {
    if (!isView(&op) || groupOf.contains(&op))
      continue;
    for (Operation *other : op.getOperand(0).getUsers())
      if (other->getBlock() == &block && other->isBeforeInBlock(&op) &&
          !groupOf.contains(other) && !other->use_empty() &&
          OperationEquivalence::isEquivalentTo(
              other, &op, OperationEquivalence::IgnoreLocations)) {
        op.replaceAllUsesWith(other);
        break;
      }
  }
}

LogicalResult KernelFormer::run(SymbolTable &symbols) {
  makeBoundaryBytes(func);
  replaceDims(func);
  separateViews(block);

  SmallVector<Operation *> computations;
  for (Operation &op : block)
    if (isComputation(&op))
      computations.push_back(&op);
  groups.reserve(computations.size());
  for (const std::unique_ptr<Strategy> &strategy : strategies)
    for (Operation *op : computations) {
      if (groupOf.contains(op))
        continue;
      std::string reason;
      OperationGroup seed;
      seed.insert(op);
      if (!matches(*strategy, seed, reason))
        continue;
      groups.push_back({std::move(seed), strategy.get()});
      groupOf[op] = groups.size() - 1;
      grow(groups.back());
    }

  bool complete = true;
  for (Operation *op : computations) {
    if (groupOf.contains(op))
      continue;
    complete = false;
    InFlightDiagnostic error = op->emitError()
                               << "no strategy of the target can make '"
                               << op->getName() << "'";
    for (const std::unique_ptr<Strategy> &strategy : strategies) {
      std::string reason;
      OperationGroup seed;
      seed.insert(op);
      (void)matches(*strategy, seed, reason);
      error.attachNote() << strategy->getName() << ": " << reason;
    }
  }
  if (!complete)
    return failure();

  mergeViews();

  // Kernels stand in the order of the program, before the function.
  llvm::sort(groups, [](const Group &a, const Group &b) {
    return a.ops.back()->isBeforeInBlock(b.ops.back());
  });
  // No operation goes before all kernels are made: the analyses know them.
  IRMapping replaced;
  for (Group &group : groups) {
    OpBuilder moduleBuilder(func);
    std::string reason;
    FailureOr<OutlinedKernel> outlined = outlineKernel(
        moduleBuilder, group.ops, nameKernel(group.ops), shapes, &reason);
    if (failed(outlined))
      return group.ops.back()->emitError("cannot be outlined: ") << reason;
    symbols.insert(outlined->kernel, func->getIterator());
    OpBuilder builder(group.ops.back());
    replaceByLaunch(builder, *outlined, shapes, replaced);
    ++numKernels;
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (groupOf.contains(&op) || isOpTriviallyDead(&op)) {
      op.dropAllUses();
      op.erase();
    }
  // What is left of booleans in the graph is views and constants of bytes.
  for (Operation &op : block) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (auto bits = dyn_cast<DenseIntElementsAttr>(constant.getValue());
          bits && bits.getElementType().isInteger(1))
        constant.setValueAttr(
            bits.mapValues(IntegerType::get(op.getContext(), 8),
                           [](const APInt &bit) { return bit.zext(8); }));
    for (OpResult result : op.getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType()))
        result.setType(getBufferType(type));
  }
  if (!sortTopologically(&block))
    return func.emitError("kernels depend on each other");
  return success();
}

namespace {
struct FormKernelsPass : ourc::impl::FormKernelsBase<FormKernelsPass> {
  using FormKernelsBase::FormKernelsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::string error;
    auto strategies = createStrategies(target, error);
    if (!error.empty()) {
      module.emitError(error);
      return signalPassFailure();
    }
    SymbolTable symbols(module);
    for (func::FuncOp func :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (func.isDeclaration())
        continue;
      if (!func.getBody().hasOneBlock()) {
        func.emitError("must have one block before kernels are formed");
        return signalPassFailure();
      }
      KernelFormer former(func, strategies);
      LogicalResult formed = former.run(symbols);
      numKernels += former.numKernels;
      numAbsorbed += former.numAbsorbed;
      numRefused += former.numRefused;
      if (failed(formed))
        return signalPassFailure();
    }
  }
};
} // namespace
