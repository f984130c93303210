//===- Depthwise.h - Convolutions of each channel on its own --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_CPU_DEPTHWISE_H
#define OURC_STRATEGY_CPU_DEPTHWISE_H

#include "strategy/cpu/Contraction.h"

namespace ourc {

/// What the strategy `depthwise` knows of a kernel: a contraction whose only
/// loop over columns steps through both operands and through the result by
/// single elements (the channels), and whose reduction loops are taps.
struct DepthwiseNest {
  ContractionNest nest;

  unsigned channel; ///< the loop on lanes
  /// The loop over the pixels of a row, and the taps along it.
  std::optional<unsigned> column, columnTap;
  /// The other parallel loops and reduction loops, outermost first.
  llvm::SmallVector<unsigned> rows, taps;

  /// The pixel of the input that pixel `p` and tap `k` of a row read:
  ///   columnStep * p + tapStep * k - low
  /// It is padding outside of [0, width), where there is padding.
  int64_t columnStep = 0, tapStep = 0, low = 0;
  std::optional<Product> width;

  /// The taps along a row.
  int64_t getNumColumnTaps() const {
    return columnTap ? nest.sizes[*columnTap].constant : 1;
  }

  /// Analyses a kernel. None where this strategy cannot make it; `reason` then
  /// says why.
  static std::optional<DepthwiseNest> get(kernel::FuncOp kernel,
                                          std::string *reason = nullptr);
};

} // namespace ourc

#endif // OURC_STRATEGY_CPU_DEPTHWISE_H
