//===- Contraction.cpp - Emits the strategy contraction -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/ContractionEmitter.h"
#include "conversion/KernelToCPU/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ourc;

LogicalResult ourc::emitContraction(KernelABI &abi,
                                    kernel::CPUContractionAttr schedule) {
  kernel::FuncOp kernel = abi.getKernel();
  std::string reason;
  std::optional<ContractionNest> nest = ContractionNest::get(kernel, &reason);
  if (!nest)
    return kernel.emitOpError("cannot be made by the strategy contraction: ")
           << reason;
  if (nest->transformed)
    return kernel.emitOpError("has transformed filters, but its schedule is "
                              "not for them: ")
           << schedule;
  int64_t lanes = schedule.getLanes(), nr = schedule.getNr();
  if (lanes < 1 || schedule.getMr() < 1 || nr < lanes || nr % lanes != 0)
    return kernel.emitOpError("has a schedule whose nr is no multiple of its "
                              "lanes: ")
           << schedule;
  if (schedule.getKb() != 0)
    return kernel.emitOpError("has a schedule with reduction blocks, which the "
                              "emitter does not make: ")
           << schedule;
  if (nest->packedTile != 0 && nest->packedTile != nr)
    return kernel.emitOpError("has an operand packed by ")
           << nest->packedTile << " columns, but the schedule's nr is " << nr;
  bool takesPairs = schedule.getDepth() > 1;
  if (nest->packedTile == 0 && takesPairs)
    nest->pairLoop = nest->choosePairLoop();
  if (takesPairs != nest->pairLoop.has_value())
    return kernel.emitOpError("has a schedule whose depth is ")
           << schedule.getDepth() << ", but its sum "
           << (takesPairs ? "cannot be taken in pairs of bf16"
                          : "is of an operand that is packed in pairs");
  if (takesPairs && lanes != 4 && lanes != 8 && lanes != 16)
    return kernel.emitOpError("has a schedule in pairs whose vectors are not "
                              "of 4, 8 or 16 lanes: ")
           << schedule;
  if (takesPairs && nest->packedTile == 0 && nest->k.size() > 1 &&
      !nest->sizes[*nest->pairLoop].isConstant())
    return kernel.emitOpError("has a schedule in pairs of a loop of dynamic "
                              "size inside of other loops, whose operand must "
                              "come packed: ")
           << schedule;
  if (schedule.getDepth() > 2 && !nest->fitsAMXTiles(&reason))
    return kernel.emitOpError("has a schedule of AMX tiles, but ")
           << reason << ": " << schedule;
  if (schedule.getDepth() > 2 &&
      (lanes != 16 || nr > 32 || schedule.getMr() > 32 ||
       schedule.getPrefetch() != 0))
    return kernel.emitOpError("has a schedule of AMX tiles, which take 16 "
                              "lanes, up to 32 rows and columns, and no "
                              "prefetch: ")
           << schedule;
  return ContractionEmitter(abi, schedule, std::move(*nest)).emit();
}

ContractionEmitter::ContractionEmitter(KernelABI &abi,
                                       kernel::CPUContractionAttr schedule,
                                       ContractionNest given, bool joinLoops)
    : abi(abi), schedule(schedule), nest(std::move(given)),
      code(abi, abi.getBodyBuilder(), schedule.getLanes()),
      lanes(schedule.getLanes()), vectors(schedule.getNr() / lanes) {
  if (joinLoops)
    nest.joinLoops();
  at.resize(nest.op.getNumLoops());
  outerRows = nest.m;
  outerColumns = nest.n;
  if (!outerColumns.empty())
    columnLoop = outerColumns.pop_back_val();
  if (!outerRows.empty()) {
    // Where padding along the rows is not known now, rows are made one by one.
    bool known = llvm::all_of(nest.padding,
                              [&](const ContractionNest::Padding &padding) {
                                return padding.m != outerRows.back() ||
                                       (padding.size.isConstant() &&
                                        nest.sizes[padding.m].isConstant() &&
                                        nest.sizes[padding.k].isConstant());
                              });
    if (known)
      rowLoop = outerRows.pop_back_val();
  }

  rowsOverlap = doRowsOverlap();

  b = nest.b;
  gathersB =
      nest.packedTile == 0 &&
      (nest.pairLoop || (columnLoop && !nest.b.strides[*columnLoop].isOne()));
  if (gathersB) {
    // [K…][nr], or [K…][K/2][nr][2]
    Product stride(schedule.getNr());
    for (unsigned loop : llvm::reverse(nest.k)) {
      b.strides[loop] = stride;
      Product size = nest.sizes[loop];
      if (loop == nest.pairLoop && size.isConstant())
        size.constant += size.constant % 2;
      stride = stride * size;
    }
  }
}

