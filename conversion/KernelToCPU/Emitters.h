//===- Emitters.h - One emitter for each CPU strategy ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOCPU_EMITTERS_H
#define OURC_CONVERSION_KERNELTOCPU_EMITTERS_H

#include "conversion/KernelToCPU/KernelABI.h"
#include "dialects/kernel/KernelDialect.h"

namespace ourc {

// Each emitter fills the entry function of `abi` with the code of the kernel as
// its schedule says, or emits an error at the kernel and fails. It lives in the
// file of the strategy's name.

llvm::LogicalResult emitContraction(KernelABI &abi,
                                    kernel::CPUContractionAttr schedule);
llvm::LogicalResult emitWinograd(KernelABI &abi,
                                 kernel::CPUWinogradAttr schedule);
llvm::LogicalResult emitAttention(KernelABI &abi,
                                  kernel::CPUAttentionAttr schedule);
llvm::LogicalResult emitDepthwise(KernelABI &abi,
                                  kernel::CPUDepthwiseAttr schedule);
llvm::LogicalResult emitRow(KernelABI &abi, kernel::CPURowAttr schedule);
llvm::LogicalResult emitPointwise(KernelABI &abi,
                                  kernel::CPUPointwiseAttr schedule);
llvm::LogicalResult emitScatter(KernelABI &abi,
                                kernel::CPUScatterAttr schedule);
llvm::LogicalResult emitPool(KernelABI &abi, kernel::CPUPoolAttr schedule);

} // namespace ourc

#endif // OURC_CONVERSION_KERNELTOCPU_EMITTERS_H
