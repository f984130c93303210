//===- Pointwise.cpp - Emits the strategy pointwise -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Emitters.h"
#include "conversion/KernelToCPU/LoopNest.h"

using namespace mlir;
using namespace ourc;

LogicalResult ourc::emitPointwise(KernelABI &abi,
                                  kernel::CPUPointwiseAttr schedule) {
  NestOptions options{
      schedule.getLanes(),      /*unroll=*/1, schedule.getGrain(),
      /*grainInElements=*/true, /*parts=*/0,  schedule.getInterleave()};
  return emitLoopNests(abi, options);
}
