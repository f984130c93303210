//===- LoopNest.h - The loops of row, pointwise and pool ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_LOOPNEST_H
#define OURC_CONVERSION_KERNELTOCPU_LOOPNEST_H

#include "conversion/KernelToCPU/KernelABI.h"

namespace ourc {

struct NestOptions {
  int64_t lanes;  ///< elements of a vector
  int64_t unroll; ///< vectors that a reduction carries at a time
  int64_t grain;  ///< the least work that a thread is given
  /// Whether `grain` counts elements of the result instead of rows.
  bool grainInElements;
  /// Into how many parts, at most, reductions are cut; 0: they stay whole.
  int64_t parts = 0;
  /// Vectors of an expensive element's computation that are made together.
  int64_t interleave = 1;
};

/// Emits a kernel whose results are each written once, element by element, and
/// are computed from what an OperandReader reads: one nest for results of one
/// shape. The dimensions of a result on which reductions depend become rows,
/// shared among threads; the others are loops inside of a row, in which the
/// values of reductions are at hand.
llvm::LogicalResult emitLoopNests(KernelABI &abi, const NestOptions &options);

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_LOOPNEST_H
