//===- ElementTracer.cpp - Where the elements of a tensor come from -------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/gpu/ElementTracer.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ourc;

void ElementTracer::trace(Value tensor, ArrayRef<AffineExpr> coordinates) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return;
  // The same element again leads to the same reductions.
  for (ArrayRef<AffineExpr> seen : visited[tensor])
    if (seen == coordinates)
      return;
  visited[tensor].emplace_back(coordinates);
  if (isTarget(op)) {
    uses.push_back({op, SmallVector<AffineExpr>(coordinates)});
    return;
  }
  llvm::TypeSwitch<Operation *>(op)
      .Case<linalg::GenericOp>([&](linalg::GenericOp generic) {
        AffineMap map =
            generic.getIndexingMapMatchingResult(cast<OpResult>(tensor));
        SmallVector<AffineExpr> iteration(generic.getNumLoops());
        for (auto [i, expr] : llvm::enumerate(map.getResults()))
          if (auto dim = dyn_cast<AffineDimExpr>(expr))
            iteration[dim.getPosition()] = coordinates[i];
        for (AffineExpr &expr : iteration)
          if (!expr)
            expr = opaque();
        traceLoop(generic, iteration);
      })
      .Case<tensor::CastOp>(
          [&](tensor::CastOp cast) { trace(cast.getSource(), coordinates); })
      .Case<tensor::ExpandShapeOp>([&](tensor::ExpandShapeOp expand) {
        SmallVector<AffineExpr> source;
        for (ReassociationIndices group : expand.getReassociationIndices())
          source.push_back(merge(group, expand.getResultType(), coordinates));
        trace(expand.getSrc(), source);
      })
      .Case<tensor::CollapseShapeOp>([&](tensor::CollapseShapeOp collapse) {
        SmallVector<AffineExpr> source(
            static_cast<size_t>(collapse.getSrcType().getRank()),
            getAffineConstantExpr(0, context));
        for (auto [group, coordinate] :
             llvm::zip_equal(collapse.getReassociationIndices(), coordinates))
          split(group, collapse.getSrcType(), coordinate, source);
        trace(collapse.getSrc(), source);
      })
      .Default([&](Operation *other) {
        // Pads, slices, concatenations: the coordinates are shifted, so a
        // reduction behind them is not read along its rows.
        for (Value operand : other->getOperands())
          if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
            trace(operand, opaques(type));
      });
}

void ElementTracer::traceLoop(linalg::GenericOp op,
                              ArrayRef<AffineExpr> iteration) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    SmallVector<AffineExpr> source;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
      source.push_back(expr.replaceDims(iteration));
    trace(operand.get(), source);
  }
  op.getRegion().walk([&](tensor::ExtractOp extract) {
    trace(extract.getTensor(),
          opaques(cast<RankedTensorType>(extract.getTensor().getType())));
  });
}

AffineExpr ElementTracer::opaque() {
  return getAffineSymbolExpr(numOpaque++, context);
}

SmallVector<AffineExpr> ElementTracer::opaques(RankedTensorType type) {
  SmallVector<AffineExpr> result;
  for (int64_t i = 0; i < type.getRank(); ++i)
    result.push_back(opaque());
  return result;
}

AffineExpr ElementTracer::merge(ArrayRef<int64_t> group, RankedTensorType type,
                                ArrayRef<AffineExpr> coordinates) {
  AffineExpr only;
  for (int64_t dim : group) {
    if (type.getDimSize(dim) == 1)
      continue;
    if (only)
      return opaque();
    only = coordinates[static_cast<size_t>(dim)];
  }
  return only ? only : getAffineConstantExpr(0, context);
}

void ElementTracer::split(ArrayRef<int64_t> group, RankedTensorType type,
                          AffineExpr coordinate,
                          MutableArrayRef<AffineExpr> source) {
  SmallVector<int64_t> larger;
  for (int64_t dim : group)
    if (type.getDimSize(dim) != 1)
      larger.push_back(dim);
  for (int64_t dim : larger)
    source[static_cast<size_t>(dim)] =
        larger.size() == 1 ? coordinate : opaque();
}

void ElementTracer::traceAll(Value tensor) {
  auto rank = cast<RankedTensorType>(tensor.getType()).getRank();
  SmallVector<AffineExpr> identity;
  for (int64_t i = 0; i < rank; ++i)
    identity.push_back(getAffineDimExpr(static_cast<unsigned>(i), context));
  trace(tensor, identity);
}
