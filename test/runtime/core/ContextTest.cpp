//===- ContextTest.cpp - Tests of errors and scratch of generated code ----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Context.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

using namespace ourc::runtime;

namespace {

TEST(Context, FirstErrorWins) {
  OurcContext context;
  EXPECT_EQ(reportedError(context), nullptr);
  ourc_report_error(&context, "index out of bounds", 30522);
  ourc_report_error(&context, "another", 1);
  EXPECT_STREQ(reportedError(context), "index out of bounds (30522)");
}

TEST(Context, LongMessagesAreCut) {
  OurcContext context;
  std::string text(5000, 'x');
  ourc_report_error(&context, text.c_str(), 1);
  EXPECT_EQ(std::strlen(reportedError(context)), sizeof(context.message) - 1);
}

TEST(Context, ErrorsFromManyThreads) {
  for (int turn = 0; turn < 20; ++turn) {
    OurcContext context;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back(
          [&, t] { ourc_report_error(&context, "thread", t); });
    for (std::thread &thread : threads)
      thread.join();
    ASSERT_NE(reportedError(context), nullptr);
    EXPECT_EQ(std::strncmp(reportedError(context), "thread (", 8), 0);
  }
}

TEST(Context, ScratchIsAlignedAndGrows) {
  int64_t allocations = 0;
  OurcContext context;
  context.allocations = &allocations;
  void *last = nullptr;
  for (int64_t bytes : {0, 1, 64, 4032, 4033, 100000, 10}) {
    void *scratch = ourc_thread_scratch(&context, bytes);
    ASSERT_NE(scratch, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(scratch) % 64, 0u);
    std::memset(scratch, 1, static_cast<size_t>(bytes));
    last = scratch;
  }
  EXPECT_EQ(allocations, 3); // up to 4032, 4033, 100000
  EXPECT_EQ(ourc_thread_scratch(&context, 100000), last);
  EXPECT_EQ(allocations, 3);
}

TEST(Context, ScratchIsTheThreadsOwn) {
  void *mine = ourc_thread_scratch(nullptr, 100);
  void *other = nullptr;
  std::thread([&] { other = ourc_thread_scratch(nullptr, 100); }).join();
  EXPECT_NE(mine, other);
}

TEST(ContextDeathTest, ImpossibleScratchEndsTheProcess) {
  EXPECT_DEATH(ourc_thread_scratch(nullptr, -1), "no thread scratch of -1");
  EXPECT_DEATH(ourc_thread_scratch(nullptr, INT64_MAX), "no thread scratch");
}

} // namespace
