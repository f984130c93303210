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
/// 16 bytes at a time, if its address in the call allows it; any other is
/// computed element by element.
class OperandCopy {
public:
  /// `free` are the loops of the operand's free dimension (m or n), `sizes` the
  /// sizes of all loops.
  OperandCopy(KernelFrame &frame, ElementEmitter &elements,
              mlir::linalg::GenericOp op, unsigned operand,
              llvm::ArrayRef<unsigned> free, llvm::ArrayRef<unsigned> k,
              llvm::ArrayRef<mlir::Value> sizes);

  /// Lays the tile out for `freeTile` elements of the free dimension by
  /// `kTile`.
  SharedTile getTile(int64_t freeTile, int64_t kTile, int64_t offset) const;

  bool isAsync() const { return async; }

  /// Copies the tile that starts at `freeBase` and `kBase` to the stage at
  /// `stage`. `iteration` holds the coordinates of batch loops. What lies
  /// beyond the operand becomes zero.
  mlir::LogicalResult emit(mlir::OpBuilder &builder, const SharedTile &tile,
                           mlir::Value stage,
                           llvm::ArrayRef<mlir::Value> iteration,
                           mlir::Value freeBase, mlir::Value kBase);

private:
  mlir::LogicalResult emitElements(mlir::OpBuilder &builder,
                                   mlir::Value address,
                                   llvm::ArrayRef<mlir::Value> iteration,
                                   bool alongK, mlir::Value free,
                                   mlir::Value k);
  void emitAsync(mlir::OpBuilder &builder, mlir::Value address,
                 llvm::ArrayRef<mlir::Value> iteration, mlir::Value free,
                 mlir::Value k);
  /// Coordinates of the operand at these places of the free and the contracted
  /// dimension.
  llvm::SmallVector<mlir::Value>
  getCoordinates(mlir::OpBuilder &builder,
                 llvm::ArrayRef<mlir::Value> iteration, mlir::Value free,
                 mlir::Value k);
  llvm::SmallVector<mlir::Value> pick(llvm::ArrayRef<unsigned> loops) const;

  KernelFrame &frame;
  ElementEmitter &elements;
  mlir::Value tensor;
  mlir::AffineMap map;
  llvm::SmallVector<unsigned> freeLoops, kLoops;
  llvm::SmallVector<mlir::Value> sizes;
  mlir::Value freeSize, kSize;
  bool rowsAlongK, async;
  /// Whether the operand's address is a multiple of 16, at the top.
  mlir::Value aligned;
};

} // namespace ourc::gpucodegen

#endif // OURC_CONVERSION_KERNELTOGPU_OPERANDCOPY_H
