//===- Contraction.cpp - Contractions and convolutions as one nest --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/Contraction.h"

#include "strategy/cpu/CPUStrategies.h"
#include "strategy/cpu/ContractionModel.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ourc;

namespace {

class ContractionStrategy : public Strategy {
public:
  explicit ContractionStrategy(const cpu::MachineDescription &machine)
      : machine(machine) {}

  StringRef getName() const override { return "contraction"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    return success(ContractionNest::get(kernel, reason).has_value());
  }

  Assignment assign(kernel::FuncOp kernel) const override;
  void enumerate(kernel::FuncOp kernel, Schedules &schedules) const override;
  FailureOr<Assignment> assignGiven(kernel::FuncOp kernel,
                                    kernel::ScheduleAttrInterface schedule,
                                    std::string *reason) const override;

private:
  /// What a schedule is decided by.
  struct Facts {
    ContractionNest nest; ///< with its loops joined
    ContractionShape shape;
    /// The weight, if it is to come packed, else null.
    BlockArgument packable;
    AffineMap map;       ///< of the weight
    unsigned column = 0; ///< the loop of its columns, before loops are joined
    std::optional<unsigned> pairLoop; ///< likewise
    bool constantDepth = false;
    bool asTiles = false; ///< of AMX
    /// Bytes that a step takes of a column of B.
    int64_t stepBytes = 0;
  };
  Facts getFacts(kernel::FuncOp kernel) const;
  kernel::CPUContractionAttr schedule(MLIRContext *context, const Facts &facts,
                                      RegisterTile tile) const;
  static void pack(const Facts &facts, int64_t nr, Assignment &assignment);
  bool shouldSplitColumns(const ContractionNest &nest,
                          const ContractionShape &shape, RegisterTile tile,
                          bool packable) const;

  cpu::MachineDescription machine;
};

} // namespace

/// The size of a loop, `otherwise` where it is not a constant.
static int64_t getSize(const ContractionNest &nest, unsigned loop,
                       int64_t otherwise) {
  const Product &size = nest.sizes[loop];
  return size.isConstant() ? size.constant : otherwise;
}

/// What tiles see of `nest`, whose loops are joined.
static ContractionShape getShape(const ContractionNest &nest, int64_t lanes) {
  ContractionShape shape;
  shape.lanes = lanes;
  if (!nest.m.empty()) {
    unsigned loop = nest.m.back();
    shape.dynamicRows = !nest.sizes[loop].isConstant();
    shape.rows = getSize(nest, loop, 128);
    const Product &stride = nest.a.strides[loop];
    if (stride.isConstant())
      shape.rowBytes =
          stride.constant * ((nest.aType.getIntOrFloatBitWidth() + 7) / 8);
    for (unsigned outer : ArrayRef(nest.m).drop_back()) {
      shape.dynamicRows |= !nest.sizes[outer].isConstant();
      shape.outerRows *= getSize(nest, outer, 1);
    }
  }
  if (!nest.n.empty())
    shape.columns = getSize(nest, nest.n.back(), 1024);
  for (unsigned loop : nest.k) {
    int64_t steps = getSize(nest, loop, 256);
    shape.depth *= loop == nest.pairLoop ? llvm::divideCeil(steps, 2) : steps;
  }
  shape.pairs = nest.pairLoop.has_value();
  // Windows overlap: the innermost loop alone brings new elements.
  shape.rowElements =
      nest.k.size() > 1 ? getSize(nest, nest.k.back(), 256) : shape.depth;
  if (nest.k.size() > 1 && nest.k.back() == nest.pairLoop)
    shape.rowElements = llvm::divideCeil(shape.rowElements, 2);
  shape.passes = nest.results.size();
  for (const ContractionNest::Epilogue &epilogue : nest.epilogues)
    for (const std::optional<LinearAccess> &operand : epilogue.operands)
      if (operand && !nest.m.empty() && !nest.n.empty() &&
          !operand->strides[nest.m.back()].isZero() &&
          !operand->strides[nest.n.back()].isZero())
        ++shape.passes;
  return shape;
}

/// Whether products of bf16 are made in pairs. Where B cannot come packed, its
/// panels are rearranged in each call, which some rows have to pay for.
static bool shouldTakePairs(const ContractionNest &nest, bool packable) {
  std::optional<unsigned> loop = nest.choosePairLoop();
  if (!loop || packable)
    return loop.has_value();
  int64_t rows = 1;
  for (unsigned m : nest.m)
    rows *= getSize(nest, m, 128);
  if (nest.n.empty() || rows < 8 || !nest.a.strides[*loop].isOne())
    return false;
  // The panel in scratch memory is as large as is known here.
  return nest.k.size() == 1 || nest.sizes[*loop].isConstant();
}

/// AMX makes 16 rows in the time of fewer; pairs make three as fast.
static bool shouldTakeAMXTiles(const ContractionNest &nest,
                               const cpu::MachineDescription &machine) {
  return machine.multipliesTiles && nest.fitsAMXTiles() &&
         nest.sizes[nest.m.back()].constant > 3;
}

