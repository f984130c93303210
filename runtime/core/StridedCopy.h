//===- StridedCopy.h - Copies between layouts of one tensor ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CORE_STRIDEDCOPY_H
#define OURC_RUNTIME_CORE_STRIDEDCOPY_H

#include <cstdint>

namespace ourc::runtime {

/// Copies a tensor with any strides, counted in elements and negative and zero
/// ones included, to dense memory.
///   order: the dimensions from the outermost to the innermost of `to`; null:
///          row-major.
/// No dimension is negative; `elementBytes` is 1, 2, 4 or 8; the memories do
/// not overlap; neither needs to be aligned.
void copyToDense(const void *from, const int64_t *shape, const int64_t *strides,
                 int32_t rank, const int32_t *order, int64_t elementBytes,
                 void *to);

} // namespace ourc::runtime

#endif // OURC_RUNTIME_CORE_STRIDEDCOPY_H
