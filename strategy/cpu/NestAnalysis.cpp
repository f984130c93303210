//===- NestAnalysis.cpp - Which loops a result of a kernel wants ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/NestAnalysis.h"
#include "dialects/kernel/KernelDialect.h"
#include "strategy/cpu/Loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace ourc;

Value ourc::getStorage(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
            op))
      return {};
    tensor = op->getOperand(0);
  }
  return tensor;
}

/// A measure of what it costs to compute one element of `op` alone.
static constexpr int64_t kExpensive = 10;
static int64_t getCost(Operation *op) {
  int64_t cost = 0;
  op->walk([&](Operation *inner) {
    if (inner == op || inner->hasTrait<OpTrait::IsTerminator>())
      return;
    if (isa<math::MathDialect>(inner->getDialect()) &&
        !isa<math::AbsFOp, math::FmaOp, math::CopySignOp>(inner))
      cost += 12;
    else if (isa<arith::DivFOp, tensor::ExtractOp>(inner))
      cost += 4;
    else
      cost += 1;
  });
  return cost;
}

namespace {
/// How the index of one dimension depends on the root's dimensions.
struct Use {
  llvm::SmallBitVector dims; ///< the last bit: some reduction's loop
  bool pure = false;         ///< it is the index of one of them
  bool operator==(const Use &other) const {
    return dims == other.dims && pure == other.pure;
  }
};
using Uses = SmallVector<Use>;

/// Walks from a root to memory.
class Walk {
public:
  Walk(NestAnalysis &result, Value root,
       llvm::function_ref<bool(Value)> isGiven)
      : result(result), isGiven(isGiven) {
    rank = cast<RankedTensorType>(root.getType()).getRank();
    result.rows.resize(rank);
    result.collapsible.resize(rank, true);
    Uses uses;
    for (int64_t d = 0; d < rank; ++d)
      uses.push_back(single(d));
    visit(root, uses);
  }

  /// Of the largest memory read: which dimensions its last index depends on.
  llvm::SmallBitVector unit;
  int64_t unitRank = -1;

  /// The result of a reduction at indices that depend on these dimensions.
  struct ReductionRead {
    Operation *op;
    llvm::SmallBitVector dims;
  };
  SmallVector<ReductionRead> reductions;
  /// An elementwise operation that is not cheap, likewise.
  SmallVector<ReductionRead> expensive;

private:
  Use none() { return {llvm::SmallBitVector(rank + 1), true}; }
  Use single(int64_t dim) {
    Use use = none();
    use.dims.set(dim);
    return use;
  }
  Use join(ArrayRef<Use> uses) {
    Use all = none();
    for (const Use &use : uses)
      all.dims |= use.dims;
    all.pure = all.dims.none();
    return all;
  }
  /// These dimensions cannot be part of a larger one.
  void pin(const Use &use) {
    for (int64_t d = 0; d < rank; ++d) {
      if (!use.dims.test(d))
        continue;
      result.collapsible.reset(d);
      if (d > 0)
        result.collapsible.reset(d - 1);
    }
  }
  void addReduction(Operation *op, const Use &all) {
    result.hasReduction = true;
    result.isExpensive |= getCost(op) >= kExpensive;
    for (int64_t d = 0; d < rank; ++d)
      if (all.dims.test(d))
        result.rows.set(d);
    reductions.push_back({op, all.dims});
  }
  void visit(Value tensor, const Uses &uses);
  void visitMemory(Value tensor, const Uses &uses);
  void visitLoops(Operation *op, const Uses &loops);
  void visitShaped(Operation *op, const Uses &uses);

  NestAnalysis &result;
  llvm::function_ref<bool(Value)> isGiven;
  int64_t rank;
  SmallVector<std::pair<Value, Uses>> seen;
};
} // namespace

