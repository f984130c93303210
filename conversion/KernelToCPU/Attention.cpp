//===- Attention.cpp - Emits the strategy attention -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Emitters.h"

using namespace mlir;
using namespace ourc;

LogicalResult ourc::emitAttention(KernelABI &abi,
                                  kernel::CPUAttentionAttr schedule) {
  return abi.getKernel().emitOpError("cannot be emitted with ") << schedule;
}
