//===- ScalarOps.cpp - One operation on lanes -----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/common/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ourc;

/// The type of `x` with another element type.
static Type withElement(Type shape, Type element) {
  if (auto vector = dyn_cast<VectorType>(shape))
    return vector.clone(element);
  return element;
}

static Value emitConstant(OpBuilder &b, Location loc, Type type, int64_t n) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr value = isa<FloatType>(element)
                        ? TypedAttr(b.getFloatAttr(element, n))
                        : TypedAttr(b.getIntegerAttr(element, n));
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return arith::ConstantOp::create(b, loc, value);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value ourc::emitToF32(OpBuilder &b, Location loc, Value x) {
  Type type = x.getType();
  Type f32 = withElement(type, b.getF32Type());
  if (!getElementTypeOrSelf(type).isBF16())
    return arith::ExtFOp::create(b, loc, f32, x);
  Type i32 = withElement(type, b.getI32Type());
  Value bits = arith::BitcastOp::create(
      b, loc, withElement(type, b.getIntegerType(16)), x);
  bits = arith::ExtUIOp::create(b, loc, i32, bits);
  bits = arith::ShLIOp::create(b, loc, bits, emitConstant(b, loc, i32, 16));
  return arith::BitcastOp::create(b, loc, f32, bits);
}

Value ourc::emitFromF32(OpBuilder &b, Location loc, Value x, Type element) {
  return arith::TruncFOp::create(b, loc, withElement(x.getType(), element), x);
}

static Value emitFloatToFloat(OpBuilder &b, Location loc, Value x,
                              Type element) {
  Type from = getElementTypeOrSelf(x.getType());
  if (from == element)
    return x;
  auto isNarrow = [](Type type) { return type.getIntOrFloatBitWidth() == 16; };
  if (isNarrow(from)) {
    Value wide = emitToF32(b, loc, x);
    return emitFloatToFloat(b, loc, wide, element);
  }
  if (isNarrow(element)) {
    if (from.isF64())
      x = arith::TruncFOp::create(b, loc,
                                  withElement(x.getType(), b.getF32Type()), x);
    return emitFromF32(b, loc, x, element);
  }
  Type type = withElement(x.getType(), element);
  if (element.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, loc, type, x);
  return arith::TruncFOp::create(b, loc, type, x);
}

static Value emitFloatToInt(OpBuilder &b, Location loc, Value x, Type element) {
  if (getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth() == 16)
    x = emitToF32(b, loc, x);
  unsigned bits = element.getIntOrFloatBitWidth();
  unsigned wideBits = std::max(bits, 32u);
  Type wideElement = b.getIntegerType(wideBits);
  Type floatType = x.getType();
  Type wide = withElement(floatType, wideElement);
  // Out of range there is no defined result to clone: limits are selected.
  auto power = [&](double value) {
    Type e = getElementTypeOrSelf(floatType);
    TypedAttr attr = b.getFloatAttr(e, value);
    if (auto vector = dyn_cast<VectorType>(floatType))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(b, loc, attr).getResult();
  };
  double limit = std::ldexp(1.0, wideBits - 1);
  Value high =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE, x, power(limit));
  Value inside = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE, x,
                                       power(-limit));
  Value low = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x,
                                    power(-limit));
  Value safe = arith::SelectOp::create(b, loc, inside, x, power(0));
  safe = arith::SelectOp::create(b, loc, high, power(0), safe);
  Value n = arith::FPToSIOp::create(b, loc, wide, safe);
  APInt most = APInt::getSignedMaxValue(wideBits);
  APInt least = APInt::getSignedMinValue(wideBits);
  n = arith::SelectOp::create(
      b, loc, high, emitConstant(b, loc, wide, most.getSExtValue()), n);
  n = arith::SelectOp::create(
      b, loc, low, emitConstant(b, loc, wide, least.getSExtValue()), n);
  if (bits == wideBits)
    return n;
  return arith::TruncIOp::create(b, loc, withElement(floatType, element), n);
}

static Value emitIntToFloat(OpBuilder &b, Location loc, Value x, Type element,
                            bool isSigned) {
  Type type = x.getType();
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  // Narrow integers are exact in any wider one.
  if (bits < 32) {
    Type i32 = withElement(type, b.getI32Type());
    x = isSigned && bits > 1
            ? arith::ExtSIOp::create(b, loc, i32, x).getResult()
            : arith::ExtUIOp::create(b, loc, i32, x);
    isSigned = true;
  }
  bool narrow = element.getIntOrFloatBitWidth() == 16;
  Type floatElement = narrow ? b.getF32Type() : element;
  Type floatType = withElement(type, floatElement);
  Value f = isSigned ? arith::SIToFPOp::create(b, loc, floatType, x).getResult()
                     : arith::UIToFPOp::create(b, loc, floatType, x);
  return narrow ? emitFromF32(b, loc, f, element) : f;
}

Value ourc::emitConversion(OpBuilder &b, Operation *op, Value x) {
  Location loc = op->getLoc();
  if (op->getNumResults() != 1)
    return {};
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](auto) { return emitFloatToFloat(b, loc, x, element); })
      .Case<arith::FPToSIOp, arith::FPToUIOp>(
          [&](auto) { return emitFloatToInt(b, loc, x, element); })
      .Case([&](arith::SIToFPOp) {
        return emitIntToFloat(b, loc, x, element, /*isSigned=*/true);
      })
      .Case([&](arith::UIToFPOp) {
        return emitIntToFloat(b, loc, x, element, /*isSigned=*/false);
      })
      .Default([](Operation *) { return Value(); });
}

//===----------------------------------------------------------------------===//
// Maximum and minimum
//===----------------------------------------------------------------------===//

