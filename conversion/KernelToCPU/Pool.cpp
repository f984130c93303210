//===- Pool.cpp - Emits the strategy pool ---------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Emitters.h"

using namespace mlir;
using namespace ourc;

LogicalResult ourc::emitPool(KernelABI &abi, kernel::CPUPoolAttr schedule) {
  return abi.getKernel().emitOpError("cannot be emitted with ") << schedule;
}
