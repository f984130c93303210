//===- MatrixTest.cpp - ldmatrix, stmatrix and mma.sync ----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected values come from the tables and formulas of the PTX manual: "Warp-
// level matrix load instruction: ldmatrix", "... store instruction: stmatrix"
// and "Matrix Fragments for mma.m16n8k16 with floating point type".
//
//===----------------------------------------------------------------------===//

#include "SimtHarness.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace {

/// Element value that names its place: matrix, row, column.
uint16_t tag(int matrix, int row, int column) {
  return static_cast<uint16_t>(matrix << 8 | row << 4 | column);
}

/// Matrices of 8 rows of 16 bytes, one after the other.
void *rowAddress(int lane) { return sharedHalves() + 8 * lane; }

class LoadMatrix : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(LoadMatrix, FragmentsOfTheManual) {
  int num = std::get<0>(GetParam());
  bool trans = std::get<1>(GetParam());
  LaunchSize size;
  size.sharedBytes = 512;
  run(size, [&] {
    int lane = ourc_simt_laneid();
    for (int column = 0; column < 8; ++column)
      sharedHalves()[8 * lane + column] = tag(lane / 8, lane % 8, column);
    ourc_simt_barrier("b", 0, 0);
    uint32_t out[4];
    ourc_simt_ldmatrix("l", out, rowAddress(lane), num, trans);
    for (int matrix = 0; matrix < num; ++matrix) {
      // Each row of the table: thread 4 * row + i holds elements 2i, 2i + 1.
      int row = lane >> 2, first = (lane & 3) << 1;
      uint16_t lo = trans ? tag(matrix, first, row) : tag(matrix, row, first);
      uint16_t hi =
          trans ? tag(matrix, first + 1, row) : tag(matrix, row, first + 1);
      EXPECT_EQ(out[matrix] & 0xffff, lo) << "lane " << lane;
      EXPECT_EQ(out[matrix] >> 16, hi) << "lane " << lane;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Forms, LoadMatrix,
                         testing::Combine(testing::Values(1, 2, 4),
                                          testing::Bool()));

class StoreMatrix : public testing::TestWithParam<bool> {};

TEST_P(StoreMatrix, UndoesLoadMatrix) {
  bool trans = GetParam();
  LaunchSize size;
  size.sharedBytes = 512;
  run(size, [&] {
    int lane = ourc_simt_laneid();
    uint32_t in[4];
    for (int matrix = 0; matrix < 4; ++matrix)
      in[matrix] = static_cast<uint32_t>(
          tag(matrix, lane >> 2, (lane & 3) << 1) |
          tag(matrix, lane >> 2, ((lane & 3) << 1) + 1) << 16);
    ourc_simt_stmatrix("s", rowAddress(lane), in, 4, trans);
    ourc_simt_barrier("b", 0, 0);
    for (int column = 0; column < 8; ++column) {
      int row = lane % 8;
      EXPECT_EQ(sharedHalves()[8 * lane + column],
                trans ? tag(lane / 8, column, row)
                      : tag(lane / 8, row, column));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Forms, StoreMatrix, testing::Bool());

TEST(LoadMatrixFault, RowsOutOfPlace) {
  LaunchSize size;
  size.sharedBytes = 512;
  runFails(
      size,
      [] {
        uint32_t out[4];
        ourc_simt_ldmatrix(
            "l", out, sharedHalves() + 8 * ourc_simt_laneid() + 1, 1, false);
      },
      "the row of lane 0 is not aligned to 16 bytes");
  runFails(
      size,
      [] {
        uint32_t out[4];
        ourc_simt_ldmatrix("l", out, sharedHalves() + 16 * ourc_simt_laneid(),
                           4, false);
      },
      "16 bytes at offset 512 of 512");
  runFails(
      size,
      [] {
        uint32_t out[4];
        if (ourc_simt_laneid() < 16)
          ourc_simt_ldmatrix("one", out, rowAddress(0), 1, false);
        else
          ourc_simt_ldmatrix("other", out, rowAddress(0), 1, false);
      },
      "waits at one");
}

TEST(LoadMatrixCounters, BankConflicts) {
  LaunchSize size;
  size.sharedBytes = 4096;
  auto replays = [&](int stride) {
    OurcSimtCounters before, after;
    ourc_simt_get_counters(&before);
    run(size, [&] {
      uint32_t out[4];
      auto *row = static_cast<char *>(ourc_simt_shared()) +
                  stride * (ourc_simt_laneid() % 8);
      ourc_simt_ldmatrix("l", out, row, 1, false);
    });
    ourc_simt_get_counters(&after);
    return after.matrixLoadReplays - before.matrixLoadReplays;
  };
  EXPECT_EQ(replays(16), 0u);  // all rows in one line of 128 bytes
  EXPECT_EQ(replays(144), 0u); // each row four banks further
  EXPECT_EQ(replays(64), 3u);  // two rows of banks: four rows each
  EXPECT_EQ(replays(128), 7u); // all rows in the same banks
}

/// f16 and bf16 of values with few bits.
uint16_t encode(bool bfloat, float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  if (bfloat)
    return static_cast<uint16_t>(bits >> 16);
  if (value == 0)
    return static_cast<uint16_t>(bits >> 16);
  if (std::isinf(value))
    return value < 0 ? 0xfc00 : 0x7c00;
  return static_cast<uint16_t>((bits >> 16 & 0x8000) |
                               ((bits >> 13) - (112u << 10)));
}

/// Runs one mma with A 16x16, B 16x8, C 16x8 and returns D.
std::vector<float> multiply(bool bfloat, const std::vector<float> &a,
                            const std::vector<float> &b,
                            const std::vector<float> &c) {
  std::vector<float> d(16 * 8);
  run({}, [&] {
    int lane = ourc_simt_laneid();
    int groupID = lane >> 2, threadIDInGroup = lane % 4;
    uint32_t registers[10] = {};
    for (int i = 0; i < 8; ++i) {
      int row = (i < 2) || (i >= 4 && i < 6) ? groupID : groupID + 8;
      int column = threadIDInGroup * 2 + (i & 1) + (i < 4 ? 0 : 8);
      registers[i / 2] |= static_cast<uint32_t>(
          encode(bfloat, a[16 * row + column]) << 16 * (i & 1));
    }
    for (int i = 0; i < 4; ++i) {
      int row = threadIDInGroup * 2 + (i & 1) + (i < 2 ? 0 : 8);
      registers[4 + i / 2] |= static_cast<uint32_t>(
          encode(bfloat, b[8 * row + groupID]) << 16 * (i & 1));
    }
    auto place = [&](int i) {
      int row = i < 2 ? groupID : groupID + 8;
      return 8 * row + threadIDInGroup * 2 + (i & 1);
    };
    for (int i = 0; i < 4; ++i)
      std::memcpy(&registers[6 + i], &c[place(i)], 4);
    ourc_simt_mma("m",
                  bfloat ? OURC_SIMT_MMA_M16N8K16_BF16_F32
                         : OURC_SIMT_MMA_M16N8K16_F16_F32,
                  registers);
    for (int i = 0; i < 4; ++i)
      std::memcpy(&d[place(i)], &registers[i], 4);
  });
  return d;
}

class Mma : public testing::TestWithParam<bool> {};

TEST_P(Mma, ProductOfSmallNumbersIsExact) {
  std::vector<float> a(16 * 16), b(16 * 8), c(16 * 8);
  unsigned state = 1;
  auto next = [&] {
    state = state * 1664525 + 1013904223;
    return static_cast<float>(static_cast<int>(state >> 24) % 17 - 8) / 8;
  };
  for (float &x : a)
    x = next();
  for (float &x : b)
    x = next();
  for (float &x : c)
    x = next();
  std::vector<float> d = multiply(GetParam(), a, b, c);
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 8; ++n) {
      double sum = c[8 * m + n];
      for (int k = 0; k < 16; ++k)
        sum += static_cast<double>(a[16 * m + k]) * b[8 * k + n];
      EXPECT_EQ(d[8 * m + n], sum) << m << ", " << n;
    }
}

TEST_P(Mma, InfinityStaysInItsRowAndColumn) {
  std::vector<float> a(16 * 16, 1), b(16 * 8, 1), c(16 * 8, 0);
  float inf = std::numeric_limits<float>::infinity();
  a[16 * 11 + 6] = inf;
  std::vector<float> d = multiply(GetParam(), a, b, c);
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 8; ++n)
      EXPECT_EQ(d[8 * m + n], m == 11 ? inf : 16);
}

TEST(MmaRange, ProductsAreNotRounded) {
  // 2^127 * 2 overflows f32, but the sum of the products does not.
  std::vector<float> a(16 * 16, 0), b(16 * 8, 0), c(16 * 8, 0);
  for (int n = 0; n < 8; ++n) {
    b[8 * 0 + n] = 2;
    b[8 * 1 + n] = -2;
    b[8 * 2 + n] = 1;
  }
  a[0] = a[1] = 0x1p127f;
  a[2] = 3;
  std::vector<float> d = multiply(true, a, b, c);
  for (int n = 0; n < 8; ++n)
    EXPECT_EQ(d[n], 3);
}

INSTANTIATE_TEST_SUITE_P(Types, Mma, testing::Bool());

} // namespace
