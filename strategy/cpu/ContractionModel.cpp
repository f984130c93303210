//===- ContractionModel.cpp - What a register tile costs ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/ContractionModel.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace ourc;

namespace {
// What x86-64 cores with AVX2 or AVX-512 have had for years.
constexpr double kMultiplyAddsPerCycle = 2, kLoadsPerCycle = 2;
constexpr double kMultiplyAddLatency = 4, kPairsLatency = 6;
/// A mispredicted branch, and setting up the reduction of a tile.
constexpr double kTileCycles = 20;
/// First-level caches are indexed by the offset within a page.
constexpr int64_t kCacheWayBytes = 4096;
constexpr int64_t kLineBytes = 64;
} // namespace

llvm::SmallVector<RegisterTile>
ourc::enumerateTiles(const cpu::MachineDescription &machine, bool dynamicRows,
                     bool pairs) {
  if (pairs && !machine.multipliesPairs) {
    if (machine.numVectorRegisters < 32)
      return {{4, 2}, {8, 1}};
    return {{6, 3}, {8, 2}, {14, 1}};
  }
  if (machine.numVectorRegisters < 32)
    return {{6, 2}, {4, 3}, {4, 2}, {8, 1}};
  if (dynamicRows)
    return {{8, 3}, {8, 2}, {6, 4}, {14, 1}};
  return {{14, 2}, {8, 2}, {8, 3}, {12, 2}, {10, 2}, {6, 4}, {14, 1}};
}

/// How much longer a step takes because rows of A share the sets of the cache
/// with each other: 1 where they do not.
static double getConflictFactor(const ContractionShape &shape, double rows,
                                const cpu::MachineDescription &machine) {
  int64_t bytesOfRow = shape.depth * 4;
  if (shape.rowBytes == 0 || bytesOfRow < kCacheWayBytes / 4)
    return 1;
  int64_t places = kCacheWayBytes / std::gcd(shape.rowBytes, kCacheWayBytes);
  double ways = double(machine.l1Bytes) / kCacheWayBytes;
  double rowsOfPlace = rows / places;
  // B streams through the other ways.
  return 1 + 0.02 * std::max(0.0, rowsOfPlace - ways * 2 / 3);
}

double ourc::estimateCycles(const ContractionShape &shape, RegisterTile tile,
                            const cpu::MachineDescription &machine) {
  int64_t tiles = llvm::divideCeil(std::max<int64_t>(shape.rows, 1), tile.rows);
  double rows = double(std::max<int64_t>(shape.rows, 1)) / tiles;
  int64_t nr = tile.vectors * shape.lanes;
  double conflicts = getConflictFactor(shape, rows, machine);
  bool asPairs = shape.pairs && machine.multipliesPairs;
  double latency = asPairs ? kPairsLatency : kMultiplyAddLatency;
  double products = shape.pairs && !asPairs ? 2 : 1;
  auto panel = [&](int64_t vectors) {
    double multiplyAdds = products * rows * vectors / kMultiplyAddsPerCycle;
    double loads = (rows + vectors) / kLoadsPerCycle;
    double step = std::max({multiplyAdds, loads, latency});
    double epilogue = kTileCycles + rows * vectors;
    return tiles * shape.outerRows *
           (shape.depth * step * conflicts + epilogue);
  };
  int64_t columns = std::max<int64_t>(shape.columns, 1);
  double cycles = (columns / nr) * panel(tile.vectors);
  if (columns % nr)
    cycles += panel(llvm::divideCeil(columns % nr, shape.lanes));
  // Two threads share the panels; a single one is cut by rows.
  int64_t panels = llvm::divideCeil(columns, nr);
  int64_t busier = panels > 1 ? (panels + 1) / 2 : 0;
  return busier ? cycles * busier / panels : cycles / 2;
}

RegisterTile ourc::chooseTile(const ContractionShape &shape,
                              const cpu::MachineDescription &machine) {
  auto candidates = enumerateTiles(machine, shape.dynamicRows, shape.pairs);
  RegisterTile best = candidates.front();
  double least = 0;
  for (RegisterTile tile : candidates) {
    double cycles = estimateCycles(shape, tile, machine);
    if (least == 0 || cycles < least * 0.99) {
      best = tile;
      least = cycles;
    }
  }
  return best;
}

ContractionBlocks ourc::chooseBlocks(const ContractionShape &shape,
                                     RegisterTile tile, int64_t bytes,
                                     const cpu::MachineDescription &machine) {
  double cache = machine.l2Bytes;
  bool hasRuns = shape.outerRows > 1;
  int64_t tilesOfRun = llvm::divideCeil(shape.rows, tile.rows);
  int64_t units = hasRuns ? shape.outerRows : tilesOfRun;
  double panels = llvm::divideCeil(shape.columns, tile.vectors * shape.lanes);
  double rows = double(shape.rows) * shape.outerRows;
  double a = rows * shape.rowElements * bytes;
  double b = double(shape.columns) * shape.depth * bytes;
  double c = rows * shape.columns * shape.passes * bytes;

  // What a block reads of A fits half of the cache; where B stays there, a
  // quarter has to do, also for what is written.
  bool bStays = b <= cache / 2;
  double bytesOfRow = double(shape.rowElements) * bytes;
  if (bStays)
    bytesOfRow += double(shape.columns) * shape.passes * bytes;
  double rowsOfBlock = cache / (bStays ? 4 : 2) / std::max(bytesOfRow, 1.0);
  ContractionBlocks blocks;
  blocks.units =
      std::max<int64_t>(1, rowsOfBlock / (hasRuns ? shape.rows : tile.rows));
  blocks.tiles = std::min(units, blocks.units) * (hasRuns ? tilesOfRun : 1);

  double blocksOfThread = std::max(1.0, double(units) / 2 / blocks.units);
  double splitColumns =
      (a > cache / 2 ? a * panels / 2 : a) + (c > cache ? c : c / 2) + b / 2;
  double splitRows = (a + c) / 2 + b * (bStays ? 1 : blocksOfThread);
  // Threads need several units each for even shares.
  bool even = units >= 16 || (units >= 2 && units % 2 == 0);
  blocks.splitColumns =
      shape.dynamicRows || !even || splitRows * 1.5 > splitColumns;
  return blocks;
}

int64_t ourc::choosePrefetch(const ContractionShape &shape, RegisterTile tile,
                             int64_t tiles, int64_t bytes,
                             const cpu::MachineDescription &machine) {
  int64_t nr = tile.vectors * shape.lanes;
  int64_t panels = llvm::divideCeil(shape.columns, nr);
  // Small weights stay in the cache from call to call; and the first panel of a
  // thread comes too late in any case.
  if (shape.dynamicRows || panels < 4 ||
      shape.columns * shape.depth * bytes < machine.l2Bytes / 2)
    return 0;
  int64_t linesOfStep = std::max<int64_t>(1, nr * bytes / kLineBytes);
  return std::clamp<int64_t>(tiles / linesOfStep, 1, 1024);
}
