//===- ElementAttention.cpp - One element of an attention's result -----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

// Online softmax over the keys in one thread:
//   m' = max(m, s), l' = l exp(m - m') + exp(s - m'),
//   o' = o exp(m - m') + exp(s - m') v
// The scores are computed again for each element of the head.
Value ElementEmitter::emitOp(OpBuilder &builder, kernel::AttentionOp op,
                             OpResult, ArrayRef<Value> coordinates) {
  Location loc = op.getLoc();
  Type type =
      cast<RankedTensorType>(op.getQueries().getType()).getElementType();
  Type wide = type.isF64() ? type : builder.getF32Type();
  unsigned numBatch = op.getNumBatch();
  unsigned s = numBatch, t = numBatch + 1, d = numBatch + 2;
  unsigned resultOperand = op->getNumOperands() - 1;

  // The iteration that the result's element belongs to; keys and the inner
  // dimension of the scores are loops.
  SmallVector<Value> iteration(numBatch + 4, frame.device().getConstant(0));
  for (auto [i, expr] : llvm::enumerate(op.getMap(resultOperand).getResults()))
    iteration[cast<AffineDimExpr>(expr).getPosition()] = coordinates[i];
  auto sizeOf = [&](unsigned operand, unsigned loop) -> Value {
    for (auto [dim, expr] : llvm::enumerate(op.getMap(operand).getResults()))
      if (expr == builder.getAffineDimExpr(loop))
        return frame.device().getDim(op->getOperand(operand),
                                     static_cast<int64_t>(dim));
    return {};
  };
  auto element = [&](OpBuilder &inner, unsigned operand) -> Value {
    return emit(inner, op->getOperand(operand),
                applyMap(inner, op.getMap(operand), iteration));
  };
  auto constant = [&](double value) -> Value {
    return frame.device().getConstant(builder.getFloatAttr(wide, value));
  };
  Value zero = constant(0),
        lowest = constant(-std::numeric_limits<double>::infinity());
  Value scale = constant(op.getScale().convertToDouble());

  auto score = [&](OpBuilder &inner) -> Value {
    SmallVector<Value> sum = emitLoopNest(
        inner, loc, frame, {sizeOf(0, d)}, {zero},
        [&](OpBuilder &loop, ArrayRef<Value> point,
            ValueRange carried) -> SmallVector<Value> {
          iteration[d] = point[0];
          Value q = element(loop, 0), k = element(loop, 1);
          if (!q || !k)
            return {};
          Value product = arith::MulFOp::create(
              loop, loc, emitFloatCast(loop, loc, q, wide),
              emitFloatCast(loop, loc, k, wide));
          return {arith::AddFOp::create(loop, loc, carried[0], product)};
        });
    if (sum.empty())
      return {};
    SmallVector<Value> arguments{
        arith::MulFOp::create(inner, loc, sum[0], scale)};
    for (unsigned i = 3; i < resultOperand; ++i) {
      arguments.push_back(element(inner, i));
      if (!arguments.back())
        return {};
    }
    SmallVector<Value> yielded = inlineRegion(inner, op.getScore(), arguments);
    if (yielded.empty())
      return {};
    Value value = yielded.front();
    if (op.getCausal()) {
      Value visible = arith::CmpIOp::create(
          inner, loc, arith::CmpIPredicate::sle, iteration[t], iteration[s]);
      value = arith::SelectOp::create(inner, loc, visible, value, lowest);
    }
    return value;
  };

  SmallVector<Value> state = emitLoopNest(
      builder, loc, frame, {sizeOf(1, t)}, {lowest, zero, zero},
      [&](OpBuilder &loop, ArrayRef<Value> point,
          ValueRange carried) -> SmallVector<Value> {
        iteration[t] = point[0];
        Value x = score(loop), v = element(loop, 2);
        if (!x || !v)
          return {};
        v = emitFloatCast(loop, loc, v, wide);
        Value max = arith::MaximumFOp::create(loop, loc, carried[0], x);
        // Before the first score that is not -inf, -inf - -inf would be NaN.
        Value none = arith::CmpFOp::create(loop, loc, arith::CmpFPredicate::OEQ,
                                           max, lowest);
        Value origin = arith::SelectOp::create(loop, loc, none, zero, max);
        Value keep = math::ExpOp::create(
            loop, loc, arith::SubFOp::create(loop, loc, carried[0], origin));
        Value p = math::ExpOp::create(
            loop, loc, arith::SubFOp::create(loop, loc, x, origin));
        auto update = [&](Value old, Value added) -> Value {
          return arith::AddFOp::create(
              loop, loc, arith::MulFOp::create(loop, loc, old, keep), added);
        };
        return {max, update(carried[1], p),
                update(carried[2], arith::MulFOp::create(loop, loc, p, v))};
      });
  if (state.empty())
    return {};
  Value result = arith::DivFOp::create(builder, loc, state[2], state[1]);
  if (op.getZeroMaskedRows()) {
    Value masked = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, state[0], lowest);
    result = arith::SelectOp::create(builder, loc, masked, zero, result);
  }
  return emitFloatCast(builder, loc, result,
                       cast<RankedTensorType>(op.getType()).getElementType());
}
