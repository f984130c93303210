//===- Depthwise.cpp - Convolutions of each channel on its own ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/Depthwise.h"

#include "strategy/cpu/CPUStrategies.h"

using namespace mlir;
using namespace ourc;

namespace {
class DepthwiseStrategy : public Strategy {
public:
  explicit DepthwiseStrategy(const cpu::MachineDescription &machine)
      : machine(machine) {}

  StringRef getName() const override { return "depthwise"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    std::optional<DepthwiseNest> nest = DepthwiseNest::get(kernel, reason);
    if (!nest)
      return failure();
    if (getMaxPixels(*nest) >= 2)
      return success();
    if (reason)
      *reason = "the taps along a row leave no registers for pixels";
    return failure();
  }

  Assignment assign(kernel::FuncOp kernel) const override;

private:
  /// The pixels whose sums fit the registers beside a row of weights, a vector
  /// of the input and one to spare.
  int64_t getMaxPixels(const DepthwiseNest &nest) const {
    return machine.numVectorRegisters - nest.getNumColumnTaps() - 2;
  }

  cpu::MachineDescription machine;
};
} // namespace

/// A size, or what it may well be.
static int64_t getSize(const DepthwiseNest &nest, unsigned loop,
                       int64_t otherwise) {
  const Product &size = nest.nest.sizes[loop];
  return size.isConstant() ? size.constant : otherwise;
}

/// Whether tasks should own channels: where there are hardly any rows. Threads
/// that share pixels fetch ahead of each other's channels.
static bool shouldSplitChannels(const DepthwiseNest &nest, int64_t lanes) {
  if (getSize(nest, nest.channel, 4 * lanes) < 4 * lanes)
    return false;
  int64_t rows = 1;
  for (unsigned loop : nest.rows)
    rows *= getSize(nest, loop, 1);
  return rows < 4;
}

Assignment DepthwiseStrategy::assign(kernel::FuncOp kernel) const {
  std::optional<DepthwiseNest> nest = DepthwiseNest::get(kernel);
  assert(nest && "assign follows match");
  const ContractionNest &contraction = nest->nest;
  int64_t lanes = machine.getLanes(contraction.accType.getIntOrFloatBitWidth());
  int64_t pixels = std::min<int64_t>(14, getMaxPixels(*nest));

  // The rows of input that a row of the result reads stay in L1 until the next
  // row, those of some rows of the result in L2.
  int64_t elementBytes =
      std::max<int64_t>(1, contraction.aType.getIntOrFloatBitWidth() / 8);
  int64_t width = nest->column ? getSize(*nest, *nest->column, 32) : 1;
  int64_t pixelBytes = elementBytes * std::max<int64_t>(1, nest->columnStep);
  int64_t taps = 1;
  for (unsigned loop : nest->taps)
    taps *= contraction.sizes[loop].constant;
  int64_t panel = machine.l1Bytes / 2 / (taps * width * pixelBytes * lanes);
  int64_t channels = getSize(*nest, nest->channel, 256);
  int64_t rows =
      machine.l2Bytes / 2 / (channels * width * pixelBytes) - (taps - 1);
  Assignment assignment;
  assignment.schedule = kernel::CPUDepthwiseAttr::get(
      kernel.getContext(), pixels, /*vectors=*/1, lanes,
      std::clamp<int64_t>(rows, 4, 1 << 10),
      std::clamp<int64_t>(panel, 1, 1 << 10),
      shouldSplitChannels(*nest, lanes));

  // Weights come with the lanes' channels innermost, where they are a plain
  // argument that nothing else reads.
  ContractionNest whole = contraction;
  OpOperand &operand = whole.op->getOpOperand(whole.bOperand);
  auto weight = dyn_cast<BlockArgument>(operand.get());
  if (!weight || !weight.hasOneUse() ||
      !cast<RankedTensorType>(weight.getType()).hasStaticShape())
    return assignment;
  AffineMap map = whole.op.getMatchingIndexingMap(&operand);
  PackedOperand packed{weight.getArgNumber(), {lanes}, {}, {}};
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    packed.outerPerm.push_back(dim);
    if (cast<AffineDimExpr>(expr).getPosition() != nest->channel)
      continue;
    packed.innerDimsPos.push_back(dim);
    packed.outerPerm.pop_back();
    packed.outerPerm.insert(packed.outerPerm.begin(), dim);
  }
  assignment.packedOperands.push_back(packed);
  return assignment;
}

std::unique_ptr<Strategy>
ourc::createCPUDepthwiseStrategy(const cpu::MachineDescription &machine) {
  return std::make_unique<DepthwiseStrategy>(machine);
}
