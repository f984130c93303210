//===- SimtHarness.h - Kernels as lambdas on the SIMT machine ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TEST_RUNTIME_SIMT_SIMTHARNESS_H
#define OURC_TEST_RUNTIME_SIMT_SIMTHARNESS_H

#include "runtime/abi/Model.h"
#include "runtime/simt/Simt.h"
#include "runtime/simt/SimtOps.h"

#include "gtest/gtest.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

/// The code of a launch and the message it reported, empty when none.
struct LaunchResult {
  int32_t code;
  std::string message;
};

struct LaunchSize {
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::array<int64_t, 3> block = {32, 1, 1};
  int64_t sharedBytes = 0;
  std::vector<OurcSimtBuffer> buffers = {};
  int32_t granule = 1;
  /// Kernels of most tests touch memory without telling the machine.
  uint32_t checks = OURC_SIMT_CHECK_BOUNDS | OURC_SIMT_CHECK_ALIGNMENT;
};

/// Runs `kernel` in every thread.
LaunchResult launch(const LaunchSize &size,
                    const std::function<void()> &kernel);

/// Runs and expects success.
void run(const LaunchSize &size, const std::function<void()> &kernel);

/// Runs and expects an error whose message holds `text`.
void runFails(const LaunchSize &size, const std::function<void()> &kernel,
              const std::string &text);

inline uint16_t *sharedHalves() {
  return static_cast<uint16_t *>(ourc_simt_shared());
}

constexpr int32_t allLanes = -1;

#endif // OURC_TEST_RUNTIME_SIMT_SIMTHARNESS_H
