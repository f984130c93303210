//===- ModelTest.cpp - Tests of models over programs in C -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/io/SafeTensors.h"
#include "test/runtime/TestTensors.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

using namespace ourc::test;

namespace {

int initCalls = 0;

/// The weights doubled, by way of the scratch memory.
int32_t doubleWeights(OurcContext *, void *const *operands, void *scratch) {
  ++initCalls;
  auto *weights = static_cast<const float *>(operands[0]);
  auto *prepared = static_cast<float *>(operands[1]);
  auto *middle = static_cast<float *>(scratch);
  for (int i = 0; i < 4; ++i)
    middle[i] = weights[i] + weights[i];
  for (int i = 0; i < 4; ++i)
    prepared[i] = middle[i];
  return 0;
}

struct RowArgs {
  const float *x, *weights;
  float *out;
};

void scaleRows(void *data, int64_t begin, int64_t end) {
  auto *args = static_cast<RowArgs *>(data);
  for (int64_t i = 4 * begin; i < 4 * end; ++i)
    args->out[i] = args->x[i] * args->weights[i % 4];
}

/// y = x * (2 w) + shift; the product is an intermediate buffer.
int32_t scaleAndShift(OurcContext *context, void *const *operands,
                      const int64_t *symbols, void *arena,
                      const int64_t *offsets) {
  auto *x = static_cast<const float *>(operands[0]);
  auto *shift = static_cast<const float *>(operands[1]);
  auto *prepared = static_cast<const float *>(operands[3]);
  auto *y = static_cast<float *>(operands[4]);
  auto *product =
      reinterpret_cast<float *>(static_cast<char *>(arena) + offsets[0]);
  RowArgs args = {x, prepared, product};
  ourc_parallel_for(context, scaleRows, &args, symbols[0], 1);
  for (int64_t i = 0; i < symbols[0] * 4; ++i) {
    y[i] = product[i] + shift[i / 4];
    if (y[i] < 0)
      ourc_report_error(context, "negative value in row", i / 4);
  }
  return 0;
}

/// x [n, 4], shift [n], w [4] -> y [n, 4].
class ScaleProgram : public Program {
public:
  ScaleProgram() {
    auto n = symbol(0);
    symbols = {{"n", 0, 1000, 1}};
    inputs = {desc("x", OURC_F32, {n, size(4)}), desc("shift", OURC_F32, {n})};
    parameters = {desc("w", OURC_F32, {size(4)})};
    prepared = {desc("w_doubled", OURC_F32, {size(4)})};
    results = {desc("y", OURC_F32, {n, size(4)})};
    buffers = {{0, 1}};
    program.shapes = [](const int64_t *symbols, int64_t *, int64_t *bytes) {
      bytes[0] = symbols[0] * 16;
    };
    program.init = doubleWeights;
    program.initScratchBytes = 16;
    program.run = scaleAndShift;
  }
};

TEST(Model, Runs) {
  ScaleProgram program;
  Model model(program.get());
  ASSERT_EQ(model.status, OURC_OK) << ourc_last_error();
  Tensor<float> x({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), shift({2}, {10, 20}),
      w({4}, {1, 10, 100, 1000}), y({2, 4});
  ASSERT_EQ(model.bind({&w}), OURC_OK) << ourc_last_error();
  ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK) << ourc_last_error();
  EXPECT_EQ(y.values,
            std::vector<float>({12, 50, 610, 8010, 30, 140, 1420, 16020}));
}

TEST(Model, SizesChangeFromCallToCall) {
  ScaleProgram program;
  Model model(program.get());
  Tensor<float> w({4}, {1, 1, 1, 1});
  ASSERT_EQ(model.bind({&w}), OURC_OK);
  for (int64_t n : {3, 1, 700, 0, 3}) {
    Tensor<float> x({n, 4}), shift({n}), y({n, 4});
    for (size_t i = 0; i < x.values.size(); ++i)
      x.values[i] = static_cast<float>(i);
    ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK) << ourc_last_error();
    for (size_t i = 0; i < y.values.size(); ++i)
      ASSERT_EQ(y.values[i], 2 * x.values[i]);
    OurcMemoryStats stats = model.memory();
    EXPECT_EQ(stats.lowerBound, n * 16);
    EXPECT_EQ(stats.sumOfBuffers, n * 16);
    EXPECT_EQ(stats.arenaBytes, (n * 16 + 63) / 64 * 64);
    EXPECT_EQ(stats.preparedBytes, 64);
  }
}

