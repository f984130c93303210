//===- ElementwiseFolds.cpp - Folders of elementwise operations ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Constants are folded when all their elements are one: the scalar constants of
// a program and what broadcasting makes of them. Weights are data, which is
// prepared when the program runs. Only operations whose results are exact by
// IEEE 754 are folded, so that a constant never differs from a computed value.

#include "dialects/ourc/Inference.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace ourc;

//===----------------------------------------------------------------------===//
// Splats
//===----------------------------------------------------------------------===//

/// The element that a value has throughout: that of a splat constant or of a
/// broadcast of one. Null where there is none.
static Attribute getSplat(Value value, Attribute folded) {
  if (!folded)
    if (auto broadcast = value.getDefiningOp<BroadcastOp>())
      if (auto constant = broadcast.getX().getDefiningOp<ConstantOp>())
        folded = constant.getValue();
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(folded))
    return splat.getSplatValue<Attribute>();
  return {};
}

static std::optional<APInt> getInteger(Attribute element) {
  if (auto integer = dyn_cast_if_present<IntegerAttr>(element))
    return integer.getValue();
  return std::nullopt;
}

static std::optional<APFloat> getFloat(Attribute element) {
  if (auto real = dyn_cast_if_present<FloatAttr>(element))
    return real.getValue();
  return std::nullopt;
}

static bool isIntegerZero(Attribute element) {
  std::optional<APInt> value = getInteger(element);
  return value && value->isZero();
}

static bool isAllOnes(Attribute element) {
  std::optional<APInt> value = getInteger(element);
  return value && value->isAllOnes();
}

static bool isOne(Attribute element) {
  if (std::optional<APInt> value = getInteger(element))
    return value->isOne();
  std::optional<APFloat> value = getFloat(element);
  return value && value->isExactlyValue(1.0);
}

static bool isFloatZero(Attribute element, bool negative) {
  std::optional<APFloat> value = getFloat(element);
  return value && value->isZero() && value->isNegative() == negative;
}

/// A constant of the op's result type, which must be static, with one element.
static OpFoldResult makeSplat(Operation *op, Attribute element) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!element || !type.hasStaticShape())
    return {};
  return SplatElementsAttr::get(type, element);
}

static Attribute makeElement(Attribute like, APInt value) {
  return IntegerAttr::get(cast<IntegerAttr>(like).getType(), value);
}

static Attribute makeElement(Attribute like, const APFloat &value) {
  return FloatAttr::get(cast<FloatAttr>(like).getType(), value);
}

/// Folds an op of one splat constant.
template <typename IntegerFn, typename FloatFn>
static OpFoldResult foldUnary(Operation *op, Attribute x, IntegerFn integer,
                              FloatFn real) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(x);
  if (!splat)
    return {};
  auto element = splat.getSplatValue<Attribute>();
  if (std::optional<APInt> value = getInteger(element))
    return makeSplat(op, makeElement(element, integer(*value)));
  if (std::optional<APFloat> value = getFloat(element))
    return makeSplat(op, makeElement(element, real(*value)));
  return {};
}

/// Folds an op of two splat constants; the functions may return nothing.
template <typename IntegerFn, typename FloatFn>
static OpFoldResult foldBinary(Operation *op, Attribute lhs, Attribute rhs,
                               IntegerFn integer, FloatFn real) {
  auto a = dyn_cast_if_present<SplatElementsAttr>(lhs);
  auto b = dyn_cast_if_present<SplatElementsAttr>(rhs);
  if (!a || !b)
    return {};
  auto x = a.getSplatValue<Attribute>(), y = b.getSplatValue<Attribute>();
  if (isa<IntegerAttr>(x)) {
    std::optional<APInt> value = integer(*getInteger(x), *getInteger(y));
    return value ? makeSplat(op, makeElement(x, *value)) : OpFoldResult();
  }
  if (isa<FloatAttr>(x)) {
    std::optional<APFloat> value = real(*getFloat(x), *getFloat(y));
    return value ? makeSplat(op, makeElement(x, *value)) : OpFoldResult();
  }
  return {};
}

