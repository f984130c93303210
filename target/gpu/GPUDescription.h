//===- GPUDescription.h - What code generation knows of a GPU ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TARGET_GPU_GPUDESCRIPTION_H
#define OURC_TARGET_GPU_GPUDESCRIPTION_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace ourc {

/// A GPU as schedules and LLVM see it.
struct GPUDescription {
  /// What was asked for: "simt", "cuda:sm_80", ….
  std::string name;
  /// Whether kernels run on the SIMT machine instead of a GPU.
  bool isSIMT = false;
  /// LLVM's name of the architecture and the PTX version that it needs.
  std::string chip = "sm_80", features = "+ptx80";
  /// The number in the name: 80, 90, ….
  int64_t computeCapability = 80;
  /// Shared memory that one block may have.
  int64_t sharedBytes = 163 * 1024;

  /// Parses "simt" (an sm_80 on the SIMT machine) or "cuda:sm_80",
  /// "cuda:sm_89", "cuda:sm_90", "cuda:sm_100". On failure `error` says what is
  /// wrong and what would be right.
  static std::optional<GPUDescription> parse(llvm::StringRef spec,
                                             std::string &error);
};

} // namespace ourc

#endif // OURC_TARGET_GPU_GPUDESCRIPTION_H
