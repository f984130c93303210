//===- Emitters.h - One function for each GPU strategy -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_KERNELTOGPU_EMITTERS_H
#define OURC_CONVERSION_KERNELTOGPU_EMITTERS_H

#include "dialects/kernel/KernelDialect.h"

namespace ourc::gpucodegen {

// Each emits, beside the kernel, its GPU module and its entry function, as the
// schedule says; an error is reported where it fails. All loop nests of the
// kernel are linalg.generic.

mlir::LogicalResult emitPointwise(kernel::FuncOp kernel,
                                  kernel::GPUPointwiseAttr schedule);
mlir::LogicalResult emitRow(kernel::FuncOp kernel, kernel::GPURowAttr schedule);
mlir::LogicalResult emitScatter(kernel::FuncOp kernel,
                                kernel::GPUScatterAttr schedule);
mlir::LogicalResult emitContraction(kernel::FuncOp kernel,
                                    kernel::GPUContractionAttr schedule);
mlir::LogicalResult emitAttention(kernel::FuncOp kernel,
                                  kernel::GPUAttentionAttr schedule);
mlir::LogicalResult emitTile(kernel::FuncOp kernel,
                             kernel::GPUTileAttr schedule);

} // namespace ourc::gpucodegen

#endif // OURC_CONVERSION_KERNELTOGPU_EMITTERS_H
