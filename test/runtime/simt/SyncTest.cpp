//===- SyncTest.cpp - mbarrier, atomic operations, fences --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What happens is what the PTX manual says of "mbarrier",
// "barrier{.cta}.arrive" and "Memory Consistency Model"; each order beside the
// kernel that lacks it.
//
//===----------------------------------------------------------------------===//

#include "SimtHarness.h"

namespace {

constexpr int32_t shared = OURC_SIMT_SHARED, global = OURC_SIMT_GLOBAL;
constexpr int32_t acquire = OURC_SIMT_ACQUIRE, release = OURC_SIMT_RELEASE;

char *at(int64_t offset) {
  return static_cast<char *>(ourc_simt_shared()) + offset;
}
void load(const char *site, const void *p, int32_t space = shared) {
  ourc_simt_access(site, p, 4, OURC_SIMT_LOAD, space, 4, -1);
}
void store(const char *site, const void *p, int32_t space = shared) {
  ourc_simt_access(site, p, 4, OURC_SIMT_STORE, space, 4, -1);
}
int32_t addAtomic(int32_t *p, int32_t value, int32_t order,
                  int32_t space = global) {
  ourc_simt_atomic("atom", p, 4, OURC_SIMT_ATOMIC, space, 4, -1, order);
  return __atomic_fetch_add(p, value, __ATOMIC_RELAXED);
}
int32_t loadAtomic(int32_t *p, int32_t order, int32_t space = global) {
  ourc_simt_atomic("ld", p, 4, OURC_SIMT_ATOMIC_LOAD, space, 4, -1, order);
  return __atomic_load_n(p, __ATOMIC_RELAXED);
}
void storeAtomic(int32_t *p, int32_t value, int32_t order,
                 int32_t space = global) {
  ourc_simt_atomic("st", p, 4, OURC_SIMT_ATOMIC_STORE, space, 4, -1, order);
  __atomic_store_n(p, value, __ATOMIC_RELAXED);
}

LaunchSize sized(int64_t threads, int64_t blocks = 1) {
  LaunchSize size;
  size.block = {threads, 1, 1};
  size.grid = {blocks, 1, 1};
  size.sharedBytes = 1024;
  size.checks = OURC_SIMT_CHECK_ALL;
  return size;
}

void everySeed(const std::function<void()> &body) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    ourc_simt_set_seed(seed);
    body();
  }
  ourc_simt_set_seed(0);
}

/// Warp 0 produces, the others consume.
void pipe(bool init, bool arrive, bool wait) {
  int t = ourc_simt_tid(0);
  if (t == 0)
    ourc_simt_mbarrier_init("init", at(0), 32);
  if (init)
    ourc_simt_barrier("b", 0, 0);
  if (t < 32) {
    store("produce", at(64 + 4 * t));
    if (arrive)
      ourc_simt_mbarrier_arrive("arrive", at(0), 1, 0);
    return;
  }
  if (wait)
    ourc_simt_mbarrier_wait("wait", at(0), 0);
  load("consume", at(64 + 4 * (t - 32)));
}

TEST(MBarrier, OrdersProducersAndConsumers) {
  everySeed([] {
    run(sized(64), [] { pipe(true, true, true); });
    LaunchResult result = launch(sized(64), [] { pipe(true, true, false); });
    EXPECT_EQ(result.code, OURC_ERROR_RUNTIME);
    runFails(
        sized(64), [] { pipe(true, false, true); },
        "waits for 32 of 32 arrivals");
    result = launch(sized(64), [] { pipe(false, true, true); });
    EXPECT_EQ(result.code, OURC_ERROR_RUNTIME) << "init is not visible";
  });
}

TEST(MBarrier, PhasesAndStates) {
  run(sized(1), [] {
    ourc_simt_mbarrier_init("init", at(8), 2);
    // The phase is incomplete: its parity is 0, that of the one before 1.
    EXPECT_EQ(ourc_simt_mbarrier_test("t", at(8), 0, 1), 0);
    EXPECT_EQ(ourc_simt_mbarrier_test("t", at(8), 1, 1), 1);
    int64_t first = ourc_simt_mbarrier_arrive("a", at(8), 1, 0);
    EXPECT_EQ(ourc_simt_mbarrier_test("t", at(8), first, 0), 0);
    int64_t same = ourc_simt_mbarrier_arrive("a", at(8), 1, 0);
    EXPECT_EQ(same, first);
    EXPECT_EQ(ourc_simt_mbarrier_test("t", at(8), first, 0), 1);
    EXPECT_EQ(ourc_simt_mbarrier_test("t", at(8), 0, 1), 1);
    // The next phase expects as many arrivals.
    int64_t second = ourc_simt_mbarrier_arrive("a", at(8), 2, 0);
    EXPECT_NE(second, first);
    EXPECT_EQ(ourc_simt_mbarrier_test("t", at(8), second, 0), 1);
    EXPECT_EQ(ourc_simt_mbarrier_test("t", at(8), 1, 1), 1);
  });
}

