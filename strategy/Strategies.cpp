//===- Strategies.cpp - The strategies of a target
//----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/Strategies.h"

#include "strategy/cpu/CPUStrategies.h"
#include "strategy/gpu/GPUStrategies.h"

using namespace ourc;

llvm::SmallVector<std::unique_ptr<Strategy>>
ourc::createStrategies(llvm::StringRef target, std::string &error) {
  if (target.starts_with("cpu:")) {
    if (auto machine = cpu::MachineDescription::parse(target, error))
      return createCPUStrategies(*machine);
    return {};
  }
  if (target == "simt" || target.starts_with("cuda:")) {
    if (auto gpu = GPUDescription::parse(target, error))
      return createGPUStrategies(*gpu);
    return {};
  }
  error = ("unknown target '" + target +
           "': expected 'cpu:native', 'cpu:<name of a CPU>', 'simt' or "
           "'cuda:<architecture>'")
              .str();
  return {};
}