/// Whether a few steps of the sum lead from one row of A to the next one's
/// elements.
bool ContractionEmitter::doRowsOverlap() const {
  constexpr int64_t kFew = 64;
  if (!rowLoop || !nest.a.strides[*rowLoop].isConstant())
    return false;
  int64_t distance = nest.a.strides[*rowLoop].constant;
  return distance > 0 && distance <= kFew &&
         llvm::any_of(nest.k, [&](unsigned loop) {
           const Product &stride = nest.a.strides[loop];
           return stride.isConstant() && nest.sizes[loop].isConstant() &&
                  stride.constant <= distance &&
                  stride.constant * (nest.sizes[loop].constant - 1) >= distance;
         });
}

Value ContractionEmitter::getPackedSize(unsigned loop) {
  Value size = getSize(loop);
  if (loop != nest.pairLoop)
    return size;
  Value two = code.constant(2);
  return code.mul(code.ceilDiv(size, two), two);
}

LogicalResult ContractionEmitter::emit() {
  if (schedule.getSplitN() || gathersB)
    emitColumnUnits();
  else
    emitRowUnits();
  return failure(anyError);
}

//===----------------------------------------------------------------------===//
// Units of work
//===----------------------------------------------------------------------===//

Value ContractionEmitter::getOffset(const LinearAccess &access) {
  Value offset = code.constant(0);
  for (const Product &part : access.offset)
    offset = code.add(offset, code.product(part));
  for (auto [loop, stride] : llvm::enumerate(access.strides))
    if (at[loop] && !stride.isZero())
      offset = code.add(offset, code.mul(at[loop], code.product(stride)));
  return offset;
}

void ContractionEmitter::emitLoops(ArrayRef<unsigned> loops,
                                   function_ref<void()> body) {
  if (loops.empty())
    return body();
  code.loop(code.constant(0), getSize(loops[0]), 1, [&](Value iv) {
    at[loops[0]] = iv;
    emitLoops(loops.drop_front(), body);
    at[loops[0]] = nullptr;
  });
}

/// Units are (batch, outer columns, panel); each makes all its rows.
void ContractionEmitter::emitColumnUnits() {
  SmallVector<unsigned> loops(nest.batch);
  llvm::append_range(loops, outerColumns);
  SmallVector<Value> sizes;
  for (unsigned loop : loops)
    sizes.push_back(getSize(loop));
  Value nr = code.constant(schedule.getNr());
  Value columns = columnLoop ? getSize(*columnLoop) : code.constant(1);
  sizes.push_back(code.ceilDiv(columns, nr));
  Value units = code.product(sizes);

  SmallVector<Value> work{nr};
  for (unsigned loop : llvm::concat<const unsigned>(nest.m, nest.k))
    work.push_back(getSize(loop));
  Value rows = rowLoop ? getSize(*rowLoop) : code.constant(1);
  Value tiles = code.ceilDiv(rows, code.constant(schedule.getMr()));
  SmallVector<Value> depth{nr};
  for (unsigned loop : nest.k)
    depth.push_back(getPackedSize(loop));
  Value scratchElements = code.product(depth);
  Value grain = code.grain(code.product(work));

  OpBuilder atEntry = code.builder;
  abi.emitParallelFor(
      atEntry, units, grain, [&](OpBuilder &inTask, Value begin, Value end) {
        code.builder = inTask;
        Value scratch;
        if (gathersB)
          scratch = abi.emitThreadScratch(
              code.builder,
              code.mul(scratchElements,
                       code.constant(std::max<int64_t>(
                           1, nest.bType.getIntOrFloatBitWidth() / 8))));
        code.loop(begin, end, 1, [&](Value unit) {
          SmallVector<Value> parts = code.delinearize(unit, sizes);
          for (auto [loop, part] : llvm::zip(loops, parts))
            at[loop] = part;
          emitPanel(parts.back(), [&](Panel &panel) {
            panel.firstTile = code.constant(0);
            if (schedule.getPrefetch() != 0 && nest.packedTile != 0)
              panel.ahead = getPanel(code.min(code.add(unit, code.constant(1)),
                                              code.sub(end, code.constant(1))));
            if (gathersB)
              gatherPanel(panel, scratch);
            emitLoops(outerRows,
                      [&] { emitTiles(panel, code.constant(0), tiles); });
          });
          for (unsigned loop : loops)
            at[loop] = nullptr;
        });
      });
}

