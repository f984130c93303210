//===- GPUStrategies.h - The strategies for GPUs -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_GPU_GPUSTRATEGIES_H
#define OURC_STRATEGY_GPU_GPUSTRATEGIES_H

#include "strategy/Strategy.h"
#include "target/gpu/GPUDescription.h"

namespace ourc {

std::unique_ptr<Strategy>
createGPUContractionStrategy(const GPUDescription &gpu);
std::unique_ptr<Strategy> createGPUAttentionStrategy(const GPUDescription &gpu);
std::unique_ptr<Strategy> createGPUTileStrategy(const GPUDescription &gpu);
std::unique_ptr<Strategy> createGPURowStrategy(const GPUDescription &gpu);
std::unique_ptr<Strategy> createGPUScatterStrategy(const GPUDescription &gpu);
std::unique_ptr<Strategy> createGPUPointwiseStrategy(const GPUDescription &gpu);

/// All of them; the first that matches a kernel makes it.
llvm::SmallVector<std::unique_ptr<Strategy>>
createGPUStrategies(const GPUDescription &gpu);

} // namespace ourc

#endif // OURC_STRATEGY_GPU_GPUSTRATEGIES_H
