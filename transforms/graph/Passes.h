//===- Passes.h - Passes over the ourc dialect ----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GRAPH_PASSES_H
#define OURC_TRANSFORMS_GRAPH_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ourc {

#define GEN_PASS_DECL
#include "transforms/graph/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "transforms/graph/Passes.h.inc"

/// Attaches the interfaces that these passes ask: decompositions and how
/// transposes move.
void registerGraphModels(mlir::DialectRegistry &registry);

} // namespace ourc

#endif // OURC_TRANSFORMS_GRAPH_PASSES_H
