//===- Strategies.cpp - The strategies of a target
//----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/Strategies.h"

#include "strategy/cpu/CPUStrategies.h"

using namespace ourc;

llvm::SmallVector<std::unique_ptr<Strategy>>
ourc::createStrategies(llvm::StringRef target, std::string &error) {
  if (target.starts_with("cpu:")) {
    if (auto machine = cpu::MachineDescription::parse(target, error))
      return createCPUStrategies(*machine);
    return {};
  }
  error = ("unknown target '" + target +
           "': expected 'cpu:native' or 'cpu:<name of a CPU>'")
              .str();
  return {};
}
