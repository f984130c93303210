//===- ScalarBody.cpp - Elementwise operations on one element -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The ScalarBodyOpInterface of every elementwise op. `compute` is the op's
// meaning on elements in their compute type; the model widens operands and
// rounds the result, once.
//
//===----------------------------------------------------------------------===//

#include "conversion/OurcToLinalg/LoopBuilder.h"
#include "conversion/OurcToLinalg/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <cmath>

using namespace mlir;
using namespace ourc;

using Builder2 = ImplicitLocOpBuilder;

static bool isFloat(Value value) { return isa<FloatType>(value.getType()); }

static Value constant(Builder2 &b, Type type, double value) {
  return createFloat(b, b.getLoc(), type, value);
}

// Unary operations that are one math op on floats.
#define OURC_FLOAT_UNARY(OP, MATH)                                             \
  static Value compute(OP, Builder2 &b, ValueRange v) {                        \
    return MATH::create(b, v[0]);                                              \
  }
OURC_FLOAT_UNARY(ExpOp, math::ExpOp)
OURC_FLOAT_UNARY(Expm1Op, math::ExpM1Op)
OURC_FLOAT_UNARY(LogOp, math::LogOp)
OURC_FLOAT_UNARY(Log1pOp, math::Log1pOp)
OURC_FLOAT_UNARY(SqrtOp, math::SqrtOp)
OURC_FLOAT_UNARY(TanhOp, math::TanhOp)
OURC_FLOAT_UNARY(ErfOp, math::ErfOp)
OURC_FLOAT_UNARY(SinOp, math::SinOp)
OURC_FLOAT_UNARY(CosOp, math::CosOp)
OURC_FLOAT_UNARY(FloorOp, math::FloorOp)
OURC_FLOAT_UNARY(CeilOp, math::CeilOp)
#undef OURC_FLOAT_UNARY

// Binary operations that are one op on floats and one on integers.
#define OURC_BINARY(OP, FLOAT, INT)                                            \
  static Value compute(OP, Builder2 &b, ValueRange v) {                        \
    if (isFloat(v[0]))                                                         \
      return FLOAT::create(b, v[0], v[1]);                                     \
    return INT::create(b, v[0], v[1]);                                         \
  }
OURC_BINARY(DivOp, arith::DivFOp, arith::DivSIOp)
OURC_BINARY(MaximumOp, arith::MaximumFOp, arith::MaxSIOp)
OURC_BINARY(MinimumOp, arith::MinimumFOp, arith::MinSIOp)
#undef OURC_BINARY

static Value compute(AddOp, Builder2 &b, ValueRange v) {
  return createAdd(b, b.getLoc(), v[0], v[1]);
}
static Value compute(SubOp, Builder2 &b, ValueRange v) {
  return createSub(b, b.getLoc(), v[0], v[1]);
}
static Value compute(MulOp, Builder2 &b, ValueRange v) {
  return createMul(b, b.getLoc(), v[0], v[1]);
}
static Value compute(PowOp, Builder2 &b, ValueRange v) {
  return math::PowFOp::create(b, v[0], v[1]);
}
static Value compute(AndOp, Builder2 &b, ValueRange v) {
  return arith::AndIOp::create(b, v[0], v[1]);
}
static Value compute(OrOp, Builder2 &b, ValueRange v) {
  return arith::OrIOp::create(b, v[0], v[1]);
}
static Value compute(XorOp, Builder2 &b, ValueRange v) {
  return arith::XOrIOp::create(b, v[0], v[1]);
}

static Value compute(NotOp, Builder2 &b, ValueRange v) {
  Value ones =
      arith::ConstantOp::create(b, b.getIntegerAttr(v[0].getType(), -1));
  return arith::XOrIOp::create(b, v[0], ones);
}

static Value compute(AbsOp, Builder2 &b, ValueRange v) {
  if (isFloat(v[0]))
    return math::AbsFOp::create(b, v[0]);
  return math::AbsIOp::create(b, v[0]);
}

static Value compute(NegOp, Builder2 &b, ValueRange v) {
  if (isFloat(v[0]))
    return arith::NegFOp::create(b, v[0]);
  Value zero =
      arith::ConstantOp::create(b, b.getIntegerAttr(v[0].getType(), 0));
  return arith::SubIOp::create(b, zero, v[0]);
}

static Value compute(RsqrtOp, Builder2 &b, ValueRange v) {
  Value one = constant(b, v[0].getType(), 1.0);
  return arith::DivFOp::create(b, one, math::SqrtOp::create(b, v[0]));
}

/// 1 + e⁻ˣ, the denominator of the logistic function.
static Value onePlusExpNeg(Builder2 &b, Value x) {
  Value exp = math::ExpOp::create(b, arith::NegFOp::create(b, x));
  return createAdd(b, b.getLoc(), constant(b, x.getType(), 1.0), exp);
}

static Value compute(SigmoidOp, Builder2 &b, ValueRange v) {
  Value one = constant(b, v[0].getType(), 1.0);
  return arith::DivFOp::create(b, one, onePlusExpNeg(b, v[0]));
}

static Value compute(SiluOp, Builder2 &b, ValueRange v) {
  return arith::DivFOp::create(b, v[0], onePlusExpNeg(b, v[0]));
}

