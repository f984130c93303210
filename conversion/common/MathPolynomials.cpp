//===- MathPolynomials.cpp - Elementary functions without a library -------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/common/MathPolynomials.h"
#include "conversion/common/FloatBuilder.h"
#include "conversion/common/MathCoefficients.h"
#include "conversion/common/Trigonometry.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::coefficients;

// log(2) and its remainder beyond f32.
static constexpr double kLn2 = 0x1.62e42fefa39efp-1;
static constexpr float kLn2Hi = 0x1.62e43p-1f;
static constexpr double kLn2Lo = -0x1.05c610ca86c39p-29;
static constexpr double kLog2e = 0x1.71547652b82fep+0;
// Adding and subtracting 1.5 * 2^23 rounds to an integer, whose value is then
// the low bits of the sum: no conversion, so nothing undefined for NaN.
static constexpr double kRound = 0x1.8p+23;
static constexpr int64_t kRoundBits = 0x4B400000;
static constexpr int64_t kSqrtHalfBits = 0x3F3504F3;

//===----------------------------------------------------------------------===//
// exp and its relatives
//===----------------------------------------------------------------------===//

namespace {
/// x = n log(2) + r, |r| <= log(2)/2, or the like with another base.
struct ExpReduction {
  Value sum; ///< of which the low bits are n
  Value r;
};
} // namespace

static ExpReduction reduceExp(FloatBuilder &m, Value x) {
  Value sum = m.fma(x, m.f(kLog2e), m.f(kRound));
  Value n = m.sub(sum, m.f(kRound));
  Value r = m.fma(n, m.f(-kLn2Hi), x);
  return {sum, m.fma(n, m.f(-kLn2Lo), r)};
}

/// n moved to the place of an exponent: what is above its bits falls out.
static Value toExponent(FloatBuilder &m, Value bits) { return m.shl(bits, 23); }

/// 2^n for n in [-126, 127], from an exponent's bits.
static Value powerOfTwo(FloatBuilder &m, Value exponent) {
  return m.fromBits(m.iadd(exponent, m.i(127 << 23)));
}

/// p * 2^n for n in [-252, 254], rounded once: in two steps, since neither
/// limit of the result is a power of two that has a float.
static Value scale(FloatBuilder &m, Value p, Value sum) {
  Value bits = m.toBits(sum);
  // AVX-512 has an instruction, and only vectors for it are so long; the code
  // generator knows it by this intrinsic.
  if (auto vector = dyn_cast<VectorType>(m.getType());
      vector && vector.getNumElements() >= 16)
    return m.ldexp(p, m.isub(bits, m.i(kRoundBits)));
  Value half = toExponent(m, m.ashr(bits, 1));
  Value rest = m.isub(toExponent(m, bits), half);
  return m.mul(m.mul(p, powerOfTwo(m, half)), powerOfTwo(m, rest));
}

/// e^r, for |r| <= log(2)/2.
static Value expPoly(FloatBuilder &m, Value r) {
  return m.add(m.fma(m.mul(r, r), m.poly<float>(r, kExp), r), m.f(1.0));
}

static Value emitExp(FloatBuilder &m, Value x) {
  // Beyond these bounds the result is 0 or infinity, as it is at them.
  x = m.atLeast(m.atMost(x, m.f(89.0)), m.f(-104.0));
  auto [sum, r] = reduceExp(m, x);
  return scale(m, expPoly(m, r), sum);
}

/// e^x for x in [-87, 88], or NaN.
static Value emitExpInside(FloatBuilder &m, Value x) {
  auto [sum, r] = reduceExp(m, x);
  return m.mul(expPoly(m, r), powerOfTwo(m, toExponent(m, m.toBits(sum))));
}

static Value emitExp2(FloatBuilder &m, Value x) {
  x = m.atLeast(m.atMost(x, m.f(129.0)), m.f(-151.0));
  Value sum = m.add(x, m.f(kRound));
  Value r = m.sub(x, m.sub(sum, m.f(kRound)));
  return scale(m, m.fma(m.poly<float>(r, kExp2), r, m.f(1.0)), sum);
}

static Value emitExpM1(FloatBuilder &m, Value x) {
  Value clamped = m.atLeast(m.atMost(x, m.f(89.0)), m.f(-30.0));
  auto [sum, r] = reduceExp(m, clamped);
  Value p = m.fma(m.mul(r, r), m.poly<float>(r, kExp), r);
  // 2^n p + (2^n - 1), halved so that n = 128 does not overflow too early.
  Value s = m.fromBits(m.iadd(toExponent(m, m.toBits(sum)), m.i(126 << 23)));
  Value y = m.fma(s, p, m.sub(s, m.f(0.5)));
  return m.select(m.eq(x, m.f(0.0)), x, m.add(y, y));
}