void Walk::visitMemory(Value tensor, const Uses &uses) {
  if (!uses.empty() && static_cast<int64_t>(uses.size()) > unitRank &&
      uses.back().dims.any()) {
    unitRank = uses.size();
    unit = uses.back().dims;
  }
  if (rank > 0 && !uses.empty() && uses.back().pure &&
      uses.back().dims.count() == 1) {
    int64_t dim = uses.back().dims.find_first();
    bool onLanes =
        llvm::any_of(ArrayRef(uses).drop_back(),
                     [&](const Use &use) { return use.dims.test(rank - 1); });
    if (dim < rank - 1 && onLanes &&
        (result.transposedDim < 0 || result.transposedDim == dim)) {
      result.transposedDim = dim;
      result.transposed.insert(tensor);
    }
  }
  SmallVector<int64_t> place(rank, -1);
  for (auto [at, use] : llvm::enumerate(uses)) {
    if (use.dims.none())
      continue;
    int64_t dim = use.dims.find_first();
    if (!use.pure || use.dims.count() != 1) {
      pin(use);
    } else if (dim < rank) {
      if (place[dim] >= 0)
        pin(use);
      place[dim] = at;
    }
  }
  for (int64_t d = 0; d + 1 < rank; ++d)
    if (place[d] >= 0 ? place[d + 1] != place[d] + 1 : place[d + 1] >= 0)
      result.collapsible.reset(d);
}

void Walk::visit(Value tensor, const Uses &uses) {
  if (llvm::is_contained(seen, std::make_pair(tensor, uses)))
    return;
  seen.push_back({tensor, uses});
  if (getStorage(tensor) || (isGiven && isGiven(tensor)))
    return visitMemory(tensor, uses);
  Operation *op = tensor.getDefiningOp();
  unsigned number = cast<OpResult>(tensor).getResultNumber();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    AffineMap map =
        linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(number));
    Uses loops(linalgOp.getNumLoops(), none());
    for (auto [expr, use] : llvm::zip(map.getResults(), uses))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        loops[dim.getPosition()] = use;
    if (linalgOp.getNumReductionLoops() != 0) {
      addReduction(op, join(uses));
      SmallVector<unsigned> reduced;
      linalgOp.getReductionDims(reduced);
      for (unsigned loop : reduced)
        loops[loop] = single(rank);
    } else if (getCost(op) >= kExpensive) {
      result.isExpensive = true;
      expensive.push_back({op, join(uses).dims});
    }
    return visitLoops(op, loops);
  }
  if (auto coupled = dyn_cast<kernel::CoupledReduceOp>(op)) {
    addReduction(op, join(uses));
    auto type = cast<RankedTensorType>(coupled.getInputs()[0].getType());
    Uses loops;
    unsigned next = 0;
    for (int64_t d = 0; d < type.getRank(); ++d)
      loops.push_back(llvm::is_contained(coupled.getDimensions(), d)
                          ? single(rank)
                          : uses[next++]);
    for (Value input : coupled.getInputs())
      visit(input, loops);
    coupled.walk([&](linalg::IndexOp index) { pin(loops[index.getDim()]); });
    return;
  }
  visitShaped(op, uses);
}

void Walk::visitLoops(Operation *op, const Uses &loops) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (linalgOp.isScalar(&operand))
      continue;
    BlockArgument argument = linalgOp.getMatchingBlockArgument(&operand);
    if (argument && argument.use_empty() &&
        linalgOp.getNumReductionLoops() == 0)
      continue;
    if (argument && argument.use_empty() && linalgOp.isDpsInput(&operand))
      continue;
    Uses at;
    for (AffineExpr expr :
         linalgOp.getMatchingIndexingMap(&operand).getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
        at.push_back(loops[dim.getPosition()]);
        continue;
      }
      SmallVector<Use> parts;
      expr.walk([&](AffineExpr inner) {
        if (auto dim = dyn_cast<AffineDimExpr>(inner))
          parts.push_back(loops[dim.getPosition()]);
      });
      at.push_back(join(parts));
    }
    visit(operand.get(), at);
  }
  op->walk([&](Operation *inner) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      pin(loops[index.getDim()]);
    auto extract = dyn_cast<tensor::ExtractOp>(inner);
    if (!extract)
      return;
    Uses at;
    for (Value i : extract.getIndices()) {
      auto index = i.getDefiningOp<linalg::IndexOp>();
      at.push_back(index ? loops[index.getDim()] : none());
    }
    visit(extract.getTensor(), at);
  });
}

