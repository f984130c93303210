//===- Winograd.cpp - 3x3 convolutions by Winograd's F(2x2, 3x3) ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/Winograd.h"

#include "strategy/cpu/CPUStrategies.h"
#include "strategy/cpu/ContractionModel.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace ourc;

std::optional<WinogradConvolution>
WinogradConvolution::get(const ContractionNest &nest, std::string *reason) {
  auto fail = [&](const Twine &text) -> std::optional<WinogradConvolution> {
    if (reason)
      *reason = text.str();
    return std::nullopt;
  };
  if (!nest.aType.isF32() || !nest.bType.isF32())
    return fail("its elements are not f32");
  if (!llvm::all_of(nest.sizes,
                    [](const Product &size) { return size.isConstant(); }))
    return fail("it has a dynamic size");
  if (!nest.batch.empty() || nest.n.size() != 1 || nest.k.size() != 3 ||
      nest.m.size() < 2 || nest.m.size() > 3)
    return fail("it is no convolution of images");
  auto start = dyn_cast_if_present<FloatAttr>(nest.initValue);
  if (!start || !start.getValue().isZero())
    return fail("its sums do not start from zero");

  WinogradConvolution found;
  found.filter = nest.n[0];
  // A window's loop steps through A like one of the result's.
  auto stepsLike = [&](unsigned k) -> std::optional<unsigned> {
    for (unsigned m : nest.m)
      if (nest.a.strides[m] == nest.a.strides[k] && !nest.a.strides[m].isOne())
        return m;
    return std::nullopt;
  };
  SmallVector<std::pair<unsigned, unsigned>> windows; // (k, m)
  std::optional<unsigned> channel;
  for (unsigned k : nest.k) {
    std::optional<unsigned> m = stepsLike(k);
    if (m && nest.sizes[k].constant == 3)
      windows.push_back({k, *m});
    else if (nest.a.strides[k].isOne())
      channel = k;
  }
  if (windows.size() != 2 || !channel || windows[0].second == windows[1].second)
    return fail("it is no 3x3 convolution of step one, channels last");
  if (nest.a.strides[windows[0].first].constant <
      nest.a.strides[windows[1].first].constant)
    std::swap(windows[0], windows[1]);
  found.channel = *channel;
  std::tie(found.windowRow, found.row) = windows[0];
  std::tie(found.windowColumn, found.column) = windows[1];
  for (unsigned m : nest.m)
    if (m != found.row && m != found.column)
      found.image = m;
  found.inputRows = nest.sizes[found.row].constant + 2;
  found.inputColumns = nest.sizes[found.column].constant + 2;
  for (const ContractionNest::Padding &padding : nest.padding) {
    if (padding.mStep != 1 || padding.kStep != 1 || !padding.size.isConstant())
      return fail("its padding is not that of a convolution of step one");
    if (padding.m == found.row && padding.k == found.windowRow) {
      found.lowRow = padding.low;
      found.inputRows = padding.size.constant;
    } else if (padding.m == found.column && padding.k == found.windowColumn) {
      found.lowColumn = padding.low;
      found.inputColumns = padding.size.constant;
    } else {
      return fail("its padding is not that of a convolution of step one");
    }
  }
  return found;
}

namespace {
class WinogradStrategy : public Strategy {
public:
  explicit WinogradStrategy(const cpu::MachineDescription &machine)
      : machine(machine) {}

