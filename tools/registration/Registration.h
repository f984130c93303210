//===- Registration.h - The only list of dialects, passes and pipelines
//-------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TOOLS_REGISTRATION_REGISTRATION_H
#define OURC_TOOLS_REGISTRATION_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ourc {

/// All dialects of ourc and the external models that it attaches.
void registerAllDialects(mlir::DialectRegistry &registry);

/// All passes of ourc.
void registerAllPasses();

/// All named pipelines of ourc.
void registerAllPipelines();

} // namespace ourc

#endif // OURC_TOOLS_REGISTRATION_REGISTRATION_H