void Walk::visitShaped(Operation *op, const Uses &uses) {
  Use all = join(uses);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    Uses at;
    for (const ReassociationIndices &group : expand.getReassociationIndices()) {
      SmallVector<Use> parts;
      for (int64_t d : group)
        parts.push_back(uses[d]);
      at.push_back(group.size() == 1 ? parts[0] : join(parts));
    }
    return visit(expand.getSrc(), at);
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    Uses at(collapse.getSrcType().getRank(), none());
    for (auto [i, group] : llvm::enumerate(collapse.getReassociationIndices()))
      for (int64_t d : group)
        at[d] = group.size() == 1 ? uses[i] : join({uses[i]});
    return visit(collapse.getSrc(), at);
  }
  // Only what is moved as a whole keeps its neighbours.
  if (!isa<tensor::CastOp>(op))
    pin(all);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    Uses at;
    unsigned next = 0;
    for (int64_t d = 0; d < slice.getSourceType().getRank(); ++d)
      at.push_back(dropped.test(d) ? none() : uses[next++]);
    return visit(slice.getSource(), at);
  }
  if (auto pack = dyn_cast<linalg::PackOp>(op)) {
    Uses at(cast<RankedTensorType>(pack.getSource().getType()).getRank(),
            none());
    ArrayRef<int64_t> perm = pack.getOuterDimsPerm();
    for (unsigned d = 0; d < at.size(); ++d)
      at[perm.empty() ? d : perm[d]] = uses[d];
    for (auto [i, d] : llvm::enumerate(pack.getInnerDimsPos()))
      at[d] = join({at[d], uses[at.size() + i]});
    return visit(pack.getSource(), at);
  }
  if (auto unpack = dyn_cast<linalg::UnPackOp>(op)) {
    Uses at;
    ArrayRef<int64_t> perm = unpack.getOuterDimsPerm();
    for (unsigned d = 0; d < uses.size(); ++d)
      at.push_back(uses[perm.empty() ? d : perm[d]]);
    for (int64_t d : unpack.getInnerDimsPos())
      at.push_back(uses[d]);
    return visit(unpack.getSource(), at);
  }
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (type && type.getRank() == static_cast<int64_t>(uses.size()))
      visit(operand, uses);
  }
}

//===----------------------------------------------------------------------===//
// What to keep
//===----------------------------------------------------------------------===//

/// Adds to `reached` what is computed in the same loops as `from`, which stop
/// at reductions and at kept values.
static void collectLoop(Value from, const llvm::SetVector<Value> &kept,
                        llvm::SetVector<Value> &reached,
                        llvm::SetVector<Operation *> &reductions) {
  Operation *op = from.getDefiningOp();
  if (!op || !reached.insert(from))
    return;
  if (isReduction(op)) {
    reductions.insert(op);
    return;
  }
  if (kept.contains(from))
    return;
  for (Value operand : op->getOperands())
    if (isa<TensorType>(operand.getType()))
      collectLoop(operand, kept, reached, reductions);
}

/// How many loops of a row compute each value.
static DenseMap<Value, int64_t> countLoops(Value root,
                                           const llvm::SetVector<Value> &kept) {
  DenseMap<Value, int64_t> counts;
  llvm::SetVector<Operation *> reductions;
  auto add = [&](ValueRange from) {
    llvm::SetVector<Value> reached;
    for (Value value : from)
      collectLoop(value, kept, reached, reductions);
    for (Value value : reached)
      ++counts[value];
  };
  add(root);
  // Kept values are computed in loops of their own.
  for (Value value : kept)
    if (Operation *op = value.getDefiningOp())
      add(op->getOperands());
  for (unsigned i = 0; i < reductions.size(); ++i)
    add(reductions[i]->getOperands());
  return counts;
}

static void findKept(NestAnalysis &analysis, Value root) {
  llvm::SetVector<Value> none;
  llvm::SetVector<Value> candidates;
  for (auto &[value, count] : countLoops(root, none)) {
    auto op = value.getDefiningOp<linalg::LinalgOp>();
    if (op && count > 1 && op.getNumReductionLoops() == 0 &&
        !isa<linalg::FillOp>(op.getOperation()) &&
        getCost(op.getOperation()) >= kExpensive)
      candidates.insert(value);
  }
  // Consumers first: what only they need is then needed once.
  SmallVector<Value> ordered = candidates.takeVector();
  llvm::sort(ordered, [](Value a, Value b) {
    if (a.getDefiningOp() != b.getDefiningOp())
      return b.getDefiningOp()->isBeforeInBlock(a.getDefiningOp());
    return cast<OpResult>(a).getResultNumber() <
           cast<OpResult>(b).getResultNumber();
  });
  for (Value value : ordered)
    if (countLoops(root, analysis.kept)[value] > 1)
      analysis.kept.insert(value);
}

