//===- Patterns.h - Patterns of the lowering, by op family ----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_OURCTOLINALG_PATTERNS_H
#define OURC_CONVERSION_OURCTOLINALG_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace ourc {

class SymbolicShapes;

void populateElementwisePatterns(mlir::RewritePatternSet &patterns,
                                 SymbolicShapes &shapes);
void populateSourcePatterns(mlir::RewritePatternSet &patterns,
                            SymbolicShapes &shapes);
void populateShapePatterns(mlir::RewritePatternSet &patterns,
                           SymbolicShapes &shapes);
void populateReshapePatterns(mlir::RewritePatternSet &patterns,
                             SymbolicShapes &shapes);
void populateReductionPatterns(mlir::RewritePatternSet &patterns,
                               SymbolicShapes &shapes);
void populateContractionPatterns(mlir::RewritePatternSet &patterns,
                                 SymbolicShapes &shapes);
void populateConvolutionPatterns(mlir::RewritePatternSet &patterns,
                                 SymbolicShapes &shapes);
void populateNormPatterns(mlir::RewritePatternSet &patterns,
                          SymbolicShapes &shapes);
void populateAttentionPatterns(mlir::RewritePatternSet &patterns,
                               SymbolicShapes &shapes);

} // namespace ourc

#endif // OURC_CONVERSION_OURCTOLINALG_PATTERNS_H
