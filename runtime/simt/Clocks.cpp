//===- Clocks.cpp - What happened before what in a block ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/simt/Clocks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

using namespace ourc::simt;

uint32_t *Knowledge::find(uint32_t block) const {
  for (uint32_t i = 0; i < count; ++i)
    if (entries[i].block == block)
      return entries[i].clocks;
  return nullptr;
}

bool Knowledge::join(uint32_t block, const uint32_t *clocks,
                     uint32_t numThreads) {
  uint32_t *mine = find(block);
  if (!mine) {
    if (count == capacity) {
      uint32_t wanted = capacity ? 2 * capacity : 2;
      auto *grown =
          static_cast<Foreign *>(realloc(entries, wanted * sizeof(Foreign)));
      if (!grown)
        return false;
      entries = grown;
      capacity = wanted;
    }
    mine = static_cast<uint32_t *>(calloc(numThreads, sizeof(uint32_t)));
    if (!mine)
      return false;
    entries[count++] = {block, mine};
  }
  for (uint32_t i = 0; i < numThreads; ++i)
    mine[i] = clocks[i] > mine[i] ? clocks[i] : mine[i];
  return true;
}

bool Knowledge::join(const Knowledge &other, uint32_t numThreads) {
  for (uint32_t i = 0; i < other.count; ++i)
    if (!join(other.entries[i].block, other.entries[i].clocks, numThreads))
      return false;
  return true;
}

void Knowledge::clear() {
  for (uint32_t i = 0; i < count; ++i)
    free(entries[i].clocks);
  free(entries);
  entries = nullptr;
  count = capacity = 0;
}

Clocks::~Clocks() {
  if (foreign)
    for (uint32_t i = 0; i < numThreads; ++i)
      foreign[i].clear();
  free(foreign);
  free(own);
  free(hasView);
  if (views)
    munmap(views, sizeof(uint32_t) * numThreads * numThreads);
}

bool Clocks::allocate(uint32_t threads) {
  numThreads = threads;
  own = static_cast<uint32_t *>(calloc(3 * threads, sizeof(uint32_t)));
  hasView = static_cast<bool *>(calloc(threads, sizeof(bool)));
  foreign = static_cast<Knowledge *>(calloc(threads, sizeof(Knowledge)));
  // Pages that no thread needs are never touched.
  void *pages = mmap(nullptr, sizeof(uint32_t) * threads * threads,
                     PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  views = pages == MAP_FAILED ? nullptr : static_cast<uint32_t *>(pages);
  if (!own || !hasView || !foreign || !views)
    return false;
  floor = own + threads;
  joined = floor + threads;
  return true;
}

void Clocks::reset(uint32_t newBlock) {
  block = newBlock;
  overflow = false;
  for (uint32_t i = 0; i < numThreads; ++i) {
    own[i] = 1;
    floor[i] = 0;
    hasView[i] = false;
    if (foreign[i].count)
      foreign[i].clear();
  }
}

void Clocks::tick(uint32_t thread) {
  if (own[thread] + 1 < pendingClock)
    ++own[thread];
  else
    overflow = true;
}

uint32_t *Clocks::ownView(uint32_t thread) {
  uint32_t *mine = views + size_t(thread) * numThreads;
  if (!hasView[thread]) {
    memcpy(mine, floor, sizeof(uint32_t) * numThreads);
    hasView[thread] = true;
  }
  return mine;
}

bool Clocks::happenedBefore(uint32_t otherBlock, Epoch e,
                            uint32_t thread) const {
  if (otherBlock == block)
    return happenedBefore(e, thread);
  const uint32_t *known = foreign[thread].find(otherBlock);
  return known && (e & clockMask) <= known[epochThread(e)];
}

void Clocks::meetAll() {
  bool anyForeign = false;
  for (uint32_t i = 0; i < numThreads; ++i) {
    floor[i] = own[i];
    hasView[i] = false;
    anyForeign |= foreign[i].count != 0;
    tick(i);
  }
  if (!anyForeign)
    return;
  Knowledge all;
  for (uint32_t i = 0; i < numThreads; ++i)
    all.join(foreign[i], numThreads);
  for (uint32_t i = 0; i < numThreads; ++i)
    foreign[i].join(all, numThreads);
  all.clear();
}

void Clocks::meet(const uint32_t *ids, uint32_t count) {
  if (count == numThreads)
    return meetAll();
  memset(joined, 0, sizeof(uint32_t) * numThreads);
  Knowledge all;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t *known = view(ids[i]);
    for (uint32_t j = 0; j < numThreads; ++j)
      joined[j] = known[j] > joined[j] ? known[j] : joined[j];
    all.join(foreign[ids[i]], numThreads);
  }
  for (uint32_t i = 0; i < count; ++i) {
    joined[ids[i]] = own[ids[i]];
    tick(ids[i]);
  }
  for (uint32_t i = 0; i < count; ++i) {
    memcpy(views + size_t(ids[i]) * numThreads, joined,
           sizeof(uint32_t) * numThreads);
    hasView[ids[i]] = true;
    foreign[ids[i]].join(all, numThreads);
  }
  all.clear();
}

bool Clocks::release(uint32_t thread, Knowledge &to) {
  memcpy(joined, view(thread), sizeof(uint32_t) * numThreads);
  joined[thread] = own[thread];
  tick(thread);
  return to.join(block, joined, numThreads) &&
         to.join(foreign[thread], numThreads);
}

bool Clocks::acquire(uint32_t thread, const Knowledge &from) {
  for (uint32_t i = 0; i < from.count; ++i) {
    const Foreign &entry = from.entries[i];
    if (entry.block != block) {
      if (!foreign[thread].join(entry.block, entry.clocks, numThreads))
        return false;
      continue;
    }
    uint32_t *mine = ownView(thread);
    for (uint32_t j = 0; j < numThreads; ++j)
      mine[j] = entry.clocks[j] > mine[j] ? entry.clocks[j] : mine[j];
  }
  return true;
}