TEST(Model, ZeroSizeInputsMayHaveNoData) {
  ScaleProgram program;
  Model model(program.get());
  Tensor<float> w({4}), x({0, 4}), shift({0}), y({0, 4});
  x.dl.data = shift.dl.data = y.dl.data = nullptr;
  ASSERT_EQ(model.bind({&w}), OURC_OK);
  EXPECT_EQ(model.run({&x, &shift}, {&y}), OURC_OK) << ourc_last_error();
}

TEST(Model, SecondCallAllocatesNothing) {
  ScaleProgram program;
  Model model(program.get());
  Tensor<float> w({4}), x({30, 4}), shift({30}), y({30, 4});
  ASSERT_EQ(model.bind({&w}), OURC_OK);
  ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK);
  int64_t allocations = model.memory().allocations;
  EXPECT_GT(allocations, 0);
  for (int i = 0; i < 5; ++i)
    ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK);
  EXPECT_EQ(model.memory().allocations, allocations);
}

/// As ScaleProgram, each step a kernel that is launched.
class LaunchProgram : public ScaleProgram {
public:
  LaunchProgram() {
    program.init = [](OurcContext *context, void *const *operands,
                      void *scratch) {
      auto kernel = [](OurcContext *, void *const *buffers, const int64_t *) {
        return doubleWeights(nullptr, buffers, buffers[2]);
      };
      void *buffers[] = {operands[0], operands[1], scratch};
      return ourc_launch(context, kernel, buffers, nullptr, -1);
    };
    program.run = [](OurcContext *context, void *const *operands,
                     const int64_t *symbols, void *arena,
                     const int64_t *offsets) {
      auto nothing = [](OurcContext *, void *const *, const int64_t *) {
        return int32_t(0);
      };
      auto refuse = [](OurcContext *, void *const *, const int64_t *sizes) {
        return sizes[0] > 2 ? int32_t(7) : int32_t(0);
      };
      int32_t code = ourc_launch(context, nothing, nullptr, symbols, 0);
      if (!code)
        code = ourc_launch(context, refuse, nullptr, symbols, 1);
      return code ? code
                  : scaleAndShift(context, operands, symbols, arena, offsets);
    };
  }
};

TEST(Model, KeepsTimesOfLaunches) {
  LaunchProgram program;
  Model model(program.get());
  Tensor<float> w({4}, {1, 1, 1, 1}), x({2, 4}), shift({2}), y({2, 4});
  ASSERT_EQ(model.bind({&w}), OURC_OK);
  const OurcLaunchTime *times = nullptr;
  int64_t count = -1;
  ASSERT_EQ(ourc_model_time_launches(model, 1), OURC_OK);
  for (std::vector<int64_t> expected :
       {std::vector<int64_t>{-1, 0, 1}, {0, 1}}) {
    ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK) << ourc_last_error();
    ASSERT_EQ(ourc_model_launch_times(model, &times, &count), OURC_OK);
    ASSERT_EQ(count, static_cast<int64_t>(expected.size()));
    for (int64_t i = 0; i < count; ++i) {
      EXPECT_EQ(times[i].launch, expected[i]);
      EXPECT_LE(times[i].begin, times[i].end);
      if (i)
        EXPECT_LE(times[i - 1].end, times[i].begin);
    }
  }
  ASSERT_EQ(ourc_model_time_launches(model, 0), OURC_OK);
  ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK);
  ASSERT_EQ(ourc_model_launch_times(model, &times, &count), OURC_OK);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(ourc_model_launch_times(model, nullptr, &count),
            OURC_ERROR_ARGUMENT);
}

