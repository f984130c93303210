//===- DeviceTest.cpp - The host side, over a driver double ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DoubleAccess.h"

#include "runtime/abi/Model.h"
#include "runtime/cuda/Device.h"

#include "gtest/gtest.h"

#include <cstring>
#include <dlfcn.h>
#include <string>
#include <thread>

using namespace ourc::cuda;
using namespace ourc::test;

namespace {

const char cubin80[] = "cubin 80", cubin86[] = "cubin 86",
           cubin90[] = "cubin 90", ptx[] = "ptx";

/// out[i] = 2 * in[i] for each thread of a block
int32_t twice(void *const *arguments, const int64_t *, const int64_t *block,
              int64_t) {
  auto *in = *static_cast<float **>(arguments[0]);
  auto *out = *static_cast<float **>(arguments[1]);
  for (int64_t i = 0; i < block[0]; ++i)
    out[i] = 2 * in[i];
  return 0;
}

struct Code {
  OurcDeviceBinary binaries[3] = {{80, cubin80, sizeof(cubin80) - 1},
                                  {86, cubin86, sizeof(cubin86) - 1},
                                  {90, cubin90, sizeof(cubin90) - 1}};
  OurcDeviceKernel kernel = {"twice", "pp", binaries, 3, ptx, nullptr};
};

int32_t launchKernel(Device &device, const OurcDeviceKernel &kernel,
                     Stream stream, void **arguments, uint32_t shared = 0) {
  int64_t grid[3] = {1, 1, 1}, block[3] = {32, 1, 1};
  Function function;
  if (int32_t status = device.prepare(kernel, shared, &function))
    return status;
  return device.launch(function, kernel.name, grid, block, shared, stream,
                       arguments);
}

void addTwins() {
  for (const char *code : {cubin80, cubin86, cubin90, ptx})
    fake().addTwin(code, "twice", twice);
}

int32_t launchTwice(Device &device, Stream stream, Address in, Address out,
                    uint32_t shared = 0) {
  Code code;
  void *arguments[] = {&in, &out};
  return launchKernel(device, code.kernel, stream, arguments, shared);
}

/// Everything that a call of a model does. Releases what it made, also after
/// an error, whose status it returns.
int32_t runOnce(float *values) {
  Device device;
  Stream stream = nullptr;
  Address in = 0, out = 0;
  int32_t status = device.open(doublePath(), 0);
  bool opened = status == OURC_OK;
  auto step = [&](auto action) {
    if (status == OURC_OK)
      status = action();
  };
  step([&] { return device.createStream(&stream); });
  step([&] { return device.allocate(128, stream, &in); });
  step([&] { return device.allocate(128, stream, &out); });
  step([&] { return device.copyToDevice(in, values, 128, stream); });
  step([&] { return launchTwice(device, stream, in, out, 100 * 1024); });
  step([&] { return device.copyToHost(values, out, 128, stream); });
  step([&] { return device.synchronize(stream); });
  if (opened) {
    device.release(in, stream);
    device.release(out, stream);
    if (stream)
      device.destroyStream(stream);
  }
  device.close();
  return status;
}

TEST(Device, RunsAKernel) {
  fake().reset();
  addTwins();
  float values[32];
  for (int i = 0; i < 32; ++i)
    values[i] = static_cast<float>(i);
  ASSERT_EQ(runOnce(values), OURC_OK) << ourc_last_error();
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], 2 * i);
  EXPECT_EQ(fake().numLive(), 0);
  EXPECT_EQ(fake().misuse(), "");
}

TEST(Device, ErrorsAtEveryCall) {
  fake().reset();
  addTwins();
  float values[32] = {};
  ASSERT_EQ(runOnce(values), OURC_OK);
  int64_t calls = fake().numCalls();
  int64_t noticed = 0;
  for (int64_t at = 0; at < calls; ++at)
    for (int code : {2, 719}) {
      fake().reset();
      addTwins();
      fake().failAt(at, code);
      int32_t status = runOnce(values);
      std::string name = fake().call(at);
      SCOPED_TRACE(name + " at " + std::to_string(at));
      EXPECT_EQ(fake().misuse(), "");
      // What lets go of things cannot be undone, and does not end a call.
      bool letsGo = name == "cuCtxPopCurrent_v2" || name == "cuModuleUnload" ||
                    name == "cuDevicePrimaryCtxRelease_v2" ||
                    name == "cuMemFreeAsync" || name == "cuStreamDestroy_v2" ||
                    name == "cuMemPoolDestroy";
      EXPECT_EQ(fake().numLive(), 0);
      if (letsGo || (name == "cuCtxPushCurrent_v2" && status == OURC_OK))
        continue;
      ++noticed;
      EXPECT_EQ(status, code == 2 ? OURC_ERROR_MEMORY : OURC_ERROR_RUNTIME);
      std::string message = ourc_last_error();
      std::string plain = name.substr(0, name.find("_v2"));
      EXPECT_NE(message.find(plain + " failed while "), std::string::npos)
          << message;
      EXPECT_NE(message.find(code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY (2): out of "
                                         "memory"
                                       : "CUDA_ERROR_LAUNCH_FAILED (719)"),
                std::string::npos)
          << message;
    }
  EXPECT_GT(noticed, 20);
}

