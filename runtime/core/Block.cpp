//===- Block.cpp - Aligned memory for tensors -----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Block.h"

#include <cstdlib>
#include <sys/mman.h>

using namespace ourc::runtime;

void Block::release() {
  std::free(memory);
  memory = nullptr;
  bytes = 0;
}

void Block::swap(Block &other) {
  void *otherMemory = other.memory;
  int64_t otherBytes = other.bytes;
  other.memory = memory, other.bytes = bytes;
  memory = otherMemory, bytes = otherBytes;
}

bool Block::ensure(int64_t wanted, int64_t &allocations) {
  if (wanted <= bytes)
    return true;
  release();
  constexpr int64_t hugePage = int64_t(1) << 21;
  bool large = wanted >= hugePage;
  if (posix_memalign(&memory, large ? hugePage : 64,
                     static_cast<uint64_t>(wanted))) {
    memory = nullptr;
    return false;
  }
  __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
  bytes = wanted;
  // Advice alone: where huge pages are off this fails and nothing is lost.
  if (large)
    (void)madvise(memory, static_cast<uint64_t>(wanted), MADV_HUGEPAGE);
  return true;
}