TEST(Model, TellsAnObserverOfLaunches) {
  LaunchProgram program;
  Model model(program.get());
  Tensor<float> w({4}), x({2, 4}), shift({2}), y({2, 4});
  ASSERT_EQ(model.bind({&w}), OURC_OK);
  ASSERT_EQ(ourc_model_prepare(model), OURC_OK);
  std::vector<int64_t> seen;
  auto observe = [](void *data, int64_t launch, int32_t ended) {
    static_cast<std::vector<int64_t> *>(data)->push_back(launch * 2 + ended);
  };
  ASSERT_EQ(ourc_model_observe(model, observe, &seen), OURC_OK);
  ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK);
  EXPECT_EQ(seen, (std::vector<int64_t>{0, 1, 2, 3}));
  // A launch that fails ends, too, and its code is the call's.
  Tensor<float> x3({3, 4}), shift3({3}), y3({3, 4});
  seen.clear();
  EXPECT_EQ(model.run({&x3, &shift3}, {&y3}), OURC_ERROR_RUNTIME);
  EXPECT_EQ(seen, (std::vector<int64_t>{0, 1, 2, 3}));
  ASSERT_EQ(ourc_model_observe(model, nullptr, nullptr), OURC_OK);
  seen.clear();
  ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK);
  EXPECT_TRUE(seen.empty());
}

TEST(Model, WeightsArePreparedWhenStale) {
  ScaleProgram program;
  Model model(program.get());
  Tensor<float> w({4}, {1, 1, 1, 1}), x({1, 4}, {1, 1, 1, 1}), shift({1}),
      y({1, 4});
  ASSERT_EQ(model.bind({&w}), OURC_OK);
  int calls = initCalls;
  EXPECT_EQ(ourc_model_prepare(model), OURC_OK);
  EXPECT_EQ(ourc_model_prepare(model), OURC_OK);
  EXPECT_EQ(initCalls, calls + 1);
  w.values.assign(4, 5);
  ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK);
  EXPECT_EQ(initCalls, calls + 1);
  EXPECT_EQ(y.values[0], 2); // prepared before the change
  ASSERT_EQ(model.bind({&w}), OURC_OK);
  ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK);
  EXPECT_EQ(initCalls, calls + 2);
  EXPECT_EQ(y.values[0], 10);
}

TEST(Model, UnboundParametersAreRefused) {
  ScaleProgram program;
  Model model(program.get());
  Tensor<float> x({1, 4}), shift({1}), y({1, 4});
  EXPECT_EQ(model.run({&x, &shift}, {&y}), OURC_ERROR_WEIGHTS);
  EXPECT_STREQ(ourc_last_error(),
               "the model's 1 parameters are not bound: call ourc_model_bind "
               "or ourc_model_bind_file first");
  EXPECT_EQ(ourc_model_prepare(model), OURC_ERROR_WEIGHTS);
}

TEST(Model, WrongParametersAreRefused) {
  ScaleProgram program;
  Model model(program.get());
  Tensor<float> narrow({3});
  Tensor<double> wide({4});
  EXPECT_EQ(model.bind({&narrow}), OURC_ERROR_WEIGHTS);
  EXPECT_STREQ(ourc_last_error(), "parameter 'w': dimension 0 is 3, must be 4");
  EXPECT_EQ(model.bind({&wide}), OURC_ERROR_WEIGHTS);
  EXPECT_STREQ(ourc_last_error(), "parameter 'w': is float64, must be float32");
  EXPECT_EQ(model.bind({nullptr}), OURC_ERROR_WEIGHTS);
  EXPECT_EQ(model.bind({}), OURC_ERROR_WEIGHTS);
  EXPECT_STREQ(ourc_last_error(),
               "got 0 parameters, the model has 1: parameter 'w'");
  EXPECT_EQ(ourc_model_bind(model, nullptr, 1), OURC_ERROR_WEIGHTS);
  EXPECT_STREQ(ourc_last_error(), "the array of parameters is null");
}