TEST(Device, ChoosesTheNewestBinaryThatRuns) {
  auto launchOn = [](int architecture, const char *expected) {
    fake().reset(architecture);
    fake().addTwin(expected, "twice", twice);
    Device device;
    ASSERT_EQ(device.open(doublePath(), 0), OURC_OK);
    EXPECT_EQ(device.getArchitecture(), architecture);
    Address in = 0, out = 0;
    device.allocate(128, nullptr, &in);
    device.allocate(128, nullptr, &out);
    EXPECT_EQ(launchTwice(device, nullptr, in, out), OURC_OK)
        << ourc_last_error();
    device.release(in, nullptr);
    device.release(out, nullptr);
    device.close();
  };
  launchOn(80, cubin80);
  launchOn(86, cubin86);
  launchOn(89, cubin86);
  launchOn(90, cubin90);
  // No binary: the driver compiles PTX.
  launchOn(100, ptx);
}

TEST(Device, FallsBackToPTXWhereABinaryIsRefused) {
  fake().reset(90);
  fake().addTwin(ptx, "twice", twice);
  Device device;
  ASSERT_EQ(device.open(doublePath(), 0), OURC_OK);
  const char broken[] = "cubin broken";
  OurcDeviceBinary binary = {90, broken, sizeof(broken) - 1};
  OurcDeviceKernel image = {"twice", "pp", &binary, 1, ptx, nullptr};
  Address in = 0, out = 0;
  device.allocate(128, nullptr, &in);
  device.allocate(128, nullptr, &out);
  void *arguments[] = {&in, &out};
  EXPECT_EQ(launchKernel(device, image, nullptr, arguments), OURC_OK)
      << ourc_last_error();
  // The driver's own words come along.
  OurcDeviceKernel bad = {"twice", "pp", nullptr, 0, "ptx broken", nullptr};
  EXPECT_EQ(launchKernel(device, bad, nullptr, arguments), OURC_ERROR_RUNTIME);
  EXPECT_NE(std::string(ourc_last_error()).find("line 1: not PTX"),
            std::string::npos)
      << ourc_last_error();
  OurcDeviceKernel none = {"twice", "pp", &binary, 0, nullptr, nullptr};
  EXPECT_EQ(launchKernel(device, none, nullptr, arguments), OURC_ERROR_RUNTIME);
  EXPECT_NE(std::string(ourc_last_error())
                .find("has no code for a GPU of compute capability 9.0"),
            std::string::npos);
  device.release(in, nullptr);
  device.release(out, nullptr);
  device.close();
  EXPECT_EQ(fake().numLive(), 0);
}

TEST(Device, LoadsEqualCodeOnce) {
  fake().reset();
  addTwins();
  Device device;
  ASSERT_EQ(device.open(doublePath(), 0), OURC_OK);
  Address in = 0, out = 0;
  device.allocate(128, nullptr, &in);
  device.allocate(128, nullptr, &out);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(launchTwice(device, nullptr, in, out, 64 * 1024), OURC_OK);
  EXPECT_EQ(fake().countCalls("cuModuleLoadDataEx"), 1);
  EXPECT_EQ(fake().countCalls("cuModuleGetFunction"), 1);
  EXPECT_EQ(fake().countCalls("cuFuncSetAttribute"), 1);
  EXPECT_EQ(fake().countCalls("cuLaunchKernel"), 5);
  EXPECT_EQ(device.getNumModules(), 1);
  device.release(in, nullptr);
  device.release(out, nullptr);
  device.close();
}

TEST(Device, TwoThreadsWithAStreamEach) {
  fake().reset();
  addTwins();
  Device device;
  ASSERT_EQ(device.open(doublePath(), 0), OURC_OK);
  auto work = [&](float start, bool &right) {
    Stream stream = nullptr;
    Address in = 0, out = 0;
    right = device.createStream(&stream) == OURC_OK &&
            device.allocate(128, stream, &in) == OURC_OK &&
            device.allocate(128, stream, &out) == OURC_OK;
    for (int round = 0; right && round < 50; ++round) {
      float values[32];
      for (float &x : values)
        x = start;
      right = device.copyToDevice(in, values, 128, stream) == OURC_OK &&
              launchTwice(device, stream, in, out) == OURC_OK &&
              device.copyToHost(values, out, 128, stream) == OURC_OK &&
              device.synchronize(stream) == OURC_OK && values[31] == 2 * start;
    }
    device.release(in, stream);
    device.release(out, stream);
    device.destroyStream(stream);
  };
  bool first = false, second = false;
  std::thread other([&] { work(3, first); });
  work(5, second);
  other.join();
  EXPECT_TRUE(first);
  EXPECT_TRUE(second);
  device.close();
  EXPECT_EQ(fake().countCalls("cuModuleLoadDataEx"), 1);
  EXPECT_EQ(fake().numLive(), 0);
}

TEST(Device, WhatIsNotThere) {
  fake().reset();
  Device device;
  EXPECT_EQ(device.open("/nowhere/libcuda.so.1", 0), OURC_ERROR_RUNTIME);
  EXPECT_NE(std::string(ourc_last_error()).find("no NVIDIA driver"),
            std::string::npos);
  device.close();
  // A library that is no driver.
  EXPECT_EQ(device.open("libm.so.6", 0), OURC_ERROR_RUNTIME);
  EXPECT_NE(std::string(ourc_last_error()).find("it is too old"),
            std::string::npos);
  device.close();
  EXPECT_EQ(device.open(doublePath(), 3), OURC_ERROR_ARGUMENT);
  EXPECT_NE(std::string(ourc_last_error())
                .find("there is no GPU 3: the driver has 1"),
            std::string::npos);
  device.close();
  ASSERT_EQ(device.open(doublePath(), 0), OURC_OK);
  EXPECT_EQ(launchTwice(device, nullptr, 0, 0), OURC_ERROR_RUNTIME);
  EXPECT_NE(std::string(ourc_last_error()).find("looking for kernel 'twice'"),
            std::string::npos)
      << ourc_last_error();
  device.close();
  EXPECT_EQ(fake().numLive(), 0);
}

} // namespace
