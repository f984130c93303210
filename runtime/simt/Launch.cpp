//===- Launch.cpp - Launching kernels on the SIMT machine --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/Model.h"
#include "runtime/simt/Machine.h"
#include "runtime/simt/Simt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace ourc::simt;

static uint64_t seedOverride = 0;
static bool hasSeedOverride = false;
static uint64_t blockLimit = 0;
static uint32_t checksOverride = 0;
static bool hasChecksOverride = false;
static OurcSimtCounters totals;

static uint64_t currentSeed() {
  if (__atomic_load_n(&hasSeedOverride, __ATOMIC_ACQUIRE))
    return __atomic_load_n(&seedOverride, __ATOMIC_RELAXED);
  const char *text = getenv("OURC_SIMT_SEED");
  return text ? strtoull(text, nullptr, 10) : 0;
}

void ourc_simt_set_seed(uint64_t seed) {
  __atomic_store_n(&seedOverride, seed, __ATOMIC_RELAXED);
  __atomic_store_n(&hasSeedOverride, true, __ATOMIC_RELEASE);
}

void ourc_simt_set_checks(uint32_t checks) {
  __atomic_store_n(&checksOverride, checks, __ATOMIC_RELAXED);
  __atomic_store_n(&hasChecksOverride, true, __ATOMIC_RELEASE);
}

void ourc_simt_set_block_limit(uint64_t blocks) {
  __atomic_store_n(&blockLimit, blocks, __ATOMIC_RELAXED);
}

/// The checks that the names in `text` ask for; unknown names ask for none.
static uint32_t parseChecks(const char *text) {
  static const struct {
    const char *name;
    uint32_t checks;
  } names[] = {{"all", OURC_SIMT_CHECK_ALL},
               {"bounds", OURC_SIMT_CHECK_BOUNDS},
               {"alignment", OURC_SIMT_CHECK_ALIGNMENT},
               {"uninitialised", OURC_SIMT_CHECK_UNINITIALISED},
               {"races", OURC_SIMT_CHECK_RACES},
               {"traffic", OURC_SIMT_COUNT_TRAFFIC}};
  uint32_t checks = 0;
  while (*text) {
    size_t length = strcspn(text, ",");
    for (const auto &known : names)
      if (strlen(known.name) == length &&
          strncmp(known.name, text, length) == 0)
        checks |= known.checks;
    text += length;
    text += *text == ',';
  }
  return checks;
}

static uint32_t currentChecks() {
  if (__atomic_load_n(&hasChecksOverride, __ATOMIC_ACQUIRE))
    return __atomic_load_n(&checksOverride, __ATOMIC_RELAXED);
  const char *text = getenv("OURC_SIMT_CHECKS");
  return text ? parseChecks(text) : OURC_SIMT_CHECK_ALL;
}

/// Applies `step` to every pair of corresponding counters.
template <typename Step>
static void forEachCounter(OurcSimtCounters &a, OurcSimtCounters &b,
                           Step step) {
  static_assert(sizeof(OurcSimtCounters) % sizeof(uint64_t) == 0, "");
  auto *x = reinterpret_cast<uint64_t *>(&a);
  auto *y = reinterpret_cast<uint64_t *>(&b);
  for (size_t i = 0; i < sizeof(a) / sizeof(uint64_t); ++i)
    step(x[i], y[i]);
}

void ourc_simt_get_counters(OurcSimtCounters *counters) {
  forEachCounter(totals, *counters, [](uint64_t &total, uint64_t &out) {
    out = __atomic_load_n(&total, __ATOMIC_RELAXED);
  });
}

/// Describes a launch that CUDA would refuse; false: the launch is valid.
static bool describeInvalid(const int64_t *grid, const int64_t *block,
                            int64_t sharedBytes, char *text, size_t size) {
  constexpr int64_t maxGrid[3] = {0x7fffffff, 65535, 65535};
  constexpr int64_t maxBlock[3] = {1024, 1024, 64};
  for (int i = 0; i < 3; ++i) {
    if (grid[i] < 1 || grid[i] > maxGrid[i])
      return snprintf(text, size, "grid extent %c is %lld: 1 to %lld is right",
                      "xyz"[i], static_cast<long long>(grid[i]),
                      static_cast<long long>(maxGrid[i])) > 0;
    if (block[i] < 1 || block[i] > maxBlock[i])
      return snprintf(text, size, "block extent %c is %lld: 1 to %lld is right",
                      "xyz"[i], static_cast<long long>(block[i]),
                      static_cast<long long>(maxBlock[i])) > 0;
  }
  if (block[0] * block[1] * block[2] > maxThreads)
    return snprintf(text, size, "a block of %lld threads: at most 1024",
                    static_cast<long long>(block[0] * block[1] * block[2])) > 0;
  if (sharedBytes < 0 || sharedBytes > maxSharedBytes)
    return snprintf(text, size,
                    "%lld bytes of shared memory: 0 to %lld is right",
                    static_cast<long long>(sharedBytes),
                    static_cast<long long>(maxSharedBytes)) > 0;
  return false;
}

