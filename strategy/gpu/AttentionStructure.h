//===- AttentionStructure.h - A kernel that is one attention ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_GPU_ATTENTIONSTRUCTURE_H
#define OURC_STRATEGY_GPU_ATTENTIONSTRUCTURE_H

#include "dialects/kernel/KernelDialect.h"

#include <optional>
#include <string>

namespace ourc {

/// A kernel that is one attention on tensor cores, elementwise prologues of its
/// operands and elementwise epilogues of its result.
struct AttentionStructure {
  kernel::AttentionOp op;
  /// For each result of the kernel and each dimension of the attention's
  /// result: the dimension of the kernel's result that runs along it.
  llvm::SmallVector<llvm::SmallVector<int64_t>> resultDims;

  /// The number of iterations of a loop of the attention, where it is known.
  int64_t getSize(unsigned loop) const;
};

/// The attention of `kernel`; nothing when it is not one that tensor cores can
/// make, and then `reason` (where given) says why.
std::optional<AttentionStructure> analyzeAttention(kernel::FuncOp kernel,
                                                   std::string *reason);

} // namespace ourc

#endif // OURC_STRATEGY_GPU_ATTENTIONSTRUCTURE_H
