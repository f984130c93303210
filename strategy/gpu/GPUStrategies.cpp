//===- GPUStrategies.cpp - The strategies for GPUs ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/gpu/GPUStrategies.h"

using namespace ourc;

llvm::SmallVector<std::unique_ptr<Strategy>>
ourc::createGPUStrategies(const GPUDescription &gpu) {
  llvm::SmallVector<std::unique_ptr<Strategy>> strategies;
  strategies.push_back(createGPUContractionStrategy(gpu));
  strategies.push_back(createGPUAttentionStrategy(gpu));
  strategies.push_back(createGPUTileStrategy(gpu));
  strategies.push_back(createGPUScatterStrategy(gpu));
  strategies.push_back(createGPURowStrategy(gpu));
  strategies.push_back(createGPUPointwiseStrategy(gpu));
  return strategies;
}