TEST(Model, ParameterStructsMayGoAfterBind) {
  ScaleProgram program;
  Model model(program.get());
  std::vector<float> data = {1, 0, 2, 0, 3, 0, 4, 0};
  {
    Tensor<float> w({4});
    w.strides = {2};
    w.dl.strides = w.strides.data();
    w.dl.data = data.data();
    ASSERT_EQ(model.bind({&w}), OURC_OK);
    w.shape[0] = w.strides[0] = -99;
  }
  Tensor<float> x({1, 4}, {1, 1, 1, 1}), shift({1}), y({1, 4});
  ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK) << ourc_last_error();
  EXPECT_EQ(y.values, std::vector<float>({2, 4, 6, 8}));
}

TEST(Model, StridedInputs) {
  ScaleProgram program;
  Model model(program.get());
  Tensor<float> w({4}, {1, 1, 1, 1}), y({2, 4});
  ASSERT_EQ(model.bind({&w}), OURC_OK);
  std::vector<float> memory = {1, 5, 2, 6, 3, 7, 4, 8};
  auto run = [&](float *data, std::vector<int64_t> strides, float shiftValue,
                 uint64_t byteOffset = 0) {
    Tensor<float> x({2, 4}), shift({2}, {shiftValue});
    int64_t zero = 0;
    x.dl.data = data;
    x.dl.byte_offset = byteOffset;
    x.dl.strides = strides.data();
    shift.dl.strides = &zero;
    EXPECT_EQ(model.run({&x, &shift}, {&y}), OURC_OK) << ourc_last_error();
    return y.values;
  };
  using Values = std::vector<float>;
  // Transposed; reversed; one column for all; and by byte_offset.
  EXPECT_EQ(run(memory.data(), {1, 2}, 0),
            Values({2, 4, 6, 8, 10, 12, 14, 16}));
  EXPECT_EQ(run(memory.data() + 7, {-4, -1}, 1),
            Values({17, 9, 15, 7, 13, 5, 11, 3}));
  EXPECT_EQ(run(memory.data() + 1, {1, 0}, 0),
            Values({10, 10, 10, 10, 4, 4, 4, 4}));
  EXPECT_EQ(run(memory.data(), {0, 1}, 0, 16),
            Values({6, 14, 8, 16, 6, 14, 8, 16}));
}

TEST(Model, UnalignedInputs) {
  ScaleProgram program;
  Model model(program.get());
  Tensor<float> w({4}, {1, 1, 1, 1}), x({1, 4}, {1, 2, 3, 4}), shift({1}),
      y({1, 4});
  ASSERT_EQ(model.bind({&w}), OURC_OK);
  std::vector<char> bytes(17);
  memcpy(bytes.data() + 1, x.values.data(), 16);
  x.dl.data = bytes.data() + 1;
  ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK) << ourc_last_error();
  EXPECT_EQ(y.values, std::vector<float>({2, 4, 6, 8}));
}

/// Copies its input to its result; both are [2, 3] with dimension 1 outermost.
int32_t copySix(OurcContext *, void *const *operands, const int64_t *, void *,
                const int64_t *) {
  memcpy(operands[1], operands[0], 24);
  return 0;
}

TEST(Model, Layouts) {
  Program program;
  std::vector<OurcDim> dims = {Program::size(2), Program::size(3)};
  program.inputs = {program.desc("x", OURC_F32, dims, {1, 0})};
  program.results = {program.desc("y", OURC_F32, dims, {1, 0})};
  program.program.run = copySix;
  Model model(program.get());
  Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6}), y({2, 3});
  EXPECT_EQ(model.run({&x}, {&y}), OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(),
               "result 'y': its strides are those of a row-major tensor, must "
               "be [1, 2]: the model writes into it");
  int64_t strides[] = {1, 2};
  y.dl.strides = strides;
  // A row-major input is brought into the order that the program wants.
  ASSERT_EQ(model.run({&x}, {&y}), OURC_OK) << ourc_last_error();
  EXPECT_EQ(y.values, std::vector<float>({1, 4, 2, 5, 3, 6}));
  // One that is in it already is used where it is.
  x.dl.strides = strides;
  int64_t allocations = model.memory().allocations;
  ASSERT_EQ(model.run({&x}, {&y}), OURC_OK) << ourc_last_error();
  EXPECT_EQ(y.values, x.values);
  EXPECT_EQ(model.memory().allocations, allocations);
}

