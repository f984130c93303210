//===- CheckTest.cpp - What the machine finds fault with ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each fault beside the nearest kernel without it: what a checker must not say
// is as much of its contract as what it must.
//
//===----------------------------------------------------------------------===//

#include "SimtHarness.h"

#include <algorithm>

namespace {

constexpr int32_t shared = OURC_SIMT_SHARED, global = OURC_SIMT_GLOBAL;

float *sharedFloats() { return static_cast<float *>(ourc_simt_shared()); }

void load(const char *site, const void *address, int32_t space,
          int64_t bytes = 4, int32_t root = -1) {
  ourc_simt_access(site, address, bytes, OURC_SIMT_LOAD, space,
                   static_cast<int32_t>(bytes), root);
}
void store(const char *site, const void *address, int32_t space,
           int64_t bytes = 4, int32_t root = -1) {
  ourc_simt_access(site, address, bytes, OURC_SIMT_STORE, space,
                   static_cast<int32_t>(bytes), root);
}

LaunchSize sized(int64_t threads, int64_t sharedBytes) {
  LaunchSize size;
  size.block = {threads, 1, 1};
  size.sharedBytes = sharedBytes;
  size.checks = OURC_SIMT_CHECK_ALL;
  return size;
}

/// Runs with several seeds: what is found must not depend on luck.
void everySeed(const std::function<void()> &body) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    ourc_simt_set_seed(seed);
    body();
  }
  ourc_simt_set_seed(0);
}

/// Each thread writes its place and reads its neighbour's.
void exchange(const std::function<void()> &between) {
  int t = ourc_simt_tid(0);
  store("write", sharedFloats() + t, shared);
  between();
  load("read", sharedFloats() + (t ^ 1), shared);
}

TEST(Races, BarrierOrders) {
  everySeed([] {
    run(sized(64, 256), [] { exchange([] { ourc_simt_barrier("b", 0, 0); }); });
    run(sized(64, 256), [] { exchange([] { ourc_simt_syncwarp("s", -1); }); });
  });
}

TEST(Races, NoBarrier) {
  everySeed([] {
    LaunchResult result = launch(sized(64, 256), [] { exchange([] {}); });
    EXPECT_EQ(result.code, OURC_ERROR_RUNTIME);
    // Whichever of a pair comes second sees the other's access.
    bool written = result.message.find("which thread ") != std::string::npos;
    bool nobody =
        result.message.find("nobody has written") != std::string::npos;
    EXPECT_TRUE(written || nobody) << result.message;
  });
}

TEST(Races, ShufflesAndVotesDoNotOrderMemory) {
  everySeed([] {
    runFails(
        sized(32, 128),
        [] {
          exchange([] {
            ourc_simt_shfl("s", OURC_SIMT_SHFL_BFLY, allLanes, 0, 1, 31,
                           nullptr);
            ourc_simt_vote("v", OURC_SIMT_VOTE_ANY, allLanes, 1);
          });
        },
        "data race: reads shared memory at offset");
  });
}

TEST(Races, WarpBarrierDoesNotOrderOtherWarps) {
  everySeed([] {
    LaunchResult result = launch(sized(64, 256), [] {
      int t = ourc_simt_tid(0);
      store("write", sharedFloats() + t, shared);
      ourc_simt_syncwarp("s", allLanes);
      load("read", sharedFloats() + (t + 32) % 64, shared);
    });
    EXPECT_EQ(result.code, OURC_ERROR_RUNTIME);
  });
}

TEST(Races, WriteAfterReadNamesBothPlaces) {
  everySeed([] {
    LaunchResult result = launch(sized(64, 256), [] {
      int t = ourc_simt_tid(0);
      store("first", sharedFloats() + t, shared);
      ourc_simt_barrier("b", 0, 0);
      load("reader", sharedFloats() + (t + 1) % 64, shared);
      store("writer", sharedFloats() + t, shared);
    });
    EXPECT_EQ(result.code, OURC_ERROR_RUNTIME);
    EXPECT_NE(result.message.find("reader"), std::string::npos)
        << result.message;
    EXPECT_NE(result.message.find("writer"), std::string::npos)
        << result.message;
  });
}

TEST(Races, OneOfManyReadersIsEnough) {
  everySeed([] {
    runFails(
        sized(96, 256),
        [] {
          int t = ourc_simt_tid(0);
          if (t == 0)
            store("first", sharedFloats(), shared);
          ourc_simt_barrier("b", 0, 0);
          load("reader", sharedFloats(), shared);
          // Orders the writer with its own warp's readers alone.
          ourc_simt_syncwarp("s", allLanes);
          if (t == 5)
            store("writer", sharedFloats(), shared);
        },
        "thread");
  });
}

