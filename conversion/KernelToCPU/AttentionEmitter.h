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
/// and multiply the values. Where all keys are one block, that is all; else
/// maxima, sums and the tile's result are kept between blocks.
///
/// In pairs of bf16 (a schedule of depth 2) two features of a key, and one
/// feature of two values, lie together in 32 bits of scratch memory.
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
  void emitTile(const Tile &tile);

  // AttentionPacks.cpp
  void packKeys();
  void packTransposed(mlir::Value base, mlir::Value firstKey,
                      mlir::Value target);
  void packStrided(mlir::Value base, mlir::Value firstKey, mlir::Value target);
  void packValues();

  // Attention.cpp
  mlir::Value getOffset(const LinearAccess &access);
  mlir::Value getSize(unsigned loop) { return code.product(nest.sizes[loop]); }

  // AttentionScores.cpp
  void emitScores(const Tile &tile, const Block &block);
  llvm::SmallVector<mlir::Value>
  emitScorePanel(const Tile &tile, mlir::Value panel, mlir::Value key,
                 mlir::Value target, int64_t numVectors, mlir::Value mask,
                 bool causal, mlir::ValueRange maxima);
  mlir::Value readScoreOperand(unsigned operand, mlir::Value row,
                               mlir::Value key, mlir::Value mask);
  mlir::Value emitScoreRegion(mlir::Value score, mlir::Value row,
                              mlir::Value key, mlir::Value mask);

  // AttentionSoftmax.cpp
  void emitSoftmax(const Tile &tile, const Block &block);
  void emitSoftmaxRows(int64_t first, int64_t count, mlir::Value numVectors);
  void emitWeightedValues(const Tile &tile, const Block &block);
  void emitResult(const Tile &tile);
  void storeResult(const Tile &tile, mlir::Value row, int64_t column,
                   mlir::Value value, mlir::Value sum);
  /// The weight of a score relative to another: both as scores are stored.
  mlir::Value emitWeight(mlir::Value score, mlir::Value reference);
  mlir::Value emitMax(mlir::Value a, mlir::Value b);
  mlir::Value emitAdd(mlir::Value a, mlir::Value b);
  /// All lanes combined, in all lanes.
  mlir::Value
  reduce(mlir::Value vector,
         llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine);
  mlir::Value splat(double value);
  /// The address of a row of scratch memory that has one vector for each row.
  mlir::Value vectorOfRow(mlir::Value memory, int64_t row) {
    return code.address(memory, row * lanes, type);
  }

  KernelABI &abi;
  AttentionNest nest;
  CodeBuilder code;
  bool anyError = false;
  mlir::Type type; ///< of scores and sums
  int64_t lanes, vectors, mr, kb;
  bool pairs;    ///< of bf16
  bool oneBlock; ///< all keys of a head
  bool isPlain;  ///< scores are products and nothing else
  int64_t d, e;
  int64_t steps;       ///< of the sum over features: pairs, or features
  int64_t panelWidth;  ///< keys of a panel of packed keys
  int64_t resultWidth; ///< elements of a row of the tile's result

  llvm::SmallVector<mlir::Value> at; ///< of the batch loops
  /// Scratch memory, where not said otherwise in `type`: packed keys
  /// [T/panelWidth][steps][panelWidth], in pairs also packed values
  /// [T/2][resultWidth] and weights (bf16) [mr][kb]; scores (else weights too)
  /// [mr][kb], the tile's result [mr][resultWidth], and one vector for each
  /// row: the maxima of the lanes; the maximum and the sum, in all lanes.
  mlir::Value keys, values, weights, scores, result, laneMaxima, maxima, sums;
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_ATTENTIONEMITTER_H