/// Whether `x` is a constant other than NaN.
static bool isOrderedConstant(Value x) {
  Attribute value;
  if (!matchPattern(x, m_Constant(&value)))
    return false;
  if (auto dense = dyn_cast<SplatElementsAttr>(value))
    value = dense.getSplatValue<Attribute>();
  auto number = dyn_cast<FloatAttr>(value);
  return number && !number.getValue().isNaN();
}

Value ourc::emitMinMax(OpBuilder &b, Location loc, bool max, Value x, Value y) {
  auto predicate = max ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  // The machine's maximum is `x > y ? x : y`: a NaN in y stays by itself.
  if (isOrderedConstant(y))
    std::swap(x, y);
  Value more = arith::CmpFOp::create(b, loc, predicate, x, y);
  Value result = arith::SelectOp::create(b, loc, more, x, y);
  if (isOrderedConstant(x))
    return result;
  Value nan = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, x);
  return arith::SelectOp::create(b, loc, nan, x, result);
}

//===----------------------------------------------------------------------===//
// Integer division and powers
//===----------------------------------------------------------------------===//

Value ourc::emitDivision(OpBuilder &b, Operation *op, Value x, Value y) {
  if (!isa<arith::DivUIOp, arith::RemUIOp, arith::DivSIOp, arith::RemSIOp,
           arith::FloorDivSIOp, arith::CeilDivSIOp>(op))
    return {};
  Location loc = op->getLoc();
  Type type = x.getType();
  Value zero = emitConstant(b, loc, type, 0),
        one = emitConstant(b, loc, type, 1);
  auto cmp = [&](arith::CmpIPredicate p, Value l, Value r) -> Value {
    return arith::CmpIOp::create(b, loc, p, l, r);
  };
  auto select = [&](Value c, Value l, Value r) -> Value {
    return arith::SelectOp::create(b, loc, c, l, r);
  };
  Value byZero = cmp(arith::CmpIPredicate::eq, y, zero);
  if (isa<arith::DivUIOp, arith::RemUIOp>(op)) {
    Value safe = select(byZero, one, y);
    Value q = isa<arith::DivUIOp>(op)
                  ? arith::DivUIOp::create(b, loc, x, safe).getResult()
                  : arith::RemUIOp::create(b, loc, x, safe).getResult();
    return select(byZero, zero, q);
  }
  // The least integer by -1 traps as division by zero does.
  Value byMinusOne =
      cmp(arith::CmpIPredicate::eq, y, emitConstant(b, loc, type, -1));
  Value safe = select(arith::OrIOp::create(b, loc, byZero, byMinusOne), one, y);
  Value q = arith::DivSIOp::create(b, loc, x, safe);
  q = select(byMinusOne, arith::SubIOp::create(b, loc, zero, x), q);
  Value r =
      arith::SubIOp::create(b, loc, x, arith::MulIOp::create(b, loc, q, y));
  if (isa<arith::RemSIOp>(op))
    return select(byZero, zero, r);
  if (!isa<arith::DivSIOp>(op)) {
    // Towards the wanted side where there is a remainder.
    bool floor = isa<arith::FloorDivSIOp>(op);
    Value negative = cmp(arith::CmpIPredicate::slt,
                         arith::XOrIOp::create(b, loc, x, y), zero);
    Value wanted = floor ? negative
                         : cmp(arith::CmpIPredicate::sge,
                               arith::XOrIOp::create(b, loc, x, y), zero);
    Value inexact = cmp(arith::CmpIPredicate::ne, r, zero);
    Value step = emitConstant(b, loc, type, floor ? -1 : 1);
    Value moved = arith::AddIOp::create(b, loc, q, step);
    q = select(arith::AndIOp::create(b, loc, wanted, inexact), moved, q);
  }
  return select(byZero, zero, q);
}

Value ourc::emitIntegerPower(OpBuilder &b, Location loc, Value base,
                             Value power) {
  Type type = base.getType();
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Value zero = emitConstant(b, loc, type, 0),
        one = emitConstant(b, loc, type, 1);
  Value lower = arith::ConstantIntOp::create(b, loc, 0, 64);
  Value upper = arith::ConstantIntOp::create(b, loc, bits - 1, 64);
  Value step = arith::ConstantIntOp::create(b, loc, 1, 64);
  auto loop = scf::ForOp::create(b, loc, lower, upper, step,
                                 ValueRange{one, base, power});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value result = loop.getRegionIterArg(0), square = loop.getRegionIterArg(1),
          rest = loop.getRegionIterArg(2);
    Value odd =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                              arith::AndIOp::create(b, loc, rest, one), zero);
    Value product = arith::MulIOp::create(b, loc, result, square);
    scf::YieldOp::create(
        b, loc,
        ValueRange{arith::SelectOp::create(b, loc, odd, product, result),
                   arith::MulIOp::create(b, loc, square, square),
                   arith::ShRUIOp::create(b, loc, rest, one)});
  }
  // A negative power: 1/base in integers, to the power's parity.
  Value negative =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, power, zero);
  Value isOne =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, base, one);
  Value minusOne = emitConstant(b, loc, type, -1);
  Value isMinusOne =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, base, minusOne);
  Value odd =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                            arith::AndIOp::create(b, loc, power, one), zero);
  Value unit = arith::SelectOp::create(b, loc, odd, minusOne, one);
  Value inverse = arith::SelectOp::create(
      b, loc, isOne, one,
      arith::SelectOp::create(b, loc, isMinusOne, unit, zero));
  return arith::SelectOp::create(b, loc, negative, inverse, loop.getResult(0));
}
