//===- BarrierTest.cpp - Barriers of a block and of a warp -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimtHarness.h"

#include <vector>

namespace {

class Barrier : public testing::TestWithParam<uint64_t> {
protected:
  void SetUp() override { ourc_simt_set_seed(GetParam()); }
  void TearDown() override { ourc_simt_set_seed(0); }
};

/// Every thread reads its neighbour's value of the round before.
void neighbours(bool first, bool second, bool &wrong) {
  auto *values = static_cast<int32_t *>(ourc_simt_shared());
  int self = ourc_simt_tid(0), next = (self + 37) % 128;
  for (int round = 0; round < 5; ++round) {
    values[self] = 1000 * round + self;
    if (first)
      ourc_simt_barrier("write", 0, 0);
    if (values[next] != 1000 * round + next)
      wrong = true;
    if (second)
      ourc_simt_barrier("read", 0, 0);
  }
}

TEST_P(Barrier, OrdersTheBlock) {
  LaunchSize size;
  size.block = {128, 1, 1};
  size.sharedBytes = 512;
  bool wrong = false;
  run(size, [&] { neighbours(true, true, wrong); });
  EXPECT_FALSE(wrong);
}

TEST_P(Barrier, NamedBarrierOfSomeWarps) {
  LaunchSize size;
  size.block = {128, 1, 1};
  int arrived[2] = {0, 0};
  run(size, [&] {
    int half = ourc_simt_tid(0) / 64;
    ++arrived[half];
    ourc_simt_barrier("half", 1 + half, 64);
    EXPECT_EQ(arrived[half], 64);
  });
}

INSTANTIATE_TEST_SUITE_P(Seeds, Barrier, testing::Range<uint64_t>(0, 8));

TEST(BarrierFault, EachMissingBarrierIsSeenBySomeSeed) {
  LaunchSize size;
  size.block = {128, 1, 1};
  size.sharedBytes = 512;
  bool wrongWithoutFirst = false, wrongWithoutSecond = false;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    ourc_simt_set_seed(seed);
    run(size, [&] { neighbours(false, true, wrongWithoutFirst); });
    run(size, [&] { neighbours(true, false, wrongWithoutSecond); });
  }
  ourc_simt_set_seed(0);
  EXPECT_TRUE(wrongWithoutFirst);
  EXPECT_TRUE(wrongWithoutSecond);
}

TEST(BarrierFault, DivergentInAWarp) {
  runFails(
      {},
      [] {
        if (ourc_simt_tid(0) < 16)
          ourc_simt_barrier("then", 0, 0);
        else
          ourc_simt_barrier("else", 0, 0);
      },
      "else: thread 16: divergent barrier: thread 0 of the same warp "
      "waits at then");
}

TEST(BarrierFault, ThreadsExitWithoutIt) {
  LaunchSize size;
  size.block = {64, 1, 1};
  runFails(
      size,
      [] {
        if (ourc_simt_tid(0) < 32)
          ourc_simt_barrier("b", 0, 0);
      },
      "deadlock: thread 0 waits at barrier 0, where 32 of 64 threads have "
      "arrived; 32 threads have exited");
}

TEST(BarrierFault, CountsThatDisagree) {
  LaunchSize size;
  size.block = {128, 1, 1};
  runFails(
      size, [] { ourc_simt_barrier("b", 1, ourc_simt_tid(0) < 32 ? 64 : 96); },
      "barrier 1 expects 96 threads here and 64 elsewhere");
  runFails(
      size, [] { ourc_simt_barrier("b", 1, 40); },
      "not a multiple of the warp size");
  runFails(
      size, [] { ourc_simt_barrier("b", 16, 0); }, "barrier 16 does not exist");
}

TEST(SyncWarp, OrdersTheLanesOfItsMask) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    ourc_simt_set_seed(seed);
    int arrived[2] = {0, 0};
    run({}, [&] {
      int half = ourc_simt_laneid() / 16;
      ++arrived[half];
      ourc_simt_syncwarp("s", half ? 0xffff0000 : 0xffff);
      EXPECT_EQ(arrived[half], 16);
    });
  }
  ourc_simt_set_seed(0);
}

TEST(SyncWarp, Faults) {
  runFails(
      {}, [] { ourc_simt_syncwarp("s", 0xfffe); },
      "lane 0 executes it, but its mask is 0x0000fffe");
  runFails(
      {},
      [] {
        if (ourc_simt_laneid() > 0)
          ourc_simt_syncwarp("s", allLanes);
      },
      "names lane 0, which has exited");
  runFails(
      {},
      [] {
        if (ourc_simt_laneid() == 0)
          ourc_simt_barrier("b", 0, 0);
        else
          ourc_simt_syncwarp("s", allLanes);
      },
      "lane 0 of its mask waits at b");
  LaunchSize partial;
  partial.block = {20, 1, 1};
  runFails(
      partial, [] { ourc_simt_syncwarp("s", allLanes); },
      "names lane 20, which has exited or does not exist");
}

} // namespace
