//===- Source.cpp - Constants and index ranges to linalg ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/OurcToLinalg/LoopBuilder.h"
#include "conversion/OurcToLinalg/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ourc;

namespace {
struct LowerConstant : LoweringPattern<ConstantOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, op.getType(),
                                                   op.getValue());
    return success();
  }
};

/// Each element is its index along one dimension.
struct LowerIota : LoweringPattern<IotaOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(IotaOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getType();
    Type element = type.getElementType();
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    Value empty = createEmptyLike(rewriter, shapes, loc, op.getResult());
    auto body = [&](OpBuilder &nested, Location loc, ValueRange,
                    Value) -> Value {
      Value index = linalg::IndexOp::create(nested, loc, op.getDim());
      if (isa<IntegerType>(element))
        return arith::IndexCastOp::create(nested, loc, element, index);
      Type compute = getComputeType(element);
      index =
          arith::IndexCastOp::create(nested, loc, nested.getI64Type(), index);
      Value value = arith::SIToFPOp::create(nested, loc, compute, index);
      return narrow(nested, loc, value, element);
    };
    rewriter.replaceOp(op,
                       createLoops(rewriter, loc, LoopInputs(rewriter, shapes),
                                   empty, identity, type.getRank(), body));
    return success();
  }
};
} // namespace

void ourc::populateSourcePatterns(RewritePatternSet &patterns,
                                  SymbolicShapes &shapes) {
  patterns.add<LowerConstant, LowerIota>(patterns.getContext(), shapes);
}
