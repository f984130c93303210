//===- TileMultiplier.h - Multiplying tiles in shared memory ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOGPU_TILEMULTIPLIER_H
#define OURC_CONVERSION_KERNELTOGPU_TILEMULTIPLIER_H

#include "conversion/KernelToGPU/WarpTile.h"

#include <memory>
#include <optional>

namespace ourc::gpucodegen {

/// How the threads of a block share the multiplication of two tiles in shared
/// memory: each thread's sums are a grid of rows and columns of the block's
/// tile.
class TileMultiplier {
public:
  explicit TileMultiplier(KernelFrame &frame) : frame(frame) {}
  virtual ~TileMultiplier() = default;

  /// Places the calling thread, at the end of `builder`'s block. Rows and
  /// columns up to `rowsLeft` and `columnsLeft` (i32) are of use; all are where
  /// these are null.
  virtual void begin(mlir::OpBuilder &builder, const SharedTile &left,
                     const SharedTile &right, mlir::Value rowsLeft,
                     mlir::Value columnsLeft) = 0;

  /// Adds the products of the stage at `stage` to `sums` (f32).
  virtual llvm::SmallVector<mlir::Value>
  step(mlir::OpBuilder &builder, mlir::Value stage, mlir::ValueRange sums) = 0;

  /// The thread's rows and columns: places in the tile are its first (i32, made
  /// at the end of `builder`'s block) plus each of the offsets.
  virtual mlir::Value getFirstRow(mlir::OpBuilder &builder) = 0;
  virtual mlir::Value getFirstColumn(mlir::OpBuilder &builder) = 0;
  llvm::ArrayRef<int64_t> getRows() const { return rows; }
  llvm::ArrayRef<int64_t> getColumns() const { return columns; }
  /// The number in `sums` of that of a row and a column of the thread.
  virtual size_t getNumber(size_t row, size_t column) const = 0;

protected:
  KernelFrame &frame;
  llvm::SmallVector<int64_t> rows, columns;
};

/// `warpsM` x `warpsN` warps, by mma.sync m16n8k16 of f16 or bf16 (`element`).
std::unique_ptr<TileMultiplier> createMmaMultiplier(KernelFrame &frame,
                                                    mlir::Type element,
                                                    int64_t warpsM,
                                                    int64_t warpsN);

/// `threadsM` x `threadsN` threads, by multiply-adds of f32.
std::unique_ptr<TileMultiplier>
createFmaMultiplier(KernelFrame &frame, int64_t threadsM, int64_t threadsN);

} // namespace ourc::gpucodegen

#endif // OURC_CONVERSION_KERNELTOGPU_TILEMULTIPLIER_H