static constexpr auto kNoFloat = [](const APFloat &,
                                    const APFloat &) -> std::optional<APFloat> {
  return std::nullopt;
};

//===----------------------------------------------------------------------===//
// Functions of one element
//===----------------------------------------------------------------------===//

/// The operand of the op's operand when that is the same op.
template <typename OpTy> static Value operandOfSame(OpTy op) {
  auto inner = op.getX().template getDefiningOp<OpTy>();
  return inner ? inner.getX() : Value();
}

OpFoldResult AbsOp::fold(FoldAdaptor adaptor) {
  if (getX().getDefiningOp<AbsOp>())
    return getX();
  return foldUnary(
      *this, adaptor.getX(), [](APInt x) { return x.abs(); },
      [](APFloat x) {
        x.clearSign();
        return x;
      });
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (Value x = operandOfSame(*this))
    return x;
  return foldUnary(
      *this, adaptor.getX(), [](APInt x) { return -x; },
      [](APFloat x) { return -x; });
}

OpFoldResult NotOp::fold(FoldAdaptor adaptor) {
  if (Value x = operandOfSame(*this))
    return x;
  return foldUnary(
      *this, adaptor.getX(), [](APInt x) { return ~x; },
      [](APFloat x) { return x; });
}

/// Rounds to whole numbers; a rounded operand stays as it is.
template <typename OpTy>
static OpFoldResult foldRounding(OpTy op, Attribute x,
                                 llvm::RoundingMode mode) {
  if (isa_and_present<FloorOp, CeilOp>(op.getX().getDefiningOp()))
    return op.getX();
  return foldUnary(
      op, x, [](APInt value) { return value; },
      [mode](APFloat value) {
        value.roundToIntegral(mode);
        return value;
      });
}

OpFoldResult FloorOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getX(), APFloat::rmTowardNegative);
}

OpFoldResult CeilOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getX(), APFloat::rmTowardPositive);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

// x + 0 is x for integers; for floats x + -0 is x, but x + 0 is not for -0.
OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  auto isNeutral = [](Attribute element) {
    return isIntegerZero(element) || isFloatZero(element, /*negative=*/true);
  };
  if (isNeutral(getSplat(getRhs(), adaptor.getRhs())))
    return getLhs();
  if (isNeutral(getSplat(getLhs(), adaptor.getLhs())))
    return getRhs();
  return foldBinary(
      *this, adaptor.getLhs(), adaptor.getRhs(),
      [](APInt a, APInt b) { return std::optional(a + b); },
      [](APFloat a, APFloat b) { return std::optional(a + b); });
}

// x - 0 is x, -0 included.
OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  Attribute rhs = getSplat(getRhs(), adaptor.getRhs());
  if (isIntegerZero(rhs) || isFloatZero(rhs, /*negative=*/false))
    return getLhs();
  return foldBinary(
      *this, adaptor.getLhs(), adaptor.getRhs(),
      [](APInt a, APInt b) { return std::optional(a - b); },
      [](APFloat a, APFloat b) { return std::optional(a - b); });
}

// x · 1 is x, NaN and -0 included. x · 0 is not 0 for NaN and infinity.
OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isOne(getSplat(getRhs(), adaptor.getRhs())))
    return getLhs();
  if (isOne(getSplat(getLhs(), adaptor.getLhs())))
    return getRhs();
  return foldBinary(
      *this, adaptor.getLhs(), adaptor.getRhs(),
      [](APInt a, APInt b) { return std::optional(a * b); },
      [](APFloat a, APFloat b) { return std::optional(a * b); });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isOne(getSplat(getRhs(), adaptor.getRhs())))
    return getLhs();
  return foldBinary(
      *this, adaptor.getLhs(), adaptor.getRhs(),
      [](APInt a, APInt b) -> std::optional<APInt> {
        if (b.isZero() || (a.isMinSignedValue() && b.isAllOnes()))
          return std::nullopt;
        return a.sdiv(b);
      },
      [](APFloat a, APFloat b) { return std::optional(a / b); });
}

