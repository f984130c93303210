//===- Reshape.cpp - Reshapes as collapses and expansions -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/OurcToLinalg/LoopBuilder.h"
#include "conversion/OurcToLinalg/Patterns.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ourc;

namespace {
/// Dimensions of operand and result that hold the same elements: consecutive
/// ones on either side.
struct DimGroup {
  ReassociationIndices from, to;
};
} // namespace

/// Splits two shapes with one number of elements into groups, as small as the
/// symbolic sizes show.
static SmallVector<DimGroup> groupDims(ArrayRef<AffineExpr> from,
                                       ArrayRef<AffineExpr> to,
                                       SymbolicShapes &shapes) {
  SmallVector<DimGroup> groups;
  size_t i = 0, j = 0;
  while (i < from.size() && j < to.size()) {
    size_t firstFrom = i, firstTo = j;
    AffineExpr a = from[i++], b = to[j++];
    bool matched = true;
    while (a != b) {
      bool extendTo = divideExactly(a, b).has_value() && j < to.size();
      bool extendFrom = divideExactly(b, a).has_value() && i < from.size();
      if (!extendTo && !extendFrom) {
        // Neither divides the other: both must grow.
        extendTo = j < to.size();
        extendFrom = i < from.size();
      }
      if (!extendTo && !extendFrom) {
        matched = false;
        break;
      }
      if (extendTo)
        b = shapes.getProduct({b, to[j++]});
      else
        a = shapes.getProduct({a, from[i++]});
    }
    DimGroup group;
    if (!matched) {
      // Not provable from the front: equal sizes at the end stay apart, the
      // rest is one group.
      size_t endFrom = from.size(), endTo = to.size();
      while (endFrom > firstFrom + 1 && endTo > firstTo + 1 &&
             from[endFrom - 1] == to[endTo - 1]) {
        --endFrom;
        --endTo;
      }
      for (size_t k = firstFrom; k < endFrom; ++k)
        group.from.push_back(k);
      for (size_t k = firstTo; k < endTo; ++k)
        group.to.push_back(k);
      groups.push_back(group);
      for (; endFrom < from.size(); ++endFrom, ++endTo)
        groups.push_back(
            {{static_cast<int64_t>(endFrom)}, {static_cast<int64_t>(endTo)}});
      return groups;
    }
    for (size_t k = firstFrom; k < i; ++k)
      group.from.push_back(k);
    for (size_t k = firstTo; k < j; ++k)
      group.to.push_back(k);
    groups.push_back(group);
  }
  // What is left on one side has size 1.
  for (; i < from.size(); ++i)
    groups.back().from.push_back(i);
  for (; j < to.size(); ++j)
    groups.back().to.push_back(j);
  return groups;
}

namespace {
struct LowerReshape : LoweringPattern<ReshapeOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(ReshapeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType from = op.getX().getType(), to = op.getType();
    SmallVector<ReassociationIndices> collapse, expand;
    if (from.getRank() != 0 && to.getRank() != 0)
      for (const DimGroup &group :
           groupDims(shapes.getShape(op.getX()),
                     shapes.getShape(op.getResult()), shapes)) {
        collapse.push_back(group.from);
        expand.push_back(group.to);
      }
    Value value = adaptor.getX();
    if (static_cast<int64_t>(collapse.size()) != from.getRank())
      value = tensor::CollapseShapeOp::create(rewriter, loc, value, collapse);
    if (static_cast<int64_t>(expand.size()) == to.getRank()) {
      rewriter.replaceOp(op, castTo(rewriter, loc, value, to));
      return success();
    }
    // The collapsed type as the result sees it may be more static.
    RankedTensorType collapsed =
        tensor::CollapseShapeOp::inferCollapsedType(to, expand);
    value = castTo(rewriter, loc, value, collapsed);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        op, to, value, expand,
        shapes.materializeShape(rewriter, loc, op.getResult()));
    return success();
  }
};
} // namespace

void ourc::populateReshapePatterns(RewritePatternSet &patterns,
                                   SymbolicShapes &shapes) {
  patterns.add<LowerReshape>(patterns.getContext(), shapes);
}
