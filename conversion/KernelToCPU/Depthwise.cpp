//===- Depthwise.cpp - Emits the strategy depthwise -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/DepthwiseEmitter.h"
#include "conversion/KernelToCPU/Emitters.h"

using namespace mlir;
using namespace ourc;

LogicalResult ourc::emitDepthwise(KernelABI &abi,
                                  kernel::CPUDepthwiseAttr schedule) {
  kernel::FuncOp kernel = abi.getKernel();
  std::string reason;
  std::optional<DepthwiseNest> nest = DepthwiseNest::get(kernel, &reason);
  if (!nest)
    return kernel.emitOpError("cannot be made by the strategy depthwise: ")
           << reason;
  int64_t block = schedule.getLanes() * schedule.getVectors();
  if (nest->nest.packedTile != 0 && nest->nest.packedTile != block)
    return kernel.emitOpError("has weights packed by ")
           << nest->nest.packedTile
           << " channels, but the schedule's lanes and vectors make " << block;
  return DepthwiseEmitter(abi, schedule, std::move(*nest)).emit();
}

DepthwiseEmitter::DepthwiseEmitter(KernelABI &abi,
                                   kernel::CPUDepthwiseAttr schedule,
                                   DepthwiseNest given)
    : abi(abi), schedule(schedule), depthwise(std::move(given)),
      nest(depthwise.nest),
      code(abi, abi.getBodyBuilder(), schedule.getLanes()),
      lanes(schedule.getLanes()), vectors(schedule.getVectors()) {
  at.resize(nest.op.getNumLoops());
}

LogicalResult DepthwiseEmitter::emit() {
  SmallVector<Value> rowSizes, work;
  for (unsigned loop : depthwise.rows)
    rowSizes.push_back(getSize(loop));
  Value rows = code.product(rowSizes);
  Value blocks =
      code.ceilDiv(getSize(depthwise.channel), code.constant(lanes * vectors));
  for (unsigned loop : nest.k)
    work.push_back(getSize(loop));
  if (depthwise.column)
    work.push_back(getSize(*depthwise.column));
  bool splitChannels = schedule.getSplitChannels();
  work.push_back(splitChannels ? code.constant(lanes * vectors)
                               : getSize(depthwise.channel));
  if (splitChannels)
    work.push_back(rows);
  // A multiply-add costs about twice what it does in a contraction, and a few
  // microseconds are worth a thread.
  Value grain = code.grain(code.mul(code.product(work), code.constant(4)));

  OpBuilder atEntry = code.builder;
  abi.emitParallelFor(atEntry, splitChannels ? blocks : rows, grain,
                      [&](OpBuilder &inTask, Value begin, Value end) {
                        code.builder = inTask;
                        Value zero = code.constant(0);
                        if (splitChannels)
                          return emitPass(zero, rows, begin, end);
                        emitPass(begin, end, zero, blocks);
                      });
  return failure(anyError);
}

/// Makes rows [beginRow, endRow) of blocks [beginBlock, endBlock) of channels:
/// a number of rows at a time, and of these a panel of channels at a time.
void DepthwiseEmitter::emitPass(Value beginRow, Value endRow, Value beginBlock,
                                Value endBlock) {
  SmallVector<Value> sizes;
  for (unsigned loop : depthwise.rows)
    sizes.push_back(getSize(loop));
  int64_t numRows = schedule.getRows(), panel = schedule.getPanel();
  code.loop(beginRow, endRow, numRows, [&](Value row) {
    Value rowEnd = code.min(code.add(row, code.constant(numRows)), endRow);
    code.loop(beginBlock, endBlock, panel, [&](Value block) {
      Value blockEnd =
          code.min(code.add(block, code.constant(panel)), endBlock);
      code.loop(row, rowEnd, 1, [&](Value unit) {
        SmallVector<Value> parts = code.delinearize(unit, sizes);
        for (auto [loop, part] : llvm::zip(depthwise.rows, parts))
          at[loop] = part;
        emitRow(block, blockEnd);
        for (unsigned loop : depthwise.rows)
          at[loop] = nullptr;
      });
    });
  });
}

Value DepthwiseEmitter::getOffset(const LinearAccess &access) {
  Value offset = code.constant(0);
  for (const Product &part : access.offset)
    offset = code.add(offset, code.product(part));
  for (auto [loop, stride] : llvm::enumerate(access.strides))
    if (at[loop] && !stride.isZero())
      offset = code.add(offset, code.mul(at[loop], code.product(stride)));
  return offset;
}

//===----------------------------------------------------------------------===//
// The tiles of a row
//===----------------------------------------------------------------------===//