/// Units are (batch, outer rows), or row tiles where there are no such loops;
/// a task makes a block of its units for one panel after the other.
void ContractionEmitter::emitRowUnits() {
  SmallVector<unsigned> loops(nest.batch);
  llvm::append_range(loops, outerRows);
  SmallVector<Value> sizes;
  for (unsigned loop : loops)
    sizes.push_back(getSize(loop));
  Value rows = rowLoop ? getSize(*rowLoop) : code.constant(1);
  Value tiles = code.ceilDiv(rows, code.constant(schedule.getMr()));
  bool tilesAreUnits = loops.empty();
  Value units = tilesAreUnits ? tiles : code.product(sizes);
  Value nr = code.constant(schedule.getNr());
  Value columns = columnLoop ? getSize(*columnLoop) : code.constant(1);
  Value panels = code.ceilDiv(columns, nr);

  SmallVector<Value> work{tilesAreUnits ? code.constant(schedule.getMr())
                                        : rows};
  for (unsigned loop : llvm::concat<const unsigned>(nest.n, nest.k))
    work.push_back(getSize(loop));
  Value grain = code.grain(code.product(work));

  OpBuilder atEntry = code.builder;
  abi.emitParallelFor(
      atEntry, units, grain, [&](OpBuilder &inTask, Value begin, Value end) {
        code.builder = inTask;
        Value first = begin, last = end;
        auto emitBlockPanel = [&](Panel &panel) {
          if (tilesAreUnits)
            return emitTiles(panel, first, last);
          code.loop(first, last, 1, [&](Value unit) {
            SmallVector<Value> parts = code.delinearize(unit, sizes);
            for (auto [loop, part] : llvm::zip(loops, parts))
              at[loop] = part;
            emitTiles(panel, code.constant(0), tiles);
            for (unsigned loop : loops)
              at[loop] = nullptr;
          });
        };
        auto emitBlock = [&] {
          emitLoops(outerColumns, [&] {
            code.loop(code.constant(0), panels, 1, [&](Value index) {
              emitPanel(index, [&](Panel &panel) {
                if (schedule.getPrefetch() != 0 && nest.packedTile != 0) {
                  Value next = code.add(index, code.constant(1));
                  panel.ahead = getPanel(code.rem(next, panels));
                  panel.firstTile =
                      tilesAreUnits ? first : code.mul(first, tiles);
                }
                emitBlockPanel(panel);
              });
            });
          });
        };
        int64_t size = schedule.getMb();
        if (size == 0)
          return emitBlock();
        code.loop(begin, end, size, [&](Value block) {
          first = block;
          last = code.min(end, code.add(block, code.constant(size)));
          emitBlock();
        });
      });
}

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

void ContractionEmitter::emitPanel(Value index,
                                   function_ref<void(Panel &)> body) {
  int64_t nr = schedule.getNr();
  Panel panel{index, code.mul(index, code.constant(nr)), vectors, {}, {}, {},
              {}};
  panel.masks.assign(vectors, Value());
  auto emitFull = [&] {
    Panel full = panel;
    body(full);
  };
  Value columns = columnLoop ? getSize(*columnLoop) : code.constant(1);
  if (std::optional<int64_t> known = CodeBuilder::getConstant(columns)) {
    int64_t rest = *known % nr;
    auto emitRest = [&] {
      Panel last = panel;
      last.vectors = llvm::divideCeil(rest, lanes);
      last.masks.assign(last.vectors, Value());
      last.masks.back() = code.mask(rest - (last.vectors - 1) * lanes);
      body(last);
    };
    if (rest == 0)
      return emitFull();
    if (*known < nr)
      return emitRest();
    return code.branch(code.less(index, code.constant(*known / nr)), emitFull,
                       emitRest);
  }
  Value rest = code.sub(columns, panel.firstColumn);
  code.branch(
      code.less(rest, code.constant(nr)),
      [&] {
        Panel last = panel;
        for (int64_t v = 0; v < vectors; ++v)
          last.masks[v] = code.mask(code.sub(rest, code.constant(v * lanes)));
        body(last);
      },
      emitFull);
}

