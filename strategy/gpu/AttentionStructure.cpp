//===- AttentionStructure.cpp - A kernel that is one attention ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/gpu/AttentionStructure.h"

#include "strategy/gpu/ResultDims.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace ourc;

/// Elements of a key or a value up to which a warp's sums fit its registers.
static constexpr int64_t maxFeatures = 128;

static bool isAttention(Operation *op) { return isa<kernel::AttentionOp>(op); }

int64_t AttentionStructure::getSize(unsigned loop) const {
  kernel::AttentionOp attention = op;
  for (OpOperand &operand : attention->getOpOperands()) {
    AffineMap map = attention.getMap(operand.getOperandNumber());
    auto type = cast<RankedTensorType>(operand.get().getType());
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (expr == getAffineDimExpr(loop, attention.getContext()) &&
          !type.isDynamicDim(static_cast<int64_t>(dim)))
        return type.getDimSize(static_cast<int64_t>(dim));
  }
  return ShapedType::kDynamic;
}

std::optional<AttentionStructure> ourc::analyzeAttention(kernel::FuncOp kernel,
                                                         std::string *reason) {
  auto refuse = [&](const Twine &why) -> std::optional<AttentionStructure> {
    if (reason)
      *reason = why.str();
    return std::nullopt;
  };
  AttentionStructure result;
  for (Operation &op : kernel.getBody().front()) {
    if (isAttention(&op)) {
      if (result.op)
        return refuse("there is more than one attention");
      result.op = cast<kernel::AttentionOp>(op);
      continue;
    }
    auto loops = dyn_cast<linalg::LinalgOp>(op);
    if ((loops && loops.getNumReductionLoops() > 0) ||
        isa<kernel::CoupledReduceOp, kernel::ScatterOp, linalg::PackOp,
            linalg::UnPackOp>(op))
      return refuse("there is something else than an attention");
  }
  if (!result.op)
    return refuse("there is no attention");

  Type type = getElementTypeOrSelf(result.op.getQueries());
  if (!(type.isF16() || type.isBF16()) ||
      getElementTypeOrSelf(result.op.getKeys()) != type ||
      getElementTypeOrSelf(result.op.getValues()) != type)
    return refuse("tensor cores multiply f16 or bf16 here");
  for (unsigned loop :
       {result.op.getNumBatch() + 2, result.op.getNumBatch() + 3}) {
    int64_t size = result.getSize(loop);
    if (ShapedType::isDynamic(size) || size > maxFeatures)
      return refuse("a key or a value has more than 128 features, or a number "
                    "of them that is not known");
  }
  auto dims =
      findResultDims(kernel, result.op->getOperands(), isAttention, reason);
  if (!dims)
    return std::nullopt;
  result.resultDims = std::move(*dims);
  return result;
}
