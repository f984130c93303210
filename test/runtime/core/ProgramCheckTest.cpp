//===- ProgramCheckTest.cpp - One test for each error of a program --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/TestTensors.h"

#include <gtest/gtest.h>

using namespace ourc::test;

namespace {

int32_t runNothing(OurcContext *, void *const *, const int64_t *, void *,
                   const int64_t *) {
  return 0;
}

class ProgramCheck : public ::testing::Test {
protected:
  ProgramCheck() {
    auto n = Program::symbol(0);
    program.symbols = {{"n", 1, 8, 1}};
    program.inputs = {program.desc("x", OURC_F32, {n, Program::size(2)})};
    program.results = {program.desc("y", OURC_F32, {n, Program::size(2)})};
    program.program.run = runNothing;
  }
  void expectError(const char *message) {
    Model model(program.get());
    EXPECT_EQ(model.status, OURC_ERROR_VERSION);
    EXPECT_STREQ(ourc_last_error(), message);
    EXPECT_EQ(static_cast<OurcModel *>(model), nullptr);
  }
  Program program;
};

TEST_F(ProgramCheck, Good) {
  Model model(program.get());
  EXPECT_EQ(model.status, OURC_OK) << ourc_last_error();
}

TEST_F(ProgramCheck, Null) {
  Model model(nullptr);
  EXPECT_EQ(model.status, OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(), "the program is null");
}

TEST_F(ProgramCheck, Version) {
  program.program.abiVersion = 7;
  expectError("the program has ABI version 7, this runtime reads version 2: "
              "compile it again");
}

TEST_F(ProgramCheck, Counts) {
  OurcProgram copy = *program.get();
  copy.numInputs = -1;
  EXPECT_EQ(Model(&copy).status, OURC_ERROR_VERSION);
  EXPECT_STREQ(ourc_last_error(), "malformed program 'test': it has -1 inputs");
  copy.numInputs = 1;
  copy.inputs = nullptr;
  EXPECT_EQ(Model(&copy).status, OURC_ERROR_VERSION);
  EXPECT_STREQ(ourc_last_error(),
               "malformed program 'test': its inputs are null");
  copy = *program.get();
  copy.numComputedDims = -5;
  EXPECT_EQ(Model(&copy).status, OURC_ERROR_VERSION);
  EXPECT_STREQ(ourc_last_error(),
               "malformed program 'test': it has -5 computed dimensions");
}

TEST_F(ProgramCheck, ElementType) {
  program.inputs[0].dtype = 10;
  expectError("malformed program 'test': input 0 has the element type 10");
}

TEST_F(ProgramCheck, Rank) {
  program.inputs[0].rank = 33;
  expectError(
      "malformed program 'test': input 0 has rank 33, must be at most 32");
}

TEST_F(ProgramCheck, NullDimensions) {
  program.results[0].dims = nullptr;
  expectError("malformed program 'test': the dimensions of result 0 are null");
}

TEST_F(ProgramCheck, UnknownSymbol) {
  program.results[0] = program.desc("y", OURC_F32, {Program::symbol(1)});
  expectError("malformed program 'test': dimension 0 of result 0 has symbol 1 "
              "and size 0");
}

TEST_F(ProgramCheck, ComputedDimensionOfAnInput) {
  program.program.numComputedDims = 1;
  program.inputs.push_back(program.desc("z", OURC_F32, {Program::computed(0)}));
  expectError("malformed program 'test': dimension 0 of input 1 has symbol -2 "
              "and size 0");
}

TEST_F(ProgramCheck, ComputedDimensionWithoutValue) {
  program.results[0] = program.desc("y", OURC_F32, {Program::computed(0)});
  expectError("malformed program 'test': dimension 0 of result 0 has symbol -2 "
              "and size 0");
}

TEST_F(ProgramCheck, PreparedWeightsAreStatic) {
  program.prepared = {program.desc("p", OURC_F32, {Program::symbol(0)})};
  expectError("malformed program 'test': dimension 0 of prepared weight 0 has "
              "symbol 0 and size 0");
}

TEST_F(ProgramCheck, StaticSizeTooLarge) {
  program.prepared = {program.desc(
      "p", OURC_F32, {Program::size(int64_t(1) << 62), Program::size(4)})};
  expectError("malformed program 'test': prepared weight 0 has more than 2^63 "
              "bytes");
}

TEST_F(ProgramCheck, Layout) {
  program.inputs[0] = program.desc(
      "x", OURC_F32, {Program::symbol(0), Program::size(2)}, {0, 0});
  expectError("malformed program 'test': the layout of input 0 is no order of "
              "its 2 dimensions");
  program.inputs[0] = program.desc(
      "x", OURC_F32, {Program::symbol(0), Program::size(2)}, {0, 40});
  expectError("malformed program 'test': the layout of input 0 is no order of "
              "its 2 dimensions");
}

TEST_F(ProgramCheck, SymbolBounds) {
  program.symbols[0].max = 0;
  expectError("malformed program 'test': symbol 'n' has bounds 1 to 0 and is a "
              "multiple of 1");
  program.symbols[0] = {"n", 1, 8, 0};
  expectError("malformed program 'test': symbol 'n' has bounds 1 to 8 and is a "
              "multiple of 0");
  program.symbols[0] = {nullptr, 1, 8, 1};
  expectError("malformed program 'test': symbol 0 has no name");
}

TEST_F(ProgramCheck, SymbolThatNothingGives) {
  program.symbols.push_back({"m", 1, 8, 1});
  expectError("malformed program 'test': no input has a dimension 'm' that "
              "gives the symbol's value");
}

TEST_F(ProgramCheck, Updates) {
  program.results[0].updates = 1;
  expectError("malformed program 'test': result 0 updates input 1, but there "
              "are 1 inputs");
  program.results[0].updates = 0;
  EXPECT_EQ(Model(program.get()).status, OURC_OK) << ourc_last_error();
  program.results.push_back(program.results[0]);
  expectError("malformed program 'test': results 0 and 1 both update input 0");
  program.results.pop_back();
  program.results[0].dtype = OURC_I32;
  expectError("malformed program 'test': result 0 updates input 0 but has "
              "another type");
}

TEST_F(ProgramCheck, ParameterName) {
  program.parameters = {program.desc(nullptr, OURC_F32, {})};
  expectError("malformed program 'test': parameter 0 has no name");
}

TEST_F(ProgramCheck, Lifetime) {
  program.buffers = {{3, 2}};
  expectError(
      "malformed program 'test': buffer 0 ends (2) before it begins (3)");
}

TEST_F(ProgramCheck, Functions) {
  program.program.run = nullptr;
  expectError("malformed program 'test': it has no function 'run'");
  program.program.run = runNothing;
  program.prepared = {program.desc("p", OURC_F32, {})};
  expectError("malformed program 'test': it has prepared weights but no "
              "function 'init'");
  program.prepared.clear();
  program.program.initScratchBytes = -1;
  expectError("malformed program 'test': 'init' needs -1 bytes of scratch");
  program.program.initScratchBytes = 0;
  program.buffers = {{0, 0}};
  expectError("malformed program 'test': it has no function 'shapes'");
}

} // namespace