namespace {
/// A launch on its way: blocks are handed out in the order of the seed.
struct Progress {
  Launch launch;
  OurcContext *ctx;
  uint64_t seed;
  uint64_t numBlocks, stride, start;
  uint64_t numRuns;     ///< of these blocks so many are run
  uint64_t next;        ///< the first position that nobody has
  uint64_t firstFailed; ///< the lowest position that has failed
  bool locked;
  char error[1024];

  uint64_t getBlock(uint64_t position) const {
    if (numRuns < numBlocks) // the first, the last, and some between
      return numRuns > 1 ? position * (numBlocks - 1) / (numRuns - 1) : 0;
    return (start + position * stride) % numBlocks;
  }
  void lock() {
    while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE))
      ;
  }
  void unlock() { __atomic_clear(&locked, __ATOMIC_RELEASE); }
};
} // namespace

static uint64_t greatestDivisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// Draws an order: blocks a stride apart, which shares no factor with their
/// number.
static void orderBlocks(Progress &progress) {
  progress.start = 0;
  progress.stride = 1;
  uint64_t n = progress.numBlocks;
  if (!progress.seed || n < 2)
    return;
  uint64_t draw = progress.seed * 0x9e3779b97f4a7c15ull;
  progress.start = (draw >> 8) % n;
  progress.stride = (draw >> 32) % n;
  while (greatestDivisor(progress.stride, n) != 1)
    ++progress.stride;
}

/// Runs blocks until none are left or one has failed. Which one is reported
/// does not depend on the number of threads: the first in order.
static void runBlocks(void *args, int64_t, int64_t) {
  auto &progress = *static_cast<Progress *>(args);
  Machine machine(progress.launch);
  bool allocated = false;
  for (;;) {
    uint64_t position = __atomic_fetch_add(&progress.next, 1, __ATOMIC_RELAXED);
    if (position >= progress.numRuns ||
        position > __atomic_load_n(&progress.firstFailed, __ATOMIC_ACQUIRE))
      break;
    if ((allocated || machine.allocate()) &&
        machine.run(progress.getBlock(position), progress.seed)) {
      allocated = true;
      continue;
    }
    progress.lock();
    if (position < progress.firstFailed) {
      snprintf(progress.error, sizeof(progress.error), "%s",
               machine.getError());
      __atomic_store_n(&progress.firstFailed, position, __ATOMIC_RELEASE);
    }
    progress.unlock();
    break;
  }
  forEachCounter(totals, machine.counters, [](uint64_t &total, uint64_t &add) {
    __atomic_fetch_add(&total, add, __ATOMIC_RELAXED);
  });
}

int32_t ourc_simt_launch(OurcContext *ctx, const char *name,
                         OurcSimtKernelFn kernel, void **args,
                         const int64_t *grid, const int64_t *block,
                         int64_t sharedBytes, const OurcSimtBuffer *buffers,
                         int64_t numBuffers, int32_t granule) {
  // The message outlives the call: a context may keep the pointer.
  static thread_local Progress progress;
  char text[160];
  if (describeInvalid(grid, block, sharedBytes, text, sizeof(text))) {
    snprintf(progress.error, sizeof(progress.error),
             "launch of kernel '%s': %s", name, text);
    ourc_report_error(ctx, progress.error, 0);
    return OURC_ERROR_RUNTIME;
  }
  unsigned shift =
      granule > 1 ? __builtin_ctz(static_cast<unsigned>(granule)) : 0;
  uint32_t checks = currentChecks();
  GlobalShadow global;
  SyncTable syncs;
  bool racing = (checks & OURC_SIMT_CHECK_RACES) && numBuffers;
  if (racing && !global.allocate(buffers, numBuffers, shift)) {
    ourc_report_error(ctx, "no memory to look for data races", 0);
    return OURC_ERROR_RUNTIME;
  }
  progress.launch = {name,
                     kernel,
                     args,
                     grid,
                     block,
                     sharedBytes,
                     buffers,
                     numBuffers,
                     checks,
                     shift,
                     racing ? &global : nullptr,
                     racing ? &syncs : nullptr};
  progress.ctx = ctx;
  progress.seed = currentSeed();
  progress.numBlocks = static_cast<uint64_t>(grid[0] * grid[1] * grid[2]);
  uint64_t limit = __atomic_load_n(&blockLimit, __ATOMIC_RELAXED);
  progress.numRuns =
      limit && limit < progress.numBlocks ? limit : progress.numBlocks;
  __atomic_fetch_add(&totals.gridBlocks, progress.numBlocks, __ATOMIC_RELAXED);
  progress.next = 0;
  progress.firstFailed = UINT64_MAX;
  progress.locked = false;
  orderBlocks(progress);
  __atomic_fetch_add(&totals.launches, 1, __ATOMIC_RELAXED);
  // Blocks that may race with each other run one after the other, so that a
  // seed gives the same report again.
  if (racing)
    runBlocks(&progress, 0, 1);
  else
    ourc_parallel_for(ctx, runBlocks, &progress,
                      static_cast<int64_t>(progress.numRuns), 1);
  if (progress.firstFailed == UINT64_MAX)
    return OURC_OK;
  ourc_report_error(ctx, progress.error, 0);
  return OURC_ERROR_RUNTIME;
}
