//===- SimplifyMasks.cpp - Simplify masks and positions -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/OurcDialect.h"
#include "transforms/graph/Passes.h"
#include "transforms/graph/Splat.h"
#include "transforms/graph/SymbolicShapes.h"
#include "transforms/graph/UnitBroadcast.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "ourc-simplify-masks"

namespace ourc {
#define GEN_PASS_DEF_SIMPLIFYMASKS
#include "transforms/graph/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

//===----------------------------------------------------------------------===//
// What values are known to be
//===----------------------------------------------------------------------===//

/// For a reshape that only adds and drops dimensions of size 1: the result
/// dimension of each operand dimension, -1 for one of size 1.
static std::optional<SmallVector<int64_t>> mapUnitReshape(ReshapeOp op) {
  RankedTensorType from = op.getX().getType(), to = op.getType();
  // Only one dynamic size can be told from the types alone.
  if (from.getNumDynamicDims() > 1)
    return std::nullopt;
  SmallVector<int64_t> map;
  int64_t at = 0;
  auto skip = [&] {
    while (at < to.getRank() && to.getDimSize(at) == 1)
      ++at;
  };
  for (int64_t size : from.getShape()) {
    if (size == 1) {
      map.push_back(-1);
      continue;
    }
    skip();
    if (at == to.getRank() || to.getDimSize(at) != size)
      return std::nullopt;
    map.push_back(at++);
  }
  skip();
  if (at != to.getRank())
    return std::nullopt;
  return map;
}

/// The dimension along which each element of an integer tensor is its own
/// index.
static std::optional<int64_t> getIotaDim(Value value) {
  if (auto iota = value.getDefiningOp<IotaOp>())
    return static_cast<int64_t>(iota.getDim());
  if (auto broadcast = value.getDefiningOp<BroadcastOp>()) {
    std::optional<int64_t> dim = getIotaDim(broadcast.getX());
    // A repeated dimension has the one index 0 only.
    if (!dim || broadcast.getX().getType().getDimSize(*dim) == 1)
      return std::nullopt;
    return broadcast.getDimensions()[*dim];
  }
  if (auto reshape = value.getDefiningOp<ReshapeOp>()) {
    std::optional<int64_t> dim = getIotaDim(reshape.getX());
    auto map = mapUnitReshape(reshape);
    if (!dim || !map || (*map)[*dim] < 0)
      return std::nullopt;
    return (*map)[*dim];
  }
  if (auto cast = value.getDefiningOp<CastOp>()) {
    // Positions fit 32 bits.
    auto type = dyn_cast<IntegerType>(cast.getType().getElementType());
    if (type && type.getWidth() >= 32)
      return getIotaDim(cast.getX());
  }
  return std::nullopt;
}

/// The dimensions (row, column) along which a mask is true where the column is
/// not beyond the row, and which alone decide it.
static std::optional<std::pair<int64_t, int64_t>> getCausalDims(Value mask) {
  if (auto compare = mask.getDefiningOp<CompareOp>()) {
    std::optional<int64_t> lhs = getIotaDim(compare.getLhs()),
                           rhs = getIotaDim(compare.getRhs());
    if (lhs && rhs && compare.getPredicate() == ComparePredicate::GE)
      return std::pair(*lhs, *rhs);
    if (lhs && rhs && compare.getPredicate() == ComparePredicate::LE)
      return std::pair(*rhs, *lhs);
    return std::nullopt;
  }
  if (auto broadcast = mask.getDefiningOp<BroadcastOp>()) {
    auto dims = getCausalDims(broadcast.getX());
    RankedTensorType from = broadcast.getX().getType(),
                     to = broadcast.getType();
    if (!dims)
      return std::nullopt;
    for (int64_t dim : {dims->first, dims->second})
      if (from.getDimSize(dim) != to.getDimSize(broadcast.getDimensions()[dim]))
        return std::nullopt;
    return std::pair(broadcast.getDimensions()[dims->first],
                     broadcast.getDimensions()[dims->second]);
  }
  if (auto reshape = mask.getDefiningOp<ReshapeOp>()) {
    auto dims = getCausalDims(reshape.getX());
    auto map = mapUnitReshape(reshape);
    if (!dims || !map || (*map)[dims->first] < 0 || (*map)[dims->second] < 0)
      return std::nullopt;
    return std::pair((*map)[dims->first], (*map)[dims->second]);
  }
  return std::nullopt;
}

static bool isInteger(Value value) {
  return isa<IntegerType>(getElementTypeOrSelf(value.getType()));
}

/// `value` throughout, in the shape of `like`.
static Value createSplat(OpBuilder &builder, Location loc, TypedAttr value,
                         Value like) {
  auto type = cast<RankedTensorType>(like.getType()).clone(value.getType());
  if (type.hasStaticShape())
    return ConstantOp::create(builder, loc, type,
                              DenseElementsAttr::get(type, value));
  auto scalar = RankedTensorType::get({}, value.getType());
  Value constant = ConstantOp::create(builder, loc, scalar,
                                      DenseElementsAttr::get(scalar, value));
  SmallVector<int64_t> staticSizes;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(tensor::getMixedSizes(builder, loc, like),
                             dynamicSizes, staticSizes);
  return BroadcastOp::create(builder, loc, type, constant, ArrayRef<int64_t>(),
                             dynamicSizes, staticSizes);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
/// A pattern that counts its rewrites.
template <typename OpT> struct CountedPattern : OpRewritePattern<OpT> {
  CountedPattern(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern<OpT>(context), count(count) {}

  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const final {
    LogicalResult result = rewrite(op, rewriter);
    if (succeeded(result))
      ++count;
    return result;
  }
  virtual LogicalResult rewrite(OpT op, PatternRewriter &rewriter) const = 0;

private:
  Pass::Statistic &count;
};

/// Positions are not negative: what that decides about a comparison.
struct CompareOfPositions : CountedPattern<CompareOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(CompareOp op,
                        PatternRewriter &rewriter) const override {
    std::optional<double> bound = getSplatNumber(op.getRhs());
    if (!bound || !isInteger(op.getLhs()) || !getIotaDim(op.getLhs()))
      return rewriter.notifyMatchFailure(op, "not positions with a number");
    std::optional<bool> known;
    switch (op.getPredicate()) {
    case ComparePredicate::LT:
      if (*bound <= 0)
        known = false;
      break;
    case ComparePredicate::GE:
      if (*bound <= 0)
        known = true;
      break;
    case ComparePredicate::LE:
    case ComparePredicate::EQ:
      if (*bound < 0)
        known = false;
      break;
    case ComparePredicate::GT:
    case ComparePredicate::NE:
      if (*bound < 0)
        known = true;
      break;
    }
    if (!known)
      return rewriter.notifyMatchFailure(op, "the bound does not decide");
    rewriter.replaceOp(op,
                       createSplat(rewriter, op.getLoc(),
                                   rewriter.getBoolAttr(*known), op.getLhs()));
    return success();
  }
};

/// x & true, x | false, x ^ false are x; x & false and x | true are known.
template <typename OpT> struct LogicWithSplat : CountedPattern<OpT> {
  using CountedPattern<OpT>::CountedPattern;

  LogicalResult rewrite(OpT op, PatternRewriter &rewriter) const override {
    for (auto [x, other] : {std::pair(op.getLhs(), op.getRhs()),
                            std::pair(op.getRhs(), op.getLhs())}) {
      std::optional<bool> splat = getSplatBool(other);
      if (!splat)
        continue;
      bool neutral = std::is_same_v<OpT, AndOp>;
      if (*splat == neutral) {
        rewriter.replaceOp(op, x);
        return success();
      }
      if (std::is_same_v<OpT, XorOp>) {
        rewriter.replaceOpWithNewOp<NotOp>(op, op.getType(), x);
        return success();
      }
      rewriter.replaceOp(op, other);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no operand is a boolean splat");
  }
};

/// x + 0 for integers, x · 1.
template <typename OpT> struct NeutralSplat : CountedPattern<OpT> {
  using CountedPattern<OpT>::CountedPattern;

  LogicalResult rewrite(OpT op, PatternRewriter &rewriter) const override {
    double neutral = std::is_same_v<OpT, AddOp> ? 0 : 1;
    if (neutral == 0 && !isInteger(op.getResult()))
      return rewriter.notifyMatchFailure(op, "x + 0 is not x for -0");
    for (auto [x, other] : {std::pair(op.getLhs(), op.getRhs()),
                            std::pair(op.getRhs(), op.getLhs())})
      if (getSplatNumber(other) == neutral) {
        rewriter.replaceOp(op, x);
        return success();
      }
    return rewriter.notifyMatchFailure(op, "no operand is the neutral splat");
  }
};

/// select(splat, x, y) is x or y.
struct SelectOfSplat : CountedPattern<SelectOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SelectOp op, PatternRewriter &rewriter) const override {
    std::optional<bool> splat = getSplatBool(op.getCondition());
    if (!splat)
      return rewriter.notifyMatchFailure(op, "the condition is not a splat");
    rewriter.replaceOp(op, *splat ? op.getOnTrue() : op.getOnFalse());
    return success();
  }
};

/// An elementwise op of broadcasts of one shape (and splats) is done before the
/// broadcast, on fewer elements.
struct ElementwiseBeforeBroadcast : RewritePattern {
  ElementwiseBeforeBroadcast(MLIRContext *context, Pass::Statistic &count)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context), count(count) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "not elementwise");
    BroadcastOp broadcast;
    for (Value operand : op->getOperands()) {
      if (getSplat(operand))
        continue;
      auto other = operand.getDefiningOp<BroadcastOp>();
      if (!other)
        return rewriter.notifyMatchFailure(op, "an operand is no broadcast");
      if (!broadcast)
        broadcast = other;
      if (other.getDimensions() != broadcast.getDimensions() ||
          other.getX().getType().getShape() !=
              broadcast.getX().getType().getShape())
        return rewriter.notifyMatchFailure(op, "broadcasts differ");
    }
    // Equal types with a dynamic size might still repeat different ones.
    if (!broadcast || (op->getNumOperands() > 1 &&
                       !broadcast.getX().getType().hasStaticShape() &&
                       !isOnlyBroadcast(op, broadcast)))
      return rewriter.notifyMatchFailure(op, "not of one broadcast value");
    Value x = broadcast.getX();
    RankedTensorType small = broadcast.getX().getType();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (auto other = operand.getDefiningOp<BroadcastOp>();
          other && !getSplat(operand)) {
        operands.push_back(other.getX());
        continue;
      }
      operands.push_back(
          createSplat(rewriter, op->getLoc(), getSplat(operand), x));
    }
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(operands);
    state.addTypes(small.clone(type.getElementType()));
    state.addAttributes(op->getAttrs());
    Operation *moved = rewriter.create(state);
    rewriter.replaceOpWithNewOp<BroadcastOp>(
        op, type, moved->getResult(0), broadcast.getDimensions(),
        broadcast.getSizes(), broadcast.getStaticSizes());
    ++count;
    return success();
  }

