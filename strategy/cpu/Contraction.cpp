//===- Contraction.cpp - Contractions and convolutions as one nest --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/Contraction.h"

#include "strategy/cpu/CPUStrategies.h"

using namespace mlir;
using namespace ourc;

namespace {

/// A register tile: rows, and vectors in a row.
struct Tile {
  int64_t rows, vectors;
};

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

private:
  Tile chooseTile(const ContractionNest &nest, int64_t lanes) const;
  bool shouldSplitColumns(const ContractionNest &nest, int64_t nr) const;

  cpu::MachineDescription machine;
};

} // namespace

/// The size of a role's innermost loop, 1 without loops, `otherwise` where it
/// is not a constant.
static int64_t getInnerSize(const ContractionNest &nest,
                            ArrayRef<unsigned> loops, int64_t otherwise) {
  if (loops.empty())
    return 1;
  const Product &size = nest.sizes[loops.back()];
  return size.isConstant() ? size.constant : otherwise;
}

/// Cycles of one reduction step over all of an m x n result, at two
/// multiply-adds and two loads a cycle and a latency of four.
static double estimateCycles(Tile tile, int64_t lanes, int64_t m, int64_t n) {
  int64_t tiles = llvm::divideCeil(m, tile.rows);
  double rows = double(m) / tiles;
  int64_t nr = tile.vectors * lanes;
  auto panel = [&](int64_t vectors) {
    double multiplyAdds = rows * vectors / 2, loads = (rows + vectors) / 2;
    return tiles * std::max({multiplyAdds, loads, 4.0});
  };
  double cycles = (n / nr) * panel(tile.vectors);
  if (n % nr)
    cycles += panel(llvm::divideCeil(n % nr, lanes));
  // Two threads share the panels.
  int64_t panels = llvm::divideCeil(n, nr);
  if (panels > 1)
    cycles *= double((panels + 1) / 2 * 2) / panels;
  return cycles;
}

Tile ContractionStrategy::chooseTile(const ContractionNest &nest,
                                     int64_t lanes) const {
  bool dynamic = !nest.m.empty() && !nest.sizes[nest.m.back()].isConstant();
  int64_t m = getInnerSize(nest, nest.m, 128);
  int64_t n = getInnerSize(nest, nest.n, 1024);
  SmallVector<Tile> candidates;
  // All accumulators, one row of B and one element of A fit the registers.
  if (machine.numVectorRegisters >= 32) {
    // One body is needed for each tile size where M is dynamic: few rows then.
    candidates = {{8, 3}, {6, 4}, {8, 2}, {14, 1}};
    if (!dynamic)
      candidates.insert(candidates.begin(), {14, 2});
  } else {
    candidates = {{6, 2}, {4, 3}, {8, 1}};
  }
  Tile best = candidates.front();
  double bestCycles = 0;
  for (Tile tile : candidates) {
    double cycles = estimateCycles(tile, lanes, std::max<int64_t>(m, 1),
                                   std::max<int64_t>(n, 1));
    if (bestCycles == 0 || cycles < bestCycles * 0.99) {
      best = tile;
      bestCycles = cycles;
    }
  }
  return best;
}

bool ContractionStrategy::shouldSplitColumns(const ContractionNest &nest,
                                             int64_t nr) const {
  // A panel of B that has to be gathered first is gathered once.
  if (nest.packedTile == 0 && !nest.n.empty() &&
      !nest.b.strides[nest.n.back()].isOne())
    return true;
  int64_t panels = 1;
  for (unsigned loop : nest.n)
    panels *= nest.sizes[loop].isConstant() ? nest.sizes[loop].constant : 1;
  panels = llvm::divideCeil(panels, nr);
  return panels == 2 || panels >= 4;
}

Assignment ContractionStrategy::assign(kernel::FuncOp kernel) const {
  std::optional<ContractionNest> nest = ContractionNest::get(kernel);
  assert(nest && "assign follows match");
  Assignment assignment;

  // The weight may come packed where it is a plain argument that nothing else
  // reads.
  OpOperand &operand = nest->op->getOpOperand(nest->bOperand);
  AffineMap map = nest->op.getMatchingIndexingMap(&operand);
  auto weight = dyn_cast<BlockArgument>(operand.get());
  bool packable = weight && weight.hasOneUse() &&
                  cast<RankedTensorType>(weight.getType()).hasStaticShape() &&
                  nest->n.size() == 1 && nest->batch.empty();
  unsigned column = packable ? nest->n[0] : 0;

  nest->joinLoops();
  int64_t lanes = machine.getLanes(nest->accType.getIntOrFloatBitWidth());
  Tile tile = chooseTile(*nest, lanes);
  if (nest->packedTile != 0)
    tile.vectors = std::max<int64_t>(1, nest->packedTile / lanes);
  int64_t nr = tile.vectors * lanes;
  assignment.schedule = kernel::CPUContractionAttr::get(
      kernel.getContext(), tile.rows, nr, /*kb=*/0, lanes,
      shouldSplitColumns(*nest, nr));

  if (packable && nest->n.size() == 1) {
    PackedOperand packed{weight.getArgNumber(), nr, 0, {}};
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (cast<AffineDimExpr>(expr).getPosition() == column) {
        packed.innerDimPos = dim;
        packed.outerPerm.insert(packed.outerPerm.begin(), dim);
      } else {
        packed.outerPerm.push_back(dim);
      }
    assignment.packedOperands.push_back(packed);
  }
  return assignment;
}

std::unique_ptr<Strategy>
ourc::createCPUContractionStrategy(const cpu::MachineDescription &machine) {
  return std::make_unique<ContractionStrategy>(machine);
}
