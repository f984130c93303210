//===- CPUStrategies.cpp - The strategies for CPUs ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/CPUStrategies.h"

using namespace ourc;

llvm::SmallVector<std::unique_ptr<Strategy>>
ourc::createCPUStrategies(const cpu::MachineDescription &machine) {
  llvm::SmallVector<std::unique_ptr<Strategy>> strategies;
  strategies.push_back(createCPUAttentionStrategy(machine));
  strategies.push_back(createCPUDepthwiseStrategy(machine));
  strategies.push_back(createCPUWinogradStrategy(machine));
  strategies.push_back(createCPUMatvecStrategy(machine));
  strategies.push_back(createCPUContractionStrategy(machine));
  strategies.push_back(createCPUPoolStrategy(machine));
  strategies.push_back(createCPUScatterStrategy(machine));
  strategies.push_back(createCPURowStrategy(machine));
  strategies.push_back(createCPUPointwiseStrategy(machine));
  return strategies;
}