static Value emitTanh(FloatBuilder &m, Value x) {
  Value t = m.mul(x, x);
  Value small = m.fma(m.mul(x, t), m.poly<float>(t, kTanhSmall), x);
  Value a = m.abs(x);
  // 1 - tanh(10) is far below half an ulp.
  Value b = m.atMost(a, m.f(10.0));
  Value e = emitExpInside(m, m.add(b, b));
  Value large = m.sub(m.f(1.0), m.div(m.f(2.0), m.add(e, m.f(1.0))));
  return m.select(m.lt(a, m.f(0.56)), small, m.copysign(large, x));
}

static Value emitSinh(FloatBuilder &m, Value x) {
  Value a = m.abs(x);
  // sinh = (e + e/(e+1)) / 2 with e = expm1; near overflow exp(a - log 2).
  Value e = emitExpM1(m, m.atMost(a, m.f(40.0)));
  Value y = m.mul(m.add(e, m.div(e, m.add(e, m.f(1.0)))), m.f(0.5));
  Value h = emitExp(m, m.mul(a, m.f(0.5)));
  Value big = m.mul(m.mul(h, m.f(0.5)), h);
  return m.copysign(m.select(m.gt(a, m.f(40.0)), big, y), x);
}

static Value emitCosh(FloatBuilder &m, Value x) {
  Value a = m.abs(x);
  Value h = emitExp(m, m.mul(a, m.f(0.5)));
  Value half = m.mul(m.mul(h, m.f(0.5)), h);
  Value e = emitExp(m, m.neg(a));
  return m.fma(e, m.f(0.5), half);
}

static Value emitErf(FloatBuilder &m, Value x) {
  Value t = m.mul(x, x);
  Value small = m.fma(x, m.wide<float>(t, kErfSmall), x);
  Value a = m.abs(x);
  // 1 - erfc(4) rounds to 1.
  Value h = m.poly<float>(m.atMost(a, m.f(4.0)), kErfLarge);
  Value large = m.sub(m.f(1.0), emitExpInside(m, m.neg(h)));
  return m.select(m.lt(a, m.f(0.925)), small, m.copysign(large, x));
}

/// 1 + erf(x) with an absolute error of 3e-7, and 0 or 2 far from zero. One
/// polynomial does for all x, where erf needs two to be exact near zero.
static Value emitOnePlusErf(FloatBuilder &m, Value x) {
  Value t = m.atMost(m.mul(x, x), m.f(14.5));
  Value w = m.fma(t, m.f(1 / 7.25), m.f(-1.0));
  Value y = m.fma(x, m.wide<float>(w, kErfWhole), m.f(1.0));
  return m.atMost(m.atLeast(y, m.f(0.0)), m.f(2.0));
}

/// 1 + tanh(x) = 2 / (1 + exp(-2 x)).
static Value emitOnePlusTanh(FloatBuilder &m, Value x) {
  Value e = emitExp(m, m.mul(x, m.f(-2.0)));
  return m.div(m.f(2.0), m.add(e, m.f(1.0)));
}

//===----------------------------------------------------------------------===//
// log and its relatives
//===----------------------------------------------------------------------===//

namespace {
/// x = 2^e (1 + f), 1 + f in [sqrt(1/2), sqrt(2)).
struct LogReduction {
  Value e; ///< float
  Value f;
};
} // namespace

/// For positive finite x.
static LogReduction reduceLog(FloatBuilder &m, Value x) {
  Value denormal = m.lt(x, m.f(0x1p-126));
  x = m.select(denormal, m.mul(x, m.f(0x1p+23)), x);
  Value bits = m.toBits(x);
  Value e = m.ashr(m.isub(bits, m.i(kSqrtHalfBits)), 23);
  Value f = m.sub(m.fromBits(m.isub(bits, m.shl(e, 23))), m.f(1.0));
  e = m.isub(e, m.select(denormal, m.i(23), m.i(0)));
  return {m.fromInt(e), f};
}

/// log(1 + f) - f.
static Value logTail(FloatBuilder &m, Value f) {
  Value square = m.mul(f, f);
  Value cube = m.mul(square, f);
  return m.fma(square, m.f(-0.5), m.mul(cube, m.wide<float>(f, kLog)));
}

