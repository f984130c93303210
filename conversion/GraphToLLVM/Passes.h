//===- Passes.h - The graph half to LLVM ----------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_GRAPHTOLLVM_PASSES_H
#define OURC_CONVERSION_GRAPHTOLLVM_PASSES_H

#include "mlir/Pass/Pass.h"

namespace ourc {

#define GEN_PASS_DECL
#include "conversion/GraphToLLVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/GraphToLLVM/Passes.h.inc"

} // namespace ourc

#endif // OURC_CONVERSION_GRAPHTOLLVM_PASSES_H
