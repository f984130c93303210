//===- Shadow.cpp - Who touched which byte -----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/simt/Shadow.h"

#include <stdlib.h>
#include <sys/mman.h>

using namespace ourc::simt;

GlobalShadow::~GlobalShadow() {
  for (int64_t i = 0; i < numRegions; ++i)
    munmap(regions[i].cells,
           ((regions[i].end - regions[i].begin) >> granuleShift) *
               sizeof(GlobalCell));
  free(regions);
}

bool GlobalShadow::allocate(const OurcSimtBuffer *buffers, int64_t count,
                            unsigned shift) {
  granuleShift = shift;
  uintptr_t granule = uintptr_t(1) << shift;
  regions = static_cast<Region *>(
      calloc(static_cast<size_t>(count) + 1, sizeof(Region)));
  if (!regions)
    return false;
  // Insertion into the sorted list; what overlaps or touches becomes one.
  int64_t used = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (buffers[i].bytes <= 0)
      continue;
    auto begin = reinterpret_cast<uintptr_t>(buffers[i].base);
    uintptr_t end = begin + static_cast<uintptr_t>(buffers[i].bytes);
    begin = alignDown(begin);
    end = alignDown(end + granule - 1);
    int64_t at = 0;
    while (at < used && regions[at].end < begin)
      ++at;
    int64_t past = at;
    while (past < used && regions[past].begin <= end) {
      begin = regions[past].begin < begin ? regions[past].begin : begin;
      end = regions[past].end > end ? regions[past].end : end;
      ++past;
    }
    int64_t moved = at + 1 - past; // grows by one, or shrinks
    if (moved > 0)
      for (int64_t j = used; j-- > past;)
        regions[j + moved] = regions[j];
    else if (moved < 0)
      for (int64_t j = past; j < used; ++j)
        regions[j + moved] = regions[j];
    used += moved;
    regions[at] = {begin, end, nullptr};
  }
  for (int64_t i = 0; i < used; ++i) {
    size_t bytes =
        ((regions[i].end - regions[i].begin) >> shift) * sizeof(GlobalCell);
    void *pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
      return false;
    regions[i].cells = static_cast<GlobalCell *>(pages);
    numRegions = i + 1;
  }
  return true;
}

GlobalCell *GlobalShadow::find(uintptr_t address) {
  auto holds = [&](int64_t i) {
    return i < numRegions && address >= regions[i].begin &&
           address < regions[i].end;
  };
  int64_t at = last;
  if (!holds(at)) {
    for (at = 0; at < numRegions && !holds(at); ++at)
      ;
    if (at == numRegions)
      return nullptr;
    last = at;
  }
  return regions[at].cells + ((address - regions[at].begin) >> granuleShift);
}
