//===- WinogradEmitter.h - The nest of the strategy winograd --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_WINOGRADEMITTER_H
#define OURC_CONVERSION_KERNELTOCPU_WINOGRADEMITTER_H

#include "conversion/KernelToCPU/ContractionEmitter.h"
#include "strategy/cpu/Winograd.h"

namespace ourc {

/// The transform of 4x4 inputs, row by row: B^T d B. `load` gives an element,
/// `store` takes one.
void emitWinogradInput(
    CodeBuilder &code,
    llvm::function_ref<mlir::Value(int64_t row, int64_t column)> load,
    llvm::function_ref<void(int64_t row, int64_t column, mlir::Value)> store);

/// The transform of 4x4 sums to 2x2 results, row by row: A^T m A.
llvm::SmallVector<mlir::Value, 4> emitWinogradOutput(
    CodeBuilder &code,
    llvm::function_ref<mlir::Value(int64_t row, int64_t column)> load);

/// Emits one convolution by F(2x2, 3x3). From the outside in: blocks of tiles,
/// which are the units of work; the transform of a block's inputs into scratch
/// memory [16][tiles][channels]; panels of filters; sixteen products of a panel
/// into scratch memory [16][tiles][nr]; their transform and the epilogue. Tiles
/// of registers and the epilogue are those of the contraction.
class WinogradEmitter : public ContractionEmitter {
public:
  WinogradEmitter(KernelABI &abi, kernel::CPUWinogradAttr schedule,
                  ContractionNest nest, const WinogradConvolution &convolution);

  llvm::LogicalResult emit();

private:
  void emitBlock(mlir::Value block);
  /// Sets the loops of the result to the first pixel of a tile.
  void locate(mlir::Value tile);
  void forget();

  void emitInputs(mlir::Value tile, mlir::Value slot);
  /// Whether all of the tile's inputs exist; null where that is always so.
  mlir::Value areInputsInside();
  void emitChannels(mlir::Value slot, bool inside);
  void emitChannelVector(mlir::Value slot, mlir::Value vector, int64_t count,
                         llvm::ArrayRef<mlir::Value> valid);
  void emitProducts(const Panel &panel);
  void emitProduct(const Panel &panel, mlir::Value plane);
  void emitResults(const Panel &panel, mlir::Value tile, mlir::Value slot);

  int64_t size(unsigned loop) const { return nest.sizes[loop].constant; }

  WinogradConvolution convolution;
  int64_t blockTiles;
  /// The input as the kernel has it; `nest.a` is its transform.
  LinearAccess image;
  /// In elements: from tile to tile and from plane to plane of the transformed
  /// inputs, and from plane to plane of the sums.
  int64_t inputStride, inputPlane, sumPlane;
  mlir::Value inputs, sums; ///< scratch memory
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_WINOGRADEMITTER_H
