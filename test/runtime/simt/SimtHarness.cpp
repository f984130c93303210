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

LaunchResult launch(const LaunchSize &size,
                    const std::function<void()> &kernel) {
  reported.clear();
  void *args[] = {const_cast<std::function<void()> *>(&kernel)};
  int32_t code = ourc_simt_launch(
      nullptr, "k",
      [](void **args) { (*static_cast<std::function<void()> *>(args[0]))(); },
      args, size.grid.data(), size.block.data(), size.sharedBytes);
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
