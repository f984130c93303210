//===- ContractionPairs.cpp - Reductions in pairs of bf16 -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// B lies as [K/2][nr][2], the last pair filled up with zero. Of A, a pair is
// read as 32 bits; where only one of its elements is there (the last step of an
// odd number, an image's border) it is read alone, so nothing beyond A's
// elements is.
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/ContractionEmitter.h"

using namespace mlir;
using namespace ourc;

/// One pair of A in each row times one row of pairs of B.
void ContractionEmitter::emitPairStep(const Panel &panel, const Tile &tile,
                                      Value a, Value b,
                                      ArrayRef<PairHalves> rows,
                                      Accumulators &sums) {
  if (rowsOverlap)
    a = code.forget(a);
  SmallVector<Value> columns;
  for (int64_t v = 0; v < panel.vectors; ++v)
    columns.push_back(
        loadPairs(code, code.address(b, 2 * v * lanes, nest.bType)));
  Value rowStride =
      rowLoop ? code.product(nest.a.strides[*rowLoop]) : code.constant(0);
  Value stride = code.product(nest.a.strides[*nest.pairLoop]);
  for (int64_t i = 0; i < tile.size; ++i) {
    if (rows[i] == PairHalves::None)
      continue;
    Value row = loadPairSplat(
        code,
        code.address(a, code.mul(rowStride, code.constant(i)), nest.aType),
        stride, rows[i]);
    for (int64_t v = 0; v < panel.vectors; ++v) {
      Value &sum = sums[i * panel.vectors + v];
      sum = emitPairDot(code.builder, code.loc, sum, row, columns[v]);
    }
  }
}

/// The pair loop where the elements that are padding are known: pairs of which
/// the same rows have both follow one another in a loop, others stand alone.
ContractionEmitter::Accumulators
ContractionEmitter::emitPaddedPairs(const Panel &panel, const Tile &tile,
                                    Place place, ArrayRef<bool> rows,
                                    Accumulators sums) {
  unsigned loop = *nest.pairLoop;
  int64_t size = nest.sizes[loop].constant;
  auto getHalves = [&](int64_t k) {
    SmallVector<PairHalves> halves;
    for (int64_t i = 0; i < tile.size; ++i) {
      auto isRead = [&](int64_t step) {
        return rows[i] && step < size && !tile.padded[step][i];
      };
      halves.push_back(
          PairHalves((isRead(k) ? uint8_t(PairHalves::First) : 0) |
                     (isRead(k + 1) ? uint8_t(PairHalves::Second) : 0)));
    }
    return halves;
  };
  for (int64_t k = 0, next; k < size; k = next) {
    SmallVector<PairHalves> halves = getHalves(k);
    next = k + 2;
    bool whole = llvm::all_of(halves, [](PairHalves half) {
      return half == PairHalves::None || half == PairHalves::Both;
    });
    while (whole && next < size && getHalves(next) == halves)
      next += 2;
    Place here = advance(place, loop, code.constant(k));
    if (!whole) {
      emitPairStep(panel, tile, here.a, here.b, halves, sums);
      continue;
    }
    SmallVector<bool> valid;
    for (PairHalves half : halves)
      valid.push_back(half == PairHalves::Both);
    if (llvm::is_contained(valid, true))
      sums = emitRun(panel, tile, Product(next - k), loop, here, valid, sums);
  }
  return sums;
}

/// Copies the pair loop of a panel of B to scratch memory as [K/2][nr][2].
void ContractionEmitter::gatherPairs(const Panel &panel, Value source,
                                     Value target) {
  unsigned loop = *nest.pairLoop;
  Value step = code.product(nest.b.strides[loop]);
  Value stride =
      columnLoop ? code.product(nest.b.strides[*columnLoop]) : code.constant(0);
  Value packedStep = code.product(b.strides[loop]);
  auto copy = [&](Value k, bool whole) {
    Value first = code.address(source, code.mul(k, step), nest.bType);
    Value to = code.address(target, code.mul(k, packedStep), nest.bType);
    for (int64_t v = 0; v < panel.vectors; ++v) {
      Value from = code.address(
          first, code.mul(stride, code.constant(v * lanes)), nest.bType);
      Value mask = panel.masks[v], pairs;
      if (whole && CodeBuilder::getConstant(step) == 1) {
        pairs = loadPairsStrided(code, from, stride, mask);
      } else {
        auto load = [&](Value pointer) {
          return code.loadStrided(pointer, nest.bType, stride, mask);
        };
        Value second = whole ? load(code.address(from, step, nest.bType))
                             : code.zero(nest.bType);
        pairs = emitPairs(code.builder, code.loc, load(from), second);
      }
      storePairs(code, pairs, code.address(to, 2 * v * lanes, nest.bType));
    }
  };
  Value size = getSize(loop), two = code.constant(2);
  Value even = code.mul(code.div(size, two), two);
  code.loop(code.constant(0), even, 2, [&](Value k) { copy(k, true); });
  code.loop(even, size, 2, [&](Value k) { copy(k, false); });
}
