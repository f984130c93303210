//===- ShuffleTest.cpp - shfl.sync and vote.sync -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected values follow the pseudocode of the PTX manual's "shfl.sync":
// segment width w is encoded as ((32 - w) << 8) | clamp, clamp = 31 for down,
// bfly and idx, 0 for up.
//
//===----------------------------------------------------------------------===//

#include "SimtHarness.h"

namespace {

struct Case {
  int32_t kind, offset, width;
};

/// Where a lane reads from, or -1 when the source is out of its segment.
int source(const Case &c, int lane) {
  int base = lane / c.width * c.width, in = lane % c.width;
  switch (c.kind) {
  case OURC_SIMT_SHFL_UP:
    return in - c.offset >= 0 ? lane - c.offset : -1;
  case OURC_SIMT_SHFL_DOWN:
    return in + c.offset < c.width ? lane + c.offset : -1;
  case OURC_SIMT_SHFL_BFLY:
    return (in ^ c.offset) < c.width ? (lane ^ c.offset) : -1;
  default:
    return base + c.offset % c.width;
  }
}

class Shuffle : public testing::TestWithParam<Case> {};

TEST_P(Shuffle, ReadsTheLaneThatTheManualSays) {
  Case c = GetParam();
  for (uint64_t seed = 0; seed < 4; ++seed) {
    ourc_simt_set_seed(seed);
    run({}, [&] {
      int lane = ourc_simt_laneid(), valid;
      int clamp = c.kind == OURC_SIMT_SHFL_UP ? 0 : 31;
      int value = ourc_simt_shfl("s", c.kind, allLanes, 100 + lane, c.offset,
                                 (32 - c.width) << 8 | clamp, &valid);
      int from = source(c, lane);
      EXPECT_EQ(valid, from >= 0) << "lane " << lane;
      EXPECT_EQ(value, 100 + (from >= 0 ? from : lane)) << "lane " << lane;
    });
  }
  ourc_simt_set_seed(0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Shuffle,
                         testing::Values(Case{OURC_SIMT_SHFL_UP, 1, 32},
                                         Case{OURC_SIMT_SHFL_UP, 5, 16},
                                         Case{OURC_SIMT_SHFL_DOWN, 16, 32},
                                         Case{OURC_SIMT_SHFL_DOWN, 3, 8},
                                         Case{OURC_SIMT_SHFL_BFLY, 16, 32},
                                         Case{OURC_SIMT_SHFL_BFLY, 1, 4},
                                         Case{OURC_SIMT_SHFL_IDX, 7, 32},
                                         Case{OURC_SIMT_SHFL_IDX, 3, 8}));

TEST(ShuffleMask, OnlyTheNamedLanesMeet) {
  // The rest never executes it: waiting for them would deadlock.
  run({}, [] {
    int lane = ourc_simt_laneid();
    if (lane < 8) {
      EXPECT_EQ(
          ourc_simt_shfl("s", OURC_SIMT_SHFL_BFLY, 0xff, lane, 4, 31, nullptr),
          lane ^ 4);
    }
  });
}

TEST(ShuffleMask, TwoGroupsAtOnce) {
  run({}, [] {
    int lane = ourc_simt_laneid();
    int mask = lane % 2 ? 0xaaaaaaaa : 0x55555555;
    EXPECT_EQ(
        ourc_simt_shfl("s", OURC_SIMT_SHFL_BFLY, mask, lane, 2, 31, nullptr),
        lane ^ 2);
  });
}

TEST(ShuffleMask, LanesThatDisagree) {
  runFails(
      {},
      [] {
        int lane = ourc_simt_laneid();
        ourc_simt_shfl("s", lane ? OURC_SIMT_SHFL_UP : OURC_SIMT_SHFL_DOWN,
                       allLanes, lane, 1, lane ? 0 : 31, nullptr);
      },
      "lane 0 of its mask waits at s");
}

TEST(Vote, AllKinds) {
  run({}, [] {
    int lane = ourc_simt_laneid();
    auto vote = [&](int kind, bool p) {
      return ourc_simt_vote("v", kind, allLanes, p);
    };
    EXPECT_EQ(vote(OURC_SIMT_VOTE_BALLOT, lane % 3 == 0), 0x49249249);
    EXPECT_EQ(vote(OURC_SIMT_VOTE_ANY, lane == 9), 1);
    EXPECT_EQ(vote(OURC_SIMT_VOTE_ANY, false), 0);
    EXPECT_EQ(vote(OURC_SIMT_VOTE_ALL, lane != 9), 0);
    EXPECT_EQ(vote(OURC_SIMT_VOTE_ALL, true), 1);
    EXPECT_EQ(vote(OURC_SIMT_VOTE_UNI, lane != 9), 0);
    EXPECT_EQ(vote(OURC_SIMT_VOTE_UNI, false), 1);
  });
}

} // namespace