static Value compute(GeluOp op, Builder2 &b, ValueRange v) {
  Location loc = b.getLoc();
  Value x = v[0];
  Type type = x.getType();
  Value inner;
  if (op.getForm() == GeluForm::Exact) {
    inner = math::ErfOp::create(
        b, createMul(b, loc, x, constant(b, type, std::sqrt(0.5))));
  } else {
    Value cube = createMul(b, loc, createMul(b, loc, x, x), x);
    Value sum = createAdd(b, loc, x,
                          createMul(b, loc, cube, constant(b, type, 0.044715)));
    inner = math::TanhOp::create(
        b, createMul(b, loc, sum, constant(b, type, std::sqrt(2 / M_PI))));
  }
  Value factor = createAdd(b, loc, constant(b, type, 1.0), inner);
  Value half = createMul(b, loc, x, constant(b, type, 0.5));
  return createMul(b, loc, half, factor);
}

static Value compute(CompareOp op, Builder2 &b, ValueRange v) {
  unsigned at = static_cast<unsigned>(op.getPredicate());
  if (isFloat(v[0])) {
    using P = arith::CmpFPredicate;
    static constexpr P predicates[] = {P::OEQ, P::UNE, P::OLT,
                                       P::OLE, P::OGT, P::OGE};
    return arith::CmpFOp::create(b, predicates[at], v[0], v[1]);
  }
  using P = arith::CmpIPredicate;
  static constexpr P ofSigned[] = {P::eq,  P::ne,  P::slt,
                                   P::sle, P::sgt, P::sge};
  static constexpr P ofBool[] = {P::eq, P::ne, P::ult, P::ule, P::ugt, P::uge};
  bool isBool = v[0].getType().isInteger(1);
  return arith::CmpIOp::create(b, isBool ? ofBool[at] : ofSigned[at], v[0],
                               v[1]);
}

/// Widens operands, computes, rounds.
template <typename OpT>
struct ComputedBody
    : ScalarBodyOpInterface::ExternalModel<ComputedBody<OpT>, OpT> {
  Value buildScalarBody(Operation *op, OpBuilder &builder, Location loc,
                        ValueRange elements) const {
    Builder2 b(loc, builder);
    SmallVector<Value> wide;
    for (Value element : elements)
      wide.push_back(widen(b, loc, element));
    return narrow(b, loc, compute(cast<OpT>(op), b, wide),
                  getElementTypeOrSelf(op->getResult(0).getType()));
  }
};

/// Moves an element; nothing is computed.
struct SelectBody : ScalarBodyOpInterface::ExternalModel<SelectBody, SelectOp> {
  Value buildScalarBody(Operation *, OpBuilder &builder, Location loc,
                        ValueRange v) const {
    return arith::SelectOp::create(builder, loc, v[0], v[1], v[2]);
  }
};

struct CastBody : ScalarBodyOpInterface::ExternalModel<CastBody, CastOp> {
  Value buildScalarBody(Operation *op, OpBuilder &builder, Location loc,
                        ValueRange v) const {
    auto cast = mlir::cast<CastOp>(op);
    Builder2 b(loc, builder);
    Type from = v[0].getType();
    Type to = cast.getType().getElementType();
    if (from == to)
      return v[0];
    if (to.isInteger(1)) {
      Value x = widen(b, loc, v[0]);
      Value zero = arith::ConstantOp::create(b, b.getZeroAttr(x.getType()));
      if (isFloat(x))
        return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, x, zero);
      return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, x, zero);
    }
    bool isUnsigned = cast.getUnsignedSource() || from.isInteger(1);
    if (isa<IntegerType>(from)) {
      if (isa<FloatType>(to)) {
        Type compute = getComputeType(to);
        Value x = isUnsigned
                      ? arith::UIToFPOp::create(b, compute, v[0]).getResult()
                      : arith::SIToFPOp::create(b, compute, v[0]).getResult();
        return round(b, x, cast);
      }
      if (from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
        return arith::TruncIOp::create(b, to, v[0]);
      if (isUnsigned)
        return arith::ExtUIOp::create(b, to, v[0]);
      return arith::ExtSIOp::create(b, to, v[0]);
    }
    if (isa<IntegerType>(to)) {
      Value x = widen(b, loc, v[0]);
      if (cast.getUnsignedResult())
        return arith::FPToUIOp::create(b, to, x);
      return arith::FPToSIOp::create(b, to, x);
    }
    // Between floats: f32 holds every narrower one exactly.
    Value x = widen(b, loc, v[0]);
    if (getElementTypeOrSelf(x).getIntOrFloatBitWidth() <
        to.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(b, to, x);
    return round(b, x, cast);
  }

  /// A rounding that the program asks for is never left out.
  static Value round(Builder2 &b, Value x, CastOp cast) {
    Type to = cast.getType().getElementType();
    if (cast.getImplicit() || x.getType() == to)
      return narrow(b, b.getLoc(), x, to);
    return arith::TruncFOp::create(b, to, x);
  }
};

template <typename... OpTs> static void attachComputed(MLIRContext *context) {
  (OpTs::template attachInterface<ComputedBody<OpTs>>(*context), ...);
}

void ourc::registerScalarBodyModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, OurcDialect *) {
    attachComputed<AbsOp, NegOp, NotOp, ExpOp, Expm1Op, LogOp, Log1pOp, SqrtOp,
                   RsqrtOp, TanhOp, ErfOp, SigmoidOp, SinOp, CosOp, FloorOp,
                   CeilOp, AddOp, SubOp, MulOp, DivOp, PowOp, MaximumOp,
                   MinimumOp, AndOp, OrOp, XorOp, CompareOp, GeluOp, SiluOp>(
        context);
    SelectOp::attachInterface<SelectBody>(*context);
    CastOp::attachInterface<CastBody>(*context);
  });
}