private:
  static bool isOnlyBroadcast(Operation *op, BroadcastOp broadcast) {
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return getSplat(operand) ||
             operand.getDefiningOp() == broadcast.getOperation();
    });
  }

  Pass::Statistic &count;
};

/// A gather whose indices all count along dimensions of their own reads a
/// slice.
struct GatherOfPositions : CountedPattern<GatherOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(GatherOp op, PatternRewriter &rewriter) const override {
    RankedTensorType from = op.getX().getType(), to = op.getType();
    auto indexType = cast<RankedTensorType>(op.getIndices().front().getType());
    int64_t indexRank = indexType.getRank();
    // axis -> the index dimension that it counts along.
    SmallVector<int64_t> dimOfAxis(from.getRank(), -1);
    llvm::SmallDenseSet<int64_t> used;
    for (auto [axis, index] : llvm::zip(op.getAxes(), op.getIndices())) {
      std::optional<int64_t> dim = getIotaDim(index);
      if (!dim || !used.insert(*dim).second)
        return rewriter.notifyMatchFailure(
            op, "an index does not count along a dimension of its own");
      dimOfAxis[axis] = *dim;
    }
    for (int64_t i = 0; i < indexRank; ++i)
      if (!used.contains(i) && indexType.getDimSize(i) != 1)
        return rewriter.notifyMatchFailure(op,
                                           "the result repeats what it reads");
    // The part of x that is read, in x's order.
    Location loc = op.getLoc();
    SymbolicShapes shapes(op->getParentOfType<FunctionOpInterface>());
    SmallVector<AffineExpr> sizes = shapes.getShape(op.getResult());
    SmallVector<OpFoldResult> offsets(from.getRank(), rewriter.getIndexAttr(0)),
        counts;
    SmallVector<int64_t> shape;
    SmallVector<int64_t> resultDims;
    int64_t rest = indexRank;
    for (int64_t axis = 0; axis < from.getRank(); ++axis) {
      int64_t dim = dimOfAxis[axis] < 0 ? rest++ : dimOfAxis[axis];
      resultDims.push_back(dim);
      counts.push_back(shapes.materialize(rewriter, loc, sizes[dim]));
      shape.push_back(to.getDimSize(dim));
    }
    SmallVector<int64_t> staticOffsets(from.getRank(), 0), staticSizes,
        strides(from.getRank(), 1);
    SmallVector<Value> dynamicSizes;
    dispatchIndexOpFoldResults(counts, dynamicSizes, staticSizes);
    Value value = SliceOp::create(rewriter, loc, from.clone(shape), op.getX(),
                                  ValueRange(), dynamicSizes, staticOffsets,
                                  staticSizes, strides);
    // Dimensions in the result's order, then those of size 1.
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(0, from.getRank()));
    llvm::sort(order, [&](int64_t a, int64_t b) {
      return resultDims[a] < resultDims[b];
    });
    if (!isIdentityPermutation(order))
      value = TransposeOp::create(rewriter, loc,
                                  from.clone(applyPermutation(shape, order)),
                                  value, order);
    SmallVector<OpFoldResult> resultSizes =
        shapes.materializeShape(rewriter, loc, op.getResult());
    staticSizes.clear();
    dynamicSizes.clear();
    dispatchIndexOpFoldResults(resultSizes, dynamicSizes, staticSizes);
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, to, value, dynamicSizes,
                                           staticSizes);
    return success();
  }
};

