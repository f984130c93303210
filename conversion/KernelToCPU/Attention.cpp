//===- Attention.cpp - Emits the strategy attention -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/AttentionEmitter.h"
#include "conversion/KernelToCPU/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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
  return AttentionEmitter(abi, schedule, std::move(*nest)).emit();
}

AttentionEmitter::AttentionEmitter(KernelABI &abi,
                                   kernel::CPUAttentionAttr schedule,
                                   AttentionNest given)
    : abi(abi), nest(std::move(given)),
      code(abi, abi.getBodyBuilder(), schedule.getLanes()),
      type(nest.getComputeType()), lanes(schedule.getLanes()),
      mr(schedule.getMr()), kb(schedule.getKb()),
      d(nest.sizes[nest.d()].constant), e(nest.sizes[nest.e()].constant) {
  // Vectors of 64 bytes come with 32 registers, shorter ones with 16.
  vectors = lanes * type.getIntOrFloatBitWidth() == 512 ? 4 : 2;
  panelWidth = vectors * lanes;
  resultWidth = llvm::alignTo(std::max<int64_t>(e, 1), lanes);
  at.resize(nest.sizes.size());
}

LogicalResult AttentionEmitter::emit() {
  SmallVector<Value> batch;
  for (unsigned loop = 0; loop < nest.numBatch; ++loop)
    batch.push_back(getSize(loop));
  Value panels = code.ceilDiv(getSize(nest.t()), code.constant(panelWidth));
  Value keyElements = code.mul(panels, code.constant(panelWidth * d));
  int64_t others = mr * (kb + resultWidth + lanes) + llvm::alignTo(2 * mr, 16);
  int64_t elementBytes = type.getIntOrFloatBitWidth() / 8;
  Value bytes = code.mul(code.add(keyElements, code.constant(others)),
                         code.constant(elementBytes));
  Value work = code.product(
      {getSize(nest.s()), getSize(nest.t()), code.constant(d + e)});
  Value grain = code.grain(work);

  OpBuilder atEntry = code.builder;
  abi.emitParallelFor(atEntry, code.product(batch), grain,
                      [&](OpBuilder &inTask, Value begin, Value end) {
                        code.builder = inTask;
                        scores = abi.emitThreadScratch(code.builder, bytes);
                        result = code.address(scores, mr * kb, type);
                        laneMaxima =
                            code.address(result, mr * resultWidth, type);
                        maxima = code.address(laneMaxima, mr * lanes, type);
                        sums = code.address(maxima, mr, type);
                        keys = code.address(scores, others, type);
                        code.loop(begin, end, 1, [&](Value unit) {
                          SmallVector<Value> parts =
                              code.delinearize(unit, batch);
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

static Type getElement(const LinearAccess &access) {
  return cast<RankedTensorType>(access.argument.getType()).getElementType();
}

void AttentionEmitter::emitHead() {
  packKeys();
  Type element = getElement(nest.queries);
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

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// Panels of keys with the features outermost, so that the keys are the lanes.
/// Lanes beyond the last key hold anything.
void AttentionEmitter::packKeys() {
  Type element = getElement(nest.keys);
  Value base = code.address(abi.getPointer(nest.keys.argument),
                            getOffset(nest.keys), element);
  Value numKeys = getSize(nest.t());
  const Product &keyStride = nest.keys.strides[nest.t()];
  const Product &featureStride = nest.keys.strides[nest.d()];
  Value panels = code.ceilDiv(numKeys, code.constant(panelWidth));
  code.loop(code.constant(0), panels, 1, [&](Value panel) {
    Value packed = code.address(
        keys, code.mul(panel, code.constant(d * panelWidth)), type);
    Value firstKey = code.mul(panel, code.constant(panelWidth));
    code.loop(code.constant(0), code.constant(vectors), 1, [&](Value v) {
      Value lane = code.mul(v, code.constant(lanes));
      Value key = code.add(firstKey, lane);
      Value target = code.address(packed, lane, type);
      if (featureStride.isOne() && !keyStride.isOne())
        return packTransposed(base, key, target);
      Value mask = code.mask(code.sub(numKeys, key));
      Value source =
          code.address(base, code.mul(key, code.product(keyStride)), element);
      code.loop(code.constant(0), code.constant(d), 1, [&](Value feature) {
        Value from = code.address(
            source, code.mul(feature, code.product(featureStride)), element);
        Value vector =
            code.loadStrided(from, element, code.product(keyStride), mask);
        code.storeVector(
            code.convert(vector, type),
            code.address(target, code.mul(feature, code.constant(panelWidth)),
                         type));
      });
    });
  });
}

/// `rows` as the rows of a square matrix, transposed: halves are exchanged at
/// each distance, log2(lanes) times.
static void transpose(CodeBuilder &code, SmallVectorImpl<Value> &rows) {
  int64_t n = rows.size();
  for (int64_t distance = n / 2; distance > 0; distance /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < n; ++lane) {
      bool second = lane & distance;
      low.push_back(second ? n + lane - distance : lane);
      high.push_back(second ? n + lane : lane + distance);
    }
    for (int64_t i = 0; i < n; ++i) {
      if (i & distance)
        continue;
      Value a = rows[i], b = rows[i + distance];
      rows[i] = vector::ShuffleOp::create(code.builder, code.loc, a, b, low);
      rows[i + distance] =
          vector::ShuffleOp::create(code.builder, code.loc, a, b, high);
    }
  }
}

/// A vector of keys whose features are contiguous.
void AttentionEmitter::packTransposed(Value base, Value firstKey,
                                      Value target) {
  Type element = getElement(nest.keys);
  Value stride = code.product(nest.keys.strides[nest.t()]);
  Value lastKey = code.sub(getSize(nest.t()), code.constant(1));
  auto packChunk = [&](Value feature, int64_t count) {
    SmallVector<Value> rows;
    for (int64_t i = 0; i < lanes; ++i) {
      // Beyond the last key there is no memory: read that one again.
      Value key = code.min(code.add(firstKey, code.constant(i)), lastKey);
      Value from = code.address(
          code.address(base, code.mul(key, stride), element), feature, element);
      rows.push_back(
          code.convert(code.loadVector(from, element, code.mask(count)), type));
    }
    transpose(code, rows);
    Value to = code.address(target,
                            code.mul(feature, code.constant(panelWidth)), type);
    for (int64_t i = 0; i < count; ++i)
      code.storeVector(rows[i], code.address(to, i * panelWidth, type));
  };
  int64_t whole = d / lanes * lanes;
  code.loop(code.constant(0), code.constant(whole), lanes,
            [&](Value feature) { packChunk(feature, lanes); });
  if (whole < d)
    packChunk(code.constant(whole), d - whole);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void AttentionEmitter::emitTile(const Tile &tile) {
  Value lowest = abi.getConstant(
      FloatAttr::get(type, -std::numeric_limits<double>::infinity()));
  Value zero = abi.getConstant(code.builder.getFloatAttr(type, 0));
  for (int64_t i = 0; i < tile.size; ++i) {
    code.store(lowest, code.address(maxima, i, type));
    code.store(zero, code.address(sums, i, type));
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
