//===- Access.cpp - Checks of accesses to memory -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/simt/Machine.h"
#include "runtime/simt/SimtOps.h"

#include <stdio.h>

using namespace ourc::simt;

int32_t Machine::encodeSite(const char *site, Access access) {
  if (!siteBase)
    siteBase = site;
  int64_t delta = site - siteBase;
  // Sites of one kernel lie together. 0 is the first one.
  if (delta > (INT32_MAX >> markFlagBits) ||
      delta < (INT32_MIN >> markFlagBits))
    delta = 0;
  return static_cast<int32_t>(delta * (1 << markFlagBits)) |
         getMarkFlags(access);
}

const char *Machine::decodeSite(int32_t site) const {
  return siteBase + (site >> markFlagBits);
}

/// The words for a fault, for the thread that meets it and the earlier one.
static void describe(Fault fault, char *text, size_t size, const char *place,
                     bool async, const char *earlier, const char *who) {
  switch (fault) {
  case Fault::None:
    break;
  case Fault::Uninitialised:
    snprintf(text, size, "reads %s, which nobody has written", place);
    break;
  case Fault::Pending:
    snprintf(text, size,
             "touches %s, where the asynchronous copy that %s began at %s is "
             "still under way: no wait has completed it",
             place, who, earlier);
    break;
  case Fault::ReadAfterWrite:
    snprintf(text, size, "data race: reads %s, which %s wrote at %s, %s", place,
             who, earlier, "with no synchronisation between them");
    break;
  case Fault::WriteAfterWrite:
    snprintf(text, size, "data race: %s %s, which %s wrote at %s, %s",
             async ? "copies to" : "writes", place, who, earlier,
             "with no synchronisation between them");
    break;
  case Fault::WriteAfterRead:
    snprintf(text, size, "data race: %s %s, which %s read at %s, %s",
             async ? "copies to" : "writes", place, who, earlier,
             "with no synchronisation between them");
    break;
  }
}

void Machine::touchShared(uint32_t id, const char *site, const void *address,
                          int64_t bytes, Access access, bool async) {
  if (!cells)
    return;
  Mark mine{async ? clocks.pending(id) : clocks.now(id),
            encodeSite(site, access)};
  int64_t offset = static_cast<const char *>(address) - shared;
  SharedCell *cell = cells + (offset >> granuleShift);
  SharedCell *end = cells + ((offset + bytes - 1) >> granuleShift) + 1;
  Mark earlier;
  bool racing = checks & OURC_SIMT_CHECK_RACES;
  for (; cell != end; ++cell) {
    Fault fault = Fault::None;
    if (reads(access) && !cell->write.epoch) {
      if (checks & OURC_SIMT_CHECK_UNINITIALISED)
        fault = Fault::Uninitialised;
    }
    if (!racing) {
      if (writes(access))
        cell->write = mine;
    } else if (fault == Fault::None) {
      fault = touch(
          *cell, mine, access,
          [&](const Mark &m) { return clocks.happenedBefore(m.epoch, id); },
          [](const Mark &a, const Mark &b) {
            return epochThread(a.epoch) / warpSize ==
                   epochThread(b.epoch) / warpSize;
          },
          earlier);
    }
    if (__builtin_expect(fault != Fault::None, 0)) {
      char place[64], who[32], text[448];
      snprintf(place, sizeof(place), "shared memory at offset %lld",
               static_cast<long long>((cell - cells) << granuleShift));
      bool known = fault != Fault::Uninitialised;
      snprintf(who, sizeof(who), "thread %u",
               known ? epochThread(earlier.epoch) : 0);
      describe(fault, text, sizeof(text), place, async,
               known ? decodeSite(earlier.site) : "", who);
      fail(site, "%s", text);
    }
  }
}

void Machine::completeCopy(const AsyncCopy &copy) {
  if (!cells || !copy.bytes)
    return;
  uint32_t id = running;
  int64_t offset = static_cast<const char *>(copy.shared) - shared;
  SharedCell *cell = cells + (offset >> granuleShift);
  SharedCell *end =
      cells + ((offset + int64_t(copy.bytes) - 1) >> granuleShift) + 1;
  Epoch pending = clocks.pending(id), now = clocks.now(id);
  for (; cell != end; ++cell)
    if (cell->write.epoch == pending)
      cell->write.epoch = now;
}

void Machine::describePlace(const void *address, int64_t bytes, int32_t root,
                            char *text, size_t size) const {
  const OurcSimtBuffer *best = nullptr;
  auto at = reinterpret_cast<uintptr_t>(address);
  for (int64_t i = 0; i < launch.numBuffers && !best; ++i) {
    const OurcSimtBuffer &b = launch.buffers[i];
    auto base = reinterpret_cast<uintptr_t>(b.base);
    if (b.bytes >= 0 &&
        (root == i || (root < 0 && at >= base && at - base < size_t(b.bytes))))
      best = &b;
  }
  if (best)
    snprintf(text, size, "%lld bytes at offset %lld of the %lld bytes of %s",
             static_cast<long long>(bytes),
             static_cast<long long>(static_cast<const char *>(address) -
                                    static_cast<const char *>(best->base)),
             static_cast<long long>(best->bytes), best->name);
  else
    snprintf(text, size, "%lld bytes of global memory at %p",
             static_cast<long long>(bytes), address);
}

