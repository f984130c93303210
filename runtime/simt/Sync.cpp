//===- Sync.cpp - Atomic operations, fences and mbarriers --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The release and acquire patterns of the PTX memory model: a release passes on
// what happened before it to whoever acquires from the same place; a fence
// makes releases of the relaxed writes after it, and acquires of the relaxed
// reads before it. What is of scope .cta reaches the threads of a block alone.
//
//===----------------------------------------------------------------------===//

#include "runtime/simt/Sync.h"

#include "runtime/simt/Machine.h"
#include "runtime/simt/SimtOps.h"

#include <stdlib.h>

using namespace ourc::simt;

Knowledge *SyncTable::find(uintptr_t address) {
  for (uint32_t i = 0; i < count; ++i)
    if (entries[i].address == address)
      return &entries[i].knowledge;
  if (count == capacity) {
    uint32_t wanted = capacity ? 2 * capacity : 8;
    auto *grown = static_cast<Entry *>(
        realloc(static_cast<void *>(entries), wanted * sizeof(Entry)));
    if (!grown)
      return nullptr;
    entries = grown;
    capacity = wanted;
  }
  entries[count] = {address, {}};
  return &entries[count++].knowledge;
}

void SyncTable::clear() {
  for (uint32_t i = 0; i < count; ++i)
    entries[i].knowledge.clear();
  free(entries);
  entries = nullptr;
  count = capacity = 0;
}

void Machine::need(bool ok) {
  if (!ok)
    fail(nullptr, "no memory to look for data races");
}

void Machine::letOthersRun(bool waits) {
  // Who reads again and again must see what the others write meanwhile.
  constexpr uint32_t limit = 1u << 22;
  idleReads = waits ? idleReads + 1 : 0;
  if (idleReads > limit)
    fail(thread().site,
         "deadlock: threads read memory in loops, and nobody writes it");
  Thread &self = thread();
  self.priority = UINT32_MAX;
  makeReady(self.id);
  yield();
}

void Machine::atomic(const char *site, const void *address, int64_t bytes,
                     Access kind, uint32_t space, uint32_t alignment,
                     int32_t root, uint32_t order) {
  thread().site = site;
  letOthersRun(kind == Access::AtomicLoad);
  access(site, address, bytes, kind, space, alignment, root);
  if (!(checks & OURC_SIMT_CHECK_RACES))
    return;
  uint32_t id = running;
  bool block = order & OURC_SIMT_SCOPE_BLOCK;
  auto at = reinterpret_cast<uintptr_t>(address);
  FenceState &fences = fenceStates[id];
  SyncTable *tables[] = {&blockSyncs, launch.syncs};
  for (int i = 0; i < (block || !launch.syncs ? 1 : 2); ++i) {
    Knowledge *known = tables[i]->find(at);
    need(known);
    if (reads(kind)) {
      if (order & OURC_SIMT_ACQUIRE)
        need(clocks.acquire(id, *known));
      else
        need(fences.read[i].join(*known, numThreads));
    }
    if (!writes(kind))
      continue;
    // A plain write ends what was released here before; a read-modify-write
    // goes on with it.
    if (kind == Access::AtomicStore)
      known->clear();
    if (order & OURC_SIMT_RELEASE)
      need(clocks.release(id, *known));
    else
      need(known->join(fences.released[i], numThreads));
  }
}

void Machine::fence(uint32_t scope) {
  if (!(checks & OURC_SIMT_CHECK_RACES))
    return;
  uint32_t id = running;
  FenceState &fences = fenceStates[id];
  for (int i = 0; i < (scope & OURC_SIMT_SCOPE_BLOCK ? 1 : 2); ++i) {
    need(clocks.acquire(id, fences.read[i]));
    fences.read[i].clear();
    need(clocks.release(id, fences.released[i]));
  }
}

MBarrier &Machine::findMBarrier(const char *site, const void *address) {
  checkShared(site, address, 8);
  checkAlignment(site, address, 8);
  auto offset =
      static_cast<uint32_t>(static_cast<const char *>(address) - shared);
  for (uint32_t i = 0; i < numMBarriers; ++i)
    if (mbarriers[i].offset == offset && mbarriers[i].expected)
      return mbarriers[i];
  fail(site,
       "there is no mbarrier object at offset %u of shared memory: "
       "mbarrier.init has not been executed",
       offset);
}