/// Copies the panel's columns of B to scratch memory, row by row of nr.
void ContractionEmitter::gatherPanel(Panel &panel, Value scratch) {
  panel.gathered = scratch;
  Value stride =
      columnLoop ? code.product(nest.b.strides[*columnLoop]) : code.constant(0);
  if (columnLoop)
    at[*columnLoop] = panel.firstColumn;
  ArrayRef<unsigned> loops = nest.k;
  emitLoops(nest.pairLoop ? loops.drop_back() : loops, [&] {
    Value source = code.address(abi.getPointer(nest.b.argument),
                                getOffset(nest.b), nest.bType);
    Value row = code.constant(0);
    for (unsigned loop : loops)
      if (at[loop])
        row = code.add(row, code.mul(at[loop], code.product(b.strides[loop])));
    Value target = code.address(scratch, row, nest.bType);
    if (nest.pairLoop)
      return gatherPairs(panel, source, target);
    for (int64_t v = 0; v < panel.vectors; ++v) {
      Value from = code.address(
          source, code.mul(stride, code.constant(v * lanes)), nest.bType);
      code.storeVector(
          code.loadStrided(from, nest.bType, stride, panel.masks[v]),
          code.address(target, v * lanes, nest.bType));
    }
  });
  if (columnLoop)
    at[*columnLoop] = nullptr;
}

//===----------------------------------------------------------------------===//
// Row tiles
//===----------------------------------------------------------------------===//

/// The tiles of a known number of rows: as equal in size as can be, never a
/// full tile and a sliver.
SmallVector<ContractionEmitter::TileGroup> ContractionEmitter::getTileGroups() {
  int64_t rows = rowLoop ? nest.sizes[*rowLoop].constant : 1;
  const ContractionNest::Padding *padding = nullptr;
  for (const ContractionNest::Padding &candidate : nest.padding)
    if (rowLoop && candidate.m == *rowLoop)
      padding = &candidate;

  SmallVector<TileGroup> groups;
  int64_t tiles = llvm::divideCeil(rows, schedule.getMr());
  int64_t row = 0;
  for (int64_t t = 0; t < tiles; ++t) {
    int64_t size = rows / tiles + (t < rows % tiles ? 1 : 0);
    Tile tile{{}, {}, size, {}};
    if (padding)
      for (int64_t k = 0; k < nest.sizes[padding->k].constant; ++k) {
        SmallVector<bool> outside;
        for (int64_t i = 0; i < size; ++i) {
          int64_t index =
              (row + i) * padding->mStep + k * padding->kStep - padding->low;
          outside.push_back(index < 0 || index >= padding->size.constant);
        }
        tile.padded.push_back(outside);
      }
    if (!groups.empty() && groups.back().tile.size == size &&
        groups.back().tile.padded == tile.padded)
      ++groups.back().numTiles;
    else
      groups.push_back({t, 1, row, tile});
    row += size;
  }
  return groups;
}

void ContractionEmitter::emitTiles(const Panel &panel, Value begin, Value end) {
  if (!rowLoop || nest.sizes[*rowLoop].isConstant()) {
    for (TileGroup &group : getTileGroups()) {
      Value first = code.constant(group.firstTile);
      Value last = code.constant(group.firstTile + group.numTiles);
      code.loop(code.max(begin, first), code.min(end, last), 1, [&](Value t) {
        group.tile.index = t;
        group.tile.firstRow = code.add(
            code.constant(group.firstRow),
            code.mul(code.sub(t, first), code.constant(group.tile.size)));
        emitTile(panel, group.tile);
      });
    }
    return;
  }

  // The same split, computed at run time, and one body for each size.
  Value rows = getSize(*rowLoop);
  int64_t mr = schedule.getMr();
  Value tiles =
      code.max(code.ceilDiv(rows, code.constant(mr)), code.constant(1));
  Value least = code.div(rows, tiles), larger = code.rem(rows, tiles);
  code.loop(begin, end, 1, [&](Value t) {
    Value isLarger =
        arith::ExtUIOp::create(code.builder, code.loc,
                               code.builder.getI64Type(), code.less(t, larger));
    Value size = code.add(least, isLarger);
    Value firstRow = code.add(code.mul(t, least), code.min(t, larger));
    Value index = arith::IndexCastOp::create(code.builder, code.loc,
                                             code.builder.getIndexType(), size);
    auto cases = llvm::to_vector(llvm::seq_inclusive<int64_t>(1, mr));
    auto choice = scf::IndexSwitchOp::create(code.builder, code.loc,
                                             TypeRange{}, index, cases, mr);
    OpBuilder::InsertionGuard guard(code.builder);
    for (int64_t rowsNow : cases) {
      code.builder.setInsertionPointToStart(
          &choice.getCaseRegions()[rowsNow - 1].emplaceBlock());
      emitTile(panel, Tile{t, firstRow, rowsNow, {}});
      scf::YieldOp::create(code.builder, code.loc);
    }
    code.builder.setInsertionPointToStart(
        &choice.getDefaultRegion().emplaceBlock());
    scf::YieldOp::create(code.builder, code.loc);
  });
}