void Machine::checkGlobal(const char *site, const void *address, int64_t bytes,
                          Access access, int32_t root) {
  if ((checks & OURC_SIMT_CHECK_BOUNDS) && launch.numBuffers) {
    auto at = reinterpret_cast<uintptr_t>(address);
    bool inside = false, known = true;
    for (int64_t i = root >= 0 ? root : 0; i < launch.numBuffers; ++i) {
      const OurcSimtBuffer &b = launch.buffers[i];
      auto base = reinterpret_cast<uintptr_t>(b.base);
      if (b.bytes < 0)
        known &= b.base == nullptr; // not an address, or of unknown extent
      else if (at >= base && at - base + size_t(bytes) <= size_t(b.bytes))
        inside = true;
      if (inside || root >= 0)
        break;
    }
    if (!inside && known) {
      char place[128];
      describePlace(address, bytes, root, place, sizeof(place));
      fail(site, "%s %s, which is out of bounds",
           writes(access) ? "writes" : "reads", place);
    }
  }
  if (!global || !(checks & OURC_SIMT_CHECK_RACES))
    return;
  uint32_t id = running;
  GlobalMark mine{clocks.now(id), encodeSite(site, access), blockIndex};
  auto begin = reinterpret_cast<uintptr_t>(address);
  GlobalCell *cell = global->find(begin);
  if (!cell)
    return;
  int64_t count = static_cast<int64_t>(
      ((begin + size_t(bytes) - 1) >> granuleShift) - (begin >> granuleShift));
  GlobalMark earlier;
  for (GlobalCell *end = cell + count + 1; cell != end; ++cell) {
    Fault fault = touch(
        *cell, mine, access,
        [&](const GlobalMark &m) {
          return clocks.happenedBefore(m.block, m.epoch, id);
        },
        [](const GlobalMark &a, const GlobalMark &b) {
          return a.block == b.block && epochThread(a.epoch) / warpSize ==
                                           epochThread(b.epoch) / warpSize;
        },
        earlier);
    if (__builtin_expect(fault != Fault::None, 0)) {
      char place[128], who[64], text[448];
      describePlace(address, bytes, root, place, sizeof(place));
      if (earlier.block == blockIndex)
        snprintf(who, sizeof(who), "thread %u", epochThread(earlier.epoch));
      else
        snprintf(who, sizeof(who), "thread %u of block (%u, %u, %u)",
                 epochThread(earlier.epoch), earlier.block % grid[0],
                 earlier.block / grid[0] % grid[1],
                 earlier.block / grid[0] / grid[1]);
      describe(fault, text, sizeof(text), place, false,
               decodeSite(earlier.site), who);
      fail(site, "%s", text);
    }
  }
}

void Machine::checkAlignment(const char *site, const void *address,
                             uint32_t alignment) {
  if ((checks & OURC_SIMT_CHECK_ALIGNMENT) &&
      reinterpret_cast<uintptr_t>(address) % alignment)
    fail(
        site,
        "the address is %u bytes past a multiple of %u, which the "
        "access needs",
        static_cast<uint32_t>(reinterpret_cast<uintptr_t>(address) % alignment),
        alignment);
}

void Machine::access(const char *site, const void *address, int64_t bytes,
                     Access kind, uint32_t space, uint32_t alignment,
                     int32_t root) {
  if (!checks)
    return;
  if (space == OURC_SIMT_GENERIC) {
    auto *p = static_cast<const char *>(address);
    if (p >= shared && p < shared + sharedBytes)
      space = OURC_SIMT_SHARED;
    else if (p >= stacks && p < stacks + stackBytes * numThreads)
      return; // the thread's own
    else
      space = OURC_SIMT_GLOBAL;
  }
  if (checks & OURC_SIMT_COUNT_TRAFFIC)
    need(traffic.add(running, site, address, static_cast<uint32_t>(bytes),
                     space == OURC_SIMT_SHARED));
  if (space == OURC_SIMT_SHARED) {
    if (checks & OURC_SIMT_CHECK_BOUNDS)
      checkShared(site, address, bytes);
    checkAlignment(site, address, alignment);
    touchShared(running, site, address, bytes, kind, /*async=*/false);
    return;
  }
  checkGlobal(site, address, bytes, kind, root);
  checkAlignment(site, address, alignment);
}

void Machine::accessLocal(const char *site, const void *address, int64_t bytes,
                          uint32_t alignment, const void *base, int64_t size) {
  int64_t offset =
      static_cast<const char *>(address) - static_cast<const char *>(base);
  if ((checks & OURC_SIMT_CHECK_BOUNDS) &&
      (offset < 0 || bytes > size - offset))
    fail(site,
         "%lld bytes at offset %lld of a local variable of %lld bytes, which "
         "is out of bounds",
         static_cast<long long>(bytes), static_cast<long long>(offset),
         static_cast<long long>(size));
  checkAlignment(site, address, alignment);
}
