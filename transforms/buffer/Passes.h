//===- Passes.h - Passes over the graph's buffers -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_BUFFER_PASSES_H
#define OURC_TRANSFORMS_BUFFER_PASSES_H

#include "mlir/Pass/Pass.h"

namespace ourc {

#define GEN_PASS_DECL
#include "transforms/buffer/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "transforms/buffer/Passes.h.inc"

} // namespace ourc

#endif // OURC_TRANSFORMS_BUFFER_PASSES_H
