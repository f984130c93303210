//===- BlockTest.cpp - Tests of aligned memory ----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Block.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace ourc::runtime;

namespace {

TEST(Block, IsAligned) {
  int64_t allocations = 0;
  for (int64_t bytes : {1, 63, 64, 100000, 1 << 21, (1 << 21) + 1}) {
    Block block;
    ASSERT_TRUE(block.ensure(bytes, allocations));
    EXPECT_GE(block.size(), bytes);
    auto address = reinterpret_cast<uintptr_t>(block.data());
    EXPECT_EQ(address % 64, 0u);
    std::memset(block.data(), 1, static_cast<size_t>(bytes));
  }
  EXPECT_EQ(allocations, 6);
}

TEST(Block, AllocatesWhenItHasTo) {
  int64_t allocations = 0;
  Block block;
  EXPECT_TRUE(block.ensure(0, allocations));
  EXPECT_EQ(block.data(), nullptr);
  EXPECT_EQ(allocations, 0);
  EXPECT_TRUE(block.ensure(1000, allocations));
  char *data = block.data();
  EXPECT_TRUE(block.ensure(500, allocations));
  EXPECT_TRUE(block.ensure(1000, allocations));
  EXPECT_EQ(block.data(), data);
  EXPECT_EQ(allocations, 1);
  EXPECT_TRUE(block.ensure(1001, allocations));
  EXPECT_EQ(allocations, 2);
}

TEST(Block, IsEmptyAfterAFailure) {
  int64_t allocations = 0;
  Block block;
  ASSERT_TRUE(block.ensure(1000, allocations));
  EXPECT_FALSE(block.ensure(int64_t(1) << 60, allocations));
  EXPECT_EQ(block.data(), nullptr);
  EXPECT_EQ(block.size(), 0);
  EXPECT_EQ(allocations, 1);
  EXPECT_TRUE(block.ensure(10, allocations));
}

TEST(Block, Swaps) {
  int64_t allocations = 0;
  Block a, b;
  ASSERT_TRUE(a.ensure(10, allocations));
  char *data = a.data();
  a.swap(b);
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_EQ(b.data(), data);
  EXPECT_EQ(b.size(), 10);
}

} // namespace