/// y for positive finite x, else the limits of a logarithm.
static Value logLimits(FloatBuilder &m, Value x, Value y) {
  Value zero = m.f(0.0), inf = m.inf();
  Value other =
      m.select(m.eq(x, zero), m.neg(inf), m.select(m.eq(x, inf), inf, m.nan()));
  return m.select(m.logicalAnd(m.gt(x, zero), m.lt(x, inf)), y, other);
}

static Value emitLog(FloatBuilder &m, Value x) {
  auto [e, f] = reduceLog(m, x);
  Value y = m.fma(e, m.f(kLn2Lo), logTail(m, f));
  y = m.fma(e, m.f(kLn2Hi), m.add(f, y));
  return logLimits(m, x, y);
}

/// e * scale + log(1 + f) / base, where hi + lo is 1/base and hi has few bits.
static Value scaledLog(FloatBuilder &m, Value e, Value f, double inverse,
                       double scaleHi, double scaleLo) {
  float hi = inverse;
  double lo = inverse - hi;
  Value tail = logTail(m, f);
  Value y = m.fma(f, m.f(lo), m.mul(tail, m.f(inverse)));
  if (scaleLo != 0)
    y = m.fma(e, m.f(scaleLo), y);
  y = m.fma(f, m.f(hi), y);
  return m.fma(e, m.f(scaleHi), y);
}

static Value emitLog2(FloatBuilder &m, Value x) {
  auto [e, f] = reduceLog(m, x);
  return logLimits(m, x, scaledLog(m, e, f, kLog2e, 1.0, 0.0));
}

static Value emitLog10(FloatBuilder &m, Value x) {
  auto [e, f] = reduceLog(m, x);
  constexpr double log10of2 = 0x1.34413509f79ffp-2;
  float hi = log10of2;
  return logLimits(m, x,
                   scaledLog(m, e, f, 0x1.bcb7b1526e50ep-2, hi, log10of2 - hi));
}

static Value emitLog1p(FloatBuilder &m, Value x) {
  // 1 + x = 2^e (1 + f) with f = 2^-e x + (2^-e - 1), rounded once.
  Value bits = m.toBits(m.add(x, m.f(1.0)));
  Value e = m.ashr(m.isub(bits, m.i(kSqrtHalfBits)), 23);
  // 2^(2-e) stays normal for every e.
  Value s = m.fromBits(m.shl(m.isub(m.i(129), e), 23));
  Value f = m.fma(m.mul(x, m.f(0.25)), s, m.fma(s, m.f(0.25), m.f(-1.0)));
  // A quarter of a small x would lose bits.
  f = m.select(m.ieq(e, m.i(0)), x, f);
  Value n = m.fromInt(e);
  Value y = m.fma(n, m.f(kLn2Lo), logTail(m, f));
  y = m.fma(n, m.f(kLn2Hi), m.add(f, y));
  Value minusOne = m.f(-1.0), inf = m.inf();
  Value other = m.select(m.eq(x, minusOne), m.neg(inf),
                         m.select(m.eq(x, inf), inf, m.nan()));
  y = m.select(m.logicalAnd(m.gt(x, minusOne), m.lt(x, inf)), y, other);
  return m.select(m.eq(x, m.f(0.0)), x, y);
}

static Value emitAsinh(FloatBuilder &m, Value x) {
  // log1p(a + a^2 / (1 + sqrt(a^2 + 1))); for large a, log(a) + log(2).
  Value a = m.abs(x);
  Value big = m.gt(a, m.f(0x1p+20));
  Value b = m.select(big, m.f(1.0), a);
  Value square = m.mul(b, b);
  Value root = m.add(m.f(1.0), m.sqrt(m.add(square, m.f(1.0))));
  Value y = emitLog1p(m, m.add(b, m.div(square, root)));
  Value large = m.add(emitLog(m, a), m.f(kLn2));
  return m.copysign(m.select(big, large, y), x);
}

static Value emitAcosh(FloatBuilder &m, Value x) {
  // log1p(t + sqrt(2 t + t^2)) with t = x - 1; for large x, log(x) + log(2).
  Value t = m.sub(x, m.f(1.0));
  Value y = emitLog1p(m, m.add(t, m.sqrt(m.fma(t, t, m.add(t, t)))));
  Value large = m.add(emitLog(m, x), m.f(kLn2));
  y = m.select(m.gt(x, m.f(0x1p+20)), large, y);
  return m.select(m.lt(x, m.f(1.0)), m.nan(), y);
}

