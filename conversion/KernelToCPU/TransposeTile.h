//===- TransposeTile.h - Square tiles of transposed operands --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_TRANSPOSETILE_H
#define OURC_CONVERSION_KERNELTOCPU_TRANSPOSETILE_H

#include "conversion/KernelToCPU/OperandReader.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ourc {

/// Serves reads of operands that are contiguous along a loop other than the
/// lanes'. Around `loop`, which runs over up to `lanes` iterations of that
/// other loop, a square of the operand is loaded as it lies in memory, turned
/// in registers and kept on the stack; reads in the loop are then contiguous.
class TransposeTile {
public:
  /// `first` is the index of the loop's first iteration.
  TransposeTile(OperandReader &reader, mlir::scf::ForOp loop, LaneIndex first)
      : reader(reader), loop(loop), first(std::move(first)) {}

  /// The elements of `tensor`, an operand in memory, at `indices`; read in
  /// another way where they are not a column of a square.
  mlir::FailureOr<mlir::Value> read(mlir::OpBuilder &builder,
                                    mlir::Location loc, mlir::Value tensor,
                                    OperandReader::Indices indices,
                                    mlir::Value mask);

private:
  struct Square {
    mlir::Value tensor;
    llvm::SmallVector<LaneIndex> indices; ///< of the first iteration
    mlir::Value buffer;
  };
  /// The dimension that the lanes run along, where the read is a column.
  std::optional<unsigned>
  getLaneDim(mlir::Value tensor, OperandReader::Indices indices, bool guarded);
  mlir::Value fill(mlir::Location loc, mlir::Value tensor,
                   OperandReader::Indices indices, unsigned laneDim,
                   bool clamp);

  OperandReader &reader;
  mlir::scf::ForOp loop;
  LaneIndex first;
  llvm::SmallVector<Square> squares;
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_TRANSPOSETILE_H
