//===- ElementwiseOps.cpp - Elementwise operations
//----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/Inference.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ourc;

#define OURC_REIFY_LIKE_FIRST(OP)                                              \
  LogicalResult OP::reifyResultShapes(OpBuilder &builder,                      \
                                      ReifiedRankedShapedTypeDims &shapes) {   \
    return reifyLikeFirst(*this, builder, shapes);                             \
  }
OURC_REIFY_LIKE_FIRST(AbsOp)
OURC_REIFY_LIKE_FIRST(NegOp)
OURC_REIFY_LIKE_FIRST(NotOp)
OURC_REIFY_LIKE_FIRST(ExpOp)
OURC_REIFY_LIKE_FIRST(Expm1Op)
OURC_REIFY_LIKE_FIRST(LogOp)
OURC_REIFY_LIKE_FIRST(Log1pOp)
OURC_REIFY_LIKE_FIRST(SqrtOp)
OURC_REIFY_LIKE_FIRST(RsqrtOp)
OURC_REIFY_LIKE_FIRST(TanhOp)
OURC_REIFY_LIKE_FIRST(ErfOp)
OURC_REIFY_LIKE_FIRST(SigmoidOp)
OURC_REIFY_LIKE_FIRST(SinOp)
OURC_REIFY_LIKE_FIRST(CosOp)
OURC_REIFY_LIKE_FIRST(FloorOp)
OURC_REIFY_LIKE_FIRST(CeilOp)
OURC_REIFY_LIKE_FIRST(AddOp)
OURC_REIFY_LIKE_FIRST(SubOp)
OURC_REIFY_LIKE_FIRST(MulOp)
OURC_REIFY_LIKE_FIRST(DivOp)
OURC_REIFY_LIKE_FIRST(PowOp)
OURC_REIFY_LIKE_FIRST(MaximumOp)
OURC_REIFY_LIKE_FIRST(MinimumOp)
OURC_REIFY_LIKE_FIRST(AndOp)
OURC_REIFY_LIKE_FIRST(OrOp)
OURC_REIFY_LIKE_FIRST(XorOp)
OURC_REIFY_LIKE_FIRST(CompareOp)
OURC_REIFY_LIKE_FIRST(SelectOp)
OURC_REIFY_LIKE_FIRST(CastOp)
#undef OURC_REIFY_LIKE_FIRST

//===----------------------------------------------------------------------===//
// CompareOp
//===----------------------------------------------------------------------===//

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location>,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &inferred) {
  auto type = cast<RankedTensorType>(adaptor.getLhs().getType());
  inferred.push_back(type.clone(IntegerType::get(context, 1)));
  return success();
}
