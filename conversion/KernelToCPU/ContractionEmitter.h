//===- ContractionEmitter.h - The nest of the strategy contraction --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_CONTRACTIONEMITTER_H
#define OURC_CONVERSION_KERNELTOCPU_CONTRACTIONEMITTER_H

#include "conversion/KernelToCPU/PairDot.h"
#include "strategy/cpu/Contraction.h"

namespace ourc {

/// Emits one contraction. From the outside in: units of work, the column panels
/// of a unit, the row tiles of a panel, the reduction of a tile (in registers),
/// the epilogue of a tile.
class ContractionEmitter {
public:
  ContractionEmitter(KernelABI &abi, kernel::CPUContractionAttr schedule,
                     ContractionNest nest, bool joinLoops = true);

  llvm::LogicalResult emit();

protected:
  /// Columns that share their rows of B.
  struct Panel {
    mlir::Value index;
    mlir::Value firstColumn;
    int64_t vectors;
    llvm::SmallVector<mlir::Value> masks; ///< one a vector; null: all lanes
    mlir::Value gathered; ///< B's columns in scratch memory, if they are
    /// The packed panel that comes next, to be fetched meanwhile; or null.
    mlir::Value ahead;
    mlir::Value firstTile; ///< the first of those that share the fetching
  };
  /// Rows in registers: `size` of them from `firstRow`.
  struct Tile {
    mlir::Value index, firstRow;
    int64_t size;
    /// For each iteration of the reduction loop whose padding is known when
    /// code is emitted: the rows that read padding.
    llvm::SmallVector<llvm::SmallVector<bool>> padded;
  };
  /// Tiles of equal size and padding.
  struct TileGroup {
    int64_t firstTile, numTiles, firstRow;
    Tile tile;
  };

  // Units (Contraction.cpp).
  void emitColumnUnits();
  void emitRowUnits();
  void emitPanel(mlir::Value index, llvm::function_ref<void(Panel &)> body);
  void gatherPanel(Panel &panel, mlir::Value scratch);
  void gatherPairs(const Panel &panel, mlir::Value source, mlir::Value target);
  void emitTiles(const Panel &panel, mlir::Value begin, mlir::Value end);
  void emitLoops(llvm::ArrayRef<unsigned> loops,
                 llvm::function_ref<void()> body);
  llvm::SmallVector<TileGroup> getTileGroups();

  // The reduction of a tile (ContractionTile.cpp).
  void emitTile(const Panel &panel, const Tile &tile);
  mlir::Value emitStart(const Panel &panel, mlir::Value row, int64_t vector);
  using Accumulators = llvm::SmallVector<mlir::Value>;
  /// Where a reduction is: in both operands, and in what it fetches ahead.
  struct Place {
    mlir::Value a, b, ahead;
  };
  Accumulators emitReduction(const Panel &panel, const Tile &tile,
                             unsigned position, Place place,
                             llvm::ArrayRef<bool> rows, Accumulators sums);
  Accumulators emitRun(const Panel &panel, const Tile &tile, Product size,
                       unsigned loop, Place place, llvm::ArrayRef<bool> rows,
                       Accumulators sums);
  Place advance(const Place &place, unsigned loop, mlir::Value iterations);
  mlir::Value getAhead(const Panel &panel, const Tile &tile);
  mlir::Value getPanel(mlir::Value index);
  void emitStep(const Panel &panel, const Tile &tile, mlir::Value a,
                mlir::Value b, llvm::ArrayRef<bool> rows, Accumulators &sums);

  // The same in pairs of bf16 (ContractionPairs.cpp).
  Accumulators emitPaddedPairs(const Panel &panel, const Tile &tile,
                               Place place, llvm::ArrayRef<bool> rows,
                               Accumulators sums);
  void emitPairStep(const Panel &panel, const Tile &tile, mlir::Value a,
                    mlir::Value b, llvm::ArrayRef<PairHalves> rows,
                    Accumulators &sums);

  // The same in AMX tiles of bf16 (ContractionAMX.cpp).
  bool takesAMXTiles() const { return schedule.getDepth() > 2; }
  void emitAMXTile(const Panel &panel, const Tile &tile, Place place);
  Accumulators emitAMXRun(const Panel &panel, const Tile &tile, int64_t size,
                          unsigned loop, Place place, Accumulators sums);
  mlir::Value padForAMX(mlir::Value source, mlir::Value stride, int64_t rows,
                        int64_t bytes, int64_t zeroRows);

  // The epilogue (ContractionEpilogue.cpp).
  bool isEpilogueLong();
  void emitEpilogue(const Panel &panel, const Tile &tile,
                    llvm::ArrayRef<mlir::Value> sums);
  void emitElements(const Panel &panel, mlir::Value row, int64_t vector,
                    mlir::Value sum);
  mlir::Value getAddress(const LinearAccess &access, mlir::Type element,
                         mlir::Value row, int64_t vector);
  mlir::Value readOperand(const Panel &panel, mlir::Value row, int64_t vector,
                          ContractionNest::Epilogue &epilogue,
                          unsigned operand);

  /// Σ at[loop] * strides[loop], and the offset, in elements. Loops that have
  /// no value are left out.
  mlir::Value getOffset(const LinearAccess &access);
  mlir::Value getSize(unsigned loop) { return code.product(nest.sizes[loop]); }
  /// The steps of a reduction loop in B as tiles read it: whole pairs.
  mlir::Value getPackedSize(unsigned loop);
  bool isOneRun(unsigned position);
  bool doRowsOverlap() const;
  const ContractionNest::Padding *getPadding(unsigned kLoop);

  KernelABI &abi;
  kernel::CPUContractionAttr schedule;
  ContractionNest nest;
  CodeBuilder code;
  bool anyError = false;
  int64_t lanes, vectors;

  /// The loop whose iterations are the rows of tiles, and that of columns.
  std::optional<unsigned> rowLoop, columnLoop;
  llvm::SmallVector<unsigned> outerRows, outerColumns;
  /// B has to be rearranged panel by panel.
  bool gathersB = false;
  /// A row's elements are soon its neighbours', too: the windows of a
  /// convolution of few channels.
  bool rowsOverlap = false;
  /// B as tiles read it: `nest.b`, or the scratch memory.
  LinearAccess b;
  /// The value of each loop where code is being emitted.
  llvm::SmallVector<mlir::Value> at;
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_CONTRACTIONEMITTER_H
