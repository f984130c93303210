//===- Emitter.h - Building ourc ops that hold what they must -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_ATENTOOURC_EMITTER_H
#define OURC_CONVERSION_ATENTOOURC_EMITTER_H

#include "conversion/AtenToOurc/Sizes.h"

#include <variant>

namespace ourc::aten {

/// A number of a call: a constant, or a size that the call decides.
using Scalar = std::variant<bool, int64_t, double, mlir::Value>;

/// Builds ops before a point of the IR. Every op is verified when it is built
/// and folded where it can be. The first failure is kept as a reason; from then
/// on nothing is built and values are null, so a lowering is straight-line code
/// that checks `failed()` before it looks into a value.
class Emitter {
public:
  Emitter(mlir::OpBuilder builder, mlir::Location loc, SizeResolver &resolver)
      : builder(builder), loc(loc), math(this->builder, loc),
        resolver(resolver) {}
  Emitter(const Emitter &) = delete;
  Emitter &operator=(const Emitter &) = delete;

  /// Keeps `why` unless an earlier reason is there; always failure.
  llvm::LogicalResult fail(const llvm::Twine &why);
  bool failed() const { return hasFailed; }
  llvm::StringRef getReason() const { return reason; }

  //===--- Types and sizes ------------------------------------------------===//

  static mlir::RankedTensorType typeOf(mlir::Value tensor);
  static int64_t rankOf(mlir::Value tensor);
  static mlir::Type elementOf(mlir::Value tensor);
  /// Null for a null element type.
  mlir::RankedTensorType typeFor(llvm::ArrayRef<mlir::OpFoldResult> sizes,
                                 mlir::Type element);
  mlir::OpFoldResult sizeOf(mlir::Value tensor, int64_t dim) {
    return resolver.getSize(tensor, dim);
  }
  llvm::SmallVector<mlir::OpFoldResult> sizesOf(mlir::Value tensor) {
    return resolver.getSizes(tensor);
  }
  /// The shape that tensors broadcast to together, aligned at the last
  /// dimension; `hint` may know dynamic sizes.
  llvm::SmallVector<mlir::OpFoldResult>
  broadcastSizes(mlir::ValueRange tensors, mlir::RankedTensorType hint = {});
  /// The product of the sizes of `dims`.
  mlir::OpFoldResult countOf(mlir::Value tensor, llvm::ArrayRef<int64_t> dims);

  //===--- Operations -----------------------------------------------------===//

  /// One op with one result of the given type; null where it does not verify.
  template <typename OpTy, typename... Args>
  mlir::Value make(mlir::Type type, Args &&...args) {
    if (hasFailed || !type)
      return {};
    mlir::OperationState state(loc, OpTy::getOperationName());
    OpTy::build(builder, state, type, std::forward<Args>(args)...);
    return insert(state);
  }
  /// An elementwise op whose result has the type of the first operand.
  template <typename OpTy, typename... Operands>
  mlir::Value apply(mlir::Value first, Operands... rest) {
    if (hasFailed || !first)
      return {};
    return make<OpTy>(first.getType(), first, rest...);
  }

  mlir::Value cast(mlir::Value x, mlir::Type element);
  mlir::Value reshape(mlir::Value x, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  mlir::Value transpose(mlir::Value x, llvm::ArrayRef<int64_t> permutation);
  /// Repeats `x`, aligned at the last dimension.
  mlir::Value broadcast(mlir::Value x,
                        llvm::ArrayRef<mlir::OpFoldResult> sizes);
  /// Puts dimension `i` of `x` at `dims[i]` and repeats along the others.
  mlir::Value broadcast(mlir::Value x, llvm::ArrayRef<int64_t> dims,
                        llvm::ArrayRef<mlir::OpFoldResult> sizes);
  mlir::Value slice(mlir::Value x, llvm::ArrayRef<mlir::OpFoldResult> offsets,
                    llvm::ArrayRef<mlir::OpFoldResult> sizes,
                    llvm::ArrayRef<int64_t> strides);
  /// `sizes` positions from `offset` on along one dimension.
  mlir::Value slice(mlir::Value x, int64_t dim, mlir::OpFoldResult offset,
                    mlir::OpFoldResult size, int64_t stride = 1);
  /// Tensors of one element type, one after the other; those that are known to
  /// be empty along `dim` are left out.
  mlir::Value concat(llvm::ArrayRef<mlir::Value> parts, int64_t dim);
  mlir::Value iota(int64_t dim, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                   mlir::Type element);
  mlir::Value compare(ComparePredicate predicate, mlir::Value lhs,
                      mlir::Value rhs);
  mlir::Value reduce(Combiner combiner, mlir::Value x,
                     llvm::ArrayRef<int64_t> dims, bool keepDims);
  /// The sum over `dims` by the number of elements in it less `correction`.
  mlir::Value mean(mlir::Value x, llvm::ArrayRef<int64_t> dims, bool keepDims,
                   int64_t correction = 0);
  mlir::Value contract(mlir::Value lhs, mlir::Value rhs,
                       llvm::ArrayRef<int64_t> lhsBatch,
                       llvm::ArrayRef<int64_t> rhsBatch,
                       llvm::ArrayRef<int64_t> lhsContract,
                       llvm::ArrayRef<int64_t> rhsContract);
  /// Gives `x` the static and dynamic sizes of `type`, which it has.
  mlir::Value refine(mlir::Value x, mlir::RankedTensorType type);

  //===--- Constants ------------------------------------------------------===//

  /// The scalar rounded to `element`; null for a size that a call decides.
  mlir::TypedAttr attributeOf(Scalar scalar, mlir::Type element);
  /// A tensor of the given sizes whose elements all are `scalar`.
  mlir::Value fill(Scalar scalar, mlir::Type element,
                   llvm::ArrayRef<mlir::OpFoldResult> sizes);
  /// The same with the type and sizes of `x`.
  mlir::Value fillLike(Scalar scalar, mlir::Value x);

  //===--- Broadcasting and promotion -------------------------------------===//

  /// Casts the tensors to `element` and broadcasts them to one shape.
  llvm::SmallVector<mlir::Value> align(mlir::ValueRange tensors,
                                       mlir::Type element,
                                       mlir::RankedTensorType hint = {});

  mlir::OpBuilder builder;
  mlir::Location loc;
  SizeMath math;

private:
  /// Creates, verifies and folds.
  mlir::Value insert(mlir::OperationState &state);

  SizeResolver &resolver;
  bool hasFailed = false;
  std::string reason;
};

} // namespace ourc::aten

#endif // OURC_CONVERSION_ATENTOOURC_EMITTER_H
