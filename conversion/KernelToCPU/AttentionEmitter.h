//===- AttentionEmitter.h - The nest of the strategy attention ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_ATTENTIONEMITTER_H
#define OURC_CONVERSION_KERNELTOCPU_ATTENTIONEMITTER_H

#include "conversion/KernelToCPU/CodeBuilder.h"
#include "strategy/cpu/Attention.h"

namespace ourc {

/// Emits one attention. A unit of work is one head: its keys are transposed
/// into scratch memory; then, for each tile of query rows and each block of
/// keys, the scores of the block go to scratch memory, become weights there,
/// and multiply the values. Maxima, sums and the tile's result are kept between
/// blocks.
class AttentionEmitter {
public:
  AttentionEmitter(KernelABI &abi, kernel::CPUAttentionAttr schedule,
                   AttentionNest nest);

  llvm::LogicalResult emit();

private:
  /// Query rows that are computed together.
  struct Tile {
    mlir::Value firstRow;
    int64_t size;
    mlir::Value queries; ///< address of the first row
    mlir::Value numKeys; ///< beyond them all is masked
  };
  /// A block of keys, `first` a multiple of the panels' width.
  struct Block {
    mlir::Value first, size;
  };

  // Attention.cpp
  void emitHead();
  void packKeys();
  void packTransposed(mlir::Value base, mlir::Value firstKey,
                      mlir::Value target);
  void emitTile(const Tile &tile);
  mlir::Value getOffset(const LinearAccess &access);
  mlir::Value getSize(unsigned loop) { return code.product(nest.sizes[loop]); }

  // AttentionScores.cpp
  void emitScores(const Tile &tile, const Block &block);
  llvm::SmallVector<mlir::Value>
  emitScorePanel(const Tile &tile, mlir::Value panel, mlir::Value key,
                 mlir::Value target, int64_t numVectors, mlir::Value mask,
                 mlir::ValueRange maxima);
  mlir::Value readScoreOperand(unsigned operand, mlir::Value row,
                               mlir::Value key, mlir::Value mask);
  mlir::Value emitScoreRegion(mlir::Value score, mlir::Value row,
                              mlir::Value key, mlir::Value mask);

  // AttentionSoftmax.cpp
  void emitSoftmax(const Tile &tile, const Block &block);
  void emitWeightedValues(const Tile &tile, const Block &block);
  void emitResult(const Tile &tile);
  /// e to the power of what is not positive.
  mlir::Value emitExp(mlir::Value x);
  mlir::Value emitMax(mlir::Value a, mlir::Value b);
  mlir::Value
  reduce(mlir::Value vector,
         llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine);
  mlir::Value splat(double value);

  KernelABI &abi;
  AttentionNest nest;
  CodeBuilder code;
  bool anyError = false;
  mlir::Type type; ///< of scores and sums
  int64_t lanes, vectors, mr, kb;
  int64_t d, e;
  int64_t panelWidth;  ///< keys of a panel of packed keys
  int64_t resultWidth; ///< elements of a row of the tile's result

  llvm::SmallVector<mlir::Value> at; ///< of the batch loops
  /// Scratch memory, all in `type`: packed keys [T/panelWidth][d][panelWidth],
  /// scores [mr][kb], the tile's result [mr][resultWidth], maxima of the lanes
  /// [mr][lanes], maxima [mr], sums [mr].
  mlir::Value keys, scores, result, laneMaxima, maxima, sums;
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_ATTENTIONEMITTER_H