OpFoldResult MaximumOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  return foldBinary(
      *this, adaptor.getLhs(), adaptor.getRhs(),
      [](APInt a, APInt b) { return std::optional(a.sgt(b) ? a : b); },
      [](APFloat a, APFloat b) { return std::optional(llvm::maximum(a, b)); });
}

OpFoldResult MinimumOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  return foldBinary(
      *this, adaptor.getLhs(), adaptor.getRhs(),
      [](APInt a, APInt b) { return std::optional(a.slt(b) ? a : b); },
      [](APFloat a, APFloat b) { return std::optional(llvm::minimum(a, b)); });
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  Attribute lhs = getSplat(getLhs(), adaptor.getLhs());
  Attribute rhs = getSplat(getRhs(), adaptor.getRhs());
  if (getLhs() == getRhs() || isAllOnes(rhs) || isIntegerZero(lhs))
    return getLhs();
  if (isAllOnes(lhs) || isIntegerZero(rhs))
    return getRhs();
  return foldBinary(
      *this, adaptor.getLhs(), adaptor.getRhs(),
      [](APInt a, APInt b) { return std::optional(a & b); }, kNoFloat);
}

OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  Attribute lhs = getSplat(getLhs(), adaptor.getLhs());
  Attribute rhs = getSplat(getRhs(), adaptor.getRhs());
  if (getLhs() == getRhs() || isIntegerZero(rhs) || isAllOnes(lhs))
    return getLhs();
  if (isIntegerZero(lhs) || isAllOnes(rhs))
    return getRhs();
  return foldBinary(
      *this, adaptor.getLhs(), adaptor.getRhs(),
      [](APInt a, APInt b) { return std::optional(a | b); }, kNoFloat);
}

OpFoldResult XorOp::fold(FoldAdaptor adaptor) {
  if (isIntegerZero(getSplat(getRhs(), adaptor.getRhs())))
    return getLhs();
  if (isIntegerZero(getSplat(getLhs(), adaptor.getLhs())))
    return getRhs();
  return foldBinary(
      *this, adaptor.getLhs(), adaptor.getRhs(),
      [](APInt a, APInt b) { return std::optional(a ^ b); }, kNoFloat);
}

//===----------------------------------------------------------------------===//
// CompareOp, SelectOp
//===----------------------------------------------------------------------===//

/// Whether the predicate holds of two elements in this order.
static bool holds(ComparePredicate predicate, bool less, bool equal,
                  bool unordered) {
  switch (predicate) {
  case ComparePredicate::EQ:
    return equal;
  case ComparePredicate::NE:
    return !equal;
  case ComparePredicate::LT:
    return less;
  case ComparePredicate::LE:
    return less || equal;
  case ComparePredicate::GT:
    return !unordered && !less && !equal;
  case ComparePredicate::GE:
    return !unordered && !less;
  }
  llvm_unreachable("all predicates are above");
}

OpFoldResult CompareOp::fold(FoldAdaptor adaptor) {
  auto a = dyn_cast_if_present<SplatElementsAttr>(adaptor.getLhs());
  auto b = dyn_cast_if_present<SplatElementsAttr>(adaptor.getRhs());
  if (!a || !b)
    return {};
  auto x = a.getSplatValue<Attribute>(), y = b.getSplatValue<Attribute>();
  bool less, equal, unordered = false;
  if (std::optional<APInt> value = getInteger(x)) {
    APInt other = *getInteger(y);
    // Booleans compare as false < true.
    less = value->getBitWidth() == 1 ? value->ult(other) : value->slt(other);
    equal = *value == other;
  } else if (std::optional<APFloat> value = getFloat(x)) {
    APFloat::cmpResult order = value->compare(*getFloat(y));
    less = order == APFloat::cmpLessThan;
    equal = order == APFloat::cmpEqual;
    unordered = order == APFloat::cmpUnordered;
  } else {
    return {};
  }
  return makeSplat(
      *this, BoolAttr::get(getContext(),
                           holds(getPredicate(), less, equal, unordered)));
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse())
    return getOnTrue();
  Attribute condition = getSplat(getCondition(), adaptor.getCondition());
  if (isAllOnes(condition))
    return getOnTrue();
  if (isIntegerZero(condition))
    return getOnFalse();
  return {};
}