//===----------------------------------------------------------------------===//
// What one nest should not do
//===----------------------------------------------------------------------===//

/// Whether what `op` reduces depends on the result of a reduction.
static bool readsReduction(Operation *op) {
  SmallVector<Value> work(op->getOperands());
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!work.empty()) {
    Operation *producer = work.pop_back_val().getDefiningOp();
    if (!producer || !seen.insert(producer).second)
      continue;
    if (isReduction(producer))
      return true;
    llvm::append_range(work, producer->getOperands());
  }
  return false;
}

static unsigned countReduced(Operation *op) {
  if (auto coupled = dyn_cast<kernel::CoupledReduceOp>(op))
    return coupled.getDimensions().size();
  return cast<linalg::LinalgOp>(op).getNumReductionLoops();
}

static std::string findObjection(const NestAnalysis &analysis, Value root,
                                 const Walk &walk) {
  auto type = cast<RankedTensorType>(root.getType());
  int64_t rank = type.getRank();
  auto isUnit = [&](int64_t d) { return type.getDimSize(d) == 1; };
  unsigned most = 0;
  auto isOfAllRows = [&](const llvm::SmallBitVector &dims) {
    for (int64_t d = 0; d < rank; ++d)
      if (!isUnit(d) && dims.test(d) != analysis.rows.test(d))
        return false;
    return true;
  };
  for (auto &[op, dims] : walk.reductions) {
    if (dims.test(rank))
      return "it reduces results of a reduction, each of which it would "
             "compute more than once";
    if (isOfAllRows(dims))
      most = std::max(most, countReduced(op));
  }
  // A reduction for fewer rows is computed for all of them: little work only.
  for (auto &[op, dims] : walk.reductions)
    if (!isOfAllRows(dims) && (countReduced(op) > most || readsReduction(op)))
      return "its reductions are of different rows";
  for (auto &[op, dims] : walk.expensive) {
    if (dims.test(rank))
      continue;
    // A value of inner dimensions alone is computed for each of the outer ones.
    int64_t last = dims.find_last();
    for (int64_t d = 0; d < last; ++d)
      if (!dims.test(d) && !isUnit(d))
        return "it would compute " + op->getName().getStringRef().str() +
               " again for each index of an outer dimension";
  }
  return {};
}

NestAnalysis::NestAnalysis(Value root,
                           llvm::function_ref<bool(Value)> isGiven) {
  Walk walk(*this, root, isGiven);
  auto type = cast<RankedTensorType>(root.getType());
  int64_t rank = type.getRank(), last = rank - 1;
  // Dimensions of size 1 are nobody's loop: they stay with the rows.
  for (int64_t d = 0; d < rank && hasReduction; ++d)
    if (type.getDimSize(d) == 1)
      rows.set(d);
  while (last > 0 && type.getDimSize(last) == 1)
    --last;
  if (rank == 0) {
    objection = findObjection(*this, root, walk);
    return;
  }
  if (!hasReduction || !rows.test(last)) {
    laneDim = last;
  } else {
    // The last dimension is a row's: on lanes only if memory runs along it.
    bool along = walk.unitRank >= 0 && walk.unit.test(last) &&
                 !walk.unit.test(rank) && type.getDimSize(last) != 1;
    laneDim = along ? last : -1;
    // Otherwise along a loop inside of the rows, if there is one.
    for (int64_t d = 0; d < rank && laneDim < 0; ++d)
      if (!rows.test(d) && walk.unitRank >= 0 && walk.unit.test(d))
        laneDim = d;
  }
  if (hasReduction)
    findKept(*this, root);
  objection = findObjection(*this, root, walk);
  // Squares need a side that is worth it.
  if (hasReduction || laneDim != rank - 1 || transposedDim < 0) {
    transposed.clear();
    transposedDim = -1;
  }
}