/// Adds input 1 to input 0 in place and counts in result 1.
int32_t accumulate(OurcContext *, void *const *operands, const int64_t *,
                   void *, const int64_t *) {
  auto *state = static_cast<float *>(operands[0]);
  auto *x = static_cast<const float *>(operands[1]);
  if (operands[2] != operands[0])
    return 9;
  for (int i = 0; i < 2; ++i)
    state[i] += x[i];
  *static_cast<float *>(operands[3]) = state[0] + state[1];
  return 0;
}

class Updates : public ::testing::Test {
protected:
  Updates() {
    std::vector<OurcDim> two = {Program::size(2)};
    program.inputs = {program.desc("state", OURC_F32, two),
                      program.desc("x", OURC_F32, two)};
    program.results = {program.desc("state", OURC_F32, two),
                       program.desc("sum", OURC_F32, {})};
    program.results[0].updates = 0;
    program.program.run = accumulate;
  }
  Program program;
  Tensor<float> state{{2}, {1, 2}}, x{{2}, {10, 20}}, sum{{}};
};

TEST_F(Updates, InPlace) {
  Model model(program.get());
  ASSERT_EQ(model.run({&state, &x}, {nullptr, &sum}), OURC_OK)
      << ourc_last_error();
  EXPECT_EQ(state.values, std::vector<float>({11, 22}));
  EXPECT_EQ(sum.values[0], 33);
  ASSERT_EQ(model.run({&state, &x}, {&state, &sum}), OURC_OK)
      << ourc_last_error();
  EXPECT_EQ(state.values, std::vector<float>({21, 42}));
}

TEST_F(Updates, AnotherMemoryIsRefused) {
  Model model(program.get());
  Tensor<float> other({2});
  EXPECT_EQ(model.run({&state, &x}, {&other, &sum}), OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(), "result 'state': must be null or the memory "
                                  "of input 'state', which it updates");
}

TEST_F(Updates, AStridedInputIsRefused) {
  Model model(program.get());
  int64_t stride = -1;
  state.dl.strides = &stride;
  state.dl.byte_offset = 4;
  EXPECT_EQ(model.run({&state, &x}, {nullptr, &sum}), OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(), "input 'state': its strides are [-1], must "
                                  "be [1]: the model updates it in place");
}

TEST_F(Updates, OverlapWithAnotherInputIsRefused) {
  Model model(program.get());
  EXPECT_EQ(model.run({&state, &state}, {nullptr, &sum}), OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_last_error(),
               "input 'state': it is updated, but its memory overlaps that of "
               "input 'x', must be apart");
}

TEST(Model, ErrorsOfGeneratedCode) {
  ScaleProgram program;
  Model model(program.get());
  Tensor<float> w({4}, {1, 1, 1, 1}), x({3, 4}), shift({3}, {0, 0, -5}),
      y({3, 4});
  ASSERT_EQ(model.bind({&w}), OURC_OK);
  EXPECT_EQ(model.run({&x, &shift}, {&y}), OURC_ERROR_RUNTIME);
  EXPECT_STREQ(ourc_last_error(),
               "the run of 'test': negative value in row (2)");
  shift.values[2] = 0; // the next call starts anew
  EXPECT_EQ(model.run({&x, &shift}, {&y}), OURC_OK) << ourc_last_error();
}

TEST(Model, CodesOfGeneratedCode) {
  Program program;
  program.program.run = [](OurcContext *, void *const *, const int64_t *,
                           void *, const int64_t *) -> int32_t { return 42; };
  Model model(program.get());
  EXPECT_EQ(model.run({}, {}), OURC_ERROR_RUNTIME);
  EXPECT_STREQ(ourc_last_error(), "the run of 'test' failed with code 42");
}

