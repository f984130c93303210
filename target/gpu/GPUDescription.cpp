//===- GPUDescription.cpp - What code generation knows of a GPU --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/gpu/GPUDescription.h"

using namespace ourc;

std::optional<GPUDescription> GPUDescription::parse(llvm::StringRef spec,
                                                    std::string &error) {
  GPUDescription gpu;
  gpu.name = spec.str();
  if (spec == "simt") {
    gpu.isSIMT = true;
    return gpu;
  }
  if (spec == "cuda:sm_80")
    return gpu;
  if (spec == "cuda:sm_90") {
    gpu.chip = "sm_90";
    gpu.computeCapability = 90;
    gpu.sharedBytes = 227 * 1024;
    return gpu;
  }
  error = ("unknown GPU target '" + spec +
           "': expected 'simt', 'cuda:sm_80' or 'cuda:sm_90'")
              .str();
  return std::nullopt;
}
