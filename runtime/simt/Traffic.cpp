//===- Traffic.cpp - How a warp's accesses meet memory -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/simt/Traffic.h"

#include <stdlib.h>
#include <string.h>

using namespace ourc::simt;

static uint32_t hashOf(const char *site, uint32_t a, uint32_t b) {
  uint64_t h = reinterpret_cast<uintptr_t>(site) * 0x9e3779b97f4a7c15ull;
  h ^= (uint64_t(a) << 32 | b) * 0xbf58476d1ce4e5b9ull;
  return static_cast<uint32_t>(h >> 29);
}

Traffic::~Traffic() {
  free(records);
  free(recordSlots);
  free(counts);
}

uint32_t *Traffic::countOf(uint32_t thread, const char *site) {
  if (2 * numCounts >= countCapacity) {
    uint32_t wanted = countCapacity ? 2 * countCapacity : 4096;
    auto *grown = static_cast<Count *>(calloc(wanted, sizeof(Count)));
    if (!grown)
      return nullptr;
    for (uint32_t i = 0; i < countCapacity; ++i) {
      if (!counts[i].site)
        continue;
      uint32_t at = hashOf(counts[i].site, counts[i].thread, 0) % wanted;
      while (grown[at].site)
        at = (at + 1) % wanted;
      grown[at] = counts[i];
    }
    free(counts);
    counts = grown;
    countCapacity = wanted;
  }
  uint32_t at = hashOf(site, thread, 0) % countCapacity;
  while (counts[at].site &&
         !(counts[at].site == site && counts[at].thread == thread))
    at = (at + 1) % countCapacity;
  if (!counts[at].site) {
    counts[at] = {site, thread, 0};
    ++numCounts;
  }
  return &counts[at].ordinal;
}

Traffic::Record *Traffic::find(uint32_t warp, const char *site,
                               uint32_t ordinal) {
  if (2 * numRecords >= numSlots) {
    uint32_t wanted = numSlots ? 2 * numSlots : 1024;
    auto *slots = static_cast<uint32_t *>(calloc(wanted, sizeof(uint32_t)));
    auto *grown = static_cast<Record *>(
        realloc(static_cast<void *>(records), wanted / 2 * sizeof(Record)));
    if (grown)
      records = grown;
    if (!slots || !grown) {
      free(slots);
      return nullptr;
    }
    free(recordSlots);
    recordSlots = slots;
    numSlots = wanted;
    for (uint32_t i = 0; i < numRecords; ++i) {
      const Record &r = records[i];
      uint32_t at = hashOf(r.site, r.warp, r.ordinal) % numSlots;
      while (recordSlots[at])
        at = (at + 1) % numSlots;
      recordSlots[at] = i + 1;
    }
  }
  uint32_t at = hashOf(site, warp, ordinal) % numSlots;
  for (; recordSlots[at]; at = (at + 1) % numSlots) {
    Record &r = records[recordSlots[at] - 1];
    if (r.site == site && r.warp == warp && r.ordinal == ordinal)
      return &r;
  }
  Record &fresh = records[numRecords];
  recordSlots[at] = ++numRecords;
  fresh.site = site;
  fresh.warp = warp;
  fresh.ordinal = ordinal;
  fresh.lanes = 0;
  return &fresh;
}

bool Traffic::add(uint32_t thread, const char *site, const void *address,
                  uint32_t bytes, bool shared) {
  uint32_t *ordinal = countOf(thread, site);
  if (!ordinal)
    return false;
  Record *record = find(thread / 32, site, (*ordinal)++);
  if (!record)
    return false;
  record->bytes = bytes;
  record->shared = shared;
  record->lanes |= 1u << thread % 32;
  record->addresses[thread % 32] = reinterpret_cast<uintptr_t>(address);
  return true;
}

/// Adds the distinct values among first .. last to `set`.
static uint32_t insert(uint64_t *set, uint32_t size, uint64_t first,
                       uint64_t last) {
  for (uint64_t value = first; value <= last; ++value) {
    bool known = false;
    for (uint32_t i = 0; i < size && !known; ++i)
      known = set[i] == value;
    if (!known)
      set[size++] = value;
  }
  return size;
}

void Traffic::finishBlock(OurcSimtCounters &counters) {
  for (uint32_t i = 0; i < numRecords; ++i) {
    const Record &r = records[i];
    if (!r.shared) {
      uint64_t sectors[32 * 2], words[32 * 16];
      uint32_t numSectors = 0, numWords = 0;
      // Two-byte words: nothing smaller is read next to something else.
      for (uint32_t lane = 0; lane < 32; ++lane) {
        if (!(r.lanes >> lane & 1))
          continue;
        uint64_t first = r.addresses[lane], last = first + r.bytes - 1;
        numSectors = insert(sectors, numSectors, first / 32, last / 32);
        numWords = insert(words, numWords, first / 2, last / 2);
      }
      counters.globalSectors += numSectors;
      counters.idealSectors += (2 * numWords + 31) / 32;
      continue;
    }
    // 128 bytes a cycle: all lanes of 4 bytes, half of 8, a quarter of 16.
    uint32_t perPhase = r.bytes <= 4 ? 32 : r.bytes <= 8 ? 16 : 8;
    for (uint32_t begin = 0; begin < 32; begin += perPhase) {
      uint64_t words[128];
      uint32_t numWords = 0, perBank[32] = {}, cycles = 0;
      for (uint32_t lane = begin; lane < begin + perPhase; ++lane)
        if (r.lanes >> lane & 1)
          numWords = insert(words, numWords, r.addresses[lane] / 4,
                            (r.addresses[lane] + r.bytes - 1) / 4);
      if (!numWords)
        continue;
      for (uint32_t w = 0; w < numWords; ++w) {
        uint32_t hits = ++perBank[words[w] % 32];
        cycles = hits > cycles ? hits : cycles;
      }
      counters.sharedPhases += 1;
      counters.sharedReplays += cycles ? cycles - 1 : 0;
    }
  }
  numRecords = numCounts = 0;
  if (recordSlots)
    memset(recordSlots, 0, numSlots * sizeof(uint32_t));
  if (counts)
    memset(static_cast<void *>(counts), 0, countCapacity * sizeof(Count));
}
