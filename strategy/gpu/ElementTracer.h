//===- ElementTracer.h - Where the elements of a tensor come from ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_GPU_ELEMENTTRACER_H
#define OURC_STRATEGY_GPU_ELEMENTTRACER_H

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <functional>

namespace ourc {

/// Follows elements of tensors back, through loop nests and views, to the
/// operations that need them. Coordinates are affine expressions; what is not
/// known to be affine is a symbol.
class ElementTracer {
public:
  /// Stops at operations for which `isTarget` holds.
  ElementTracer(mlir::MLIRContext *context,
                std::function<bool(mlir::Operation *)> isTarget)
      : context(context), isTarget(std::move(isTarget)) {}

  struct Use {
    mlir::Operation *op;
    llvm::SmallVector<mlir::AffineExpr> coordinates;
  };
  /// Where targets are read.
  llvm::SmallVector<Use> uses;

  /// Follows the element of `tensor` at `coordinates`.
  void trace(mlir::Value tensor, llvm::ArrayRef<mlir::AffineExpr> coordinates);
  /// Follows every element (d0, d1, ...) of `tensor`.
  void traceAll(mlir::Value tensor);
  /// Follows what one iteration of a nest reads.
  void traceLoop(mlir::linalg::GenericOp op,
                 llvm::ArrayRef<mlir::AffineExpr> iteration);

private:
  mlir::AffineExpr opaque();
  llvm::SmallVector<mlir::AffineExpr> opaques(mlir::RankedTensorType type);
  /// The coordinate of a group of dimensions that become one.
  mlir::AffineExpr merge(llvm::ArrayRef<int64_t> group,
                         mlir::RankedTensorType type,
                         llvm::ArrayRef<mlir::AffineExpr> coordinates);
  /// The coordinates of a group of dimensions that were one.
  void split(llvm::ArrayRef<int64_t> group, mlir::RankedTensorType type,
             mlir::AffineExpr coordinate,
             llvm::MutableArrayRef<mlir::AffineExpr> source);

  mlir::MLIRContext *context;
  std::function<bool(mlir::Operation *)> isTarget;
  unsigned numOpaque = 0;
  llvm::DenseMap<mlir::Value,
                 llvm::SmallVector<llvm::SmallVector<mlir::AffineExpr>>>
      visited;
};

} // namespace ourc

#endif // OURC_STRATEGY_GPU_ELEMENTTRACER_H
