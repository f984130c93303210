//===- Traffic.h - How a warp's accesses meet memory -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes of the machine run apart. The n-th execution of an instruction by one
// lane is taken for the same instruction of the warp as the n-th execution by
// the others: which holds for code whose lanes run the same loops.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SIMT_TRAFFIC_H
#define OURC_RUNTIME_SIMT_TRAFFIC_H

#include "runtime/simt/Simt.h"

namespace ourc::simt {

/// Counts 32-byte sectors of global memory and conflicts of shared memory's
/// banks for one block at a time.
class Traffic {
public:
  ~Traffic();
  /// One lane's access. False: no memory.
  bool add(uint32_t thread, const char *site, const void *address,
           uint32_t bytes, bool shared);
  /// The block has ended: counts what its warps did.
  void finishBlock(OurcSimtCounters &counters);

private:
  struct Record {
    const char *site;
    uint32_t warp, ordinal, bytes;
    uint32_t lanes; ///< a mask
    bool shared;
    uint64_t addresses[32];
  };
  struct Count {
    const char *site;
    uint32_t thread, ordinal;
  };
  Record *find(uint32_t warp, const char *site, uint32_t ordinal);
  uint32_t *countOf(uint32_t thread, const char *site);

  Record *records = nullptr;
  uint32_t *recordSlots = nullptr; ///< 1 + index into records; 0: free
  Count *counts = nullptr;         ///< a hash table; free: no site
  uint32_t numRecords = 0, numSlots = 0;
  uint32_t numCounts = 0, countCapacity = 0;
};

} // namespace ourc::simt

#endif // OURC_RUNTIME_SIMT_TRAFFIC_H
