//===- Pool.cpp - Emits the strategy pool ---------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Emitters.h"
#include "conversion/KernelToCPU/LoopNest.h"

using namespace mlir;
using namespace ourc;

LogicalResult ourc::emitPool(KernelABI &abi, kernel::CPUPoolAttr schedule) {
  NestOptions options{schedule.getLanes(), /*unroll=*/1, schedule.getGrain(),
                      /*grainInElements=*/false};
  return emitLoopNests(abi, options);
}
