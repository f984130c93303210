//===- Attention.h - Attention with an online softmax ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_CPU_ATTENTION_H
#define OURC_STRATEGY_CPU_ATTENTION_H

#include "dialects/kernel/KernelDialect.h"
#include "strategy/StridedView.h"
#include <optional>
#include <string>

namespace ourc {

/// What the strategy `attention` knows of a kernel. Loops are those of
/// `kernel.attention`: b…, s, t, d, e.
struct AttentionNest {
  kernel::AttentionOp op;
  unsigned numBatch;
  llvm::SmallVector<Product> sizes; ///< of each loop
  LinearAccess queries, keys, values, result;
  /// Where score operands lie; none: constant, or computed in the kernel.
  llvm::SmallVector<std::optional<LinearAccess>> scoreOperands;

  unsigned s() const { return numBatch; }
  unsigned t() const { return numBatch + 1; }
  unsigned d() const { return numBatch + 2; }
  unsigned e() const { return numBatch + 3; }

  /// The type of scores and sums.
  mlir::Type getComputeType() const;

  /// Analyses a kernel. None where this strategy cannot make it; `reason` then
  /// says why.
  static std::optional<AttentionNest> get(kernel::FuncOp kernel,
                                          std::string *reason = nullptr);
};

} // namespace ourc

#endif // OURC_STRATEGY_CPU_ATTENTION_H
