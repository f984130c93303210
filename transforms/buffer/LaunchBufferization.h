//===- LaunchBufferization.h - Bufferisation of kernel.launch -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_BUFFER_LAUNCHBUFFERIZATION_H
#define OURC_TRANSFORMS_BUFFER_LAUNCHBUFFERIZATION_H

#include "mlir/IR/DialectRegistry.h"

namespace ourc {

/// Attaches the bufferisation of `kernel.launch` as an external model.
void registerLaunchBufferization(mlir::DialectRegistry &registry);

} // namespace ourc

#endif // OURC_TRANSFORMS_BUFFER_LAUNCHBUFFERIZATION_H
