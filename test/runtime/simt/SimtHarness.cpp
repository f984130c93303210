//===- SimtHarness.cpp - Kernels as lambdas on the SIMT machine --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimtHarness.h"

static std::string reported;

void ourc_report_error(OurcContext *, const char *message, int64_t) {
  if (reported.empty())
    reported = message;
}

void ourc_parallel_for(OurcContext *, OurcTaskFn task, void *args, int64_t n,
                       int64_t) {
  if (n > 1)
    task(args, 0, n / 2);
  task(args, n / 2, n);
}

LaunchResult launch(const LaunchSize &size,
                    const std::function<void()> &kernel) {
  reported.clear();
  ourc_simt_set_checks(size.checks);
  void *args[] = {const_cast<std::function<void()> *>(&kernel)};
  int32_t code = ourc_simt_launch(
      nullptr, "k",
      [](void **args) { (*static_cast<std::function<void()> *>(args[0]))(); },
      args, size.grid.data(), size.block.data(), size.sharedBytes,
      size.buffers.data(), static_cast<int64_t>(size.buffers.size()),
      size.granule);
  return {code, reported};
}

void run(const LaunchSize &size, const std::function<void()> &kernel) {
  LaunchResult result = launch(size, kernel);
  EXPECT_EQ(result.code, OURC_OK) << result.message;
}

void runFails(const LaunchSize &size, const std::function<void()> &kernel,
              const std::string &text) {
  LaunchResult result = launch(size, kernel);
  EXPECT_EQ(result.code, OURC_ERROR_RUNTIME);
  EXPECT_NE(result.message.find(text), std::string::npos) << result.message;
}
