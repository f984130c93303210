//===- StridedCopy.cpp - Copies between layouts of one tensor -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/StridedCopy.h"

#include "runtime/abi/ProgramABI.h"

#include <cstring>

using namespace ourc::runtime;

namespace {

/// One loop: `from` moves by `stride` bytes, `to` is filled in order.
struct Level {
  int64_t count, stride;
};

template <typename T>
char *copyRow(const char *from, const Level &level, char *to) {
  for (int64_t i = 0; i < level.count; ++i) {
    std::memcpy(to, from, sizeof(T)); // either side may be unaligned
    to += sizeof(T);
    from += level.stride;
  }
  return to;
}

char *copyRow(const char *from, const Level &level, int64_t elementBytes,
              char *to) {
  if (level.stride == elementBytes) {
    uint64_t bytes = static_cast<uint64_t>(level.count * elementBytes);
    std::memcpy(to, from, bytes);
    return to + bytes;
  }
  switch (elementBytes) {
  case 1:
    return copyRow<uint8_t>(from, level, to);
  case 2:
    return copyRow<uint16_t>(from, level, to);
  case 4:
    return copyRow<uint32_t>(from, level, to);
  default:
    return copyRow<uint64_t>(from, level, to);
  }
}

} // namespace

void ourc::runtime::copyToDense(const void *from, const int64_t *shape,
                                const int64_t *strides, int32_t rank,
                                const int32_t *order, int64_t elementBytes,
                                void *to) {
  // Loops from the outermost, without those of one iteration; two that walk the
  // source like one are one.
  Level levels[OURC_MAX_RANK + 1];
  int32_t depth = 0;
  for (int32_t i = 0; i < rank; ++i) {
    int32_t dim = order ? order[i] : i;
    if (shape[dim] == 0)
      return;
    if (shape[dim] == 1)
      continue;
    int64_t stride = strides[dim] * elementBytes;
    if (depth && levels[depth - 1].stride == stride * shape[dim])
      levels[depth - 1] = {levels[depth - 1].count * shape[dim], stride};
    else
      levels[depth++] = {shape[dim], stride};
  }
  if (depth == 0)
    levels[depth++] = {1, elementBytes};

  const Level &row = levels[depth - 1];
  int64_t counters[OURC_MAX_RANK + 1] = {};
  const char *source = static_cast<const char *>(from);
  char *target = static_cast<char *>(to);
  for (;;) {
    target = copyRow(source, row, elementBytes, target);
    int32_t level = depth - 2;
    for (; level >= 0; --level) {
      source += levels[level].stride;
      if (++counters[level] < levels[level].count)
        break;
      source -= levels[level].stride * levels[level].count;
      counters[level] = 0;
    }
    if (level < 0)
      return;
  }
}
