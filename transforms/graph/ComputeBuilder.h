//===- ComputeBuilder.h - Builds primitive operations ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TRANSFORMS_GRAPH_COMPUTEBUILDER_H
#define OURC_TRANSFORMS_GRAPH_COMPUTEBUILDER_H

#include "dialects/ourc/OurcDialect.h"

#include "mlir/IR/Builders.h"

namespace ourc {

/// Short names for the primitive operations that decompositions are made of.
/// Operands are tensors; shapes of results follow from them.
class ComputeBuilder {
public:
  ComputeBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// f32 for f16 and bf16, else `type`.
  static mlir::Type getComputeType(mlir::Type type);

  mlir::Value cast(mlir::Value x, mlir::Type element);
  /// Every element `value`, in the shape and elements of `like`.
  mlir::Value splat(double value, mlir::Value like);

  /// The product of the sizes of `dims` of `x`, in the shape and elements of
  /// `like`.
  mlir::Value count(mlir::Value x, llvm::ArrayRef<int64_t> dims,
                    mlir::Value like);

  mlir::Value add(mlir::Value x, mlir::Value y) { return binary<AddOp>(x, y); }
  mlir::Value sub(mlir::Value x, mlir::Value y) { return binary<SubOp>(x, y); }
  mlir::Value mul(mlir::Value x, mlir::Value y) { return binary<MulOp>(x, y); }
  mlir::Value div(mlir::Value x, mlir::Value y) { return binary<DivOp>(x, y); }
  mlir::Value scale(mlir::Value x, double by) { return mul(x, splat(by, x)); }
  mlir::Value shift(mlir::Value x, double by) { return add(x, splat(by, x)); }
  template <typename OpT> mlir::Value unary(mlir::Value x) {
    return OpT::create(builder, loc, x.getType(), x);
  }

  mlir::Value reshape(mlir::Value x, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  /// Operand dimension i of `x` as dimension `dims[i]` of the shape of `like`;
  /// the elements stay `x`'s.
  mlir::Value broadcastLike(mlir::Value x, llvm::ArrayRef<int64_t> dims,
                            mlir::Value like);
  /// The same with the shape `sizes`.
  mlir::Value broadcast(mlir::Value x, llvm::ArrayRef<int64_t> dims,
                        llvm::ArrayRef<mlir::OpFoldResult> sizes);
  mlir::Value reduce(Combiner combiner, mlir::Value x,
                     llvm::ArrayRef<int64_t> dims);
  /// The reduction, repeated to the shape of `x`.
  mlir::Value reduceAndRepeat(Combiner combiner, mlir::Value x,
                              llvm::ArrayRef<int64_t> dims);

  /// What a batch norm multiplies with and adds, one element a channel, in its
  /// compute type.
  std::pair<mlir::Value, mlir::Value> batchNormScaleAndShift(BatchNormOp op);

private:
  template <typename OpT> mlir::Value binary(mlir::Value x, mlir::Value y) {
    return OpT::create(builder, loc, x.getType(), x, y);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace ourc

#endif // OURC_TRANSFORMS_GRAPH_COMPUTEBUILDER_H