  StringRef getName() const override { return "winograd"; }
  bool isApproximate() const override { return true; }
  bool needsFrozenOperands() const override { return true; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override;
  Assignment assign(kernel::FuncOp kernel) const override;
  FailureOr<Assignment> assignGiven(kernel::FuncOp kernel,
                                    kernel::ScheduleAttrInterface schedule,
                                    std::string *reason) const override;

private:
  bool pays(const ContractionNest &nest,
            const WinogradConvolution &convolution) const;

  cpu::MachineDescription machine;
};
} // namespace

/// The filters, if they are an argument as `kernel.winograd_filter` gives them
/// and nothing else reads them.
static BlockArgument getFilters(ContractionNest &nest,
                                const WinogradConvolution &convolution) {
  OpOperand &operand = nest.op->getOpOperand(nest.bOperand);
  auto filters = dyn_cast<BlockArgument>(operand.get());
  if (!filters || !filters.hasOneUse())
    return {};
  MLIRContext *context = filters.getContext();
  unsigned order[] = {convolution.filter, convolution.windowRow,
                      convolution.windowColumn, convolution.channel};
  AffineMap wanted = AffineMap::getMultiDimMapWithTargets(nest.op.getNumLoops(),
                                                          order, context);
  return nest.op.getMatchingIndexingMap(&operand) == wanted ? filters
                                                            : BlockArgument();
}

/// Whether the estimated time is clearly less than the direct convolution's.
/// Two threads, weights from memory.
bool WinogradStrategy::pays(const ContractionNest &nest,
                            const WinogradConvolution &convolution) const {
  constexpr double kMemoryBytesPerCycle = 10;
  double lanes = machine.getLanes(32);
  double channels = nest.sizes[convolution.channel].constant;
  double filters = nest.sizes[convolution.filter].constant;
  double rows = nest.sizes[convolution.row].constant;
  double columns = nest.sizes[convolution.column].constant;
  double images =
      convolution.image ? nest.sizes[*convolution.image].constant : 1;
  auto getTime = [&](double multiplyAdds, double others, double weights) {
    double cycles = (multiplyAdds / (2 * lanes) + others) / 2;
    return std::max(cycles, weights * 4 / kMemoryBytesPerCycle);
  };
  // The direct convolution skips padding, which may be absorbed later.
  double skipped = (1 - 2 / (3 * rows)) * (1 - 2 / (3 * columns));
  double direct =
      getTime(9 * images * rows * columns * channels * filters * skipped / 0.97,
              0, 9 * channels * filters);
  double tiles = convolution.getNumTiles(nest);
  double transforms =
      tiles * 45 * (std::ceil(channels / lanes) + std::ceil(filters / lanes));
  double winograd = getTime(16 * tiles * channels * filters / 0.92, transforms,
                            16 * channels * filters);
  return winograd * 1.1 < direct;
}

LogicalResult WinogradStrategy::match(kernel::FuncOp kernel,
                                      std::string *reason) const {
  auto fail = [&](const Twine &text) {
    if (reason)
      *reason = text.str();
    return failure();
  };
  std::optional<ContractionNest> nest = ContractionNest::get(kernel, reason);
  if (!nest)
    return failure();
  std::optional<WinogradConvolution> convolution =
      WinogradConvolution::get(*nest, reason);
  if (!convolution)
    return failure();
  if (!getFilters(*nest, *convolution))
    return fail("its filters are not an argument of their own, channels last");
  int64_t lanes = machine.getLanes(32);
  if (nest->sizes[convolution->channel].constant < lanes ||
      nest->sizes[convolution->filter].constant < lanes)
    return fail("it has too few channels");
  if (!pays(*nest, *convolution))
    return fail("transforming would cost more than it saves");
  return success();
}

Assignment WinogradStrategy::assign(kernel::FuncOp kernel) const {
  ContractionNest nest = *ContractionNest::get(kernel);
  WinogradConvolution convolution = *WinogradConvolution::get(nest);
  int64_t lanes = machine.getLanes(32);
  int64_t channels = nest.sizes[convolution.channel].constant;

  // Blocks whose transformed inputs take half of the second-level cache; an
  // even number of them, for two threads.
  int64_t tiles = convolution.getNumTiles(nest);
  int64_t tileBytes = 16 * channels * 4;
  int64_t most = std::clamp<int64_t>(machine.l2Bytes / 2 / tileBytes, 8, 56);
  int64_t blocks = llvm::alignTo(llvm::divideCeil(tiles, most), 2);
  int64_t blockTiles = llvm::divideCeil(tiles, blocks);

  ContractionShape shape;
  shape.rows = blockTiles;
  shape.outerRows = 16;
  shape.columns = nest.sizes[convolution.filter].constant;
  shape.depth = channels;
  shape.lanes = lanes;
  RegisterTile tile = chooseTile(shape, machine);
  int64_t nr = tile.vectors * lanes;
  // The tiles of one product fetch what the next one reads; the weights
  // are those of all sixteen.
  shape.outerRows = 1;
  shape.columns *= 16;
  int64_t prefetch = choosePrefetch(
      shape, tile, llvm::divideCeil(blockTiles, tile.rows), 4, machine);

  Assignment assignment;
  assignment.schedule = kernel::CPUWinogradAttr::get(
      kernel.getContext(), tile.rows, nr, blockTiles, lanes, prefetch);
  BlockArgument filters = getFilters(nest, convolution);
  assignment.packedOperands.push_back(
      {filters.getArgNumber(), {nr}, {0}, {0, 1, 2, 3}, /*winograd=*/true});
  return assignment;
}

FailureOr<Assignment>
WinogradStrategy::assignGiven(kernel::FuncOp kernel,
                              kernel::ScheduleAttrInterface schedule,
                              std::string *reason) const {
  auto given = dyn_cast<kernel::CPUWinogradAttr>(schedule);
  int64_t lanes = machine.getLanes(32);
  if (!given || given.getLanes() != lanes || given.getNr() % lanes != 0) {
    if (reason)
      *reason =
          "its schedule must be a #kernel.cpu_winograd whose 'lanes' are " +
          std::to_string(lanes) + ", and 'nr' a multiple of them";
    return failure();
  }
  Assignment assignment = assign(kernel);
  assignment.schedule = given;
  assignment.packedOperands[0].innerTiles[0] = given.getNr();
  return assignment;
}

std::unique_ptr<Strategy>
ourc::createCPUWinogradStrategy(const cpu::MachineDescription &machine) {
  return std::make_unique<WinogradStrategy>(machine);
}
