//===- ArgumentsTest.cpp - One test for each error of an argument ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/runtime/TestTensors.h"

#include <gtest/gtest.h>

using namespace ourc::test;

namespace {

/// ids [batch, seq] int64, mask [batch, seq] float32, scale [3] float32 ->
/// out [batch, seq] float32, pooled [batch, computed] float32.
class Arguments : public ::testing::Test {
protected:
  Arguments() {
    auto batch = Program::symbol(0), seq = Program::symbol(1);
    program.symbols = {{"batch", 1, 8, 1}, {"seq", 2, 512, 2}};
    program.inputs = {program.desc("input_ids", OURC_I64, {batch, seq}),
                      program.desc("mask", OURC_F32, {batch, seq}),
                      program.desc("scale", OURC_F32, {Program::size(3)})};
    program.results = {
        program.desc("out", OURC_F32, {batch, seq}),
        program.desc(nullptr, OURC_F32, {batch, Program::computed(0)})};
    program.program.numComputedDims = 1;
    program.program.shapes = [](const int64_t *symbols, int64_t *computed,
                                int64_t *) { computed[0] = symbols[1] / 2; };
    program.program.run = [](OurcContext *, void *const *, const int64_t *,
                             void *, const int64_t *) -> int32_t { return 0; };
  }

  /// Runs with the tensors as they are now.
  int32_t run() {
    Model model(program.get());
    EXPECT_EQ(model.status, OURC_OK) << ourc_last_error();
    int32_t status = model.run({&ids, &mask, &scale}, {&out, &pooled});
    return status;
  }
  void expectError(const char *message) {
    EXPECT_EQ(run(), OURC_ERROR_ARGUMENT);
    EXPECT_STREQ(ourc_last_error(), message);
  }

