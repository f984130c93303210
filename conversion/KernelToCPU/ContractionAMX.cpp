//===- ContractionAMX.cpp - Reductions in AMX tiles of bf16 ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// B lies as for pairs, [K/2][nr][2]: a tile of it is 16 rows of 16 pairs. Tiles
// of A are read in place. All tiles have full rows, so that functions keep to
// one configuration: the last rows of a block are the last 16, some of them
// made twice, and the last steps, fewer than 32, go through scratch memory that
// is filled up with zeros.
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/AMXTile.h"
#include "conversion/KernelToCPU/ContractionEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ourc;

/// Where the tiles of a block of rows begin.
static SmallVector<int64_t> getParts(int64_t rows) {
  SmallVector<int64_t> parts;
  for (int64_t row = 0; row + amx::kRows < rows; row += amx::kRows)
    parts.push_back(row);
  parts.push_back(std::max<int64_t>(0, rows - amx::kRows));
  return parts;
}

static int64_t getRows(int64_t rows) { return std::min(rows, amx::kRows); }

void ContractionEmitter::emitAMXTile(const Panel &panel, const Tile &tile,
                                     Place place) {
  SmallVector<int64_t> parts = getParts(tile.size);
  int64_t rows = getRows(tile.size);
  Accumulators sums;
  for (size_t i = 0; i < parts.size() * panel.vectors; ++i)
    sums.push_back(amx::zero(code, rows));
  SmallVector<bool> all(tile.size, true);
  sums = emitReduction(panel, tile, 0, place, all, sums);

  int64_t rowElements = panel.vectors * lanes;
  Value buffer = code.stack(nest.accType, tile.size * rowElements);
  Value stride = code.constant(rowElements * sizeof(float));
  for (auto [p, part] : llvm::enumerate(parts))
    for (int64_t v = 0; v < panel.vectors; ++v)
      amx::store(
          code, rows,
          code.address(buffer, part * rowElements + v * lanes, nest.accType),
          stride, sums[p * panel.vectors + v]);
  code.loop(code.constant(0), code.constant(tile.size), 1, [&](Value i) {
    Value row = code.address(buffer, code.mul(i, code.constant(rowElements)),
                             nest.accType);
    for (int64_t v = 0; v < panel.vectors; ++v) {
      Value sum = code.loadVector(code.address(row, v * lanes, nest.accType),
                                  nest.accType);
      sum = arith::AddFOp::create(code.builder, code.loc, sum,
                                  emitStart(panel, i, v));
      emitElements(panel, i, v, sum);
    }
  });
}

/// The last `steps` steps, fewer than a tile has, in scratch memory: rows of A,
/// or pairs of B.
Value ContractionEmitter::padForAMX(Value source, Value stride, int64_t rows,
                                    int64_t bytes, int64_t zeroRows) {
  Type i8 = code.builder.getI8Type(), bf16 = nest.aType;
  int64_t elements = amx::kRowBytes / 2;
  Value buffer = code.stack(bf16, (rows + zeroRows) * elements);
  auto copy = [&](Value row, bool isThere) {
    Value from = code.address(source, code.mul(row, stride), i8);
    Value to =
        code.address(buffer, code.mul(row, code.constant(elements)), bf16);
    for (int64_t first = 0; first < elements; first += lanes) {
      int64_t count = std::min(lanes, bytes / 2 - first);
      Value vector = code.zero(bf16);
      if (isThere && count > 0)
        vector = code.loadVector(code.address(from, first, bf16), bf16,
                                 code.mask(count));
      code.storeVector(vector, code.address(to, first, bf16));
    }
  };
  code.loop(code.constant(0), code.constant(rows), 1,
            [&](Value row) { copy(row, true); });
  code.loop(code.constant(rows), code.constant(rows + zeroRows), 1,
            [&](Value row) { copy(row, false); });
  return buffer;
}

ContractionEmitter::Accumulators
ContractionEmitter::emitAMXRun(const Panel &panel, const Tile &tile,
                               int64_t size, unsigned loop, Place place,
                               Accumulators sums) {
  SmallVector<int64_t> parts = getParts(tile.size);
  int64_t rows = getRows(tile.size);
  constexpr int64_t kBytes = 2;
  Value rowBytes =
      code.mul(code.product(nest.a.strides[*rowLoop]), code.constant(kBytes));
  Value pairBytes = code.constant(2 * kBytes * schedule.getNr());
  Value packed = code.constant(amx::kRowBytes);
  Type i8 = code.builder.getI8Type();

  auto multiply = [&](ArrayRef<Value> a, ArrayRef<Value> b,
                      Accumulators &next) {
    for (size_t p = 0; p < a.size(); ++p)
      for (size_t v = 0; v < b.size(); ++v) {
        Value &sum = next[p * b.size() + v];
        sum = amx::multiply(code, rows, sum, a[p], b[v]);
      }
  };
  auto getA = [&](Value a, int64_t part) {
    return code.address(a, code.mul(rowBytes, code.constant(part)), i8);
  };
  auto getB = [&](Value b, int64_t v) {
    return code.address(b, 2 * v * lanes, nest.bType);
  };

  int64_t whole = size / amx::kDepth * amx::kDepth;
  sums = code.loop(
      code.constant(0), code.constant(whole), amx::kDepth, sums,
      [&](Value k, ValueRange carried) {
        Place here = advance({place.a, place.b, {}}, loop, k);
        SmallVector<Value> a, b;
        for (int64_t part : parts)
          a.push_back(amx::load(code, rows, getA(here.a, part), rowBytes));
        for (int64_t v = 0; v < panel.vectors; ++v)
          b.push_back(amx::load(code, amx::kPairs, getB(here.b, v), pairBytes));
        Accumulators next(carried);
        multiply(a, b, next);
        return next;
      });
  int64_t rest = size - whole;
  if (rest == 0)
    return sums;
  Place here = advance({place.a, place.b, {}}, loop, code.constant(whole));
  SmallVector<Value> a, b;
  for (int64_t part : parts) {
    Value padded =
        padForAMX(getA(here.a, part), rowBytes, rows, rest * kBytes, 0);
    a.push_back(amx::load(code, rows, padded, packed));
  }
  int64_t pairs = llvm::divideCeil(rest, 2);
  for (int64_t v = 0; v < panel.vectors; ++v) {
    Value padded = padForAMX(getB(here.b, v), pairBytes, pairs, amx::kRowBytes,
                             amx::kPairs - pairs);
    b.push_back(amx::load(code, amx::kPairs, padded, packed));
  }
  multiply(a, b, sums);
  return sums;
}
