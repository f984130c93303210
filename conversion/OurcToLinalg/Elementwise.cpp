//===- Elementwise.cpp - Elementwise operations to linalg -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/OurcToLinalg/LoopBuilder.h"
#include "conversion/OurcToLinalg/Patterns.h"

using namespace mlir;
using namespace ourc;

namespace {
/// Any elementwise op is a parallel nest around its scalar body.
struct LowerElementwise
    : public OpInterfaceConversionPattern<ScalarBodyOpInterface> {
  LowerElementwise(MLIRContext *context, SymbolicShapes &shapes)
      : OpInterfaceConversionPattern(context), shapes(shapes) {}

  LogicalResult
  matchAndRewrite(ScalarBodyOpInterface op, ArrayRef<Value>,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "needs one ranked tensor result");
    Location loc = op->getLoc();
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    LoopInputs inputs(rewriter, shapes);
    for (Value operand : op->getOperands())
      inputs.add(operand, identity);
    Value empty = createEmptyLike(rewriter, shapes, loc, op->getResult(0));
    rewriter.replaceOp(
        op, createLoops(rewriter, loc, inputs, empty, identity, type.getRank(),
                        [&](OpBuilder &nested, Location loc,
                            ValueRange elements, Value) {
                          return op.buildScalarBody(nested, loc, elements);
                        }));
    return success();
  }

private:
  SymbolicShapes &shapes;
};
} // namespace

void ourc::populateElementwisePatterns(RewritePatternSet &patterns,
                                       SymbolicShapes &shapes) {
  patterns.add<LowerElementwise>(patterns.getContext(), shapes);
}