  Program program;
  Tensor<int64_t> ids{{2, 4}};
  Tensor<float> mask{{2, 4}}, scale{{3}}, out{{2, 4}}, pooled{{2, 2}};
};

TEST_F(Arguments, Good) { EXPECT_EQ(run(), OURC_OK) << ourc_last_error(); }

TEST_F(Arguments, Count) {
  Model model(program.get());
  EXPECT_EQ(model.run({&ids, &mask}, {&out, &pooled}), OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(), "got 2 inputs, the model has 3: input "
                                  "'input_ids', input 'mask', input 'scale'");
  EXPECT_EQ(model.run({&ids, &mask, &scale}, {&out}), OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(),
               "got 1 results, the model has 2: result 'out', result 1");
  EXPECT_EQ(ourc_model_run(model, nullptr, 3, nullptr, 2), OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(), "the array of inputs is null");
  const DLTensor *inputs[] = {&ids, &mask, &scale};
  EXPECT_EQ(ourc_model_run(model, inputs, 3, nullptr, 2), OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(), "the array of results is null");
  EXPECT_EQ(ourc_model_run(model, inputs, -1, nullptr, 2), OURC_ERROR_ARGUMENT);
}

TEST_F(Arguments, NullTensor) {
  Model model(program.get());
  EXPECT_EQ(model.run({nullptr, &mask, &scale}, {&out, &pooled}),
            OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(), "input 'input_ids': is null, must be a int64 "
                                  "tensor of shape [batch, seq]");
  EXPECT_EQ(model.run({&ids, &mask, &scale}, {&out, nullptr}),
            OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(),
               "result 1: is null, must be a float32 tensor of shape "
               "[batch, ?]");
}

TEST_F(Arguments, Device) {
  mask.dl.device = {kDLCUDA, 1};
  expectError("input 'mask': is on CUDA device 1, must be in CPU memory");
  mask.dl.device = {kDLMetal, 0};
  expectError(
      "input 'mask': is on a device of DLPack type 8, must be in CPU memory");
  mask.dl.device = {kDLCUDAHost, 0};
  EXPECT_EQ(run(), OURC_OK);
}

TEST_F(Arguments, Type) {
  mask.dl.dtype = {kDLFloat, 64, 1};
  expectError("input 'mask': is float64, must be float32");
  mask.dl.dtype = {kDLFloat, 32, 4};
  expectError("input 'mask': is float32 with 4 lanes, must be float32");
  mask.dl.dtype = {99, 32, 1};
  expectError(
      "input 'mask': is DLPack type code 99 of 32 bits, must be float32");
  mask.dl.dtype = {kDLBool, 8, 1};
  expectError("input 'mask': is bool, must be float32");
}

TEST_F(Arguments, Rank) {
  int64_t shape[] = {2, 4, 1};
  mask.dl.shape = shape;
  mask.dl.ndim = 3;
  expectError("input 'mask': has rank 3 (shape [2, 4, 1]), must have rank 2: "
              "[batch, seq]");
  mask.dl.ndim = -1;
  expectError("input 'mask': has rank -1, must have rank 2: [batch, seq]");
  mask.dl.ndim = 1000000;
  expectError("input 'mask': has rank 1000000, must have rank 2: [batch, seq]");
}

TEST_F(Arguments, NullShape) {
  mask.dl.shape = nullptr;
  expectError("input 'mask': its shape is null, must be [batch, seq]");
}

TEST_F(Arguments, StaticDimension) {
  scale.shape[0] = 4;
  expectError("input 'scale': dimension 0 is 4, must be 3");
}

TEST_F(Arguments, NegativeDimension) {
  ids.shape[1] = -4;
  expectError("input 'input_ids': dimension 1 ('seq') is -4, must not be "
              "negative");
}

TEST_F(Arguments, SymbolBounds) {
  ids.shape[1] = 600;
  expectError("input 'input_ids': dimension 1 ('seq') is 600, above its "
              "maximum 512");
  ids.shape[1] = 0;
  expectError("input 'input_ids': dimension 1 ('seq') is 0, below its "
              "minimum 2");
  ids.shape[1] = 7;
  expectError("input 'input_ids': dimension 1 ('seq') is 7, must be a "
              "multiple of 2");
}

TEST_F(Arguments, SymbolsAgree) {
  mask.shape[1] = 6;
  expectError("input 'mask': dimension 1 ('seq') is 6, must be 4 as dimension "
              "1 of input 'input_ids'");
}

TEST_F(Arguments, NullData) {
  ids.dl.data = nullptr;
  expectError("input 'input_ids': its data is null, but the tensor is not "
              "empty: its shape is [2, 4]");
}

TEST_F(Arguments, TooLarge) {
  program.symbols[0].max = program.symbols[1].max = INT64_MAX;
  ids.shape = {int64_t(1) << 40, int64_t(1) << 40};
  ids.dl.shape = ids.shape.data();
  expectError("input 'input_ids': its shape [1099511627776, 1099511627776] has "
              "more than 2^63 bytes");
}

TEST_F(Arguments, StridesBeyondMemory) {
  int64_t strides[] = {INT64_MAX / 2, 1};
  ids.dl.strides = strides;
  expectError("input 'input_ids': its strides [4611686018427387903, 1] reach "
              "beyond 2^63 bytes");
  strides[0] = INT64_MIN;
  EXPECT_EQ(run(), OURC_ERROR_ARGUMENT);
}

TEST_F(Arguments, ResultShape) {
  out.shape[0] = 3;
  expectError("result 'out': dimension 0 ('batch') is 3, must be 2: the shape "
              "is [2, 4]");
  out.shape[0] = 2;
  pooled.shape[1] = 4;
  expectError("result 1: dimension 1 is 4, must be 2: the shape is [2, 2]");
}

TEST_F(Arguments, ResultStrides) {
  int64_t strides[] = {1, 2};
  out.dl.strides = strides;
  expectError("result 'out': its strides are [1, 2], must be [4, 1]: the model "
              "writes into it");
  strides[0] = 4, strides[1] = 1;
  EXPECT_EQ(run(), OURC_OK);
}

TEST_F(Arguments, ResultAlignment) {
  std::vector<float> room(20);
  out.dl.data = room.data();
  out.dl.byte_offset = 2;
  EXPECT_EQ(run(), OURC_ERROR_ARGUMENT);
  std::string message = ourc_last_error();
  EXPECT_NE(
      message.find("must be aligned to 4 bytes: the model writes into it"),
      std::string::npos)
      << message;
}

TEST_F(Arguments, StridesOfSizeOneDimensionsDoNotMatter) {
  for (Tensor<float> *tensor : {std::addressof(mask), std::addressof(out)}) {
    tensor->shape[0] = 1;
    tensor->strides = {-77, 1};
    tensor->dl.strides = tensor->strides.data();
  }
  ids.shape[0] = 1;
  pooled.shape[0] = 1;
  EXPECT_EQ(run(), OURC_OK) << ourc_last_error();
}

TEST_F(Arguments, Overlap) {
  out.dl.data = mask.dl.data;
  expectError("result 'out': its memory overlaps that of input 'mask', must be "
              "apart");
  out.dl.data = out.values.data();
  pooled.dl.data = out.values.data() + 7;
  expectError(
      "result 'out': its memory overlaps that of result 1, must be apart");
  pooled.dl.data = pooled.values.data();
  // Inputs may share memory.
  scale.dl.data = mask.values.data();
  EXPECT_EQ(run(), OURC_OK) << ourc_last_error();
}

TEST_F(Arguments, ResultShapesNeedNoData) {
  ids.dl.data = mask.dl.data = scale.dl.data = nullptr;
  Model model(program.get());
  const DLTensor *inputs[] = {&ids, &mask, &scale};
  int64_t shapes[4] = {};
  EXPECT_EQ(ourc_model_result_shapes(model, inputs, 3, shapes), OURC_OK)
      << ourc_last_error();
  EXPECT_EQ(shapes[0], 2);
  EXPECT_EQ(shapes[1], 4);
  EXPECT_EQ(shapes[2], 2);
  EXPECT_EQ(shapes[3], 2);
  EXPECT_EQ(ourc_model_result_shapes(model, inputs, 3, nullptr),
            OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(), "the array of shapes is null");
}

TEST_F(Arguments, NullModel) {
  EXPECT_EQ(ourc_model_run(nullptr, nullptr, 0, nullptr, 0),
            OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(), "the model is null");
  EXPECT_EQ(ourc_model_bind(nullptr, nullptr, 0), OURC_ERROR_ARGUMENT);
  EXPECT_EQ(ourc_model_bind_file(nullptr, "x"), OURC_ERROR_ARGUMENT);
  EXPECT_EQ(ourc_model_prepare(nullptr), OURC_ERROR_ARGUMENT);
  EXPECT_EQ(ourc_model_result_shapes(nullptr, nullptr, 0, nullptr),
            OURC_ERROR_ARGUMENT);
  EXPECT_EQ(ourc_model_memory(nullptr, nullptr), OURC_ERROR_ARGUMENT);
  EXPECT_EQ(ourc_model_describe(nullptr), nullptr);
  EXPECT_EQ(ourc_model_create_from_program(program.get(), nullptr),
            OURC_ERROR_ARGUMENT);
  ourc_model_destroy(nullptr);
}

} // namespace