/// The tiles of a row of known size: as equal as can be, never a full tile and
/// a sliver. Which taps read padding is then known too.
SmallVector<DepthwiseEmitter::TileGroup> DepthwiseEmitter::getTileGroups() {
  int64_t pixels =
      depthwise.column ? nest.sizes[*depthwise.column].constant : 1;
  SmallVector<TileGroup> groups;
  int64_t tiles = llvm::divideCeil(pixels, schedule.getMr()), first = 0;
  for (int64_t t = 0; t < tiles; ++t) {
    int64_t size = pixels / tiles + (t < pixels % tiles ? 1 : 0);
    Tile tile{{}, size, {}};
    for (int64_t k = 0; k < depthwise.getNumColumnTaps(); ++k) {
      SmallVector<bool> outside(size, false);
      for (int64_t i = 0; depthwise.width && i < size; ++i) {
        int64_t index = (first + i) * depthwise.columnStep +
                        k * depthwise.tapStep - depthwise.low;
        outside[i] = index < 0 || index >= depthwise.width->constant;
      }
      tile.padded.push_back(outside);
    }
    if (!groups.empty() && groups.back().tile.size == size &&
        groups.back().tile.padded == tile.padded)
      ++groups.back().numTiles;
    else
      groups.push_back({1, first, tile});
    first += size;
  }
  return groups;
}

/// One row of the result, for some blocks of channels.
void DepthwiseEmitter::emitRow(Value firstBlock, Value endBlock) {
  bool known = !depthwise.column ||
               (nest.sizes[*depthwise.column].isConstant() &&
                (!depthwise.width || depthwise.width->isConstant()));
  if (!known)
    return emitDynamicRow(
        [&](const Tile &tile) { emitBlocks(tile, firstBlock, endBlock); });
  for (TileGroup &group : getTileGroups())
    code.loop(code.constant(0), code.constant(group.numTiles), 1, [&](Value t) {
      group.tile.first = code.add(code.constant(group.first),
                                  code.mul(t, code.constant(group.tile.size)));
      emitBlocks(group.tile, firstBlock, endBlock);
    });
}

/// The same where sizes are not known: pixels that may read padding one by one,
/// tiles between them.
void DepthwiseEmitter::emitDynamicRow(function_ref<void(const Tile &)> body) {
  Value zero = code.constant(0), size = getSize(*depthwise.column);
  Value begin = zero, end = size;
  if (depthwise.width) {
    Value step = code.constant(depthwise.columnStep);
    int64_t last = (depthwise.getNumColumnTaps() - 1) * depthwise.tapStep;
    Value inside = code.add(code.product(*depthwise.width),
                            code.constant(depthwise.low - last));
    end = code.min(size, code.ceilDiv(code.max(inside, zero), step));
    begin = code.min(end, code.ceilDiv(code.constant(depthwise.low), step));
  }
  auto single = [&](bool clipped) {
    return [&body, this, clipped](Value pixel) {
      Tile tile{pixel, 1, {}, clipped};
      tile.padded.assign(depthwise.getNumColumnTaps(), {false});
      body(tile);
    };
  };
  code.loop(zero, begin, 1, single(/*clipped=*/true));
  int64_t mr = schedule.getMr();
  Value tiles = code.div(code.sub(end, begin), code.constant(mr));
  code.loop(zero, tiles, 1, [&](Value t) {
    Tile tile{code.add(begin, code.mul(t, code.constant(mr))), mr, {}};
    tile.padded.assign(depthwise.getNumColumnTaps(),
                       SmallVector<bool>(mr, false));
    body(tile);
  });
  code.loop(code.add(begin, code.mul(tiles, code.constant(mr))), end, 1,
            single(/*clipped=*/false));
  code.loop(end, size, 1, single(/*clipped=*/true));
}

/// The blocks of channels of a tile; the last one may be smaller.
void DepthwiseEmitter::emitBlocks(const Tile &tile, Value begin, Value end) {
  int64_t width = lanes * vectors;
  if (depthwise.column)
    at[*depthwise.column] = tile.first;
  auto emit = [&](Value index, ArrayRef<Value> masks) {
    Block block{index, code.mul(index, code.constant(width)),
                SmallVector<Value>(masks)};
    at[depthwise.channel] = block.firstChannel;
    emitTile(tile, block);
    at[depthwise.channel] = nullptr;
  };
  Value channels = getSize(depthwise.channel);
  Value full = code.div(channels, code.constant(width));
  code.loop(begin, code.min(end, full), 1,
            [&](Value index) { emit(index, SmallVector<Value>(vectors)); });
  Value rest = code.rem(channels, code.constant(width));
  if (CodeBuilder::getConstant(rest) != 0)
    code.branch(code.less(full, end), [&] {
      SmallVector<Value> masks;
      for (int64_t v = 0; v < vectors; ++v)
        masks.push_back(code.mask(code.sub(rest, code.constant(v * lanes))));
      emit(full, masks);
    });
  if (depthwise.column)
    at[*depthwise.column] = nullptr;
}
