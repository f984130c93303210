//===- ContractionTile.cpp - The reduction of a tile, in registers --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/ContractionEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ourc;

/// A cache line; what is fetched at a time.
static constexpr int64_t kLineBytes = 64;

/// The address of a packed panel of B.
Value ContractionEmitter::getPanel(Value index) {
  Value offset = code.add(getOffset(nest.b),
                          code.mul(index, code.product(nest.panelStride)));
  return code.address(abi.getPointer(nest.b.argument), offset, nest.bType);
}

/// What a tile fetches of the next panel: the tiles of a panel share it.
Value ContractionEmitter::getAhead(const Panel &panel, const Tile &tile) {
  if (!panel.ahead)
    return {};
  Value rows = rowLoop ? getSize(*rowLoop) : code.constant(1);
  Value tiles = code.ceilDiv(rows, code.constant(schedule.getMr()));
  Value number = code.constant(0);
  for (unsigned loop : outerRows)
    number = code.add(code.mul(number, getSize(loop)), at[loop]);
  number =
      code.sub(code.add(code.mul(number, tiles), tile.index), panel.firstTile);
  SmallVector<Value> depth;
  for (unsigned loop : nest.k)
    depth.push_back(getSize(loop));
  Value lines =
      code.ceilDiv(code.product(depth), code.constant(schedule.getPrefetch()));
  Value bytes = code.mul(code.mul(number, lines), code.constant(kLineBytes));
  return code.address(panel.ahead, bytes, code.builder.getI8Type());
}

void ContractionEmitter::emitTile(const Panel &panel, const Tile &tile) {
  if (rowLoop)
    at[*rowLoop] = tile.firstRow;
  Place place;
  place.a = code.address(abi.getPointer(nest.a.argument), getOffset(nest.a),
                         nest.aType);
  place.b = panel.gathered;
  if (!place.b && nest.packedTile != 0)
    place.b = getPanel(panel.index);
  if (!place.b) {
    if (columnLoop)
      at[*columnLoop] = panel.firstColumn;
    place.b = code.address(abi.getPointer(nest.b.argument), getOffset(nest.b),
                           nest.bType);
  }
  place.ahead = getAhead(panel, tile);
  if (columnLoop)
    at[*columnLoop] = panel.firstColumn;
  if (takesAMXTiles()) {
    emitAMXTile(panel, tile, place);
  } else {
    SmallVector<bool> rows(tile.size, true);
    Accumulators sums;
    for (int64_t i = 0; i < tile.size; ++i)
      for (int64_t v = 0; v < panel.vectors; ++v)
        sums.push_back(emitStart(panel, code.constant(i), v));
    emitEpilogue(panel, tile, emitReduction(panel, tile, 0, place, rows, sums));
  }
  if (rowLoop)
    at[*rowLoop] = nullptr;
  if (columnLoop)
    at[*columnLoop] = nullptr;
}

/// What the accumulator of a vector starts from, `row` rows into the tile.
Value ContractionEmitter::emitStart(const Panel &panel, Value row,
                                    int64_t vector) {
  if (!nest.init) {
    TypedAttr value = nest.initValue;
    if (auto number = dyn_cast<FloatAttr>(value))
      value = FloatAttr::get(nest.accType, number.getValueAsDouble());
    return code.splat(value);
  }
  Type element =
      cast<RankedTensorType>(nest.init->argument.getType()).getElementType();
  Value base = code.address(abi.getPointer(nest.init->argument),
                            getOffset(*nest.init), element);
  Value rowStride =
      rowLoop ? code.product(nest.init->strides[*rowLoop]) : code.constant(0);
  Value stride = columnLoop ? code.product(nest.init->strides[*columnLoop])
                            : code.constant(0);
  Value offset = code.add(code.mul(rowStride, row),
                          code.mul(stride, code.constant(vector * lanes)));
  Value address = code.address(base, offset, element);
  Value start =
      CodeBuilder::getConstant(stride) == 0
          ? code.broadcast(code.load(address, element))
          : code.loadStrided(address, element, stride, panel.masks[vector]);
  return code.convert(start, nest.accType);
}

const ContractionNest::Padding *ContractionEmitter::getPadding(unsigned kLoop) {
  for (const ContractionNest::Padding &padding : nest.padding)
    if (padding.k == kLoop)
      return &padding;
  return nullptr;
}

/// Whether the reduction loops after `position` are one loop with the one there
/// for both operands.
bool ContractionEmitter::isOneRun(unsigned position) {
  for (unsigned i = position; i + 1 < nest.k.size(); ++i)
    if (getPadding(nest.k[i + 1]) ||
        !nest.isOneLoop(nest.a, nest.k[i], nest.k[i + 1]) ||
        !nest.isOneLoop(b, nest.k[i], nest.k[i + 1]))
      return false;
  return true;
}

