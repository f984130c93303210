//===- KernelCost.cpp - What a kernel must do at least --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/KernelCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <algorithm>

using namespace mlir;
using namespace ourc;

/// Whether an operation of a scalar body computes with floats.
static bool computes(Operation &op) {
  if (isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp, arith::BitcastOp,
          arith::SelectOp>(op))
    return false;
  if (!isa<arith::ArithDialect, math::MathDialect>(op.getDialect()))
    return false;
  return llvm::any_of(op.getOperandTypes(), llvm::IsaPred<FloatType>);
}

static int64_t countFlops(Region &region) {
  int64_t count = 0;
  region.walk([&](Operation *op) { count += computes(*op); });
  return count;
}

/// The element type that a scalar had before it was widened.
static Type narrowType(Value value) {
  while (auto wide = value.getDefiningOp<arith::ExtFOp>())
    value = wide.getIn();
  return value.getType();
}

/// Whether a body sums products of 16-bit elements.
static bool multipliesNarrow(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return false;
  return llvm::any_of(
      op.getBlock()->getOps<arith::MulFOp>(), [](arith::MulFOp mul) {
        return narrowType(mul.getLhs()).getIntOrFloatBitWidth() == 16 &&
               narrowType(mul.getRhs()).getIntOrFloatBitWidth() == 16;
      });
}

static bool addLinalg(linalg::LinalgOp op, KernelCost &cost) {
  int64_t points = 1;
  for (int64_t range : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(range))
      return false;
    points *= range;
  }
  int64_t flops = points * countFlops(op->getRegion(0));
  (multipliesNarrow(op) ? cost.flops16 : cost.flops) += flops;
  return true;
}

static bool addReduction(kernel::CoupledReduceOp op, KernelCost &cost) {
  auto input = cast<RankedTensorType>(op.getInputs().front().getType());
  if (!input.hasStaticShape())
    return false;
  cost.flops += input.getNumElements() * countFlops(op.getAccumulate());
  return true;
}

static bool addAttention(kernel::AttentionOp op, KernelCost &cost) {
  auto queries = cast<RankedTensorType>(op.getQueries().getType());
  auto keys = cast<RankedTensorType>(op.getKeys().getType());
  auto values = cast<RankedTensorType>(op.getValues().getType());
  if (!queries.hasStaticShape() || !keys.hasStaticShape() ||
      !values.hasStaticShape())
    return false;
  // Every dimension of (b..., s, t, d, e) is one of the three operands'.
  AffineMap map = op.getMap(0);
  SmallVector<int64_t> sizes(map.getNumDims(), 1);
  RankedTensorType types[] = {queries, keys, values};
  for (auto [i, type] : llvm::enumerate(types))
    for (auto [d, result] : llvm::enumerate(op.getMap(i).getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(result))
        sizes[dim.getPosition()] = type.getDimSize(d);
  unsigned batch = op.getNumBatch();
  int64_t scores = 1;
  for (unsigned d = 0; d < batch + 2; ++d)
    scores *= sizes[d];
  // Of the square below the diagonal half is left.
  if (op.getCausal())
    scores = (scores + 1) / 2;
  int64_t products = 2 * scores * (sizes[batch + 2] + sizes[batch + 3]);
  (queries.getElementTypeBitWidth() == 16 ? cost.flops16 : cost.flops) +=
      products;
  cost.flops += scores * (3 + countFlops(op.getScore()));
  return true;
}

static int64_t bytesOf(RankedTensorType type) {
  return type.getNumElements() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// The bytes of a tensor of static shape that its users read.
static int64_t bytesRead(Value tensor) {
  int64_t all = bytesOf(cast<RankedTensorType>(tensor.getType())), read = 0;
  for (OpOperand &use : tensor.getUses()) {
    Operation *user = use.getOwner();
    if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
            tensor::CollapseShapeOp, tensor::CastOp>(user)) {
      auto type = cast<RankedTensorType>(user->getResult(0).getType());
      read += type.hasStaticShape() ? bytesRead(user->getResult(0)) : all;
    } else if (isa<tensor::DimOp>(user)) {
      continue;
    } else if (auto extract = dyn_cast<tensor::ExtractOp>(user)) {
      // A gather: one element for each point of the loops around it.
      auto loops = extract->getParentOfType<linalg::LinalgOp>();
      int64_t points = loops ? 1 : all;
      if (loops)
        for (int64_t range : loops.getStaticLoopRanges())
          points = ShapedType::isDynamic(range) ? all : points * range;
      read += points *
              llvm::divideCeil(extract.getType().getIntOrFloatBitWidth(), 8);
    } else {
      return all;
    }
    if (read >= all)
      return all;
  }
  return read;
}

/// The bytes of a result that are not the caller's already.
static int64_t bytesWritten(Value result) {
  int64_t all = bytesOf(cast<RankedTensorType>(result.getType()));
  auto insert = result.getDefiningOp<tensor::InsertSliceOp>();
  if (!insert || !isa<BlockArgument>(insert.getDest()))
    return all;
  RankedTensorType part = insert.getSourceType();
  return part.hasStaticShape() ? bytesOf(part) : all;
}

std::optional<KernelCost> ourc::computeCost(kernel::FuncOp kernel) {
  KernelCost cost;
  Block &body = kernel.getBody().front();
  for (unsigned i = 0; i < kernel.getNumInputs(); ++i) {
    BlockArgument input = body.getArgument(i);
    if (!cast<RankedTensorType>(input.getType()).hasStaticShape())
      return std::nullopt;
    cost.bytesRead += bytesRead(input);
  }
  for (Value result : body.getTerminator()->getOperands()) {
    if (!cast<RankedTensorType>(result.getType()).hasStaticShape())
      return std::nullopt;
    cost.bytesWritten += bytesWritten(result);
  }
  for (Operation &op : body) {
    bool known = true;
    if (auto loops = dyn_cast<linalg::LinalgOp>(op))
      known = addLinalg(loops, cost);
    else if (auto reduction = dyn_cast<kernel::CoupledReduceOp>(op))
      known = addReduction(reduction, cost);
    else if (auto attention = dyn_cast<kernel::AttentionOp>(op))
      known = addAttention(attention, cost);
    if (!known)
      return std::nullopt;
  }
  return cost;
}