/// A mask that changes nothing is none; select(c, 0, -inf) is c; one that keeps
/// keys up to the query's position is the causal one.
struct SimplerAttentionMask : CountedPattern<AttentionOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(AttentionOp op,
                        PatternRewriter &rewriter) const override {
    Value mask = op.getMask();
    if (!mask)
      return rewriter.notifyMatchFailure(op, "it has no mask");
    std::optional<double> number = getSplatNumber(mask);
    // x + 0 is x for the softmax: the sign of a zero score does not matter.
    if (getSplatBool(mask) == true || number == 0.0) {
      rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
      return success();
    }
    int64_t rank = op.getType().getRank();
    auto isCausal = [&](Value value) {
      return getCausalDims(value) == std::pair(rank - 2, rank - 1);
    };
    if (isCausal(mask)) {
      rewriter.modifyOpInPlace(op, [&] {
        op.getMaskMutable().clear();
        op.setCausal(true);
      });
      return success();
    }
    if (auto both = mask.getDefiningOp<AndOp>()) {
      for (auto [causal, other] : {std::pair(both.getLhs(), both.getRhs()),
                                   std::pair(both.getRhs(), both.getLhs())}) {
        if (!isCausal(causal))
          continue;
        rewriter.modifyOpInPlace(op, [&, other = Value(other)] {
          op.getMaskMutable().assign(other);
          op.setCausal(true);
        });
        return success();
      }
    }
    if (auto select = mask.getDefiningOp<SelectOp>()) {
      std::optional<double> kept = getSplatNumber(select.getOnTrue()),
                            dropped = getSplatNumber(select.getOnFalse());
      if (kept == 0.0 && dropped == -std::numeric_limits<double>::infinity()) {
        rewriter.modifyOpInPlace(
            op, [&] { op.getMaskMutable().assign(select.getCondition()); });
        return success();
      }
    }
    if (auto broadcast = mask.getDefiningOp<BroadcastOp>()) {
      // Sizes of 1 are as good as repeated ones.
      Value x = createWithUnitDims(rewriter, op.getLoc(), broadcast);
      if (x.getType() != mask.getType()) {
        rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().assign(x); });
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "its mask is as simple as it gets");
  }
};

struct SimplifyMasksPass : ourc::impl::SimplifyMasksBase<SimplifyMasksPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns
        .add<CompareOfPositions, LogicWithSplat<AndOp>, LogicWithSplat<OrOp>,
             LogicWithSplat<XorOp>, NeutralSplat<AddOp>, NeutralSplat<MulOp>,
             SelectOfSplat, ElementwiseBeforeBroadcast, GatherOfPositions,
             SimplerAttentionMask>(context, numSimplified);
    ReshapeOp::getCanonicalizationPatterns(patterns, context);
    BroadcastOp::getCanonicalizationPatterns(patterns, context);
    TransposeOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
