//===- CompileRegistry.h - The dialects of a compilation ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_COMPILEREGISTRY_H
#define OURC_COMPILER_COMPILEREGISTRY_H

#include "mlir/IR/DialectRegistry.h"

namespace ourc {

/// All that a compilation may meet, made once.
const mlir::DialectRegistry &compileRegistry();

} // namespace ourc

#endif // OURC_COMPILER_COMPILEREGISTRY_H
