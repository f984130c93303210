//===- LaunchTest.cpp - Launches, registers, schedules, errors ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimtHarness.h"

#include <cmath>
#include <cstring>
#include <vector>

namespace {

TEST(Launch, EveryThreadOfEveryBlockRunsOnce) {
  std::vector<int> hits(3 * 2 * 2 * 48, 0);
  LaunchSize size;
  size.grid = {3, 2, 2};
  size.block = {4, 6, 2};
  for (uint64_t seed : {0, 1, 2, 3, 4, 5, 6}) {
    ourc_simt_set_seed(seed);
    std::fill(hits.begin(), hits.end(), 0);
    run(size, [&] {
      int b = ourc_simt_ctaid(0) +
              3 * (ourc_simt_ctaid(1) + 2 * ourc_simt_ctaid(2));
      int t = ourc_simt_tid(0) + 4 * (ourc_simt_tid(1) + 6 * ourc_simt_tid(2));
      EXPECT_EQ(ourc_simt_laneid(), t % 32);
      EXPECT_EQ(ourc_simt_warpid(), t / 32);
      EXPECT_EQ(ourc_simt_ntid(1), 6);
      EXPECT_EQ(ourc_simt_nctaid(2), 2);
      ++hits[b * 48 + t];
    });
    for (int h : hits)
      EXPECT_EQ(h, 1);
  }
  ourc_simt_set_seed(0);
}

TEST(Launch, RefusesWhatCudaRefuses) {
  auto nothing = [] {};
  LaunchSize size;
  size.grid = {0, 1, 1};
  runFails(size, nothing, "grid extent x is 0");
  size.grid = {1, 65536, 1};
  runFails(size, nothing, "grid extent y is 65536");
  size.grid = {1, 1, 1};
  size.block = {32, 33, 1};
  runFails(size, nothing, "a block of 1056 threads");
  size.block = {1, 1, 65};
  runFails(size, nothing, "block extent z is 65");
  size.block = {32, 1, 1};
  size.sharedBytes = 228 * 1024;
  runFails(size, nothing, "bytes of shared memory");
}

TEST(Launch, SharedMemoryStartsPoisonedInEveryBlock) {
  LaunchSize size;
  size.grid = {2, 1, 1};
  size.sharedBytes = 128;
  run(size, [] {
    auto *values = static_cast<float *>(ourc_simt_shared());
    EXPECT_TRUE(std::isnan(values[ourc_simt_laneid()]));
    values[ourc_simt_laneid()] = 0;
  });
}

TEST(Launch, SharedAccessOutOfBounds) {
  LaunchSize size;
  size.sharedBytes = 100;
  runFails(
      size,
      [] {
        ourc_simt_access("store", static_cast<char *>(ourc_simt_shared()) + 98,
                         4, OURC_SIMT_STORE, OURC_SIMT_SHARED, 2, -1);
      },
      "store: thread 0: 4 bytes at offset 98 of 100");
  run(size, [] {
    if (ourc_simt_tid(0) == 0)
      ourc_simt_access("store", static_cast<char *>(ourc_simt_shared()) + 96, 4,
                       OURC_SIMT_STORE, OURC_SIMT_SHARED, 4, -1);
  });
}

TEST(Launch, SeedsChangeTheOrder) {
  std::vector<std::vector<int>> orders;
  LaunchSize size;
  size.block = {64, 1, 1};
  for (uint64_t seed = 0; seed < 8; ++seed) {
    ourc_simt_set_seed(seed);
    orders.emplace_back();
    run(size, [&] { orders.back().push_back(ourc_simt_tid(0)); });
    orders.emplace_back();
    run(size, [&] { orders.back().push_back(ourc_simt_tid(0)); });
    EXPECT_EQ(orders[2 * seed], orders[2 * seed + 1]) << "seed " << seed;
  }
  ourc_simt_set_seed(0);
  unsigned distinct = 0;
  for (size_t i = 2; i < orders.size(); i += 2)
    distinct += orders[i] != orders[0];
  EXPECT_EQ(distinct, 7u);
}

TEST(Launch, CountersGrow) {
  OurcSimtCounters before, after;
  ourc_simt_get_counters(&before);
  LaunchSize size;
  size.grid = {5, 1, 1};
  run(size, [] { ourc_simt_barrier("b", 0, 0); });
  ourc_simt_get_counters(&after);
  EXPECT_EQ(after.launches - before.launches, 1u);
  EXPECT_EQ(after.blocks - before.blocks, 5u);
  EXPECT_EQ(after.barriers - before.barriers, 5u);
}

} // namespace