static Value emitAtanh(FloatBuilder &m, Value x) {
  Value a = m.abs(x);
  Value y = emitLog1p(m, m.div(m.add(a, a), m.sub(m.f(1.0), a)));
  return m.copysign(m.mul(y, m.f(0.5)), x);
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

static Value emitRsqrt(FloatBuilder &m, Value x) {
  return m.div(m.f(1.0), m.sqrt(x));
}

/// Through f64: 2^(y log2|x|) with a relative error below 2^-32.
static Value emitPow(FloatBuilder &m, Value x, Value y) {
  FloatBuilder d(m.b, m.loc, m.like(m.b.getF64Type()));
  Value wide = arith::ExtFOp::create(m.b, m.loc, d.getType(), m.abs(x));
  Value power = arith::ExtFOp::create(m.b, m.loc, d.getType(), y);

  Value bits = d.toBits(wide);
  Value e = d.ashr(d.isub(bits, d.i(0x3FE6A09E667F3BCD)), 52);
  Value f = d.fromBits(d.isub(bits, d.shl(e, 52)));
  Value s = d.div(d.sub(f, d.f(1.0)), d.add(f, d.f(1.0)));
  Value t = d.mul(s, s);
  Value p = d.fma(t, d.poly<double>(t, kPowLog2), d.f(2 * kLog2e));
  Value log = d.fma(s, p, d.fromInt(e));
  log = d.select(d.eq(wide, d.f(0.0)), d.neg(d.inf()), log);
  log = d.select(d.eq(wide, d.inf()), d.inf(), log);
  log = d.select(d.isNaN(wide), d.nan(), log);

  // Also for 1^inf, where the product would be NaN.
  Value one = d.eq(wide, d.f(1.0));
  Value infinite = d.eq(d.abs(power), d.inf());
  Value z = d.select(d.logicalAnd(one, infinite), d.f(0.0), d.mul(power, log));
  z = d.atLeast(d.atMost(z, d.f(160.0)), d.f(-160.0));
  constexpr double round = 0x1.8p+52;
  Value shifted = d.add(z, d.f(round));
  Value r = d.sub(z, d.sub(shifted, d.f(round)));
  Value n = d.isub(d.toBits(shifted), d.i(0x4338000000000000));
  Value q = d.fma(d.poly<double>(r, kPowExp2), r, d.f(1.0));
  Value result = d.mul(q, d.fromBits(d.shl(d.iadd(n, d.i(1023)), 52)));
  Value value = arith::TruncFOp::create(m.b, m.loc, m.getType(), result);

  // The sign of a negative base, and where none is defined.
  Value floor = math::FloorOp::create(m.b, m.loc, y);
  Value half = m.mul(y, m.f(0.5));
  Value halfFloor = math::FloorOp::create(m.b, m.loc, half);
  Value whole = m.eq(floor, y);
  Value odd = m.logicalAnd(whole, m.logicalNot(m.eq(halfFloor, half)));
  Value zero = m.f(0.0);
  value = m.select(odd, m.copysign(value, x), value);
  Value undefined =
      m.logicalAnd(m.logicalAnd(m.lt(x, zero), m.gt(x, m.neg(m.inf()))),
                   m.cmp(arith::CmpFPredicate::ONE, floor, y));
  value = m.select(undefined, m.nan(), value);
  return m.select(m.logicalOr(m.eq(y, zero), m.eq(x, m.f(1.0))), m.f(1.0),
                  value);
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

static Value expandF32(FloatBuilder &m, Operation *op, ValueRange operands) {
  Value x = operands[0];
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return emitExp(m, x); })
      .Case([&](math::Exp2Op) { return emitExp2(m, x); })
      .Case([&](math::ExpM1Op) { return emitExpM1(m, x); })
      .Case([&](math::TanhOp) { return emitTanh(m, x); })
      .Case([&](math::SinhOp) { return emitSinh(m, x); })
      .Case([&](math::CoshOp) { return emitCosh(m, x); })
      .Case([&](math::ErfOp) { return emitErf(m, x); })
      .Case([&](math::LogOp) { return emitLog(m, x); })
      .Case([&](math::Log2Op) { return emitLog2(m, x); })
      .Case([&](math::Log10Op) { return emitLog10(m, x); })
      .Case([&](math::Log1pOp) { return emitLog1p(m, x); })
      .Case([&](math::AsinhOp) { return emitAsinh(m, x); })
      .Case([&](math::AcoshOp) { return emitAcosh(m, x); })
      .Case([&](math::AtanhOp) { return emitAtanh(m, x); })
      .Case([&](math::RsqrtOp) { return emitRsqrt(m, x); })
      .Case([&](math::PowFOp) { return emitPow(m, x, operands[1]); })
      .Case([&](math::SinOp) { return emitSin(m, x); })
      .Case([&](math::CosOp) { return emitCos(m, x); })
      .Case([&](math::TanOp) { return emitTan(m, x); })
      .Case([&](math::AtanOp) { return emitAtan(m, x); })
      .Case([&](math::Atan2Op) { return emitAtan2(m, x, operands[1]); })
      .Case([&](math::AsinOp) { return emitAsin(m, x); })
      .Case([&](math::AcosOp) { return emitAcos(m, x); })
      .Default([](Operation *) { return Value(); });
}

