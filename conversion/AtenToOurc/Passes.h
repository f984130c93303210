//===- Passes.h - ATen calls to ourc --------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_ATENTOOURC_PASSES_H
#define OURC_CONVERSION_ATENTOOURC_PASSES_H

#include "mlir/Pass/Pass.h"

namespace ourc {

#define GEN_PASS_DECL
#include "conversion/AtenToOurc/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/AtenToOurc/Passes.h.inc"

} // namespace ourc

#endif // OURC_CONVERSION_ATENTOOURC_PASSES_H
