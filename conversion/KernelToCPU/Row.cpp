//===- Row.cpp - Emits the strategy row -----------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Emitters.h"
#include "conversion/KernelToCPU/LoopNest.h"

using namespace mlir;
using namespace ourc;

LogicalResult ourc::emitRow(KernelABI &abi, kernel::CPURowAttr schedule) {
  NestOptions options{schedule.getLanes(), schedule.getUnroll(),
                      schedule.getGrain(), /*grainInElements=*/false,
                      schedule.getParts(), schedule.getInterleave()};
  return emitLoopNests(abi, options);
}
