//===- Pointwise.cpp - Emits the strategy pointwise -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Emitters.h"

using namespace mlir;
using namespace ourc;

LogicalResult ourc::emitPointwise(KernelABI &abi,
                                  kernel::CPUPointwiseAttr schedule) {
  return abi.getKernel().emitOpError("cannot be emitted with ") << schedule;
}
