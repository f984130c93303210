//===- CoupledReduction.h - kernel.coupled_reduce in loops ----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_COUPLEDREDUCTION_H
#define OURC_CONVERSION_KERNELTOCPU_COUPLEDREDUCTION_H

#include "conversion/KernelToCPU/Reduction.h"
#include "dialects/kernel/KernelDialect.h"

namespace ourc {

/// The component of the state that is a maximum or minimum of the elements, by
/// which the others, all sums that begin with zero, are scaled each time that
/// it changes: softmax's. None where the op is not of that form.
///
/// The state of no elements but with the final extremum is then a state to
/// begin with: the sums are zero, and no scaling is left to do.
std::optional<unsigned> getExtremum(kernel::CoupledReduceOp op);

/// What component `sum` adds for the elements, computed from them and from what
/// `accumulate` yields as component `extremum`; of an op of that form.
mlir::Value getTerm(kernel::CoupledReduceOp op, unsigned extremum,
                    unsigned sum);

/// All of the state, or one pass of two over the elements: first the extremum
/// alone, then the sums with `extremum` known.
class CoupledReduction : public Reduction {
public:
  explicit CoupledReduction(kernel::CoupledReduceOp op);
  /// The first pass.
  static std::unique_ptr<CoupledReduction>
  ofExtremum(kernel::CoupledReduceOp op, unsigned component);
  /// The second pass.
  static std::unique_ptr<CoupledReduction>
  ofSums(kernel::CoupledReduceOp op, unsigned component, mlir::Value extremum);

  std::optional<llvm::SmallVector<unsigned>>
  getResultLoops(unsigned result) const override;
  mlir::Value getSize(KernelABI &abi, unsigned loop) const override;
  unsigned getUnitLoop() const override;
  bool canMerge() const override { return true; }
  mlir::FailureOr<Values> emitNeutral(mlir::OpBuilder &builder) const override;
  mlir::FailureOr<Values> readInitial(OperandReader &reader,
                                      mlir::OpBuilder &builder, Indices loops,
                                      mlir::Value mask) const override;
  mlir::FailureOr<Values> accumulate(OperandReader &reader,
                                     mlir::OpBuilder &builder,
                                     mlir::ValueRange state, Indices loops,
                                     mlir::Value mask,
                                     bool clipped) const override;
  mlir::FailureOr<Values> merge(mlir::OpBuilder &builder, mlir::ValueRange x,
                                mlir::ValueRange y,
                                int64_t width) const override;
  /// Of the first pass: the extremum.
  mlir::FailureOr<Values> finish(OperandReader &reader,
                                 mlir::OpBuilder &builder,
                                 mlir::ValueRange state, Indices loops,
                                 mlir::Value mask,
                                 int64_t width) const override;

private:
  /// The components in `active`, at their places among all.
  Values widen(mlir::ValueRange state) const;
  Values narrow(mlir::ValueRange all) const;
  /// What a region's yielded extremum is known to be.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>>
  getKnown(mlir::Block &region) const;

  mutable kernel::CoupledReduceOp coupled;
  llvm::SmallVector<unsigned> active; ///< the components carried
  unsigned component = 0;
  mlir::Value extremum; ///< of `component`, where it is known
};

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_COUPLEDREDUCTION_H