//===----------------------------------------------------------------------===//
// CastOp
//===----------------------------------------------------------------------===//

/// The element converted as CastOp says; null where that is undefined.
static Attribute convertElement(Attribute from, Type to, bool unsignedSource,
                                bool unsignedResult) {
  if (std::optional<APFloat> value = getFloat(from)) {
    if (to.isInteger(1))
      return BoolAttr::get(to.getContext(), !value->isZero());
    if (auto type = dyn_cast<FloatType>(to)) {
      bool losesInfo;
      value->convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                     &losesInfo);
      return FloatAttr::get(type, *value);
    }
    APSInt integer(to.getIntOrFloatBitWidth(), unsignedResult);
    bool exact;
    if (value->convertToInteger(integer, APFloat::rmTowardZero, &exact) &
        APFloat::opInvalidOp)
      return {};
    return IntegerAttr::get(to, integer);
  }
  std::optional<APInt> value = getInteger(from);
  if (!value)
    return {};
  if (to.isInteger(1))
    return BoolAttr::get(to.getContext(), !value->isZero());
  bool isUnsigned = unsignedSource || value->getBitWidth() == 1;
  if (auto type = dyn_cast<FloatType>(to)) {
    APFloat real(type.getFloatSemantics());
    real.convertFromAPInt(*value, !isUnsigned, APFloat::rmNearestTiesToEven);
    return FloatAttr::get(type, real);
  }
  unsigned width = to.getIntOrFloatBitWidth();
  return IntegerAttr::get(to, isUnsigned ? value->zextOrTrunc(width)
                                         : value->sextOrTrunc(width));
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType() &&
      getUnsignedSource() == getUnsignedResult())
    return getX();
  auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getX());
  if (!splat)
    return {};
  return makeSplat(*this,
                   convertElement(splat.getSplatValue<Attribute>(),
                                  getType().getElementType(),
                                  getUnsignedSource(), getUnsignedResult()));
}

/// Whether every element of `from` is one of `to` (integers signed).
static bool isLossless(Type from, Type to) {
  if (from == to)
    return true;
  if (from.isInteger(1))
    return !to.isInteger(1);
  if (from.isInteger())
    return to.isInteger() &&
           to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
  if (to.isF64())
    return true;
  return to.isF32() && (from.isF16() || from.isBF16());
}

namespace {
/// cast(cast(x)) is cast(x) when the inner one loses nothing.
struct MergeCasts : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getX().getDefiningOp<CastOp>();
    if (!producer)
      return rewriter.notifyMatchFailure(op, "operand is not a cast");
    if (op.getUnsignedSource() || op.getUnsignedResult() ||
        producer.getUnsignedSource() || producer.getUnsignedResult())
      return rewriter.notifyMatchFailure(op, "a cast of unsigned integers");
    Type from = producer.getX().getType().getElementType();
    Type between = producer.getType().getElementType();
    if (!isLossless(from, between))
      return rewriter.notifyMatchFailure(op, "the inner cast rounds");
    if (producer.getX().getType() == op.getType()) {
      rewriter.replaceOp(op, producer.getX());
      return success();
    }
    rewriter.modifyOpInPlace(op,
                             [&] { op.getXMutable().assign(producer.getX()); });
    return success();
  }
};
} // namespace

void CastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<MergeCasts>(context);
}
