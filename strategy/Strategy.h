//===- Strategy.h - How a class of kernels is made on a target ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_STRATEGY_H
#define OURC_STRATEGY_STRATEGY_H

#include "dialects/kernel/KernelDialect.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <string>

namespace ourc {

/// An argument that a kernel wants packed: what
///   linalg.pack %arg outer_dims_perm = outerPerm
///       inner_dims_pos = innerDimsPos inner_tiles = innerTiles
/// gives, padded with zero. With `winograd`, the 3x3 filters of that are then
/// transformed as kernel.winograd_filter says.
struct PackedOperand {
  unsigned argument;
  llvm::SmallVector<int64_t> innerTiles;
  llvm::SmallVector<int64_t> innerDimsPos;
  llvm::SmallVector<int64_t> outerPerm;
  bool winograd = false;
};

/// All that a strategy decides about one kernel.
struct Assignment {
  kernel::ScheduleAttrInterface schedule;
  llvm::SmallVector<PackedOperand> packedOperands;
  /// Bytes of scratch memory that the kernel needs besides its operands; null:
  /// none. Symbol i is the i-th dynamic dimension of the kernel's arguments,
  /// argument by argument.
  mlir::AffineExpr workspaceBytes;
};

/// Gives `kernel` a workspace of `bytes` (as in an Assignment) as its last
/// argument, and nothing where `bytes` is null.
void addWorkspace(kernel::FuncOp kernel, mlir::AffineExpr bytes);

/// A way to make one class of kernels on one target. It decides and emits
/// nothing: the emitter that obeys is the file of the same name in
/// conversion/KernelTo….
class Strategy {
public:
  virtual ~Strategy() = default;

  /// The name, as in the schedule attribute: `contraction`, `row`, ….
  virtual llvm::StringRef getName() const = 0;

  /// Whether this strategy can make `kernel`; if not, `reason` (where given)
  /// says why in one sentence without a full stop.
  virtual llvm::LogicalResult match(kernel::FuncOp kernel,
                                    std::string *reason = nullptr) const = 0;

  /// Whether a kernel may take in what its operands are reshapes of: the
  /// emitter addresses the elements without dividing indices.
  virtual bool readsThroughViews() const { return false; }

  /// Whether results differ from what the kernel says by more than the order of
  /// its additions; such a strategy is off under the option `strict`.
  virtual bool isApproximate() const { return false; }

  /// Whether operands that are to be packed must come from frozen weights:
  /// preparing them in each call would cost more than it brings.
  virtual bool needsFrozenOperands() const { return false; }

  /// The decisions for a kernel that matches.
  virtual Assignment assign(kernel::FuncOp kernel) const = 0;

  using Schedules = llvm::SmallVectorImpl<kernel::ScheduleAttrInterface>;
  /// The schedules of a kernel that matches which are worth measuring, the one
  /// of `assign` first.
  virtual void enumerate(kernel::FuncOp kernel, Schedules &schedules) const;

  /// The decisions for a kernel that matches where `schedule`, of this
  /// strategy, is given; if it cannot be, `reason` says why in one sentence
  /// without a full stop. Unless a strategy says otherwise, it takes its own
  /// choice alone.
  virtual llvm::FailureOr<Assignment>
  assignGiven(kernel::FuncOp kernel, kernel::ScheduleAttrInterface schedule,
              std::string *reason = nullptr) const;
};

} // namespace ourc

#endif // OURC_STRATEGY_STRATEGY_H
