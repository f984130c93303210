//===- PlanCacheTest.cpp - Tests of plans by sizes ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/PlanCache.h"

#include "test/runtime/TestTensors.h"

#include <gtest/gtest.h>

using namespace ourc::runtime;

namespace {

int shapesCalls = 0;

class PlanCacheTest : public ::testing::Test {
protected:
  PlanCacheTest() {
    program.symbols = {{"n", 0, 100000, 1}, {"m", 0, 100000, 1}};
    program.buffers = {{0, 1}, {1, 2}, {2, 3}};
    program.program.numComputedDims = 1;
    program.program.shapes = [](const int64_t *symbols, int64_t *computed,
                                int64_t *bytes) {
      ++shapesCalls;
      computed[0] = symbols[0] + symbols[1];
      for (int i = 0; i < 3; ++i)
        bytes[i] = 64 * symbols[i % 2];
    };
    shapesCalls = 0;
  }
  const Plan *find(PlanCache &cache, int64_t n, int64_t m) {
    int64_t symbols[] = {n, m};
    const Plan *plan = nullptr;
    EXPECT_EQ(cache.find(symbols, plan), OURC_OK) << ourc_last_error();
    return plan;
  }
  ourc::test::Program program;
  int64_t allocations = 0;
};

TEST_F(PlanCacheTest, PlansEachSetOnce) {
  PlanCache cache(*program.get(), allocations);
  const Plan *plan = find(cache, 2, 3);
  EXPECT_EQ(plan->computedDims[0], 5);
  EXPECT_EQ(plan->memory.sumOfBuffers, 64 * 7);
  EXPECT_EQ(plan->memory.lowerBound, 64 * 5);
  EXPECT_EQ(plan->memory.arenaBytes, 64 * 5);
  EXPECT_EQ(find(cache, 2, 3), plan);
  EXPECT_EQ(shapesCalls, 1);
  EXPECT_NE(find(cache, 3, 2), plan);
  EXPECT_EQ(find(cache, 2, 3)->computedDims[0], 5);
  EXPECT_EQ(shapesCalls, 2);
  EXPECT_EQ(allocations, 2);
}

TEST_F(PlanCacheTest, TheLeastRecentlyUsedGoes) {
  PlanCache cache(*program.get(), allocations);
  for (int64_t i = 0; i < PlanCache::capacity; ++i)
    find(cache, i, 0);
  find(cache, 0, 0); // used again: 1 is now the oldest
  find(cache, 1000, 0);
  EXPECT_EQ(shapesCalls, PlanCache::capacity + 1);
  find(cache, 0, 0);
  EXPECT_EQ(shapesCalls, PlanCache::capacity + 1);
  find(cache, 1, 0);
  EXPECT_EQ(shapesCalls, PlanCache::capacity + 2);
}

TEST_F(PlanCacheTest, AStaticProgramHasOnePlan) {
  program.symbols.clear();
  program.program.shapes = [](const int64_t *, int64_t *computed,
                              int64_t *bytes) {
    ++shapesCalls;
    computed[0] = bytes[0] = bytes[1] = bytes[2] = 1;
  };
  PlanCache cache(*program.get(), allocations);
  const Plan *plan = nullptr, *again = nullptr;
  EXPECT_EQ(cache.find(nullptr, plan), OURC_OK);
  EXPECT_EQ(cache.find(nullptr, again), OURC_OK);
  EXPECT_EQ(plan, again);
  EXPECT_EQ(shapesCalls, 1);
}

TEST_F(PlanCacheTest, WithoutBuffersNothingIsAsked) {
  program.buffers.clear();
  program.program.numComputedDims = 0;
  program.program.shapes = nullptr;
  PlanCache cache(*program.get(), allocations);
  EXPECT_EQ(find(cache, 1, 1)->memory.arenaBytes, 0);
}

} // namespace
