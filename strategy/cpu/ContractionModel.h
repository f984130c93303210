//===- ContractionModel.h - What a register tile costs --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_CPU_CONTRACTIONMODEL_H
#define OURC_STRATEGY_CPU_CONTRACTIONMODEL_H

#include "target/cpu/MachineDescription.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace ourc {

/// A register tile: rows, and vectors in a row.
struct RegisterTile {
  int64_t rows, vectors;
  bool operator==(const RegisterTile &other) const {
    return rows == other.rows && vectors == other.vectors;
  }
};

/// A contraction as the tile sees it. Sizes that are not known are guessed by
/// whoever fills this in.
struct ContractionShape {
  /// Runs of rows that tiles cut, and how many there are: the pixels of one row
  /// of an image, and its rows.
  int64_t rows = 1, outerRows = 1;
  int64_t columns = 1;
  int64_t depth = 1;  ///< reduction steps, each of a pair where `pairs`
  bool pairs = false; ///< of bf16
  int64_t lanes = 1;
  /// From one row of A to the next; 0: not known.
  int64_t rowBytes = 0;
  /// What a row of A has that no other row has, in elements: the channels of a
  /// pixel.
  int64_t rowElements = 0;
  /// Elements of results and of other operands for each element of the sums.
  int64_t passes = 1;
  /// One body of code is made for each number of rows.
  bool dynamicRows = false;
};

/// The tiles that may be chosen, those to be preferred first: all accumulators,
/// one row of B and one element of A fit the vector registers. Of pairs, both
/// halves of B and of A take registers where no instruction multiplies them.
llvm::SmallVector<RegisterTile>
enumerateTiles(const cpu::MachineDescription &machine, bool dynamicRows,
               bool pairs = false);

/// Cycles of one core for the share of the contraction that the busier of two
/// threads has, operands in cache.
double estimateCycles(const ContractionShape &shape, RegisterTile tile,
                      const cpu::MachineDescription &machine);

/// The tile with the least estimate; of those within one percent, the first.
RegisterTile chooseTile(const ContractionShape &shape,
                        const cpu::MachineDescription &machine);

/// Who makes what in which order.
struct ContractionBlocks {
  /// Threads share panels of columns, and make all rows for each; else rows.
  bool splitColumns = true;
  /// If rows: the units (tiles, or runs of rows where there are several) that a
  /// thread makes for one panel after the other, and the tiles of that many.
  int64_t units = 0, tiles = 0;
};

/// The order with the least traffic between the second-level caches and what
/// lies behind, for two threads. Columns are split unless sharing rows moves
/// clearly less.
ContractionBlocks chooseBlocks(const ContractionShape &shape, RegisterTile tile,
                               int64_t bytes,
                               const cpu::MachineDescription &machine);

/// Reduction steps of a tile for each cache line of the next panel that is to
/// be fetched meanwhile, so that the `tiles` tiles of a panel fetch all of it;
/// 0 where that does not pay. `bytes` has the size of what a step takes of a
/// column of B.
int64_t choosePrefetch(const ContractionShape &shape, RegisterTile tile,
                       int64_t tiles, int64_t bytes,
                       const cpu::MachineDescription &machine);

} // namespace ourc

#endif // OURC_STRATEGY_CPU_CONTRACTIONMODEL_H