bool ContractionStrategy::shouldSplitColumns(const ContractionNest &nest,
                                             const ContractionShape &shape,
                                             RegisterTile tile,
                                             bool packable) const {
  // A panel of B that has to be gathered first is gathered once.
  if (!packable && nest.packedTile == 0 && !nest.n.empty() &&
      !nest.b.strides[nest.n.back()].isOne())
    return true;
  int64_t columns = 1;
  for (unsigned loop : nest.n)
    columns *= getSize(nest, loop, 1);
  int64_t panels = llvm::divideCeil(columns, tile.vectors * shape.lanes);
  // Rows stay with the thread that made them, from layer to layer, where there
  // are many, whatever the dynamic sizes are, and all of B is little to read
  // twice. Threads that share rows wait for each other's cache lines instead.
  auto atLeast = [&](unsigned loop) { return nest.sizes[loop].constant; };
  int64_t units = 1, rows = 1;
  for (unsigned loop : llvm::concat<const unsigned>(nest.batch, nest.m))
    units *= atLeast(loop);
  for (unsigned loop : nest.m)
    rows *= atLeast(loop);
  // Loops around the rows of tiles are units; without them the tiles are.
  if (!nest.m.empty()) {
    bool outer = nest.m.size() > 1 || !nest.batch.empty();
    int64_t inner = atLeast(nest.m.back());
    units = outer ? units / std::max<int64_t>(1, inner)
                  : llvm::divideCeil(inner, tile.rows);
  }
  int64_t bBytes = shape.depth * columns *
                   llvm::divideCeil(nest.bType.getIntOrFloatBitWidth(), 8);
  int64_t rowBytes =
      shape.rowBytes +
      columns * llvm::divideCeil(nest.accType.getIntOrFloatBitWidth(), 8);
  if (units >= 8 && bBytes <= machine.l2Bytes / 2 && bBytes <= rows * rowBytes)
    return false;
  return panels == 2 || panels >= 4;
}

ContractionStrategy::Facts
ContractionStrategy::getFacts(kernel::FuncOp kernel) const {
  std::optional<ContractionNest> found = ContractionNest::get(kernel);
  assert(found && "it follows match");
  Facts facts;
  ContractionNest &nest = *found;
  // The weight may come packed where it is a plain argument that nothing else
  // reads.
  OpOperand &operand = nest.op->getOpOperand(nest.bOperand);
  facts.map = nest.op.getMatchingIndexingMap(&operand);
  auto weight = dyn_cast<BlockArgument>(operand.get());
  if (weight && weight.hasOneUse() &&
      cast<RankedTensorType>(weight.getType()).hasStaticShape() &&
      nest.n.size() == 1 && nest.batch.empty()) {
    facts.packable = weight;
    facts.column = nest.n[0];
  }
  if (nest.packedTile == 0 && shouldTakePairs(nest, facts.packable != nullptr))
    nest.pairLoop = nest.choosePairLoop();
  facts.pairLoop = nest.pairLoop;

  nest.joinLoops();
  int64_t lanes = machine.getLanes(nest.accType.getIntOrFloatBitWidth());
  facts.shape = getShape(nest, lanes);
  facts.asTiles = shouldTakeAMXTiles(nest, machine);
  facts.constantDepth = llvm::all_of(
      nest.k, [&](unsigned loop) { return nest.sizes[loop].isConstant(); });
  facts.stepBytes = (nest.pairLoop ? 2 : 1) *
                    llvm::divideCeil(nest.bType.getIntOrFloatBitWidth(), 8);
  facts.nest = std::move(nest);
  return facts;
}

/// The schedule with this tile.
kernel::CPUContractionAttr
ContractionStrategy::schedule(MLIRContext *context, const Facts &facts,
                              RegisterTile tile) const {
  const ContractionShape &shape = facts.shape;
  if (facts.asTiles)
    tile = {32, shape.columns > shape.lanes ? 2 : 1};
  if (facts.nest.packedTile != 0)
    tile.vectors = std::max<int64_t>(1, facts.nest.packedTile / shape.lanes);
  bool packable = facts.packable != nullptr;
  bool splitColumns = shouldSplitColumns(facts.nest, shape, tile, packable);
  int64_t depth = facts.nest.pairLoop ? 2 : 1, prefetch = 0, block = 0;
  if (packable && facts.constantDepth) {
    ContractionBlocks blocks =
        chooseBlocks(shape, tile, facts.stepBytes, machine);
    splitColumns &= blocks.splitColumns;
    int64_t tiles = shape.outerRows * llvm::divideCeil(shape.rows, tile.rows);
    if (!splitColumns) {
      block = blocks.units;
      tiles = blocks.tiles;
    }
    prefetch =
        depth * choosePrefetch(shape, tile, tiles, facts.stepBytes, machine);
    prefetch = std::min<int64_t>(prefetch, 1024);
  }
  if (facts.asTiles) {
    depth = 32;
    prefetch = 0;
  }
  return kernel::CPUContractionAttr::get(
      context, tile.rows, tile.vectors * shape.lanes, /*kb=*/0, shape.lanes,
      splitColumns, prefetch, depth, block);
}

