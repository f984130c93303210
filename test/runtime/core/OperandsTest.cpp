//===- OperandsTest.cpp - Tests of data pointers of tensors ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Operands.h"

#include "test/runtime/TestTensors.h"

#include <gtest/gtest.h>

using namespace ourc::runtime;
using ourc::test::Program;
using ourc::test::Tensor;

namespace {

class OperandsTest : public ::testing::Test {
protected:
  OperandsTest() {
    std::vector<OurcDim> dims = {Program::size(2), Program::size(3)};
    program.inputs = {program.desc("rows", OURC_F32, dims),
                      program.desc("columns", OURC_F32, dims, {1, 0})};
    program.results = {program.desc("y", OURC_F32, dims)};
  }
  Program program;
  int64_t allocations = 0;
  Tensor<float> tensor{{2, 3}, {1, 2, 3, 4, 5, 6}};
};

TEST_F(OperandsTest, DenseMemoryIsUsedInPlace) {
  Operands operands(*program.get(), allocations);
  void *slot = nullptr;
  operands.read({Role::input, 0}, tensor.dl, &slot);
  EXPECT_EQ(operands.finish(), OURC_OK);
  EXPECT_EQ(slot, tensor.values.data());
  EXPECT_EQ(allocations, 0);
}

TEST_F(OperandsTest, OthersAreCopiedSideBySide) {
  Operands operands(*program.get(), allocations);
  int64_t strides[] = {1, 2};
  Tensor<float> transposed({2, 3}, {1, 4, 2, 5, 3, 6});
  transposed.dl.strides = strides;
  for (int turn = 0; turn < 2; ++turn) {
    void *slots[2] = {};
    operands.clear();
    operands.read({Role::input, 0}, transposed.dl, &slots[0]);
    operands.read({Role::input, 1}, tensor.dl, &slots[1]);
    ASSERT_EQ(operands.finish(), OURC_OK);
    auto *rows = static_cast<float *>(slots[0]);
    auto *columns = static_cast<float *>(slots[1]);
    EXPECT_EQ(std::vector<float>(rows, rows + 6), tensor.values);
    EXPECT_EQ(std::vector<float>(columns, columns + 6),
              std::vector<float>({1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(rows) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(columns) % 64, 0u);
    EXPECT_EQ(allocations, 1);
  }
}

TEST_F(OperandsTest, Overlaps) {
  char memory[100];
  auto check = [&](int64_t aBegin, int64_t aEnd, int64_t bBegin, int64_t bEnd,
                   int64_t numWritten) {
    Vec<Extent> extents;
    extents.push({memory + aBegin, memory + aEnd, {Role::result, 0}});
    extents.push({memory + bBegin, memory + bEnd, {Role::input, 1}});
    return checkOverlaps(*program.get(), extents, numWritten);
  };
  EXPECT_EQ(check(0, 10, 10, 20, 2), OURC_OK);
  EXPECT_EQ(check(10, 20, 0, 10, 2), OURC_OK);
  EXPECT_EQ(check(5, 5, 0, 10, 2), OURC_OK);   // nothing in it
  EXPECT_EQ(check(0, 11, 10, 20, 0), OURC_OK); // both are read
  EXPECT_EQ(check(0, 11, 10, 20, 1), OURC_ERROR_ARGUMENT);
  EXPECT_EQ(check(0, 100, 10, 20, 1), OURC_ERROR_ARGUMENT);
  EXPECT_EQ(check(12, 13, 10, 20, 1), OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(), "result 'y': its memory overlaps that of "
                                  "input 'columns', must be apart");
}

} // namespace
