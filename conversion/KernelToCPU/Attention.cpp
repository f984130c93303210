//===- Attention.cpp - Emits the strategy attention -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/AttentionEmitter.h"
#include "conversion/KernelToCPU/Emitters.h"

using namespace mlir;
using namespace ourc;

LogicalResult ourc::emitAttention(KernelABI &abi,
                                  kernel::CPUAttentionAttr schedule) {
  kernel::FuncOp kernel = abi.getKernel();
  std::string reason;
  std::optional<AttentionNest> nest = AttentionNest::get(kernel, &reason);
  if (!nest)
    return kernel.emitOpError("cannot be made by the strategy attention: ")
           << reason;
  int64_t lanes = schedule.getLanes();
  if (lanes < 2 || !llvm::isPowerOf2_64(lanes) || schedule.getMr() < 1 ||
      schedule.getKb() < 1 || schedule.getKb() % (4 * lanes) != 0)
    return kernel.emitOpError("has a schedule whose kb is no multiple of four "
                              "vectors of lanes: ")
           << schedule;
  if (schedule.getDepth() == 2)
    for (BlockArgument operand :
         {nest->queries.argument, nest->keys.argument, nest->values.argument})
      if (!getElementTypeOrSelf(operand).isBF16())
        return kernel.emitOpError("has a schedule of pairs, but an operand "
                                  "that is not of bf16: ")
               << schedule;
  return AttentionEmitter(abi, schedule, std::move(*nest)).emit();
}

AttentionEmitter::AttentionEmitter(KernelABI &abi,
                                   kernel::CPUAttentionAttr schedule,
                                   AttentionNest given)
    : abi(abi), nest(std::move(given)),
      code(abi, abi.getBodyBuilder(), schedule.getLanes()),
      type(nest.getComputeType()), lanes(schedule.getLanes()),
      mr(schedule.getMr()), kb(schedule.getKb()),
      pairs(schedule.getDepth() == 2), d(nest.sizes[nest.d()].constant),
      e(nest.sizes[nest.e()].constant) {
  // Vectors of 64 bytes come with 32 registers, shorter ones with 16: sums of a
  // tile, and what they are made of, fit.
  bool isWide = lanes * type.getIntOrFloatBitWidth() == 512;
  vectors = isWide ? (mr <= 6 ? 4 : mr <= 14 ? 2 : 1) : (mr <= 6 ? 2 : 1);
  panelWidth = vectors * lanes;
  steps = pairs ? llvm::divideCeil(d, 2) : d;
  resultWidth = llvm::alignTo(std::max<int64_t>(e, 1), lanes);
  const Product &numKeys = nest.sizes[nest.t()];
  oneBlock = numKeys.isConstant() && numKeys.constant <= kb;
  mlir::Block &score = nest.op.getScore().front();
  isPlain = score.getTerminator()->getOperand(0) == score.getArgument(0);
  at.resize(nest.sizes.size());
}

LogicalResult AttentionEmitter::emit() {
  SmallVector<Value> batch;
  for (unsigned loop = 0; loop < nest.numBatch; ++loop)
    batch.push_back(getSize(loop));
  Value numKeys = getSize(nest.t());
  Value panels = code.ceilDiv(numKeys, code.constant(panelWidth));
  Value packed = code.mul(panels, code.constant(panelWidth * steps));
  if (pairs)
    packed = code.add(packed, code.mul(code.ceilDiv(numKeys, code.constant(2)),
                                       code.constant(resultWidth)));
  int64_t others = mr * (kb + resultWidth + 3 * lanes);
  int64_t weightElements = pairs ? mr * kb / 2 : 0;
  int64_t elementBytes = type.getIntOrFloatBitWidth() / 8;
  Value bytes =
      code.mul(code.add(packed, code.constant(others + weightElements)),
               code.constant(elementBytes));
  Value work = code.product(
      {getSize(nest.s()), getSize(nest.t()), code.constant(d + e)});
  Value grain = code.grain(work);

  OpBuilder atEntry = code.builder;
  abi.emitParallelFor(
      atEntry, code.product(batch), grain,
      [&](OpBuilder &inTask, Value begin, Value end) {
        code.builder = inTask;
        scores = abi.emitThreadScratch(code.builder, bytes);
        result = code.address(scores, mr * kb, type);
        laneMaxima = code.address(result, mr * resultWidth, type);
        maxima = code.address(laneMaxima, mr * lanes, type);
        sums = code.address(maxima, mr * lanes, type);
        weights = code.address(sums, mr * lanes, type);
        keys = code.address(weights, weightElements, type);
        values = code.address(
            keys, code.mul(panels, code.constant(panelWidth * steps)), type);
        code.loop(begin, end, 1, [&](Value unit) {
          SmallVector<Value> parts = code.delinearize(unit, batch);
          llvm::copy(parts, at.begin());
          emitHead();
          llvm::fill(at, Value());
        });
      });
  return failure(anyError);
}

Value AttentionEmitter::getOffset(const LinearAccess &access) {
  Value offset = code.constant(0);
  for (const Product &part : access.offset)
    offset = code.add(offset, code.product(part));
  for (auto [loop, stride] : llvm::enumerate(access.strides))
    if (at[loop] && !stride.isZero())
      offset = code.add(offset, code.mul(at[loop], code.product(stride)));
  return offset;
}

void AttentionEmitter::emitHead() {
  packKeys();
  if (pairs)
    packValues();
  Type element = getElementTypeOrSelf(nest.queries.argument);
  Value base = code.address(abi.getPointer(nest.queries.argument),
                            getOffset(nest.queries), element);
  code.equalTiles(getSize(nest.s()), mr, [&](Value firstRow, int64_t size) {
    Tile tile{firstRow, size, {}, getSize(nest.t())};
    Value rows =
        code.mul(firstRow, code.product(nest.queries.strides[nest.s()]));
    tile.queries = code.address(base, rows, element);
    if (nest.op.getCausal())
      tile.numKeys =
          code.min(tile.numKeys, code.add(firstRow, code.constant(size)));
    emitTile(tile);
  });
}

void AttentionEmitter::emitTile(const Tile &tile) {
  if (oneBlock) {
    Block block{code.constant(0), tile.numKeys};
    emitScores(tile, block);
    emitSoftmax(tile, block);
    emitWeightedValues(tile, block);
    return;
  }
  Value lowest = splat(-std::numeric_limits<double>::infinity());
  for (int64_t i = 0; i < tile.size; ++i) {
    code.storeVector(lowest, vectorOfRow(maxima, i));
    code.storeVector(code.zero(type), vectorOfRow(sums, i));
    for (int64_t v = 0; v < resultWidth; v += lanes)
      code.storeVector(code.zero(type),
                       code.address(result, i * resultWidth + v, type));
  }
  code.loop(code.constant(0), tile.numKeys, kb, [&](Value first) {
    Block block{first,
                code.min(code.constant(kb), code.sub(tile.numKeys, first))};
    emitScores(tile, block);
    emitSoftmax(tile, block);
    emitWeightedValues(tile, block);
  });
  emitResult(tile);
}