TEST(Model, BadSizesOfGeneratedCode) {
  Program program;
  program.buffers = {{0, 0}};
  program.program.numComputedDims = 1;
  program.program.shapes = [](const int64_t *, int64_t *dims, int64_t *bytes) {
    dims[0] = 1, bytes[0] = -4;
  };
  program.program.run = [](OurcContext *, void *const *, const int64_t *,
                           void *, const int64_t *) -> int32_t { return 0; };
  EXPECT_EQ(Model(program.get()).run({}, {}), OURC_ERROR_RUNTIME);
  EXPECT_STREQ(ourc_last_error(),
               "the program computes a negative size of a buffer");
  program.program.shapes = [](const int64_t *, int64_t *dims, int64_t *bytes) {
    dims[0] = -2, bytes[0] = 4;
  };
  EXPECT_EQ(Model(program.get()).run({}, {}), OURC_ERROR_RUNTIME);
  EXPECT_STREQ(ourc_last_error(),
               "the program computes -2 as a dimension of its results");
  program.program.shapes = [](const int64_t *, int64_t *dims, int64_t *bytes) {
    dims[0] = 1, bytes[0] = INT64_MAX - 200;
  };
  EXPECT_EQ(Model(program.get()).run({}, {}), OURC_ERROR_MEMORY);
  EXPECT_STREQ(ourc_last_error(),
               "intermediate results of this size take more than 2^62 bytes");
  program.program.shapes = [](const int64_t *, int64_t *dims, int64_t *bytes) {
    dims[0] = 1, bytes[0] = int64_t(1) << 60;
  };
  EXPECT_EQ(Model(program.get()).run({}, {}), OURC_ERROR_MEMORY);
  EXPECT_STREQ(ourc_last_error(), "no memory for intermediate results: "
                                  "1152921504606846976 bytes");
}

OurcModel *reentered = nullptr;

TEST(Model, ACallFromInsideACallIsAnError) {
  Program program;
  program.program.run = [](OurcContext *, void *const *, const int64_t *,
                           void *, const int64_t *) -> int32_t {
    return ourc_model_run(reentered, nullptr, 0, nullptr, 0);
  };
  Model model(program.get());
  reentered = model;
  EXPECT_EQ(model.run({}, {}), OURC_ERROR_RUNTIME);
  EXPECT_STREQ(ourc_last_error(), "the run of 'test' failed with code 1");
}

TEST(Model, SeveralThreadsCallOneModel) {
  ScaleProgram program;
  Model model(program.get());
  Tensor<float> w({4}, {1, 1, 1, 1});
  ASSERT_EQ(model.bind({&w}), OURC_OK);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int turn = 0; turn < 50; ++turn) {
        int64_t n = 1 + (t * 7 + turn) % 40;
        Tensor<float> x({n, 4}), shift({n}), y({n, 4});
        for (float &value : x.values)
          value = static_cast<float>(t + 1);
        if (t == 3)
          shift.shape[0] = n + 1; // this thread's calls fail
        int32_t status = model.run({&x, &shift}, {&y});
        if (t == 3) {
          std::string wanted = "must be " + std::to_string(n) + " as";
          wrong += status != OURC_ERROR_ARGUMENT ||
                   !strstr(ourc_last_error(), wanted.c_str());
          continue;
        }
        wrong += status != OURC_OK;
        for (float value : y.values)
          wrong += value != static_cast<float>(2 * (t + 1));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Model, ManySizesStayBounded) {
  // More sets of sizes than plans are kept.
  ScaleProgram program;
  Model model(program.get());
  Tensor<float> w({4}, {1, 1, 1, 1});
  ASSERT_EQ(model.bind({&w}), OURC_OK);
  for (int64_t turn = 0; turn < 400; ++turn) {
    int64_t n = turn % 200;
    Tensor<float> x({n, 4}), shift({n}), y({n, 4});
    ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK) << ourc_last_error();
    ASSERT_EQ(model.memory().lowerBound, n * 16);
  }
}

