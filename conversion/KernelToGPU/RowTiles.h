//===- RowTiles.h - Rows that a block keeps in shared memory -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOGPU_ROWTILES_H
#define OURC_CONVERSION_KERNELTOGPU_ROWTILES_H

#include "conversion/KernelToGPU/KernelFrame.h"

namespace ourc::gpucodegen {

/// Moves the rows of a block between global and shared memory, 16 bytes at a
/// time: rows that follow each other in memory, whatever the length of one. The
/// addresses of all operands are multiples of 16, and so are the bytes of a
/// block's rows.
class RowTiles {
public:
  /// The block makes `rows` rows of `length` elements, of which `count` (index
  /// value) exist; the first one is row `firstRow` of the operands. Copies to
  /// shared memory go before `copies`, which a barrier follows.
  RowTiles(KernelFrame &frame, int64_t rows, int64_t length,
           mlir::Value firstRow, mlir::Value count, mlir::Operation *copies)
      : frame(frame), rows(rows), length(length), firstRow(firstRow),
        count(count), copies(copies) {}

  /// Whether rows of elements of this type can be moved.
  bool canHold(mlir::Type element) const;

  /// The address of element `position` of the block's row `row` of an operand
  /// that is read. The operand is copied when it is asked for first.
  mlir::Value getInput(mlir::OpBuilder &builder, mlir::BlockArgument argument,
                       mlir::Value row, mlir::Value position);

  /// The same for a result. `writeResults` moves them to global memory; all
  /// threads have met since they were written.
  mlir::Value getResult(mlir::OpBuilder &builder, mlir::BlockArgument argument,
                        mlir::Value row, mlir::Value position);
  void writeResults(mlir::OpBuilder &builder);
  bool hasResults() const { return !results.empty(); }

private:
  /// Where the tile of an operand begins in shared memory.
  int64_t reserve(mlir::Type element);
  mlir::Value getAddress(mlir::OpBuilder &builder, int64_t tile,
                         mlir::Type element, mlir::Value row,
                         mlir::Value position);
  void copy(mlir::OpBuilder &builder, mlir::BlockArgument argument,
            int64_t tile, bool toShared);

  KernelFrame &frame;
  int64_t rows, length;
  mlir::Value firstRow, count;
  mlir::Operation *copies;
  llvm::MapVector<mlir::Value, int64_t> inputs, results;
};

} // namespace ourc::gpucodegen

#endif // OURC_CONVERSION_KERNELTOGPU_ROWTILES_H
