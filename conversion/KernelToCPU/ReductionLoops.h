//===- ReductionLoops.h - The loops of one reduction ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_REDUCTIONLOOPS_H
#define OURC_CONVERSION_KERNELTOCPU_REDUCTIONLOOPS_H

#include "conversion/KernelToCPU/Reduction.h"

namespace ourc {

/// Emits the loops of one reduction at given result indices.
class ReductionLoops {
public:
  using Values = Reduction::Values;
  ReductionLoops(KernelABI &abi, OperandReader &reader, const Reduction &spec,
                 mlir::Location loc, int64_t lanes, int64_t unroll,
                 llvm::SmallVector<LaneIndex> loops, mlir::Value mask)
      : abi(abi), reader(reader), spec(spec), loc(loc), lanes(lanes),
        unroll(unroll), loops(std::move(loops)), mask(mask) {}

  /// Runs one loop over a part of its range.
  void setPart(const LoopPart &range) { part = range; }

  /// Each lane reduces its own elements. `initial` has one value for each
  /// component of the state.
  mlir::FailureOr<Values> emitApart(mlir::OpBuilder &builder,
                                    mlir::ValueRange initial, bool vectors);
  /// All lanes reduce one element, along the loop dimension `along`.
  mlir::FailureOr<Values> emitTogether(mlir::OpBuilder &builder,
                                       mlir::ValueRange initial,
                                       unsigned along);

private:
  using Step = std::function<mlir::FailureOr<Values>(mlir::OpBuilder &,
                                                     mlir::ValueRange state)>;
  mlir::FailureOr<Values> emitLoop(mlir::OpBuilder &builder, mlir::Value lower,
                                   mlir::Value upper, int64_t step,
                                   unsigned dim, mlir::ValueRange state,
                                   const Step &body, bool vector = false);
  mlir::FailureOr<Values> emitNest(mlir::OpBuilder &builder,
                                   llvm::ArrayRef<unsigned> dims,
                                   mlir::ValueRange state, bool clip,
                                   const Step &body);
  mlir::Value emitIsInterior(mlir::OpBuilder &builder);
  mlir::FailureOr<Values> mergeAll(mlir::OpBuilder &builder,
                                   llvm::SmallVector<Values> parts,
                                   int64_t width);
  mlir::FailureOr<Values> mergeLanes(mlir::OpBuilder &builder, Values state);
  mlir::Value getSize(unsigned dim) { return spec.getSize(abi, dim); }
  mlir::FailureOr<Values> accumulate(mlir::OpBuilder &builder,
                                     mlir::ValueRange state,
                                     mlir::Value lanesOn, bool clipped);
  mlir::FailureOr<Values> merge(mlir::OpBuilder &builder, mlir::ValueRange x,
                                mlir::ValueRange y, int64_t width);
  /// States are carried as bits where code generators need that.
  void begin(mlir::OpBuilder &builder, mlir::ValueRange initial, bool vectors,
             Values &state);
  Values end(mlir::OpBuilder &builder, mlir::ValueRange state);

  KernelABI &abi;
  OperandReader &reader;
  const Reduction &spec;
  mlir::Location loc;
  int64_t lanes, unroll;
  llvm::SmallVector<LaneIndex> loops;
  mlir::Value mask;
  std::optional<LoopPart> part;
  llvm::SmallVector<mlir::Type> elements; ///< of the state
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_REDUCTIONLOOPS_H
