//===- Passes.h - Lowering of NVVM to the SIMT machine -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_NVVMTOSIMT_PASSES_H
#define OURC_CONVERSION_NVVMTOSIMT_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ourc {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "conversion/NVVMToSIMT/Passes.h.inc"

} // namespace ourc

#endif // OURC_CONVERSION_NVVMTOSIMT_PASSES_H
