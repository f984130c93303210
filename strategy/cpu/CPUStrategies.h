//===- CPUStrategies.h - The strategies for CPUs --------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_CPU_CPUSTRATEGIES_H
#define OURC_STRATEGY_CPU_CPUSTRATEGIES_H

#include "strategy/Strategy.h"
#include "target/cpu/MachineDescription.h"

namespace ourc {

std::unique_ptr<Strategy>
createCPUContractionStrategy(const cpu::MachineDescription &machine);
std::unique_ptr<Strategy>
createCPUDepthwiseStrategy(const cpu::MachineDescription &machine);
std::unique_ptr<Strategy>
createCPUWinogradStrategy(const cpu::MachineDescription &machine);
std::unique_ptr<Strategy>
createCPUAttentionStrategy(const cpu::MachineDescription &machine);
std::unique_ptr<Strategy>
createCPURowStrategy(const cpu::MachineDescription &machine);
/// The strategy row for products of a matrix and one vector.
std::unique_ptr<Strategy>
createCPUMatvecStrategy(const cpu::MachineDescription &machine);
std::unique_ptr<Strategy>
createCPUPoolStrategy(const cpu::MachineDescription &machine);
std::unique_ptr<Strategy>
createCPUPointwiseStrategy(const cpu::MachineDescription &machine);
std::unique_ptr<Strategy>
createCPUScatterStrategy(const cpu::MachineDescription &machine);

/// All of them; the first that matches a kernel makes it.
llvm::SmallVector<std::unique_ptr<Strategy>>
createCPUStrategies(const cpu::MachineDescription &machine);

} // namespace ourc

#endif // OURC_STRATEGY_CPU_CPUSTRATEGIES_H
