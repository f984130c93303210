//===- MemoryPlanTest.cpp - Tests of the arena planner --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/MemoryPlan.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ourc::runtime;

namespace {

struct Case {
  std::vector<OurcBufferDesc> lifetimes;
  std::vector<int64_t> bytes;
  void add(int32_t first, int32_t last, int64_t size) {
    lifetimes.push_back({first, last});
    bytes.push_back(size);
  }
};

struct Outcome {
  PlanStatus status;
  MemoryPlan plan;
  std::vector<int64_t> offsets;
};

Outcome plan(const Case &input, PlanEffort effort = PlanEffort::quick) {
  Outcome outcome = {};
  outcome.offsets.assign(input.bytes.size(), -1);
  outcome.status = planMemory(input.lifetimes.data(), input.bytes.data(),
                              static_cast<int64_t>(input.bytes.size()), effort,
                              outcome.offsets.data(), outcome.plan);
  return outcome;
}

/// Peak liveness, the slow way.
int64_t peak(const Case &input) {
  int64_t largest = 0;
  for (const OurcBufferDesc &at : input.lifetimes) {
    int64_t alive = 0;
    for (size_t i = 0; i < input.bytes.size(); ++i)
      if (input.lifetimes[i].firstUse <= at.firstUse &&
          at.firstUse <= input.lifetimes[i].lastUse)
        alive += input.bytes[i];
    largest = std::max(largest, alive);
  }
  return largest;
}

/// Everything that must hold for any plan.
void check(const Case &input, const Outcome &outcome) {
  ASSERT_EQ(outcome.status, PlanStatus::ok);
  int64_t end = 0, sum = 0;
  for (size_t i = 0; i < input.bytes.size(); ++i) {
    EXPECT_GE(outcome.offsets[i], 0);
    EXPECT_EQ(outcome.offsets[i] % arenaAlignment, 0);
    end = std::max(end, outcome.offsets[i] + input.bytes[i]);
    sum += input.bytes[i];
    for (size_t j = 0; j < i; ++j) {
      bool together =
          input.lifetimes[i].firstUse <= input.lifetimes[j].lastUse &&
          input.lifetimes[j].firstUse <= input.lifetimes[i].lastUse;
      bool overlap = outcome.offsets[i] < outcome.offsets[j] + input.bytes[j] &&
                     outcome.offsets[j] < outcome.offsets[i] + input.bytes[i];
      ASSERT_FALSE(together && overlap) << "buffers " << i << " and " << j;
    }
  }
  EXPECT_GE(outcome.plan.arenaBytes, end);
  EXPECT_EQ(outcome.plan.arenaBytes % arenaAlignment, 0);
  EXPECT_EQ(outcome.plan.sumOfBuffers, sum);
  EXPECT_EQ(outcome.plan.lowerBound, peak(input));
  EXPECT_LE(outcome.plan.lowerBound, outcome.plan.arenaBytes);
}

/// A network: each layer's output is read by the next, every fourth also by one
/// further on; sizes shrink stage by stage; some layers have a workspace.
Case network(int32_t layers, uint64_t seed) {
  std::mt19937_64 random(seed);
  Case input;
  for (int32_t i = 0; i < layers; ++i) {
    int64_t size = (int64_t(1) << 20) >> (4 * i / layers);
    size += 64 * static_cast<int64_t>(random() % 1000);
    int32_t last = i + 1;
    if (i % 4 == 0)
      last = std::min(i + 4, layers);
    input.add(i, last, size);
    if (random() % 3 == 0)
      input.add(i, i, static_cast<int64_t>(random() % 500000));
  }
  return input;
}

TEST(MemoryPlan, Empty) {
  Case input;
  Outcome outcome = plan(input);
  EXPECT_EQ(outcome.status, PlanStatus::ok);
  EXPECT_EQ(outcome.plan.arenaBytes, 0);
}

TEST(MemoryPlan, ChainTakesTwoBuffers) {
  Case input;
  for (int32_t i = 0; i < 10; ++i)
    input.add(i, i + 1, 6400);
  Outcome outcome = plan(input);
  check(input, outcome);
  EXPECT_EQ(outcome.plan.arenaBytes, 2 * 6400);
}

TEST(MemoryPlan, SizesAreRoundedToTheAlignment) {
  Case input;
  input.add(0, 1, 1);
  input.add(0, 1, 65);
  Outcome outcome = plan(input);
  check(input, outcome);
  EXPECT_EQ(outcome.plan.arenaBytes, 64 + 128);
  EXPECT_EQ(outcome.plan.lowerBound, 66);
}

TEST(MemoryPlan, EmptyBuffersTakeNothing) {
  Case input;
  input.add(0, 5, 0);
  input.add(2, 3, 64);
  input.add(0, 9, 0);
  Outcome outcome = plan(input);
  check(input, outcome);
  EXPECT_EQ(outcome.plan.arenaBytes, 64);
}

TEST(MemoryPlan, LifetimesAreInclusive) {
  Case input;
  input.add(0, 1, 64);
  input.add(1, 2, 64);
  input.add(2, 3, 64);
  Outcome outcome = plan(input);
  check(input, outcome);
  EXPECT_EQ(outcome.plan.arenaBytes, 128);
}

TEST(MemoryPlan, ExtremePositions) {
  Case input;
  input.add(INT32_MIN, INT32_MAX, 64);
  input.add(INT32_MIN, INT32_MIN, 64);
  input.add(INT32_MAX, INT32_MAX, 64);
  Outcome outcome = plan(input);
  check(input, outcome);
  EXPECT_EQ(outcome.plan.arenaBytes, 128);
}

TEST(MemoryPlan, MalformedIsRefused) {
  Case negative, reversed;
  negative.add(0, 1, -1);
  EXPECT_EQ(plan(negative).status, PlanStatus::malformed);
  reversed.add(2, 1, 64);
  EXPECT_EQ(plan(reversed).status, PlanStatus::malformed);
}

TEST(MemoryPlan, TooLargeASumIsRefused) {
  Case input;
  input.add(0, 0, INT64_MAX - 10);
  input.add(1, 1, 100);
  EXPECT_EQ(plan(input).status, PlanStatus::tooLarge);
  Case single, largest;
  single.add(0, 0, INT64_MAX);
  EXPECT_EQ(plan(single).status, PlanStatus::tooLarge);
  for (int32_t i = 0; i < 4; ++i) // well below the limit, and no overflow
    largest.add(i % 2, i, (int64_t(1) << 60) - 64);
  check(largest, plan(largest));
}

TEST(MemoryPlan, NetworksStayWithinATenthOfTheBound) {
  for (int32_t layers : {5, 20, 60, 200})
    for (uint64_t seed = 0; seed < 10; ++seed) {
      Case input = network(layers, seed);
      for (PlanEffort effort : {PlanEffort::quick, PlanEffort::thorough}) {
        Outcome outcome = plan(input, effort);
        check(input, outcome);
        EXPECT_LE(static_cast<double>(outcome.plan.arenaBytes),
                  1.10 * static_cast<double>(outcome.plan.lowerBound))
            << layers << " layers, seed " << seed;
      }
    }
}

TEST(MemoryPlan, RandomIntervalsStayWithinATenthOfTheBound) {
  for (int32_t count : {10, 50, 150})
    for (uint64_t seed = 0; seed < 20; ++seed) {
      std::mt19937_64 random(seed);
      Case input;
      for (int32_t i = 0; i < count; ++i) {
        auto a = static_cast<int32_t>(random() % 100);
        auto b = static_cast<int32_t>(random() % 100);
        input.add(std::min(a, b), std::max(a, b),
                  64 * static_cast<int64_t>(1 + random() % 5000));
      }
      Outcome outcome = plan(input);
      check(input, outcome);
      EXPECT_LE(static_cast<double>(outcome.plan.arenaBytes),
                1.10 * static_cast<double>(outcome.plan.lowerBound))
          << count << " buffers, seed " << seed;
    }
}

TEST(MemoryPlan, DependsOnTheArgumentsAlone) {
  Case input = network(50, 3);
  EXPECT_EQ(plan(input).offsets, plan(input).offsets);
}

} // namespace