/// exp(x) - 1 in f64 from exp and log: the rounding error of u = exp(x) is
/// that of log(u) as well, so the quotient corrects it (Kahan).
static Value emitWideExpM1(FloatBuilder &m, Value x) {
  Value u = math::ExpOp::create(m.b, m.loc, x);
  Value less = m.sub(u, m.f(1.0));
  Value value = m.mul(less, m.div(x, math::LogOp::create(m.b, m.loc, u)));
  // u is 0 or infinite where x is far out, 1 where x is tiny or a zero.
  value = m.select(m.eq(u, m.f(0.0)), m.f(-1.0), value);
  value = m.select(m.eq(u, m.inf()), u, value);
  return m.select(m.eq(u, m.f(1.0)), x, value);
}

/// log(1 + x) in f64, corrected for the rounding of the sum likewise.
static Value emitWideLog1p(FloatBuilder &m, Value x) {
  Value u = m.add(x, m.f(1.0));
  Value log = math::LogOp::create(m.b, m.loc, u);
  Value value = m.mul(log, m.div(x, m.sub(u, m.f(1.0))));
  value = m.select(m.eq(u, m.inf()), u, value);
  return m.select(m.eq(u, m.f(1.0)), x, value);
}

/// f64 goes to libm, but for what MLIR's lowering would round away near 0.
static Value expandF64(FloatBuilder &m, Operation *op, Value x) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpM1Op) { return emitWideExpM1(m, x); })
      .Case([&](math::Log1pOp) { return emitWideLog1p(m, x); })
      .Default([](Operation *) { return Value(); });
}

Value ourc::expandMath(OpBuilder &builder, Operation *op, ValueRange operands) {
  if (operands.empty() || op->getNumResults() != 1 ||
      !isa_and_present<math::MathDialect>(op->getDialect()))
    return {};
  Type type = operands[0].getType();
  if (llvm::any_of(operands, [&](Value v) { return v.getType() != type; }))
    return {};
  Type element = getElementTypeOrSelf(type);
  Location loc = op->getLoc();
  if (element.isF32()) {
    FloatBuilder m(builder, loc, type);
    return expandF32(m, op, operands);
  }
  if (element.isF64()) {
    FloatBuilder m(builder, loc, type);
    return expandF64(m, op, operands[0]);
  }
  if (!element.isF16() && !element.isBF16())
    return {};
  Type f32 = builder.getF32Type();
  auto vector = dyn_cast<VectorType>(type);
  Type wideType = vector ? Type(vector.clone(f32)) : f32;
  SmallVector<Value> wide;
  for (Value v : operands)
    wide.push_back(arith::ExtFOp::create(builder, loc, wideType, v));
  FloatBuilder m(builder, loc, wideType);
  Value result = expandF32(m, op, wide);
  if (!result) {
    for (Value v : wide)
      v.getDefiningOp()->erase();
    return {};
  }
  return arith::TruncFOp::create(builder, loc, type, result);
}

Value ourc::expandOnePlus(OpBuilder &builder, Operation *function, Value x) {
  if (!getElementTypeOrSelf(x.getType()).isF32())
    return {};
  FloatBuilder m(builder, function->getLoc(), x.getType());
  if (isa<math::ErfOp>(function))
    return emitOnePlusErf(m, x);
  if (isa<math::TanhOp>(function))
    return emitOnePlusTanh(m, x);
  return {};
}

namespace {
struct ExpandMath : public RewritePattern {
  explicit ExpandMath(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    Value value = expandMath(rewriter, op, op->getOperands());
    if (!value)
      return rewriter.notifyMatchFailure(op, "has no polynomial expansion");
    rewriter.replaceOp(op, value);
    return success();
  }
};
} // namespace

void ourc::populateMathPolynomialPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandMath>(patterns.getContext());
}