TEST(Races, NamedBarrierOrdersItsThreadsAlone) {
  auto kernel = [](bool all) {
    return [all] {
      int t = ourc_simt_tid(0);
      store("write", sharedFloats() + t, shared);
      if (t < 64)
        ourc_simt_barrier("b", 1, 64);
      if (t < 64)
        load("read", sharedFloats() + ((t + 32) % 64), shared);
      if (all && t < 32)
        load("far", sharedFloats() + 64 + t, shared);
    };
  };
  everySeed([&] {
    run(sized(96, 384), kernel(false));
    runFails(sized(96, 384), kernel(true), "far");
  });
}

TEST(Races, TwoHalvesOfAWord) {
  everySeed([] {
    // Different bytes of one word are different places.
    run(sized(64, 128),
        [] { store("half", sharedHalves() + ourc_simt_tid(0), shared, 2); });
  });
}

TEST(Uninitialised, ReadBeforeWrite) {
  everySeed([] {
    runFails(
        sized(32, 256),
        [] {
          int t = ourc_simt_tid(0);
          store("write", sharedFloats() + t, shared);
          ourc_simt_barrier("b", 0, 0);
          load("read", sharedFloats() + t + 1, shared);
        },
        "read: thread 31: reads shared memory at offset 128, which nobody has "
        "written");
  });
}

TEST(Alignment, EverySpace) {
  alignas(16) static char buffer[64];
  run(sized(1, 64), [] { store("s", sharedFloats() + 1, shared, 4); });
  runFails(
      sized(1, 64), [] { store("s", sharedFloats() + 1, shared, 8); },
      "s: thread 0: the address is 4 bytes past a multiple of 8");
  runFails(
      sized(1, 64), [] { load("l", buffer + 2, global, 4); },
      "l: thread 0: the address is 2 bytes past a multiple of 4");
  runFails(
      sized(1, 64),
      [] {
        alignas(16) char local[32];
        ourc_simt_check_local("v", local + 1, 4, 4, local, 32);
      },
      "v: thread 0: the address is 1 bytes past a multiple of 4");
}

TEST(Bounds, LocalVariable) {
  run(sized(1, 0), [] {
    alignas(16) char local[32];
    ourc_simt_check_local("v", local + 28, 4, 4, local, 32);
  });
  runFails(
      sized(1, 0),
      [] {
        alignas(16) char local[32];
        ourc_simt_check_local("v", local + 32, 4, 4, local, 32);
      },
      "4 bytes at offset 32 of a local variable of 32 bytes");
}

TEST(Bounds, GlobalBuffers) {
  // Neighbours in memory: the root tells which one is meant.
  alignas(16) static float both[16];
  LaunchSize size = sized(1, 0);
  size.buffers = {{both, 32, "argument 0"},
                  {nullptr, -1, "argument 1"},
                  {both + 8, 32, "argument 2"}};
  run(size, [] { load("l", both + 7, global, 4, 0); });
  run(size, [] { load("l", both + 8, global, 4, 2); });
  run(size, [] { load("l", both + 8, global, 4, -1); });
  runFails(
      size, [] { load("l", both + 8, global, 4, 0); },
      "l: thread 0: reads 4 bytes at offset 32 of the 32 bytes of argument 0, "
      "which is out of bounds");
  runFails(
      size, [] { store("s", both + 7, global, 4, 2); },
      "writes 4 bytes at offset -4 of the 32 bytes of argument 2");
  runFails(
      size, [] { load("l", both + 16, global, 4, -1); },
      "bytes of global memory at");
  // Nothing is known of where an argument of unknown extent ends.
  size.buffers[2].bytes = -1;
  run(size, [] { load("l", both + 16, global, 4, -1); });
  size.checks = OURC_SIMT_CHECK_RACES;
  run(size, [] { load("l", both + 8, global, 4, 0); });
}

