//===- SampleTest.cpp - Noticing that weights have changed ----------- -===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/weights/Sample.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace {

uint64_t checksum(const std::vector<float> &data, int64_t samples = 32) {
  const void *buffer = data.data();
  int64_t bytes = data.size() * sizeof(float);
  return ourc_sample_checksum(&buffer, &bytes, 1, samples);
}

std::vector<float> ramp(size_t size) {
  std::vector<float> data(size);
  std::iota(data.begin(), data.end(), 1.0f);
  return data;
}

TEST(SampleTest, EqualDataGivesEqualChecksums) {
  for (size_t size : {0, 1, 2, 3, 7, 64, 65, 1000, 4097})
    EXPECT_EQ(checksum(ramp(size)), checksum(ramp(size))) << size;
}

TEST(SampleTest, EachElementOfASmallBufferCounts) {
  for (size_t size : {1, 2, 3, 7, 63, 64}) {
    std::vector<float> data = ramp(size);
    uint64_t before = checksum(data);
    for (size_t i = 0; i < size; ++i) {
      float kept = data[i];
      data[i] = -kept;
      EXPECT_NE(checksum(data), before) << "element " << i << " of " << size;
      data[i] = kept;
    }
  }
}

TEST(SampleTest, BothEndsOfALargeBufferCount) {
  std::vector<float> data = ramp(100003);
  uint64_t before = checksum(data);
  data.front() = 0;
  EXPECT_NE(checksum(data), before);
  data = ramp(100003);
  data.back() = 0;
  EXPECT_NE(checksum(data), before);
}

TEST(SampleTest, ScalingALargeBufferCounts) {
  std::vector<float> data = ramp(1 << 20);
  uint64_t before = checksum(data);
  for (float &value : data)
    value *= 1.0001f;
  EXPECT_NE(checksum(data), before);
}

TEST(SampleTest, OrderOfBuffersCounts) {
  std::vector<float> first = ramp(8), second(8, 2.0f);
  const void *order[] = {first.data(), second.data()};
  const void *swapped[] = {second.data(), first.data()};
  int64_t bytes[] = {32, 32};
  EXPECT_NE(ourc_sample_checksum(order, bytes, 2, 32),
            ourc_sample_checksum(swapped, bytes, 2, 32));
}

TEST(SampleTest, EmptyBuffersAreNotRead) {
  const void *buffers[] = {nullptr};
  int64_t bytes[] = {0};
  EXPECT_EQ(ourc_sample_checksum(buffers, bytes, 1, 32),
            ourc_sample_checksum(buffers, bytes, 1, 32));
}

} // namespace
