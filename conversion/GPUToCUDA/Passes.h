//===- Passes.h - GPU modules and launches for CUDA -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_GPUTOCUDA_PASSES_H
#define OURC_CONVERSION_GPUTOCUDA_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ourc {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "conversion/GPUToCUDA/Passes.h.inc"

} // namespace ourc

#endif // OURC_CONVERSION_GPUTOCUDA_PASSES_H
