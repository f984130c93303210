//===- Decompositions.h - Decompositions of composite operations ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GRAPH_DECOMPOSITIONS_H
#define OURC_TRANSFORMS_GRAPH_DECOMPOSITIONS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ourc {

// Each attaches the DecomposableOpInterface of one family.
void registerActivationDecompositions(mlir::DialectRegistry &registry);
void registerContractionDecompositions(mlir::DialectRegistry &registry);
void registerNormDecompositions(mlir::DialectRegistry &registry);
void registerShapeDecompositions(mlir::DialectRegistry &registry);

} // namespace ourc

#endif // OURC_TRANSFORMS_GRAPH_DECOMPOSITIONS_H
