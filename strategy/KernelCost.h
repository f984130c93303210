//===- KernelCost.h - What a kernel must do at least ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_KERNELCOST_H
#define OURC_STRATEGY_KERNELCOST_H

#include "dialects/kernel/KernelDialect.h"

#include <optional>

namespace ourc {

/// The work of one launch. Operations count one each, a multiply-add two, an
/// elementary function one; padding counts as if it were multiplied.
struct KernelCost {
  /// Operations of f32 or wider elements, and of sums of products of 16-bit
  /// elements.
  int64_t flops = 0, flops16 = 0;
  /// Memory that must be touched: each operand once, of those that are sliced
  /// or gathered from at most what is read.
  int64_t bytesRead = 0, bytesWritten = 0;
};

/// The cost of a kernel whose body is still on tensors; none where a size is
/// known in a call only.
std::optional<KernelCost> computeCost(kernel::FuncOp kernel);

} // namespace ourc

#endif // OURC_STRATEGY_KERNELCOST_H
