//===- GPUDescription.cpp - What code generation knows of a GPU --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/gpu/GPUDescription.h"

using namespace ourc;

namespace {
struct Architecture {
  llvm::StringLiteral chip, features;
  int64_t computeCapability;
  /// Shared memory that one block may have.
  int64_t sharedKiB;
};
} // namespace

static constexpr Architecture architectures[] = {
    {"sm_80", "+ptx80", 80, 163},
    {"sm_89", "+ptx80", 89, 99},
    {"sm_90", "+ptx80", 90, 227},
    {"sm_100", "+ptx86", 100, 227},
};

std::optional<GPUDescription> GPUDescription::parse(llvm::StringRef spec,
                                                    std::string &error) {
  GPUDescription gpu;
  gpu.name = spec.str();
  if (spec == "simt") {
    gpu.isSIMT = true;
    return gpu;
  }
  bool isCUDA = spec.consume_front("cuda:");
  for (const Architecture &known : architectures) {
    if (!isCUDA || spec != known.chip)
      continue;
    gpu.chip = known.chip;
    gpu.features = known.features;
    gpu.computeCapability = known.computeCapability;
    gpu.sharedBytes = known.sharedKiB * 1024;
    return gpu;
  }
  error = "unknown GPU target '" + gpu.name + "': expected 'simt'";
  for (const Architecture &known : architectures)
    error +=
        (&known == std::end(architectures) - 1 ? " or 'cuda:" : ", 'cuda:") +
        known.chip.str() + "'";
  return std::nullopt;
}
