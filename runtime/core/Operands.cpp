//===- Operands.cpp - From a caller's tensors to data pointers ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Operands.h"

#include "runtime/core/MemoryPlan.h"
#include "runtime/core/StridedCopy.h"
#include "runtime/support/Failure.h"

using namespace ourc::runtime;

void Operands::read(Place place, const DLTensor &tensor, void **slot) {
  *slot = dataOf(tensor);
  if (!isDense(tensor, descOf(program, place).layout))
    reads.push({place, tensor, slot});
}

int32_t Operands::finish() {
  int64_t total = 0;
  for (const Read &read : reads)
    if (__builtin_add_overflow(total, bytesOf(read.tensor) + arenaAlignment,
                               &total))
      return fail(OURC_ERROR_MEMORY,
                  "copies of the inputs take more than 2^63 bytes");
  if (!staging.ensure(total, allocations))
    return fail(OURC_ERROR_MEMORY,
                "no memory to make %lld tensors contiguous: %lld bytes",
                static_cast<long long>(reads.size()),
                static_cast<long long>(total));
  char *to = staging.data();
  for (const Read &read : reads) {
    const DLTensor &tensor = read.tensor;
    int64_t rowMajor[OURC_MAX_RANK], stride = 1;
    for (int32_t i = tensor.ndim - 1; i >= 0; --i) {
      rowMajor[i] = stride;
      stride *= tensor.shape[i];
    }
    copyToDense(dataOf(tensor), tensor.shape,
                tensor.strides ? tensor.strides : rowMajor, tensor.ndim,
                descOf(program, read.place).layout, tensor.dtype.bits / 8, to);
    *read.slot = to;
    to += (bytesOf(tensor) + arenaAlignment - 1) & -arenaAlignment;
  }
  return OURC_OK;
}

int32_t ourc::runtime::checkOverlaps(const OurcProgram &program,
                                     const Vec<Extent> &extents,
                                     int64_t numWritten) {
  for (int64_t i = 0; i < numWritten; ++i)
    for (int64_t j = i + 1; j < extents.size(); ++j) {
      const Extent &a = extents[i], &b = extents[j];
      bool empty = a.begin == a.end || b.begin == b.end;
      if (empty || a.begin >= b.end || b.begin >= a.end)
        continue;
      Text text;
      printPlace(program, a.place, text);
      text.append(a.place.role == Role::input
                      ? ": it is updated, but its memory overlaps that of "
                      : ": its memory overlaps that of ");
      printPlace(program, b.place, text);
      text.append(", must be apart");
      return fail(OURC_ERROR_ARGUMENT, "%s", text.c_str());
    }
  return OURC_OK;
}