/// Has the weight packed in panels of `nr` columns.
void ContractionStrategy::pack(const Facts &facts, int64_t nr,
                               Assignment &assignment) {
  if (!facts.packable)
    return;
  PackedOperand packed{facts.packable.getArgNumber(), {nr}, {}, {}};
  std::optional<int64_t> pairDim;
  for (auto [dim, expr] : llvm::enumerate(facts.map.getResults())) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    if (loop == facts.column) {
      packed.innerDimsPos.push_back(dim);
      packed.outerPerm.insert(packed.outerPerm.begin(), dim);
    } else if (loop == facts.pairLoop) {
      pairDim = dim;
    } else {
      packed.outerPerm.push_back(dim);
    }
  }
  if (pairDim) {
    packed.outerPerm.push_back(*pairDim);
    packed.innerTiles.push_back(2);
    packed.innerDimsPos.push_back(*pairDim);
  }
  assignment.packedOperands.push_back(packed);
}

Assignment ContractionStrategy::assign(kernel::FuncOp kernel) const {
  Facts facts = getFacts(kernel);
  kernel::CPUContractionAttr chosen =
      schedule(kernel.getContext(), facts, chooseTile(facts.shape, machine));
  Assignment assignment;
  assignment.schedule = chosen;
  pack(facts, chosen.getNr(), assignment);
  return assignment;
}

void ContractionStrategy::enumerate(kernel::FuncOp kernel,
                                    Schedules &schedules) const {
  Facts facts = getFacts(kernel);
  MLIRContext *context = kernel.getContext();
  llvm::SetVector<kernel::CPUContractionAttr> found;
  // All that the model has an opinion of: tiles, who shares what, fetching.
  auto add = [&](RegisterTile tile) {
    kernel::CPUContractionAttr chosen = schedule(context, facts, tile);
    auto with = [&](bool splitN, int64_t prefetch, int64_t block) {
      found.insert(kernel::CPUContractionAttr::get(
          context, chosen.getMr(), chosen.getNr(), chosen.getKb(),
          chosen.getLanes(), splitN, prefetch, chosen.getDepth(), block));
    };
    with(chosen.getSplitN(), chosen.getPrefetch(), chosen.getMb());
    if (chosen.getPrefetch() != 0)
      with(chosen.getSplitN(), 0, chosen.getMb());
    if (!chosen.getSplitN())
      with(true, chosen.getPrefetch(), 0);
    else if (facts.packable && facts.constantDepth)
      with(false, chosen.getPrefetch(),
           chooseBlocks(facts.shape, tile, facts.stepBytes, machine).units);
  };
  add(chooseTile(facts.shape, machine));
  for (RegisterTile tile :
       enumerateTiles(machine, facts.shape.dynamicRows, facts.shape.pairs))
    add(tile);
  schedules.append(found.begin(), found.end());
}

FailureOr<Assignment>
ContractionStrategy::assignGiven(kernel::FuncOp kernel,
                                 kernel::ScheduleAttrInterface schedule,
                                 std::string *reason) const {
  auto fail = [&](const Twine &why) -> FailureOr<Assignment> {
    if (reason)
      *reason = why.str();
    return failure();
  };
  auto given = dyn_cast<kernel::CPUContractionAttr>(schedule);
  if (!given)
    return fail("its schedule must be a #kernel.cpu_contraction");
  Facts facts = getFacts(kernel);
  int64_t lanes = facts.shape.lanes, nr = given.getNr();
  if (given.getLanes() != lanes || nr % lanes != 0)
    return fail("'lanes' must be " + Twine(lanes) +
                ", and 'nr' a multiple of it");
  if (facts.nest.packedTile != 0 && nr != facts.nest.packedTile)
    return fail("'nr' must be " + Twine(facts.nest.packedTile) +
                ", as the weight is packed");
  if (given.getKb() != 0)
    return fail("'kb' must be 0");
  int64_t depth = facts.asTiles ? 32 : facts.nest.pairLoop ? 2 : 1;
  if (given.getDepth() != depth && !(facts.asTiles && given.getDepth() == 2))
    return fail("'depth' must be " + Twine(depth));
  if (given.getPrefetch() != 0 && !(facts.packable && facts.constantDepth))
    return fail("'prefetch' must be 0: the weight is not packed, or the number "
                "of steps is not known");
  Assignment assignment;
  assignment.schedule = given;
  pack(facts, nr, assignment);
  return assignment;
}

std::unique_ptr<Strategy>
ourc::createCPUContractionStrategy(const cpu::MachineDescription &machine) {
  return std::make_unique<ContractionStrategy>(machine);
}