TEST(MBarrier, Faults) {
  runFails(
      sized(1), [] { ourc_simt_mbarrier_arrive("a", at(8), 1, 0); },
      "there is no mbarrier object at offset 8");
  runFails(
      sized(1), [] { ourc_simt_mbarrier_init("i", at(4), 1); },
      "4 bytes past a multiple of 8");
  runFails(
      sized(1), [] { ourc_simt_mbarrier_init("i", at(0), 0); },
      "an mbarrier of 0 arrivals: 1 to 1048575 is right");
  runFails(
      sized(1),
      [] {
        ourc_simt_mbarrier_init("i", at(0), 1);
        ourc_simt_mbarrier_arrive("a", at(0), 2, 0);
      },
      "2 arrivals at an mbarrier that waits for 1 more");
  runFails(
      sized(1),
      [] {
        ourc_simt_mbarrier_init("i", at(0), 1);
        ourc_simt_mbarrier_inval("v", at(0));
        ourc_simt_mbarrier_arrive("a", at(0), 1, 0);
      },
      "there is no mbarrier object");
}

TEST(MBarrier, TracksAsyncCopies) {
  alignas(16) static uint16_t source[256];
  auto kernel = [](bool tracked) {
    return [=] {
      int t = ourc_simt_tid(0);
      if (t == 0)
        ourc_simt_mbarrier_init("init", at(0), 32);
      ourc_simt_barrier("b", 0, 0);
      ourc_simt_cp_async("copy", at(64 + 16 * t), source + 8 * t, 16, 16, -1);
      if (tracked)
        ourc_simt_cp_async_mbarrier("track", at(0), /*noinc=*/1);
      else
        ourc_simt_mbarrier_arrive("arrive", at(0), 1, 0);
      ourc_simt_mbarrier_wait("wait", at(0), 0);
      load("read", at(64 + 16 * (t ^ 1)));
    };
  };
  everySeed([&] {
    run(sized(32), kernel(true));
    runFails(sized(32), kernel(false), "is still under way");
  });
}

TEST(NamedBarrier, ArrivalsPassOnWhatTheyDid) {
  auto kernel = [](bool backward) {
    return [=] {
      int t = ourc_simt_tid(0);
      if (t < 32) {
        store("produce", at(4 * t));
        ourc_simt_barrier_arrive("arrive", 1, 64);
        if (backward)
          load("back", at(256 + 4 * t));
      } else {
        if (backward)
          store("ahead", at(256 + 4 * (t - 32)));
        ourc_simt_barrier("sync", 1, 64);
        load("consume", at(4 * (t - 32)));
      }
    };
  };
  everySeed([&] {
    run(sized(64), kernel(false));
    // Who arrives does not wait: it learns nothing.
    LaunchResult result = launch(sized(64), kernel(true));
    EXPECT_EQ(result.code, OURC_ERROR_RUNTIME);
  });
}

TEST(Atomics, DoNotRaceWithEachOther) {
  static int32_t sum;
  LaunchSize size = sized(32, 3);
  size.buffers = {{&sum, 4, "argument 0"}};
  everySeed([&] {
    sum = 0;
    run(size, [] { addAtomic(&sum, 1, 0); });
    EXPECT_EQ(sum, 96);
    runFails(
        size,
        [] {
          addAtomic(&sum, 1, 0);
          load("plain", &sum, global);
        },
        "data race");
  });
}

/// Blocks write their part; the last one to count reads all of them.
void lastBlock(int32_t *parts, int32_t *count, bool fenceBefore,
               bool fenceAfter, int32_t order) {
  int32_t b = ourc_simt_ctaid(0);
  store("part", parts + b, global);
  if (fenceBefore)
    ourc_simt_fence(0);
  bool last = addAtomic(count, 1, order) == 3;
  if (fenceAfter)
    ourc_simt_fence(0);
  if (last)
    for (int i = 0; i < 4; ++i)
      load("gather", parts + i, global);
}

TEST(Fences, MakeTheLastBlockSeeAll) {
  static int32_t parts[4], count;
  LaunchSize size = sized(1, 4);
  size.buffers = {{parts, 16, "argument 0"}, {&count, 4, "argument 1"}};
  auto kernel = [](bool before, bool after, int32_t order) {
    return [=] { lastBlock(parts, &count, before, after, order); };
  };
  everySeed([&] {
    count = 0;
    run(size, kernel(true, true, 0));
    count = 0;
    run(size, kernel(false, false, acquire | release));
    count = 0;
    runFails(size, kernel(false, true, 0), "gather");
    count = 0;
    runFails(size, kernel(true, false, 0), "gather");
    // A scope that does not reach other blocks.
    count = 0;
    runFails(size,
             kernel(false, false, acquire | release | OURC_SIMT_SCOPE_BLOCK),
             "gather");
  });
}

TEST(Atomics, FlagsThatThreadsWaitFor) {
  auto kernel = [](int32_t storeOrder, int32_t loadOrder, bool written) {
    return [=] {
      auto *flag = reinterpret_cast<int32_t *>(at(0));
      if (ourc_simt_tid(0) == 0) {
        storeAtomic(flag, 0, 0, shared);
      }
      ourc_simt_barrier("b", 0, 0);
      if (ourc_simt_tid(0) == 33) {
        store("produce", at(64));
        if (written)
          storeAtomic(flag, 1, storeOrder, shared);
      } else if (ourc_simt_tid(0) == 0) {
        while (!loadAtomic(flag, loadOrder, shared))
          ;
        load("consume", at(64));
      }
    };
  };
  everySeed([&] {
    run(sized(64), kernel(release, acquire, true));
    runFails(sized(64), kernel(0, acquire, true), "data race");
    runFails(sized(64), kernel(release, 0, true), "data race");
  });
  runFails(sized(64), kernel(0, 0, false), "nobody writes it");
}

} // namespace
