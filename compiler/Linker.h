//===- Linker.h - Object files to a shared object -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_LINKER_H
#define OURC_COMPILER_LINKER_H

#include "compiler/CodeGenerator.h"

namespace ourc {

/// Links `objects` with the artifact's runtime into the shared object `path`,
/// which exports the artifact's part of runtime/abi/Model.h.
llvm::Error linkArtifact(llvm::ArrayRef<const ObjectCode *> objects,
                         llvm::StringRef path);

} // namespace ourc

#endif // OURC_COMPILER_LINKER_H
