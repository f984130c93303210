//===- FmaMultiplier.cpp - Multiplying tiles in registers ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/TileMultiplier.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

namespace {
// Neighbours in a warp read neighbouring rows of [m][k], or neighbouring chunks
// of [k][m], so that eight lanes meet all banks once.
class FmaMultiplier : public TileMultiplier {
public:
  FmaMultiplier(KernelFrame &frame, int64_t threadsM, int64_t threadsN)
      : TileMultiplier(frame), threads{threadsM, threadsN} {}

  void begin(OpBuilder &builder, const SharedTile &left,
             const SharedTile &right, Value, Value) override;
  SmallVector<Value> step(OpBuilder &builder, Value stage,
                          ValueRange sums) override;
  Value getFirstRow(OpBuilder &builder) override {
    return getFirst(builder, 0);
  }
  Value getFirstColumn(OpBuilder &builder) override {
    return getFirst(builder, 1);
  }
  size_t getNumber(size_t row, size_t column) const override {
    return row * columns.size() + column;
  }

private:
  /// The operand's four elements of k from `k` on for each of the thread's
  /// places: result[k][place].
  std::array<SmallVector<Value>, 4> load(OpBuilder &builder, Value stage,
                                         size_t operand, int64_t k);
  /// Elements along the free dimension that a thread reads at a time.
  int64_t getRun(size_t operand) const;
  Value getFirst(OpBuilder &builder, size_t operand) {
    LaneMath math(builder, frame);
    return math.mul(own[operand], getRun(operand));
  }

  std::array<int64_t, 2> threads;
  std::array<SharedTile, 2> tiles;
  /// The thread's number along m and n, i32.
  std::array<Value, 2> own;
};
} // namespace

int64_t FmaMultiplier::getRun(size_t operand) const {
  const SharedTile &tile = tiles[operand];
  return tile.rowsAlongK && tile.rowElements >= 4 * threads[operand] ? 4 : 1;
}

void FmaMultiplier::begin(OpBuilder &builder, const SharedTile &left,
                          const SharedTile &right, Value, Value) {
  LaneMath math(builder, frame);
  tiles = {left, right};
  Value thread = math.fromIndex(frame.getThreadId());
  own[1] = math.bitAnd(thread, threads[1] - 1);
  own[0] = math.shiftRight(thread, llvm::Log2_64(threads[1]));
  for (size_t operand = 0; operand < 2; ++operand) {
    const SharedTile &tile = tiles[operand];
    int64_t size = tile.rowsAlongK ? tile.rowElements : tile.rows;
    int64_t run = getRun(operand);
    SmallVector<int64_t> &places = operand == 0 ? rows : columns;
    for (int64_t first = 0; first < size; first += run * threads[operand])
      for (int64_t i = 0; i < run; ++i)
        places.push_back(first + i);
  }
}

std::array<SmallVector<Value>, 4> FmaMultiplier::load(OpBuilder &builder,
                                                      Value stage,
                                                      size_t operand,
                                                      int64_t k) {
  Location loc = frame.getLoc();
  LaneMath math(builder, frame);
  const SharedTile &tile = tiles[operand];
  ArrayRef<int64_t> places = operand == 0 ? rows : columns;
  Type f32 = builder.getF32Type();
  auto vector = VectorType::get({4}, f32);
  std::array<SmallVector<Value>, 4> result;
  auto extract = [&](Value chunk, int64_t i) -> Value {
    return LLVM::ExtractElementOp::create(builder, loc, chunk,
                                          math.constant(i));
  };
  auto loadAt = [&](Value offset, int64_t bytes, Type type) -> Value {
    Value address = emitByteAddress(
        builder, loc, emitByteAddress(builder, loc, stage, offset),
        tile.offset + bytes);
    return LLVM::LoadOp::create(builder, loc, type, address,
                                /*alignment=*/type == f32 ? 4u : 16u);
  };
  if (!tile.rowsAlongK) {
    // A chunk holds the four elements of k; the swizzle repeats every 8 rows.
    Value offset = tile.getOffset(math, own[operand], math.constant(k / 4));
    for (int64_t place : places) {
      Value chunk = loadAt(offset, place * tile.getRowBytes(), vector);
      for (int64_t i = 0; i < 4; ++i)
        result[static_cast<size_t>(i)].push_back(extract(chunk, i));
    }
    return result;
  }
  for (int64_t i = 0; i < 4; ++i) {
    SmallVector<Value> &values = result[static_cast<size_t>(i)];
    Value row = math.constant(k + i);
    if (getRun(operand) == 4) {
      for (size_t p = 0; p < places.size(); p += 4) {
        Value number = math.add(own[operand], math.constant(places[p] / 4));
        Value chunk = loadAt(tile.getOffset(math, row, number), 0, vector);
        for (int64_t j = 0; j < 4; ++j)
          values.push_back(extract(chunk, j));
      }
      continue;
    }
    for (int64_t place : places) {
      Value element = math.add(own[operand], math.constant(place));
      Value offset =
          math.add(tile.getOffset(math, row, math.shiftRight(element, 2)),
                   math.mul(math.bitAnd(element, 3), 4));
      values.push_back(loadAt(offset, 0, f32));
    }
  }
  return result;
}

SmallVector<Value> FmaMultiplier::step(OpBuilder &builder, Value stage,
                                       ValueRange carried) {
  SmallVector<Value> sums(carried);
  const SharedTile &left = tiles[0];
  int64_t size = left.rowsAlongK ? left.rows : left.rowElements;
  for (int64_t k = 0; k < size; k += 4) {
    auto a = load(builder, stage, 0, k), b = load(builder, stage, 1, k);
    for (size_t i = 0; i < 4; ++i)
      for (size_t m = 0; m < a[i].size(); ++m)
        for (size_t n = 0; n < b[i].size(); ++n) {
          Value &sum = sums[getNumber(m, n)];
          sum = math::FmaOp::create(builder, frame.getLoc(), a[i][m], b[i][n],
                                    sum);
        }
  }
  return sums;
}

std::unique_ptr<TileMultiplier>
gpucodegen::createFmaMultiplier(KernelFrame &frame, int64_t threadsM,
                                int64_t threadsN) {
  return std::make_unique<FmaMultiplier>(frame, threadsM, threadsN);
}