TEST(GlobalRaces, BetweenAndWithinBlocks) {
  static float data[64];
  LaunchSize size = sized(32, 0);
  size.grid = {2, 1, 1};
  size.buffers = {{data, sizeof(data), "argument 0"}};
  everySeed([&] {
    run(size, [] {
      int i = 32 * ourc_simt_ctaid(0) + ourc_simt_tid(0);
      load("l", data + i, global);
      store("s", data + i, global);
    });
    // A barrier of a block orders its threads in global memory too.
    run(size, [] {
      int i = 32 * ourc_simt_ctaid(0) + ourc_simt_tid(0);
      store("s", data + i, global);
      ourc_simt_barrier("b", 0, 0);
      load("l", data + (i ^ 1), global);
    });
    // Everybody may read.
    run(size, [] {
      for (float &x : data)
        load("l", &x, global);
    });
    runFails(
        size,
        [] {
          int i = ourc_simt_tid(0);
          store("s", data + i, global);
        },
        "of block (");
    runFails(
        size,
        [] {
          int i = 32 * ourc_simt_ctaid(0) + ourc_simt_tid(0);
          store("s", data + i, global);
          load("l", data + (i ^ 1), global);
        },
        "data race");
  });
}

TEST(AsyncCopies, MissingWaits) {
  alignas(16) static uint16_t source[256];
  auto kernel = [](bool commit, bool wait, bool meet) {
    return [=] {
      int t = ourc_simt_tid(0);
      ourc_simt_cp_async("copy", sharedHalves() + 8 * t, source + 8 * t, 16, 16,
                         -1);
      if (commit)
        ourc_simt_cp_async_commit();
      if (wait)
        ourc_simt_cp_async_wait(0);
      if (meet)
        ourc_simt_barrier("b", 0, 0);
      load("read", sharedHalves() + 8 * (t ^ 1), shared, 16);
    };
  };
  everySeed([&] {
    run(sized(32, 512), kernel(true, true, true));
    runFails(sized(32, 512), kernel(false, true, true),
             "asynchronous copy that thread");
    runFails(sized(32, 512), kernel(true, false, true),
             "is still under way: no wait has completed it");
    LaunchResult result = launch(sized(32, 512), kernel(true, true, false));
    EXPECT_EQ(result.code, OURC_ERROR_RUNTIME);
  });
}

TEST(AsyncCopies, WaitsForOlderGroupsAlone) {
  alignas(16) static uint16_t source[256];
  auto kernel = [](int pending) {
    return [=] {
      for (int i = 0; i < 2; ++i) {
        ourc_simt_cp_async("copy", sharedHalves() + 8 * i, source, 16, 16, -1);
        ourc_simt_cp_async_commit();
      }
      ourc_simt_cp_async_wait(pending);
      load("old", sharedHalves(), shared, 16);
    };
  };
  everySeed([&] {
    run(sized(1, 64), kernel(1));
    runFails(sized(1, 64), kernel(2), "old: thread 0: touches shared memory");
  });
}

TEST(AsyncCopies, OverwriteWhatOthersRead) {
  alignas(16) static uint16_t source[8];
  everySeed([] {
    runFails(
        sized(64, 64),
        [] {
          int t = ourc_simt_tid(0);
          if (t == 0)
            store("first", sharedHalves(), shared, 16);
          ourc_simt_barrier("b", 0, 0);
          if (t != 0)
            load("reader", sharedHalves(), shared, 16);
          else
            ourc_simt_cp_async("copy", sharedHalves(), source, 16, 16, -1);
        },
        "thread");
  });
}

TEST(Checks, CanBeSwitchedOff) {
  LaunchSize size = sized(32, 256);
  size.checks = 0;
  run(size, [] { exchange([] {}); });
  run(size, [] { load("l", sharedFloats() + 1, shared, 8); });
  size.checks = OURC_SIMT_CHECK_UNINITIALISED;
  runFails(size, [] { load("l", sharedFloats() + 1, shared, 4); }, "nobody");
  size.checks = OURC_SIMT_CHECK_RACES;
  run(size, [] { load("l", sharedFloats() + 1, shared, 4); });
}

TEST(Seeds, GiveTheSameReportAgain) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::string first;
    for (int repeat = 0; repeat < 2; ++repeat) {
      ourc_simt_set_seed(seed);
      LaunchSize size = sized(96, 512);
      size.grid = {7, 1, 1};
      LaunchResult result = launch(size, [] {
        exchange([] {
          if (ourc_simt_ctaid(0) < 3)
            ourc_simt_barrier("b", 0, 0);
        });
      });
      EXPECT_EQ(result.code, OURC_ERROR_RUNTIME);
      if (repeat)
        EXPECT_EQ(result.message, first);
      first = result.message;
    }
  }
  ourc_simt_set_seed(0);
}

} // namespace
