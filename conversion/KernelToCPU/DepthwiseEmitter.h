//===- DepthwiseEmitter.h - The nest of the strategy depthwise ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_DEPTHWISEEMITTER_H
#define OURC_CONVERSION_KERNELTOCPU_DEPTHWISEEMITTER_H

#include "conversion/KernelToCPU/CodeBuilder.h"
#include "strategy/cpu/Depthwise.h"

namespace ourc {

/// Emits one depthwise convolution. From the outside in: units of work (rows
/// or blocks of channels), the tiles of a row, the blocks of channels of a
/// tile, the taps (sums in registers), the epilogue of a tile.
class DepthwiseEmitter {
public:
  DepthwiseEmitter(KernelABI &abi, kernel::CPUDepthwiseAttr schedule,
                   DepthwiseNest depthwise);

  llvm::LogicalResult emit();

private:
  /// Pixels of a row in registers: `size` of them from `first`.
  struct Tile {
    mlir::Value first;
    int64_t size;
    /// For each tap along the row, the pixels that read padding there.
    llvm::SmallVector<llvm::SmallVector<bool>> padded;
    /// Which taps read padding is not known now: a tile of one pixel.
    bool clipped = false;
  };
  /// Tiles of equal size and padding.
  struct TileGroup {
    int64_t numTiles, first;
    Tile tile;
  };
  /// Channels in registers.
  struct Block {
    mlir::Value index;
    mlir::Value firstChannel;
    llvm::SmallVector<mlir::Value> masks; ///< one a vector; null: all lanes
  };
  using Sums = llvm::SmallVector<mlir::Value>;

  // Units and tiles (Depthwise.cpp).
  void emitPass(mlir::Value beginRow, mlir::Value endRow,
                mlir::Value beginBlock, mlir::Value endBlock);
  void emitRow(mlir::Value firstBlock, mlir::Value endBlock);
  void emitDynamicRow(llvm::function_ref<void(const Tile &)> body);
  void emitBlocks(const Tile &tile, mlir::Value begin, mlir::Value end);
  llvm::SmallVector<TileGroup> getTileGroups();

  // Sums and what becomes of them (DepthwiseTile.cpp).
  void emitTile(const Tile &tile, const Block &block);
  Sums emitTaps(const Tile &tile, const Block &block, unsigned position,
                mlir::Value a, mlir::Value b, Sums sums);
  Sums emitRowOfTaps(const Tile &tile, const Block &block, mlir::Value a,
                     mlir::Value b, Sums sums);
  Sums emitClippedRow(const Block &block, mlir::Value a, mlir::Value b,
                      Sums sums);
  mlir::Value loadWeight(const Block &block, mlir::Value b, int64_t vector);
  mlir::Value loadInput(const Block &block, mlir::Value a, int64_t vector);
  void emitEpilogue(const Tile &tile, const Block &block,
                    llvm::ArrayRef<mlir::Value> sums);
  /// Operands of the epilogue that all pixels of a tile share.
  using Shared =
      llvm::DenseMap<std::pair<mlir::OpOperand *, int64_t>, mlir::Value>;
  void loadShared(const Block &block, Shared &shared);
  void emitElements(const Block &block, mlir::Value pixel, int64_t vector,
                    mlir::Value sum, const Shared &shared);
  mlir::Value readOperand(const Block &block, const LinearAccess &access,
                          mlir::Value pixel, int64_t vector);
  bool isEpilogueLong();
  mlir::Value getAddress(const LinearAccess &access, mlir::Value pixel,
                         int64_t vector);

  /// Σ at[loop] * strides[loop], and the offset, in elements.
  mlir::Value getOffset(const LinearAccess &access);
  mlir::Value getSize(unsigned loop) { return code.product(nest.sizes[loop]); }
  mlir::Value getColumnStride(const LinearAccess &access);
  /// The first and the end of the iterations of a loop over taps that read no
  /// padding.
  std::pair<mlir::Value, mlir::Value>
  getClipped(const ContractionNest::Padding &padding);

  KernelABI &abi;
  kernel::CPUDepthwiseAttr schedule;
  DepthwiseNest depthwise;
  ContractionNest &nest;
  CodeBuilder code;
  bool anyError = false;
  int64_t lanes, vectors;
  /// The value of each loop where code is being emitted.
  llvm::SmallVector<mlir::Value> at;
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_DEPTHWISEEMITTER_H
