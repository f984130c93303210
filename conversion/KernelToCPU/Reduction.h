//===- Reduction.h - What the loops of a reduction need to know -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_REDUCTION_H
#define OURC_CONVERSION_KERNELTOCPU_REDUCTION_H

#include "conversion/KernelToCPU/OperandReader.h"

namespace ourc {

/// A linalg operation with reduction loops, or a `kernel.coupled_reduce`, as a
/// tuple of scalars (the state) that elements are accumulated into.
class Reduction {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  using Indices = llvm::ArrayRef<LaneIndex>;

  /// Fails, with an error at `op`, for other operations.
  static mlir::FailureOr<std::unique_ptr<Reduction>>
  create(mlir::Operation *op);
  virtual ~Reduction() = default;

  mlir::Operation *op;
  unsigned numLoops = 0;
  llvm::SmallVector<unsigned> reduced; ///< the reduction loops, in order

  /// The loop of each dimension of a result; none where it is not plain.
  virtual std::optional<llvm::SmallVector<unsigned>>
  getResultLoops(unsigned result) const = 0;
  /// The trip count of a loop.
  virtual mlir::Value getSize(KernelABI &abi, unsigned loop) const = 0;
  /// Narrower bounds of a loop outside of which accumulating has no effect;
  /// null where there are none. `accumulate` may be told that all loops keep to
  /// them (`clipped`).
  virtual std::pair<mlir::Value, mlir::Value>
  getBounds(KernelABI &abi, mlir::OpBuilder &builder, unsigned loop,
            Indices loops) const {
    return {};
  }
  /// The reduction loop along which inputs are contiguous; else the last.
  virtual unsigned getUnitLoop() const = 0;

  /// Whether parts can be reduced apart and merged.
  virtual bool canMerge() const = 0;
  virtual mlir::FailureOr<Values>
  emitNeutral(mlir::OpBuilder &builder) const = 0;
  /// Where parts cannot be merged: the state to begin with.
  virtual mlir::FailureOr<Values> readInitial(OperandReader &reader,
                                              mlir::OpBuilder &builder,
                                              Indices loops,
                                              mlir::Value mask) const = 0;
  virtual mlir::FailureOr<Values> accumulate(OperandReader &reader,
                                             mlir::OpBuilder &builder,
                                             mlir::ValueRange state,
                                             Indices loops, mlir::Value mask,
                                             bool clipped) const = 0;
  /// Merges states of `width` lanes.
  virtual mlir::FailureOr<Values> merge(mlir::OpBuilder &builder,
                                        mlir::ValueRange x, mlir::ValueRange y,
                                        int64_t width) const = 0;
  /// The results, one for each of the operation's.
  virtual mlir::FailureOr<Values> finish(OperandReader &reader,
                                         mlir::OpBuilder &builder,
                                         mlir::ValueRange state, Indices loops,
                                         mlir::Value mask,
                                         int64_t width) const = 0;

protected:
  explicit Reduction(mlir::Operation *op) : op(op) {}
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_REDUCTION_H