void Machine::initMBarrier(const char *site, const void *address,
                           uint32_t count) {
  checkShared(site, address, 8);
  checkAlignment(site, address, 8);
  if (count < 1 || count > maxMBarrierCount)
    fail(site, "an mbarrier of %u arrivals: 1 to %u is right", count,
         maxMBarrierCount);
  touchShared(running, site, address, 8, Access::Store, /*async=*/false);
  auto offset =
      static_cast<uint32_t>(static_cast<const char *>(address) - shared);
  uint32_t at = 0;
  while (at < numMBarriers && mbarriers[at].offset != offset)
    ++at;
  if (at == maxMBarriers)
    fail(site, "more than %u mbarrier objects", maxMBarriers);
  if (at == numMBarriers)
    ++numMBarriers;
  MBarrier &barrier = mbarriers[at];
  barrier.arriving.clear();
  barrier.completed.clear();
  barrier = {offset, count, count, 0, 0, {}, {}};
}

void Machine::invalidateMBarrier(const char *site, const void *address) {
  MBarrier &barrier = findMBarrier(site, address);
  touchShared(running, site, address, 8, Access::Store, /*async=*/false);
  barrier.expected = 0;
}

void Machine::completePhase(MBarrier &barrier) {
  if (barrier.pending || barrier.bytes)
    return;
  ++barrier.phase;
  barrier.pending = barrier.expected;
  if (checks & OURC_SIMT_CHECK_RACES)
    need(barrier.completed.join(barrier.arriving, numThreads));
  barrier.arriving.clear();
  for (uint32_t i = 0; i < numThreads; ++i)
    if (threads[i].state == ThreadState::AtMBarrier &&
        threads[i].barrier == barrier.offset)
      makeReady(i);
}

uint64_t Machine::arriveMBarrier(const char *site, const void *address,
                                 uint32_t count, uint32_t expectBytes) {
  MBarrier &barrier = findMBarrier(site, address);
  touchShared(running, site, address, 8, Access::Atomic, /*async=*/false);
  uint64_t state = barrier.phase;
  if (count > barrier.pending)
    fail(site, "%u arrivals at an mbarrier that waits for %u more", count,
         barrier.pending);
  if (checks & OURC_SIMT_CHECK_RACES)
    need(clocks.release(running, barrier.arriving));
  barrier.bytes += expectBytes;
  barrier.pending -= count;
  completePhase(barrier);
  return state;
}

void Machine::arriveWithCopies(const char *site, const void *address,
                               bool counted) {
  // The copies complete some time before the phase does; here, at once.
  Thread &t = thread();
  for (uint32_t i = 0; i < t.numCopies; ++i) {
    if (!t.copies[i].landed)
      land(t.copies[i]);
    t.copies[i].landed = true;
    completeCopy(t.copies[i]);
  }
  if (counted) {
    arriveMBarrier(site, address, 1, 0);
    return;
  }
  // Counts itself in before it arrives.
  MBarrier &barrier = findMBarrier(site, address);
  ++barrier.pending;
  arriveMBarrier(site, address, 1, 0);
}

bool Machine::testMBarrier(const char *site, const void *address,
                           uint64_t state, bool isParity) {
  MBarrier &barrier = findMBarrier(site, address);
  touchShared(running, site, address, 8, Access::AtomicLoad, /*async=*/false);
  bool done =
      isParity ? (barrier.phase & 1) != (state & 1) : barrier.phase != state;
  if (done && (checks & OURC_SIMT_CHECK_RACES))
    need(clocks.acquire(running, barrier.completed));
  return done;
}

void Machine::waitMBarrier(const char *site, const void *address,
                           uint32_t parity) {
  while (!testMBarrier(site, address, parity, /*isParity=*/true)) {
    Thread &self = thread();
    self.state = ThreadState::AtMBarrier;
    self.site = site;
    self.barrier = findMBarrier(site, address).offset;
    yield();
  }
}
