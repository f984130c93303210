//===- StridedCopyTest.cpp - Tests of copies between layouts --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/StridedCopy.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <vector>

using namespace ourc::runtime;

namespace {

/// Copies by the definition: element by element, outermost first.
template <typename T>
void reference(const T *from, const std::vector<int64_t> &shape,
               const std::vector<int64_t> &strides,
               const std::vector<int32_t> &order, size_t level,
               std::vector<T> &to) {
  if (level == order.size()) {
    to.push_back(*from);
    return;
  }
  size_t dim = static_cast<size_t>(order[level]);
  for (int64_t i = 0; i < shape[dim]; ++i)
    reference(from + i * strides[dim], shape, strides, order, level + 1, to);
}

template <typename T>
void expectCopy(const T *from, const std::vector<int64_t> &shape,
                const std::vector<int64_t> &strides,
                const std::vector<int32_t> &order) {
  std::vector<T> wanted;
  reference(from, shape, strides, order, 0, wanted);
  std::vector<T> got(wanted.size() + 1, T(77));
  copyToDense(from, shape.data(), strides.data(),
              static_cast<int32_t>(shape.size()), order.data(), sizeof(T),
              got.data());
  wanted.push_back(T(77)); // nothing is written behind the end
  EXPECT_EQ(got, wanted);
}

template <typename T> std::vector<T> numbers(size_t count) {
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(i * 7 + 1);
  return values;
}

TEST(StridedCopy, Scalar) {
  float value = 3;
  expectCopy(&value, {}, {}, {});
}

TEST(StridedCopy, ZeroSizes) {
  float value = 3;
  expectCopy(&value, {2, 0, 3}, {1, 1, 1}, {0, 1, 2});
}

TEST(StridedCopy, Transposed) {
  auto values = numbers<float>(12);
  expectCopy(values.data(), {4, 3}, {1, 4}, {0, 1});
}

TEST(StridedCopy, NegativeStrides) {
  auto values = numbers<int32_t>(12);
  expectCopy(values.data() + 11, {3, 4}, {-4, -1}, {0, 1});
  expectCopy(values.data() + 3, {3, 4}, {4, -1}, {0, 1});
}

TEST(StridedCopy, ZeroStrides) {
  auto values = numbers<int32_t>(4);
  expectCopy(values.data(), {3, 4}, {0, 1}, {0, 1});
  expectCopy(values.data(), {3, 4}, {0, 0}, {0, 1});
  expectCopy(values.data(), {4, 3}, {1, 0}, {0, 1});
}

TEST(StridedCopy, IntoAnotherOrder) {
  auto values = numbers<uint8_t>(2 * 3 * 4 * 5);
  expectCopy(values.data(), {2, 3, 4, 5}, {60, 20, 5, 1}, {0, 2, 3, 1});
}

TEST(StridedCopy, UnalignedSource) {
  auto bytes = numbers<uint8_t>(41);
  const int64_t shape[] = {5, 2}, strides[] = {1, 5};
  std::vector<float> got(10);
  copyToDense(bytes.data() + 1, shape, strides, 2, nullptr, 4, got.data());
  for (size_t i = 0; i < 5; ++i)
    for (size_t j = 0; j < 2; ++j)
      EXPECT_EQ(memcmp(&got[2 * i + j], bytes.data() + 1 + 4 * (i + 5 * j), 4),
                0);
}

TEST(StridedCopy, Random) {
  std::mt19937_64 random(1);
  for (int turn = 0; turn < 300; ++turn) {
    size_t rank = random() % 6;
    std::vector<int64_t> shape, strides(rank);
    std::vector<int32_t> memoryOrder(rank), order(rank);
    std::iota(memoryOrder.begin(), memoryOrder.end(), 0);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(memoryOrder.begin(), memoryOrder.end(), random);
    std::shuffle(order.begin(), order.end(), random);
    for (size_t i = 0; i < rank; ++i)
      shape.push_back(static_cast<int64_t>(random() % 4));
    int64_t room = 1, start = 0;
    for (int32_t dim : memoryOrder) {
      size_t d = static_cast<size_t>(dim);
      strides[d] = room;
      room *=
          std::max<int64_t>(1, shape[d]) + static_cast<int64_t>(random() % 2);
      if (random() % 4 == 0) {
        start += strides[d] * std::max<int64_t>(0, shape[d] - 1);
        strides[d] = -strides[d];
      } else if (random() % 4 == 0) {
        strides[d] = 0;
      }
    }
    auto values = numbers<double>(static_cast<size_t>(room));
    expectCopy(values.data() + start, shape, strides, order);
    auto halves = numbers<uint16_t>(static_cast<size_t>(room));
    expectCopy(halves.data() + start, shape, strides, order);
  }
}

} // namespace
