//===- ModelTest.cpp - Models on a GPU, by the C ABI ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelCall.h"

#include "gtest/gtest.h"

#include <thread>

using namespace ourc::test;

namespace {

class GPUModelTest : public testing::Test {
protected:
  void SetUp() override {
    fake().reset();
    ASSERT_EQ(made.create(), OURC_OK) << ourc_last_error();
  }
  void TearDown() override {
    ourc_model_destroy(made.model);
    made.model = nullptr;
    EXPECT_EQ(fake().numLive(), 0);
    EXPECT_EQ(fake().misuse(), "");
  }
  bool describes(const std::string &text) {
    std::string description = ourc_model_describe(made.model);
    if (description.find(text) != std::string::npos)
      return true;
    ADD_FAILURE() << "no " << text << " in " << description;
    return false;
  }
  void expectError(int32_t status, int32_t expected, const std::string &text) {
    EXPECT_EQ(status, expected);
    EXPECT_NE(std::string(ourc_last_error()).find(text), std::string::npos)
        << ourc_last_error();
  }
  /// The names of calls since the call number `from`, without contexts.
  std::vector<std::string> callsSince(int64_t from) {
    std::vector<std::string> names;
    for (int64_t i = from; i < fake().numCalls(); ++i)
      if (fake().call(i).rfind("cuCtx", 0))
        names.push_back(fake().call(i));
    return names;
  }