TEST(Model, SymbolsOfParameters) {
  Program program;
  auto n = Program::symbol(0);
  program.symbols = {{"n", 1, 8, 1}};
  program.inputs = {program.desc("x", OURC_F32, {n})};
  program.parameters = {program.desc("w", OURC_F32, {n})};
  program.program.run = [](OurcContext *, void *const *, const int64_t *,
                           void *, const int64_t *) -> int32_t { return 0; };
  Model model(program.get());
  Tensor<float> three({3}), four({4});
  EXPECT_EQ(model.run({&three}, {}), OURC_ERROR_WEIGHTS);
  ASSERT_EQ(model.bind({&four}), OURC_OK);
  EXPECT_EQ(model.run({&three}, {}), OURC_ERROR_WEIGHTS);
  EXPECT_STREQ(ourc_last_error(), "parameter 'w': dimension 0 ('n') is 4, must "
                                  "be 3 as dimension 0 of input 'x'");
  EXPECT_EQ(model.run({&four}, {}), OURC_OK) << ourc_last_error();
}

TEST(Model, WeightsFromAFile) {
  ScaleProgram program;
  Model model(program.get());
  std::string path = temporaryFile("weights.safetensors");
  std::vector<float> data = {1, 2, 3, 4};
  auto write = [&](const char *name, int32_t dtype, int64_t size) {
    std::vector<ourc::runtime::SafeTensorSource> tensors = {
        {"other", OURC_F32, 1, &size, data.data()},
        {name, dtype, 1, &size, data.data()}};
    ASSERT_EQ(ourc::runtime::writeSafeTensors(path.c_str(), tensors.data(), 2),
              OURC_OK);
  };
  write("w", OURC_F32, 4);
  ASSERT_EQ(ourc_model_bind_file(model, path.c_str()), OURC_OK)
      << ourc_last_error();
  Tensor<float> x({1, 4}, {1, 1, 1, 1}), shift({1}), y({1, 4});
  ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK) << ourc_last_error();
  EXPECT_EQ(y.values, std::vector<float>({2, 4, 6, 8}));

  auto expectError = [&](const std::string &message) {
    EXPECT_EQ(ourc_model_bind_file(model, path.c_str()), OURC_ERROR_WEIGHTS);
    EXPECT_EQ(ourc_last_error(), "'" + path + "'" + message);
  };
  write("v", OURC_F32, 4);
  expectError(" lacks 1 of the model's 1 parameters: 'w'");
  write("w", OURC_I32, 4);
  expectError(": parameter 'w': is I32, must be F32");
  write("w", OURC_F32, 3);
  expectError(": parameter 'w': dimension 0 is 3, must be 4");
  EXPECT_EQ(ourc_model_bind_file(model, nullptr), OURC_ERROR_ARGUMENT);
  EXPECT_EQ(ourc_model_bind_file(model, "/nowhere/w.safetensors"),
            OURC_ERROR_WEIGHTS);
  EXPECT_STREQ(ourc_last_error(), "cannot open '/nowhere/w.safetensors': No "
                                  "such file or directory");
  // What was bound still is.
  ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK) << ourc_last_error();
  EXPECT_EQ(y.values, std::vector<float>({2, 4, 6, 8}));
}

TEST(Model, UnalignedWeightsInAFile) {
  std::string header =
      R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})";
  while ((header.size() + 8) % 4 != 1)
    header += ' ';
  std::string bytes(8, 0);
  bytes[0] = static_cast<char>(header.size());
  float data[] = {1, 2, 3, 4};
  bytes += header + std::string(reinterpret_cast<char *>(data), 16);
  std::string path = temporaryFile("unaligned.safetensors");
  writeFile(path, bytes);
  ScaleProgram program;
  Model model(program.get());
  ASSERT_EQ(ourc_model_bind_file(model, path.c_str()), OURC_OK)
      << ourc_last_error();
  Tensor<float> x({1, 4}, {1, 1, 1, 1}), shift({1}), y({1, 4});
  ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK) << ourc_last_error();
  EXPECT_EQ(y.values, std::vector<float>({2, 4, 6, 8}));
  // The file is let go when other weights are bound.
  Tensor<float> w({4}, {5, 5, 5, 5});
  ASSERT_EQ(model.bind({&w}), OURC_OK);
  ASSERT_EQ(model.run({&x, &shift}, {&y}), OURC_OK) << ourc_last_error();
  EXPECT_EQ(y.values, std::vector<float>({10, 10, 10, 10}));
}

} // namespace