/// `iterations` of a reduction loop further.
ContractionEmitter::Place ContractionEmitter::advance(const Place &place,
                                                      unsigned loop,
                                                      Value iterations) {
  auto move = [&](Value pointer, const LinearAccess &access, Type type) {
    return code.address(
        pointer, code.mul(iterations, code.product(access.strides[loop])),
        type);
  };
  Place next{move(place.a, nest.a, nest.aType), move(place.b, b, nest.bType),
             place.ahead};
  if (place.ahead) {
    int64_t steps = b.strides[loop].constant / schedule.getNr();
    int64_t bytes = steps * kLineBytes / schedule.getPrefetch();
    next.ahead =
        code.address(place.ahead, code.mul(iterations, code.constant(bytes)),
                     code.builder.getI8Type());
  }
  return next;
}

ContractionEmitter::Accumulators
ContractionEmitter::emitReduction(const Panel &panel, const Tile &tile,
                                  unsigned position, Place place,
                                  ArrayRef<bool> rows, Accumulators sums) {
  if (position == nest.k.size()) {
    emitStep(panel, tile, place.a, place.b, rows, sums);
    return sums;
  }
  unsigned loop = nest.k[position], innermost = nest.k.back();
  const ContractionNest::Padding *padding = getPadding(loop);
  Product inner;
  for (unsigned i = position + 1; i < nest.k.size(); ++i)
    inner = inner * nest.sizes[nest.k[i]];

  if (!padding && isOneRun(position))
    return emitRun(panel, tile, inner * nest.sizes[loop], innermost, place,
                   rows, sums);

  if (padding && loop == nest.pairLoop)
    return emitPaddedPairs(panel, tile, place, rows, sums);

  if (padding && rowLoop && padding->m == *rowLoop) {
    // The rows that each iteration leaves out are known: iterations with the
    // same rows follow one another in memory.
    int64_t size = nest.sizes[loop].constant;
    for (int64_t k = 0, next; k < size; k = next) {
      next = k + 1;
      while (isOneRun(position) && next < size &&
             tile.padded[next] == tile.padded[k])
        ++next;
      SmallVector<bool> valid(rows);
      for (int64_t i = 0; i < tile.size; ++i)
        valid[i] = valid[i] && !tile.padded[k][i];
      if (llvm::none_of(valid, [](bool row) { return row; }))
        continue;
      Place here = advance(place, loop, code.constant(k));
      sums = isOneRun(position)
                 ? emitRun(panel, tile, inner * Product(next - k), innermost,
                           here, valid, sums)
                 : emitReduction(panel, tile, position + 1, here, valid, sums);
    }
    return sums;
  }

  Value begin = code.constant(0), end = getSize(loop);
  if (padding) {
    // Iterations that read padding are left out by the loop's bounds.
    Value zero = code.constant(0), step = code.constant(padding->kStep);
    Value first =
        code.sub(code.mul(at[padding->m], code.constant(padding->mStep)),
                 code.constant(padding->low));
    Value below = code.max(code.sub(zero, first), zero);
    Value inside = code.max(code.sub(code.product(padding->size), first), zero);
    begin = code.ceilDiv(below, step);
    end = code.min(end, code.ceilDiv(inside, step));
  }
  return code.loop(begin, end, 1, sums, [&](Value k, ValueRange carried) {
    return emitReduction(panel, tile, position + 1, advance(place, loop, k),
                         rows, Accumulators(carried));
  });
}

