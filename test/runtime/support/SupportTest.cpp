//===- SupportTest.cpp - Tests of arrays, texts, messages, types ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/support/DType.h"
#include "runtime/support/Failure.h"
#include "runtime/support/Text.h"
#include "runtime/support/TileRegisters.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <thread>

using namespace ourc::runtime;

namespace {

TEST(Vec, GrowsAndKeeps) {
  Vec<int64_t> numbers;
  EXPECT_TRUE(numbers.empty());
  for (int64_t i = 0; i < 100; ++i)
    numbers.push(i);
  EXPECT_EQ(numbers.size(), 100);
  EXPECT_EQ(numbers[99], 99);
  numbers.push(numbers[5]); // an element of itself
  EXPECT_EQ(numbers.back(), 5);
  numbers.resize(150);
  EXPECT_EQ(numbers[149], 0);
  numbers.clear();
  numbers.resize(10);
  EXPECT_EQ(numbers[9], 0); // not what was there before
}

TEST(Vec, Inserts) {
  Vec<int> numbers;
  numbers.insert(0, 3);
  numbers.insert(0, 1);
  numbers.insert(1, 2);
  numbers.insert(3, 4);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(numbers[i], i + 1);
}

TEST(Vec, Moves) {
  Vec<int> a;
  a.push(7);
  Vec<int> b = std::move(a);
  EXPECT_EQ(b.size(), 1);
  EXPECT_EQ(b[0], 7);
}

TEST(VecDeathTest, ImpossibleSizesEndTheProcess) {
  Vec<int64_t> numbers;
  EXPECT_DEATH(numbers.reserve(INT64_MAX / 4), "out of memory");
}

TEST(Text, Prints) {
  Text text;
  EXPECT_STREQ(text.c_str(), "");
  EXPECT_EQ(text.size(), 0);
  text.print("%d-%s", 5, "x");
  text.append('!');
  text.append("abc", 2);
  EXPECT_STREQ(text.c_str(), "5-x!ab");
  EXPECT_EQ(text.size(), 6);
  std::string longText(3000, 'y');
  text.print("%s", longText.c_str());
  EXPECT_EQ(text.c_str(), "5-x!ab" + longText);
  text.clear();
  EXPECT_STREQ(text.c_str(), "");
}

TEST(Failure, MessageIsTheThreadsOwn) {
  EXPECT_EQ(fail(OURC_ERROR_MEMORY, "no %s", "memory"), OURC_ERROR_MEMORY);
  std::thread([] {
    EXPECT_STREQ(ourc_last_error(), "");
    fail(OURC_ERROR_ARGUMENT, "other");
  }).join();
  EXPECT_STREQ(ourc_last_error(), "no memory");
}

TEST(Failure, MayQuoteTheLastMessage) {
  fail(OURC_ERROR_ARGUMENT, "inner");
  fail(OURC_ERROR_ARGUMENT, "outer: %s", ourc_last_error());
  EXPECT_STREQ(ourc_last_error(), "outer: inner");
}

TEST(Failure, LongMessagesAreCut) {
  std::string text(5000, 'x');
  fail(OURC_ERROR_ARGUMENT, "%s", text.c_str());
  std::string message = ourc_last_error();
  EXPECT_EQ(message.size(), 2047u);
  EXPECT_EQ(message.substr(2044), "...");
}

TEST(DType, EveryTypeComesBack) {
  for (int32_t dtype = 0; dtype < numDTypes; ++dtype) {
    EXPECT_EQ(fromDLPack(toDLPack(dtype)), dtype);
    EXPECT_EQ(dtypeFromSafeTensors(dtypeSafeTensorsName(dtype)), dtype);
    EXPECT_EQ(toDLPack(dtype).bits, 8 * dtypeBytes(dtype));
    if (dtype == OURC_BF16)
      continue; // DLPack's name is bfloat
    Text name;
    printDLPackType(toDLPack(dtype), name);
    EXPECT_STREQ(name.c_str(), dtypeName(dtype));
  }
  EXPECT_FALSE(isDType(-1));
  EXPECT_FALSE(isDType(numDTypes));
  EXPECT_EQ(fromDLPack({kDLInt, 4, 1}), -1);
  EXPECT_EQ(dtypeFromSafeTensors("F8_E4M3"), -1);
}

TEST(TileRegisters, AreGrantedWhereTheMachineHasThem) {
  std::ifstream info("/proc/cpuinfo");
  std::string word;
  bool has = false;
  while (!has && info >> word)
    has = word == "amx_tile";
  EXPECT_EQ(requestTileRegisters(), has);
  EXPECT_EQ(requestTileRegisters(), has);
}

} // namespace
