//===- WarpTile.h - What a warp computes of a tile ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOGPU_WARPTILE_H
#define OURC_CONVERSION_KERNELTOGPU_WARPTILE_H

#include "conversion/KernelToGPU/KernelFrame.h"

namespace ourc::gpucodegen {

/// 32-bit integers on the device, as lanes' places in a tile need them.
class LaneMath {
public:
  LaneMath(mlir::OpBuilder &builder, KernelFrame &frame)
      : builder(builder), frame(frame) {}

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t b);
  mlir::Value bitAnd(mlir::Value a, int64_t b);
  mlir::Value bitXor(mlir::Value a, mlir::Value b);
  mlir::Value shiftRight(mlir::Value a, int64_t b);
  /// To and from index values.
  mlir::Value fromIndex(mlir::Value value);
  mlir::Value toIndex(mlir::Value value);

private:
  mlir::OpBuilder &builder;
  KernelFrame &frame;
};

/// An operand's tile in shared memory: rows of `rowElements` elements in chunks
/// of 16 bytes, which the row's number permutes so that neither copies nor
/// ldmatrix meet bank conflicts.
struct SharedTile {
  int64_t rows;
  int64_t rowElements;
  /// Whether rows run along the contracted dimension (`[k][m]`), or it is the
  /// one inside of them (`[m][k]`).
  bool rowsAlongK;
  /// Byte offset in a stage.
  int64_t offset;
  int64_t elementBytes = 2;

  int64_t getChunkElements() const { return 16 / elementBytes; }
  int64_t getChunksPerRow() const { return rowElements / getChunkElements(); }
  int64_t getRowBytes() const { return rowElements * elementBytes; }
  int64_t getBytes() const { return rows * getRowBytes(); }

  /// What is xor-ed into a chunk's number in `row`. Depends on row % 8 alone.
  mlir::Value getSwizzle(LaneMath &math, mlir::Value row) const;
  /// The byte offset in the tile of a chunk.
  mlir::Value getOffset(LaneMath &math, mlir::Value row,
                        mlir::Value chunk) const;
};

/// One operand's fragments, by ldmatrix.x4: 16 elements of the free dimension
/// (m or n) by 16 of k.
class FragmentLoader {
public:
  /// `free` is the warp's first element of the free dimension. For the left
  /// operand the four registers are a0..a3 of a 16x16 tile; for the right one
  /// b0, b1 of two 16x8 tiles.
  FragmentLoader(LaneMath &math, const SharedTile &tile, bool isLeft,
                 mlir::Value lane, mlir::Value free);

  /// The fragment `freeStep` * 16 elements along the free dimension and
  /// `kStep` * 16 along k, from the stage at `base`.
  llvm::SmallVector<mlir::Value> load(mlir::OpBuilder &builder, LaneMath &math,
                                      KernelFrame &frame, mlir::Value base,
                                      int64_t freeStep, int64_t kStep) const;

private:
  SharedTile tile;
  bool transposed;
  /// The lane's row and chunk for the first fragment.
  mlir::Value row, chunk;
};

} // namespace ourc::gpucodegen

#endif // OURC_CONVERSION_KERNELTOGPU_WARPTILE_H
