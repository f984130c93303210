//===- Passes.h - The ourc dialect to linalg ------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_OURCTOLINALG_PASSES_H
#define OURC_CONVERSION_OURCTOLINALG_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ourc {

#define GEN_PASS_DECL
#include "conversion/OurcToLinalg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/OurcToLinalg/Passes.h.inc"

/// Attaches the ScalarBodyOpInterface of elementwise operations.
void registerScalarBodyModels(mlir::DialectRegistry &registry);

} // namespace ourc

#endif // OURC_CONVERSION_OURCTOLINALG_PASSES_H
