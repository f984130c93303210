//===- OperandCopy.h - Copying tiles of operands to shared memory ------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOGPU_OPERANDCOPY_H
#define OURC_CONVERSION_KERNELTOGPU_OPERANDCOPY_H

#include "conversion/KernelToGPU/ElementEmitter.h"
#include "conversion/KernelToGPU/WarpTile.h"

namespace ourc::gpucodegen {

/// Copies one operand of a contraction, tile by tile, to shared memory. An
/// operand of the kernel whose rows are whole chunks is copied asynchronously,
/// 16 bytes at a time, if its address in the call allows it, also where it is
/// padded with zeros around or seen in another shape; any other is computed
/// element by element.
class OperandCopy {
public:
  /// `map` takes loops to coordinates of `tensor`; `free` are the loops of its
  /// free dimension (m or n), `k` the contracted ones, `sizes` the sizes of
  /// all.
  OperandCopy(KernelFrame &frame, ElementEmitter &elements, mlir::Value tensor,
              mlir::AffineMap map, llvm::ArrayRef<unsigned> free,
              llvm::ArrayRef<unsigned> k, llvm::ArrayRef<mlir::Value> sizes);

  /// Lays the tile out for `freeTile` elements of the free dimension by
  /// `kTile`.
  SharedTile getTile(int64_t freeTile, int64_t kTile, int64_t offset) const;

  bool isAsync() const { return async; }

  /// Copies the tile that starts at `freeBase` and `kBase` (multiples of its
  /// sizes) to the stage at `stage`. `iteration` holds the coordinates of batch
  /// loops. What lies beyond the operand becomes zero.
  mlir::LogicalResult emit(mlir::OpBuilder &builder, const SharedTile &tile,
                           mlir::Value stage,
                           llvm::ArrayRef<mlir::Value> iteration,
                           mlir::Value freeBase, mlir::Value kBase);

private:
  /// A place along the free or the contracted dimension: a multiple of `step`,
  /// the same for all threads, and what the thread adds, which is less.
  struct Place {
    mlir::Value base, offset;
    int64_t step;
    /// Their sum.
    mlir::Value linear;
  };
  mlir::LogicalResult emitElements(mlir::OpBuilder &builder,
                                   mlir::Value address,
                                   llvm::ArrayRef<mlir::Value> iteration,
                                   const Place &free, const Place &k);
  void emitAsync(mlir::OpBuilder &builder, mlir::Value address,
                 llvm::ArrayRef<mlir::Value> iteration, const Place &free,
                 const Place &k);
  /// Coordinates of the operand at these places of the free and the contracted
  /// dimension.
  llvm::SmallVector<mlir::Value>
  getCoordinates(mlir::OpBuilder &builder,
                 llvm::ArrayRef<mlir::Value> iteration, const Place &free,
                 const Place &k);
  /// Whether chunks of the operand are chunks of the kernel's operand behind
  /// it, which becomes `source`.
  bool findSource();
  /// The coordinates in `source` of what is at `coordinates` of the operand;
  /// adds to `conditions` what must hold for it to be there.
  llvm::SmallVector<mlir::Value>
  followToSource(mlir::OpBuilder &builder,
                 llvm::ArrayRef<mlir::Value> coordinates,
                 llvm::SmallVectorImpl<mlir::Value> &conditions);
  llvm::SmallVector<mlir::Value> pick(llvm::ArrayRef<unsigned> loops) const;

  KernelFrame &frame;
  ElementEmitter &elements;
  mlir::Value tensor;
  mlir::AffineMap map;
  llvm::SmallVector<unsigned> freeLoops, kLoops;
  llvm::SmallVector<mlir::Value> sizes;
  mlir::Value freeSize, kSize;
  int64_t elementBytes;
  bool rowsAlongK, async;
  mlir::BlockArgument source;
  /// Whether the source's address is a multiple of 16, at the top.
  mlir::Value aligned;
};

} // namespace ourc::gpucodegen

#endif // OURC_CONVERSION_KERNELTOGPU_OPERANDCOPY_H