/// `size` steps through both operands at the strides of `loop`.
ContractionEmitter::Accumulators
ContractionEmitter::emitRun(const Panel &panel, const Tile &tile, Product size,
                            unsigned loop, Place place, ArrayRef<bool> rows,
                            Accumulators sums) {
  if (takesAMXTiles())
    return emitAMXRun(panel, tile, size.constant, loop, place, sums);
  int64_t pace = schedule.getDepth();
  // The last step of an odd number is half of a pair.
  auto step = [&](Value k, bool whole, Accumulators &sums) {
    Place here = advance({place.a, place.b, {}}, loop, k);
    if (!nest.pairLoop)
      return emitStep(panel, tile, here.a, here.b, rows, sums);
    SmallVector<PairHalves> halves;
    for (bool row : rows)
      halves.push_back(!row    ? PairHalves::None
                       : whole ? PairHalves::Both
                               : PairHalves::First);
    emitPairStep(panel, tile, here.a, here.b, halves, sums);
  };
  auto repeat = [&](Value begin, Value end, bool whole, Accumulators sums) {
    return code.loop(begin, end, pace, sums, [&](Value k, ValueRange carried) {
      Accumulators next(carried);
      step(k, whole, next);
      return next;
    });
  };
  auto steps = [&](Value begin, Value end, Accumulators sums) {
    std::optional<int64_t> first = CodeBuilder::getConstant(begin);
    std::optional<int64_t> last = CodeBuilder::getConstant(end);
    if (first && last && *last - *first <= 4 * pace) {
      for (int64_t k = *first; k < *last; k += pace) {
        step(code.constant(k), k + pace <= *last, sums);
        code.fence();
      }
      return sums;
    }
    Value paces = code.div(code.sub(end, begin), code.constant(pace));
    Value middle = code.add(begin, code.mul(paces, code.constant(pace)));
    sums = repeat(begin, middle, /*whole=*/true, sums);
    if (pace == 1)
      return sums;
    if (first && last) {
      if ((*last - *first) % pace != 0)
        step(middle, /*whole=*/false, sums);
      return sums;
    }
    return repeat(middle, end, /*whole=*/false, sums);
  };
  int64_t distance = schedule.getPrefetch();
  if (!place.ahead || !size.isConstant() || size.constant < 2 * distance)
    return steps(code.constant(0), code.product(size), sums);

  auto fetch = [&](Value bytes) {
    Value line = code.address(place.ahead, bytes, code.builder.getI8Type());
    LLVM::Prefetch::create(code.builder, code.loc, line, /*rw=*/0, /*hint=*/2,
                           /*cache=*/1);
  };
  Place start = place;
  int64_t groups = size.constant / distance;
  if (distance <= 4 * pace) {
    // A line is fetched again in each of its few steps: steps that stand
    // together in a loop are held in memory by the register allocator.
    sums = code.loop(code.constant(0), code.constant(groups * distance), pace,
                     sums, [&](Value k, ValueRange carried) {
                       fetch(code.div(code.mul(k, code.constant(kLineBytes)),
                                      code.constant(distance)));
                       Accumulators next(carried);
                       step(k, /*whole=*/true, next);
                       return next;
                     });
  } else {
    // Groups of steps, and a line of the next panel for each.
    sums = code.loop(code.constant(0), code.constant(groups), 1, sums,
                     [&](Value group, ValueRange carried) {
                       fetch(code.mul(group, code.constant(kLineBytes)));
                       place =
                           advance({start.a, start.b, {}}, loop,
                                   code.mul(group, code.constant(distance)));
                       return steps(code.constant(0), code.constant(distance),
                                    Accumulators(carried));
                     });
    place = start;
  }
  return steps(code.constant(groups * distance), code.product(size), sums);
}

/// One element of A in each row times one row of B.
void ContractionEmitter::emitStep(const Panel &panel, const Tile &tile, Value a,
                                  Value b, ArrayRef<bool> rows,
                                  Accumulators &sums) {
  // Else elements of many steps are kept in registers, and sums are not.
  if (rowsOverlap)
    a = code.forget(a);
  bool contiguous = !columnLoop || nest.packedTile != 0 || panel.gathered ||
                    nest.b.strides[*columnLoop].isOne();
  (void)contiguous;
  assert(contiguous && "B is read along its columns");
  // Packed and gathered panels are whole; elsewhere the tail is not there.
  bool whole = nest.packedTile != 0 || panel.gathered;
  SmallVector<Value> columns;
  for (int64_t v = 0; v < panel.vectors; ++v) {
    Value vector =
        code.loadVector(code.address(b, v * lanes, nest.bType), nest.bType,
                        whole ? Value() : panel.masks[v]);
    columns.push_back(code.convert(vector, nest.accType, nest.bUnsigned));
  }
  Value rowStride =
      rowLoop ? code.product(nest.a.strides[*rowLoop]) : code.constant(0);
  for (int64_t i = 0; i < tile.size; ++i) {
    if (!rows[i])
      continue;
    Value element = code.load(
        code.address(a, code.mul(rowStride, code.constant(i)), nest.aType),
        nest.aType);
    Value row =
        code.broadcast(code.convert(element, nest.accType, nest.aUnsigned));
    for (int64_t v = 0; v < panel.vectors; ++v) {
      Value &sum = sums[i * panel.vectors + v];
      if (isa<FloatType>(nest.accType)) {
        sum =
            vector::FMAOp::create(code.builder, code.loc, row, columns[v], sum);
        continue;
      }
      Value product =
          arith::MulIOp::create(code.builder, code.loc, row, columns[v]);
      sum = arith::AddIOp::create(code.builder, code.loc, sum, product);
    }
  }
}
