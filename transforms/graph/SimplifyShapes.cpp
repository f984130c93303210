//===- SimplifyShapes.cpp - Use what symbols tell about sizes -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/OurcDialect.h"
#include "transforms/graph/Passes.h"
#include "transforms/graph/SymbolicShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "ourc-simplify-shapes"

namespace ourc {
#define GEN_PASS_DEF_SIMPLIFYSHAPES
#include "transforms/graph/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

/// Whether an operation only names another view of its operand's elements that,
/// with equal shapes, is the operand.
static bool isIdentityForEqualShapes(Operation *op) {
  if (isa<ReshapeOp>(op))
    return true;
  // With equal ranks a broadcast's dimensions are in their places.
  if (isa<BroadcastOp>(op))
    return true;
  if (auto slice = dyn_cast<SliceOp>(op))
    return llvm::all_of(slice.getMixedOffsets(),
                        [](OpFoldResult offset) {
                          return isConstantIntValue(offset, 0);
                        }) &&
           llvm::all_of(slice.getStrides(), [](int64_t s) { return s == 1; });
  return false;
}

/// Whether an expression is a symbol of the program or has only such.
static bool isKnown(AffineExpr expr, SymbolicShapes &shapes) {
  bool known = true;
  expr.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      known &= !shapes.getSymbolName(symbol.getPosition()).empty();
  });
  return known;
}

/// The number of operations that an expression takes.
static unsigned getCost(AffineExpr expr) {
  unsigned cost = 0;
  expr.walk([&](AffineExpr part) { cost += isa<AffineBinaryOpExpr>(part); });
  return cost;
}

/// The number of operations behind an index value, as far as it is arithmetic.
static unsigned getCost(Value index) {
  Operation *op = index.getDefiningOp();
  if (!op || !isa_and_present<arith::ArithDialect>(op->getDialect()))
    return 0;
  unsigned cost = op->getNumOperands() == 0 ? 0 : 1;
  for (Value operand : op->getOperands())
    cost += getCost(operand);
  return cost;
}

namespace {
struct SimplifyShapesPass : ourc::impl::SimplifyShapesBase<SimplifyShapesPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    SymbolicShapes shapes(func);
    // The analysis forbids erasure while it is in use.
    SmallVector<Operation *> replaced;
    SmallVector<Operation *> ops;
    func.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      if (simplifySize(op, shapes) || removeIdentity(op, shapes))
        replaced.push_back(op);
    for (Operation *op : llvm::reverse(replaced))
      op->erase();
  }

private:
  bool simplifySize(Operation *op, SymbolicShapes &shapes) {
    if (op->getNumResults() != 1 || !op->getResult(0).getType().isIndex() ||
        op->use_empty() || isa<DimOp, arith::ConstantOp>(op))
      return false;
    Value index = op->getResult(0);
    AffineExpr expr = shapes.getIndex(index);
    if (!isKnown(expr, shapes))
      return false;
    if (!isa<tensor::DimOp>(op) && getCost(expr) >= getCost(index))
      return false;
    OpBuilder builder(op);
    index.replaceAllUsesWith(getValueOrCreateConstantIndexOp(
        builder, op->getLoc(),
        shapes.materialize(builder, op->getLoc(), expr)));
    ++numSizes;
    return true;
  }

  bool removeIdentity(Operation *op, SymbolicShapes &shapes) {
    if (!isIdentityForEqualShapes(op))
      return false;
    Value x = op->getOperand(0), result = op->getResult(0);
    if (!shapes.haveSameShape(x, result))
      return false;
    if (x.getType() != result.getType()) {
      OpBuilder builder(op);
      x = tensor::CastOp::create(builder, op->getLoc(), result.getType(), x);
    }
    result.replaceAllUsesWith(x);
    ++numIdentities;
    return true;
  }
};
} // namespace
