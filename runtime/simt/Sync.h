//===- Sync.h - Objects that order memory ------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SIMT_SYNC_H
#define OURC_RUNTIME_SIMT_SYNC_H

#include "runtime/simt/Clocks.h"

namespace ourc::simt {

/// What atomic operations at an address pass on.
class SyncTable {
public:
  ~SyncTable() { clear(); }
  /// Made where it does not exist; null: no memory.
  Knowledge *find(uintptr_t address);
  void clear();

private:
  struct Entry {
    uintptr_t address;
    Knowledge knowledge;
  };
  Entry *entries = nullptr;
  uint32_t count = 0, capacity = 0;
};

/// An mbarrier object, by its place in shared memory.
struct MBarrier {
  uint32_t offset;
  uint32_t expected, pending;
  int64_t bytes; ///< of transactions that have not completed
  uint64_t phase;
  /// What the arrivals of this phase and of those before pass on.
  Knowledge arriving, completed;
};
constexpr uint32_t maxMBarriers = 64;
constexpr uint32_t maxMBarrierCount = (1u << 20) - 1;

/// What a thread's fences have to do with: [0] within the block, [1] beyond.
struct FenceState {
  Knowledge read[2];     ///< what relaxed reads met, for a fence after them
  Knowledge released[2]; ///< what a fence passes on by relaxed writes after it
};

} // namespace ourc::simt

#endif // OURC_RUNTIME_SIMT_SYNC_H
