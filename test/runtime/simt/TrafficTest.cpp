//===- TrafficTest.cpp - Sectors and bank conflicts --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimtHarness.h"

namespace {

struct Counts {
  uint64_t sectors, ideal, phases, replays;
};

/// What one warp's access at base + stride * lane counts.
Counts count(int64_t stride, int64_t bytes, bool shared, int64_t offset = 0) {
  alignas(64) static char data[8192];
  LaunchSize size;
  size.sharedBytes = 8192;
  size.checks = OURC_SIMT_COUNT_TRAFFIC;
  OurcSimtCounters before, after;
  ourc_simt_get_counters(&before);
  run(size, [=] {
    char *base = shared ? static_cast<char *>(ourc_simt_shared()) : data;
    ourc_simt_access("l", base + offset + stride * ourc_simt_laneid(), bytes,
                     OURC_SIMT_LOAD,
                     shared ? OURC_SIMT_SHARED : OURC_SIMT_GLOBAL,
                     static_cast<int32_t>(bytes), -1);
  });
  ourc_simt_get_counters(&after);
  return {after.globalSectors - before.globalSectors,
          after.idealSectors - before.idealSectors,
          after.sharedPhases - before.sharedPhases,
          after.sharedReplays - before.sharedReplays};
}

TEST(Traffic, SectorsOfGlobalMemory) {
  auto expect = [](Counts got, uint64_t sectors, uint64_t ideal) {
    EXPECT_EQ(got.sectors, sectors);
    EXPECT_EQ(got.ideal, ideal);
  };
  expect(count(4, 4, false), 4, 4);      // one after the other
  expect(count(16, 16, false), 16, 16);  // 128 bits a lane
  expect(count(2, 2, false), 2, 2);      // halves
  expect(count(0, 4, false), 1, 1);      // all the same
  expect(count(4, 4, false, 16), 5, 4);  // half a sector off
  expect(count(32, 4, false), 32, 4);    // a sector each
  expect(count(8, 4, false), 8, 4);      // every other word
  expect(count(128, 16, false), 32, 16); // rows
}

TEST(Traffic, BanksOfSharedMemory) {
  auto expect = [](Counts got, uint64_t phases, uint64_t replays) {
    EXPECT_EQ(got.phases, phases);
    EXPECT_EQ(got.replays, replays);
  };
  expect(count(4, 4, true), 1, 0);     // a bank each
  expect(count(0, 4, true), 1, 0);     // a broadcast
  expect(count(8, 4, true), 1, 1);     // two words a bank
  expect(count(128, 4, true), 1, 31);  // one bank
  expect(count(132, 4, true), 1, 0);   // padded rows
  expect(count(8, 8, true), 2, 0);     // half a warp a cycle
  expect(count(16, 16, true), 4, 0);   // a quarter a cycle
  expect(count(128, 16, true), 4, 28); // eight rows in the same banks
}

TEST(Traffic, BlockLimit) {
  LaunchSize size;
  size.grid = {100, 1, 1};
  std::vector<int> ran;
  ourc_simt_set_block_limit(3);
  OurcSimtCounters before, after;
  ourc_simt_get_counters(&before);
  run(size, [&] {
    if (ourc_simt_laneid() == 0)
      ran.push_back(ourc_simt_ctaid(0));
  });
  ourc_simt_get_counters(&after);
  ourc_simt_set_block_limit(0);
  EXPECT_EQ(ran, (std::vector<int>{0, 49, 99}));
  EXPECT_EQ(after.gridBlocks - before.gridBlocks, 100u);
  EXPECT_EQ(after.blocks - before.blocks, 3u);
}

} // namespace
