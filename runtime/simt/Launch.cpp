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

using namespace ourc::simt;

static uint64_t seedOverride = 0;
static bool hasSeedOverride = false;
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

int32_t ourc_simt_launch(OurcContext *ctx, const char *name,
                         OurcSimtKernelFn kernel, void **args,
                         const int64_t *grid, const int64_t *block,
                         int64_t sharedBytes) {
  char text[160];
  if (describeInvalid(grid, block, sharedBytes, text, sizeof(text))) {
    static thread_local char message[320];
    snprintf(message, sizeof(message), "launch of kernel '%s': %s", name, text);
    ourc_report_error(ctx, message, 0);
    return OURC_ERROR_RUNTIME;
  }
  Machine machine(ctx, name, kernel, args, grid, block, sharedBytes);
  bool ok = machine.allocate() && machine.run(currentSeed());
  machine.counters.launches = 1;
  forEachCounter(totals, machine.counters, [](uint64_t &total, uint64_t &add) {
    __atomic_fetch_add(&total, add, __ATOMIC_RELAXED);
  });
  return ok ? 0 : OURC_ERROR_RUNTIME;
}
