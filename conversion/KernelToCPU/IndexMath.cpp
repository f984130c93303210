//===- IndexMath.cpp - Quotients and affine maps of lane indices ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Memory.h"
#include "conversion/KernelToCPU/OperandReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;
using namespace ourc;

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

std::pair<LaneIndex, LaneIndex> ourc::emitDivRem(OpBuilder &builder,
                                                 Location loc,
                                                 const LaneIndex &index,
                                                 Value size, int64_t lanes) {
  std::optional<int64_t> n = getConstant(size);
  if (n && *n <= 1)
    return {index, LaneIndex()};
  // No element is read where a size is 0, but the index may be computed.
  Value divisor = size;
  if (!n) {
    Value one = arith::ConstantIntOp::create(builder, loc, 1, 64);
    divisor = arith::MaxSIOp::create(builder, loc, size, one);
  }
  auto divideBase =
      [&](const LaneIndex &base) -> std::pair<LaneIndex, LaneIndex> {
    if (std::optional<int64_t> c = base.getConstant(); c && n)
      return {LaneIndex(*c / *n), LaneIndex(*c % *n)};
    Value value = base.emitBase(builder, loc);
    Value q = arith::DivSIOp::create(builder, loc, value, divisor);
    Value r = arith::RemSIOp::create(builder, loc, value, divisor);
    return {LaneIndex(q), LaneIndex(r)};
  };
  if (index.isUniform())
    return divideBase(index);
  if (index.isLinear() && n) {
    int64_t step = index.getStep();
    if (step > 0 && step % *n == 0) {
      auto [q, r] = divideBase(index.getBase());
      Value base = q.emitBase(builder, loc);
      return {LaneIndex(base, step / *n), r};
    }
    // All lanes in one row: they start at a multiple of the lanes' extent, of
    // which a row is a multiple as well.
    int64_t extent = step * lanes;
    if (step > 0 && *n % extent == 0 &&
        index.getBase().getDivisor() % extent == 0) {
      auto [q, r] = divideBase(index.getBase());
      Value base = r.emitBase(builder, loc);
      return {q, LaneIndex(base, step)};
    }
  }
  Value all = index.emitVector(builder, loc, lanes);
  Value by = emitSplat(builder, loc, divisor, lanes);
  return {LaneIndex::perLane(arith::DivUIOp::create(builder, loc, all, by)),
          LaneIndex::perLane(arith::RemUIOp::create(builder, loc, all, by))};
}

static FailureOr<LaneIndex> applyExpr(OpBuilder &builder, Location loc,
                                      AffineExpr expr,
                                      ArrayRef<LaneIndex> loops,
                                      int64_t lanes) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return LaneIndex(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return loops[dim.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary) {
    emitError(loc) << "an indexing map with symbols has no meaning in a kernel";
    return failure();
  }
  FailureOr<LaneIndex> lhs =
      applyExpr(builder, loc, binary.getLHS(), loops, lanes);
  if (failed(lhs))
    return failure();
  if (expr.getKind() == AffineExprKind::Add) {
    FailureOr<LaneIndex> rhs =
        applyExpr(builder, loc, binary.getRHS(), loops, lanes);
    if (failed(rhs))
      return failure();
    return *lhs + *rhs;
  }
  auto rhs = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!rhs) {
    emitError(loc) << "an indexing map must be affine with constant factors";
    return failure();
  }
  if (expr.getKind() == AffineExprKind::Mul)
    return *lhs * rhs.getValue();
  if (expr.getKind() == AffineExprKind::CeilDiv)
    *lhs = *lhs + LaneIndex(rhs.getValue() - 1);
  Value divisor =
      arith::ConstantIntOp::create(builder, loc, rhs.getValue(), 64);
  auto [q, r] = emitDivRem(builder, loc, *lhs, divisor, lanes);
  return expr.getKind() == AffineExprKind::Mod ? r : q;
}

FailureOr<SmallVector<LaneIndex>> ourc::applyMap(OpBuilder &builder,
                                                 Location loc, AffineMap map,
                                                 ArrayRef<LaneIndex> loops,
                                                 int64_t lanes) {
  SmallVector<LaneIndex> results;
  for (AffineExpr expr : map.getResults()) {
    FailureOr<LaneIndex> index = applyExpr(builder, loc, expr, loops, lanes);
    if (failed(index))
      return failure();
    results.push_back(*index);
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Contiguity
//===----------------------------------------------------------------------===//

/// The loop dimension along which the largest input of `op` is contiguous.
static int64_t getUnitLoop(linalg::LinalgOp op) {
  int64_t best = -1, bestRank = -1;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type || type.getRank() <= bestRank ||
        op.getMatchingBlockArgument(input).use_empty())
      continue;
    int64_t unit = getUnitDim(input->get());
    if (unit < 0)
      continue;
    AffineMap map = op.getMatchingIndexingMap(input);
    for (unsigned d = 0; d < map.getNumDims(); ++d) {
      AffineExpr expr = map.getResult(unit);
      if (expr == getAffineDimExpr(d, op.getContext())) {
        best = d;
        bestRank = type.getRank();
      }
    }
  }
  return best;
}

int64_t ourc::getUnitDim(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || type.getRank() == 0)
    return -1;
  int64_t last = type.getRank() - 1;
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return last;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    int64_t loop = getUnitLoop(linalgOp);
    if (loop < 0)
      return last;
    unsigned number = cast<OpResult>(tensor).getResultNumber();
    AffineMap map =
        linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(number));
    std::optional<unsigned> at =
        map.getResultPosition(getAffineDimExpr(loop, op->getContext()));
    return at ? static_cast<int64_t>(*at) : -1;
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    int64_t unit = getUnitDim(expand.getSrc());
    return unit < 0 ? unit : expand.getReassociationIndices()[unit].back();
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    int64_t unit = getUnitDim(collapse.getSrc());
    for (auto [i, group] : llvm::enumerate(collapse.getReassociationIndices()))
      if (llvm::is_contained(group, unit))
        return i;
    return unit < 0 ? unit : last;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    int64_t unit = getUnitDim(slice.getSource());
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    if (unit < 0 || dropped.test(unit))
      return -1;
    int64_t at = 0;
    for (int64_t d = 0; d < unit; ++d)
      at += !dropped.test(d);
    return at;
  }
  if (isa<tensor::PadOp, tensor::CastOp, tensor::ConcatOp>(op))
    return getUnitDim(op->getOperand(0));
  return last;
}
