//===- TransposableModels.h - How transposes move past each operation -----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GRAPH_TRANSPOSABLEMODELS_H
#define OURC_TRANSFORMS_GRAPH_TRANSPOSABLEMODELS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "transforms/graph/TransposableOpInterface.h.inc"

namespace ourc {

void registerTransposableModels(mlir::DialectRegistry &registry);

} // namespace ourc

#endif // OURC_TRANSFORMS_GRAPH_TRANSPOSABLEMODELS_H