  GPUModel made;
};

TEST_F(GPUModelTest, TensorsOfTheCPU) {
  for (int64_t n : {5, 64, 1, 33}) {
    CPUTensors tensors(n);
    ASSERT_EQ(tensors.run(made.model), OURC_OK) << ourc_last_error();
    EXPECT_TRUE(tensors.areRight());
  }
  // Weights are prepared once, code is loaded once.
  EXPECT_EQ(fake().countCalls("cuModuleLoadDataEx"), 2);
  EXPECT_EQ(fake().countCalls("cuLaunchKernel"), 1 + 4 * 2);
}

TEST_F(GPUModelTest, TensorsOfTheGPUOnTheCallersStream) {
  GPUTensors tensors(33, 7);
  int stream;
  (void)stream;
  ASSERT_EQ(tensors.run(made.model), OURC_OK) << ourc_last_error();
  EXPECT_TRUE(tensors.areRight());
  ourc::cuda::Stream callers = nullptr;
  ourc::cuda::Device device;
  ASSERT_EQ(device.open(doublePath(), 0), OURC_OK);
  ASSERT_EQ(device.createStream(&callers), OURC_OK);
  int64_t before = fake().numCalls();
  GPUTensors others(21, 3);
  ASSERT_EQ(others.run(made.model, callers), OURC_OK) << ourc_last_error();
  EXPECT_TRUE(others.areRight());
  // Nothing is waited for, and all work is in the stream.
  EXPECT_EQ(callsSince(before),
            std::vector<std::string>(
                {"cuMemAllocFromPoolAsync", "cuLaunchKernel", "cuLaunchKernel",
                 "cuMemcpyDtoDAsync_v2", "cuMemcpyDtoDAsync_v2",
                 "cuMemsetD32Async", "cuMemsetD32Async", "cuMemFreeAsync"}));
  for (int64_t i = before; i < fake().numCalls(); ++i)
    if (fake().call(i).rfind("cuCtx", 0))
      EXPECT_EQ(fake().stream(i), callers) << fake().call(i);
  device.destroyStream(callers);
  device.close();
}

TEST_F(GPUModelTest, TensorsOfBoth) {
  CPUTensors host(12);
  GPUTensors device(12);
  const DLTensor *inputs[] = {&device.x};
  DLTensor *results[] = {&host.sum, &device.copy, &host.table, &device.count};
  ASSERT_EQ(ourc_model_run(made.model, inputs, 1, results, 4), OURC_OK)
      << ourc_last_error();
  host.copy.values = device.copy.read<float>();
  host.count.values = device.count.read<int64_t>();
  EXPECT_TRUE(host.areRight());
}

TEST_F(GPUModelTest, WeightsOfTheGPUAreUsedWhereTheyAre) {
  GPUTensor weights(64, dtypeOf<float>());
  weights.write(std::vector<float>(64, 10));
  const DLTensor *parameters[] = {&weights};
  ASSERT_EQ(ourc_model_bind(made.model, parameters, 1), OURC_OK);
  GPUTensors tensors(9);
  ASSERT_EQ(tensors.run(made.model), OURC_OK) << ourc_last_error();
  EXPECT_TRUE(tensors.areRight());
  EXPECT_EQ(fake().countCalls("cuMemHostAlloc"), 0);
}

TEST_F(GPUModelTest, WeightsAreBoundAnew) {
  CPUTensors tensors(9);
  for (float weight : {3.0f, 10.0f}) {
    Tensor<float> weights({64}, std::vector<float>(64, weight));
    const DLTensor *parameters[] = {&weights};
    ASSERT_EQ(ourc_model_bind(made.model, parameters, 1), OURC_OK);
    ASSERT_EQ(tensors.run(made.model), OURC_OK) << ourc_last_error();
    EXPECT_EQ(tensors.sum.values[1], 2 + 2 * weight);
  }
  EXPECT_TRUE(tensors.areRight());
}

TEST_F(GPUModelTest, Graphs) {
  ASSERT_EQ(ourc_model_use_graphs(made.model, 1), OURC_OK);
  GPUTensors tensors(33, 7), others(33, 2), shorter(5, 2);
  ASSERT_EQ(tensors.run(made.model), OURC_OK) << ourc_last_error();
  EXPECT_TRUE(tensors.areRight());
  describes("\"graphs\": {\"on\": true, \"captures\": 0, \"updates\": 0, "
            "\"replays\": 0, \"refusals\": 1, \"reason\": \"first call: it "
            "loads the kernels\"}");
  ASSERT_EQ(tensors.run(made.model), OURC_OK) << ourc_last_error();
  int64_t before = fake().numCalls();
  tensors.x.write(std::vector<float>(33, 4));
  ASSERT_EQ(tensors.run(made.model), OURC_OK) << ourc_last_error();
  EXPECT_TRUE(tensors.areRight());
  EXPECT_EQ(callsSince(before),
            std::vector<std::string>({"cuStreamIsCapturing", "cuGraphLaunch"}));
  // Other addresses, then other sizes: the graph is given them.
  ASSERT_EQ(others.run(made.model), OURC_OK) << ourc_last_error();
  EXPECT_TRUE(others.areRight());
  ASSERT_EQ(shorter.run(made.model), OURC_OK) << ourc_last_error();
  EXPECT_TRUE(shorter.areRight());
  describes("\"captures\": 1, \"updates\": 2, \"replays\": 4, "
            "\"refusals\": 1");
  CPUTensors host(7);
  ASSERT_EQ(host.run(made.model), OURC_OK) << ourc_last_error();
  EXPECT_TRUE(host.areRight());
  describes("\"refusals\": 2, \"reason\": \"input 'x' is in CPU memory\"");
  // As if they had never been on.
  ASSERT_EQ(ourc_model_use_graphs(made.model, 0), OURC_OK);
  ASSERT_EQ(tensors.run(made.model), OURC_OK) << ourc_last_error();
  describes("\"on\": false, \"captures\": 1, \"updates\": 2, \"replays\": 4");
}

TEST_F(GPUModelTest, NoGraphInsideOfTheCallers) {
  ASSERT_EQ(ourc_model_use_graphs(made.model, 1), OURC_OK);
  GPUTensors tensors(33, 7);
  ASSERT_EQ(tensors.run(made.model), OURC_OK) << ourc_last_error();
  ourc::cuda::Stream callers = nullptr;
  ourc::cuda::Device device;
  ASSERT_EQ(device.open(doublePath(), 0), OURC_OK);
  ASSERT_EQ(device.createStream(&callers), OURC_OK);
  // A watched call has no graph either.
  ASSERT_EQ(ourc_model_time_launches(made.model, 1), OURC_OK);
  ASSERT_EQ(tensors.run(made.model, callers), OURC_OK) << ourc_last_error();
  describes("\"reason\": \"launches are timed or observed\"");
  const OurcLaunchTime *times;
  int64_t count;
  ASSERT_EQ(ourc_model_launch_times(made.model, &times, &count), OURC_OK);
  EXPECT_EQ(count, 2);
  device.destroyStream(callers);
  device.close();
}

TEST_F(GPUModelTest, TwoStreamsAndTwoThreads) {
  ourc::cuda::Device device;
  ASSERT_EQ(device.open(doublePath(), 0), OURC_OK);
  GPUModel second;
  ASSERT_EQ(second.create(), OURC_OK);
  // Each thread uses both models, on a stream of its own.
  auto work = [&](float first, bool &right) {
    ourc::cuda::Stream stream = nullptr;
    right = device.createStream(&stream) == OURC_OK;
    {
      GPUTensors tensors(33, first), shorter(4, first);
      for (int round = 0; right && round < 20; ++round)
        right = tensors.run(made.model, stream) == OURC_OK &&
                shorter.run(second.model, stream) == OURC_OK &&
                tensors.areRight() && shorter.areRight();
    }
    device.destroyStream(stream);
  };
  bool first = false, other = false;
  std::thread thread([&] { work(3, first); });
  work(5, other);
  thread.join();
  EXPECT_TRUE(first);
  EXPECT_TRUE(other);
  device.close();
  // Both models have one GPU, which loads code once.
  EXPECT_EQ(fake().countCalls("cuModuleLoadDataEx"), 2);
}

TEST_F(GPUModelTest, TheGPUOfTheTensors) {
  GPUTensors tensors(4, 0, 1), elsewhere(4, 0, 0);
  ASSERT_EQ(tensors.run(made.model), OURC_OK) << ourc_last_error();
  EXPECT_TRUE(tensors.areRight());
  expectError(elsewhere.run(made.model), OURC_ERROR_ARGUMENT,
              "input 'x': a tensor is on CUDA device 0, but the model is on "
              "CUDA device 1: all must be on one");
  const DLTensor *inputs[] = {&tensors.x};
  DLTensor *results[] = {&tensors.sum, &elsewhere.copy, &tensors.table,
                         &tensors.count};
  expectError(ourc_model_run(made.model, inputs, 1, results, 4),
              OURC_ERROR_ARGUMENT, "result 'copy': a tensor is on CUDA");
}

TEST_F(GPUModelTest, AGPUThatIsNotThere) {
  CPUTensors tensors(4);
  GPUTensors elsewhere(4, 0, 5);
  expectError(elsewhere.run(made.model), OURC_ERROR_ARGUMENT,
              "there is no GPU 5: the driver has 2");
}

TEST_F(GPUModelTest, WhatIsRefused) {
  GPUTensors tensors(4);
  int64_t strides[] = {2};
  tensors.x.dl.strides = strides;
  expectError(tensors.run(made.model), OURC_ERROR_ARGUMENT,
              "input 'x': its strides are [2], must be [1]: a tensor on a CUDA "
              "device is used where it is");
  tensors.x.dl.strides = nullptr;
  tensors.x.dl.device.device_type = kDLROCM;
  expectError(tensors.run(made.model), OURC_ERROR_ARGUMENT,
              "must be in CPU memory or on a CUDA device");
}

} // namespace
