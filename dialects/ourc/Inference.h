//===- Inference.h - What result types are inferred and agree -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_OURC_INFERENCE_H
#define OURC_DIALECTS_OURC_INFERENCE_H

#include "dialects/ourc/OurcDialect.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ourc {

/// Whether declared result types agree with inferred ones: one rank and element
/// type, and sizes that agree where both are static.
bool areCompatibleResults(mlir::TypeRange inferred, mlir::TypeRange declared);

/// Says, in the form of an op's own error, why no result type can be inferred.
struct InferenceError {
  std::optional<mlir::Location> loc;
  llvm::StringRef opName;

  template <typename... Args>
  llvm::LogicalResult operator()(Args &&...what) const {
    return mlir::emitOptionalError(loc, "'", opName, "' op ",
                                   std::forward<Args>(what)...);
  }
};

/// The size that two dimensions which must agree have together, or failure.
llvm::FailureOr<int64_t> joinSizes(int64_t a, int64_t b);

/// The shape of a result that has its first operand's.
llvm::LogicalResult reifyLikeFirst(mlir::Operation *op,
                                   mlir::OpBuilder &builder,
                                   mlir::ReifiedRankedShapedTypeDims &shapes);

/// Checks that `dims` are unique and in [0, rank).
bool areUniqueDims(llvm::ArrayRef<int64_t> dims, int64_t rank);

/// Checks that `sizes` (static and dynamic entries) are what `type` says.
llvm::LogicalResult verifySizes(mlir::Operation *op,
                                llvm::ArrayRef<int64_t> staticSizes,
                                mlir::ValueRange dynamicSizes,
                                mlir::RankedTensorType type);

/// The sliding window's output size: floor((size + low + high - dilation ·
/// (window - 1) - 1) / stride) + 1, dynamic when `size` or `window` is;
/// failure when negative.
llvm::FailureOr<int64_t> windowOutputSize(int64_t size, int64_t window,
                                          int64_t stride, int64_t dilation,
                                          int64_t low, int64_t high);
/// The same as IR.
mlir::OpFoldResult windowOutputSize(mlir::OpBuilder &builder,
                                    mlir::Location loc, mlir::OpFoldResult size,
                                    int64_t window, int64_t stride,
                                    int64_t dilation, int64_t low,
                                    int64_t high);

/// Checks a window's attributes: `count` entries each, positive or not
/// negative.
llvm::LogicalResult verifyWindow(std::optional<mlir::Location> loc,
                                 llvm::StringRef op, int64_t count,
                                 llvm::ArrayRef<int64_t> strides,
                                 llvm::ArrayRef<int64_t> dilations,
                                 llvm::ArrayRef<int64_t> low,
                                 llvm::ArrayRef<int64_t> high);

} // namespace ourc

#endif // OURC_DIALECTS_OURC_INFERENCE_H
