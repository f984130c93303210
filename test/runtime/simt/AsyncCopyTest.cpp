//===- AsyncCopyTest.cpp - cp.async and its groups ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimtHarness.h"

#include <vector>

namespace {

struct alignas(16) Source {
  uint16_t values[64];
  Source() {
    for (int i = 0; i < 64; ++i)
      values[i] = static_cast<uint16_t>(i + 1);
  }
};

TEST(AsyncCopy, LandsAtItsWaitAndNotBefore) {
  Source source;
  LaunchSize size;
  size.block = {1, 1, 1};
  size.sharedBytes = 64;
  run(size, [&] {
    uint16_t *shared = sharedHalves();
    ourc_simt_cp_async("c", shared, source.values, 16, 16, -1);
    ourc_simt_cp_async_commit();
    ourc_simt_cp_async("c", shared + 8, source.values + 8, 16, 16, -1);
    ourc_simt_cp_async_commit();
    EXPECT_EQ(shared[0], 0xffff);
    ourc_simt_cp_async_wait(1);
    EXPECT_EQ(shared[0], 1);
    EXPECT_EQ(shared[8], 0xffff);
    ourc_simt_cp_async_wait(0);
    EXPECT_EQ(shared[8], 9);
  });
}

TEST(AsyncCopy, WithoutCommitItNeverLands) {
  Source source;
  LaunchSize size;
  size.block = {1, 1, 1};
  size.sharedBytes = 64;
  run(size, [&] {
    ourc_simt_cp_async("c", sharedHalves(), source.values, 16, 16, -1);
    ourc_simt_cp_async_wait(0);
    EXPECT_EQ(sharedHalves()[0], 0xffff);
  });
}

TEST(AsyncCopy, EmptyGroupsCount) {
  Source source;
  LaunchSize size;
  size.block = {1, 1, 1};
  size.sharedBytes = 64;
  run(size, [&] {
    ourc_simt_cp_async("c", sharedHalves(), source.values, 16, 16, -1);
    ourc_simt_cp_async_commit();
    ourc_simt_cp_async_commit();
    ourc_simt_cp_async_wait(1);
    EXPECT_EQ(sharedHalves()[0], 1);
  });
}

TEST(AsyncCopy, TheRestIsZero) {
  Source source;
  LaunchSize size;
  size.block = {1, 1, 1};
  size.sharedBytes = 64;
  run(size, [&] {
    uint16_t *shared = sharedHalves();
    ourc_simt_cp_async("c", shared, source.values, 16, 6, -1);
    ourc_simt_cp_async("c", shared + 8, nullptr, 8, 0, -1);
    ourc_simt_cp_async("c", shared + 12, source.values + 2, 4, 2, -1);
    ourc_simt_cp_async_commit();
    ourc_simt_cp_async_wait(0);
    uint16_t expected[] = {1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0xffff};
    for (int i = 0; i < 15; ++i)
      EXPECT_EQ(shared[i], expected[i]) << i;
  });
}

TEST(AsyncCopy, SomeSeedsLandAtIssue) {
  Source source;
  LaunchSize size;
  size.block = {1, 1, 1};
  size.sharedBytes = 64;
  int early = 0, late = 0;
  for (uint64_t seed = 1; seed < 32; ++seed) {
    ourc_simt_set_seed(seed);
    run(size, [&] {
      ourc_simt_cp_async("c", sharedHalves(), source.values, 16, 16, -1);
      ourc_simt_cp_async_commit();
      ++(sharedHalves()[0] == 1 ? early : late);
      ourc_simt_cp_async_wait(0);
      EXPECT_EQ(sharedHalves()[0], 1);
    });
  }
  ourc_simt_set_seed(0);
  EXPECT_GT(early, 5);
  EXPECT_GT(late, 5);
}

TEST(AsyncCopyFault, SizesAndPlaces) {
  Source source;
  LaunchSize size;
  size.sharedBytes = 64;
  runFails(
      size,
      [&] {
        ourc_simt_cp_async("c", sharedHalves(), source.values, 12, 12, -1);
      },
      "4, 8 and 16 exist");
  runFails(
      size,
      [&] { ourc_simt_cp_async("c", sharedHalves(), source.values, 4, 8, -1); },
      "reads 8 of 4 bytes");
  runFails(
      size,
      [&] {
        ourc_simt_cp_async("c", sharedHalves() + 28, source.values, 16, 0, -1);
      },
      "16 bytes at offset 56 of 64");
  runFails(
      size,
      [&] {
        ourc_simt_cp_async("c", sharedHalves(), source.values + 1, 16, 16, -1);
      },
      "not aligned");
}

} // namespace
