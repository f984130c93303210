//===- Trigonometry.cpp - Circular functions on f32 -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/common/Trigonometry.h"
#include "conversion/common/MathCoefficients.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::coefficients;

static constexpr double kPi = 0x1.921fb54442d18p+1;

namespace {
/// x = q pi/2 + r, |r| <= pi/4; q modulo 4 in its low bits.
struct Quadrant {
  Value q; ///< i32
  Value r;
};
} // namespace

/// For any finite x, after Payne and Hanek: the product of x's 24-bit
/// significand with the 96 bits of 1/(2 pi) that matter for its exponent.
static Quadrant reduceLarge(FloatBuilder &m, Value x) {
  // 1/(2 pi) in 32-bit words, highest first.
  static constexpr uint32_t words[] = {0x28BE60DB, 0x9391054A, 0x7F09D5F4,
                                       0x7D4D3770, 0x36D8A566, 0x4F10E410,
                                       0x7F9458EA};
  OpBuilder &b = m.b;
  Location loc = m.loc;
  Type i64 = m.like(b.getI64Type());
  FloatBuilder d(b, loc, m.like(b.getF64Type()));
  auto wide = [&](Value v) -> Value {
    return arith::ExtUIOp::create(b, loc, i64, v);
  };

  Value bits = m.toBits(x);
  // |x| = significand / 2^24 * 2^exponent.
  Value significand = m.ior(m.iand(bits, m.i(0x7FFFFF)), m.i(0x800000));
  Value exponent = m.isub(m.iand(m.lshr(bits, 23), m.i(255)), m.i(126));
  significand = m.shl(significand, 8);
  // The word and the bit at which the product's fraction begins; exponents are
  // above 0 here.
  Value word = m.lshr(exponent, 5);
  Value shift = m.iand(exponent, m.i(31));
  auto pick = [&](int offset) {
    Value chosen = m.i(0);
    for (int w = 4; w >= 0; --w) {
      int at = w + offset;
      uint32_t value = at < 0 ? 0 : words[at];
      Value constant = m.i(static_cast<int32_t>(value));
      chosen =
          w == 4 ? constant : m.select(m.ieq(word, m.i(w)), constant, chosen);
    }
    return wide(chosen);
  };
  Value shift64 = wide(shift);
  auto window = [&](Value high, Value low) {
    Value both = d.ior(d.shl(high, 32), low);
    Value moved = arith::ShLIOp::create(b, loc, both, shift64);
    return d.lshr(moved, 32);
  };
  Value w0 = pick(-1), w1 = pick(0), w2 = pick(1), w3 = pick(2);
  Value hi = window(w0, w1), mid = window(w1, w2), lo = window(w2, w3);
  Value s = wide(significand);
  // The fraction of a turn in 64 bits, of which the top two are the quadrant.
  Value product = d.lshr(d.imul(s, lo), 32);
  product = d.iadd(d.imul(s, mid), product);
  product = d.iadd(d.shl(d.imul(s, hi), 32), product);
  Value q = d.lshr(product, 62);
  Value fraction = d.iand(product, d.i(0x3FFFFFFFFFFFFFFF));
  // To the nearest quadrant.
  Value up = d.lshr(fraction, 61);
  q = d.iadd(q, up);
  fraction = d.isub(fraction, d.shl(up, 62));
  Value r = d.mul(d.fromInt(fraction), d.f(kPi / 2 * 0x1p-62));
  Value r32 = arith::TruncFOp::create(b, loc, m.getType(), r);
  Value q32 = arith::TruncIOp::create(b, loc, m.getIntType(), q);
  Value negative = m.lt(x, m.f(0.0));
  return {m.select(negative, m.isub(m.i(0), q32), q32),
          m.select(negative, m.neg(r32), r32)};
}

static Quadrant reduceCircle(FloatBuilder &m, Value x) {
  // Three parts of pi/2 (Cody and Waite); products are exact in the fma.
  constexpr float hi = 0x1.921fb6p+0f, mid = -0x1.777a5cp-25f;
  constexpr double lo = -0x1.ee59da9b67ae5p-50;
  constexpr double round = 0x1.8p+23;
  Value t = m.fma(x, m.f(2 / kPi), m.f(round));
  Value n = m.sub(t, m.f(round));
  Value r = m.fma(n, m.f(-hi), x);
  r = m.fma(n, m.f(-mid), r);
  r = m.fma(n, m.f(-lo), r);
  Value q = m.isub(m.toBits(t), m.i(0x4B400000));

  // Few programs leave the range where that is exact enough.
  Value large = m.gt(m.abs(x), m.f(71476.0));
  auto choose = scf::IfOp::create(
      m.b, m.loc, TypeRange{q.getType(), r.getType()}, m.any(large),
      /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(m.b);
    m.b.setInsertionPointToStart(&choose.getThenRegion().front());
    Quadrant far = reduceLarge(m, x);
    scf::YieldOp::create(
        m.b, m.loc,
        ValueRange{m.select(large, far.q, q), m.select(large, far.r, r)});
    m.b.setInsertionPointToStart(&choose.getElseRegion().front());
    scf::YieldOp::create(m.b, m.loc, ValueRange{q, r});
  }
  q = choose.getResult(0);
  r = choose.getResult(1);
  // Infinity and NaN have no angle.
  Value finite = m.lt(m.abs(x), m.inf());
  return {q, m.select(finite, r, m.nan())};
}

static Value sinPoly(FloatBuilder &m, Value r) {
  Value t = m.mul(r, r);
  return m.fma(m.mul(r, t), m.poly<float>(t, kSin), r);
}

static Value cosPoly(FloatBuilder &m, Value r) {
  Value t = m.mul(r, r);
  Value y = m.fma(m.mul(t, t), m.poly<float>(t, kCos), m.mul(t, m.f(-0.5)));
  return m.add(y, m.f(1.0));
}

/// The sine of q quadrants and r.
static Value sinOf(FloatBuilder &m, Value q, Value r) {
  Value odd = m.ieq(m.iand(q, m.i(1)), m.i(1));
  Value y = m.select(odd, cosPoly(m, r), sinPoly(m, r));
  Value flip = m.ieq(m.iand(q, m.i(2)), m.i(2));
  return m.select(flip, m.neg(y), y);
}

Value ourc::emitSin(FloatBuilder &m, Value x) {
  auto [q, r] = reduceCircle(m, x);
  return m.select(m.eq(x, m.f(0.0)), x, sinOf(m, q, r));
}

Value ourc::emitCos(FloatBuilder &m, Value x) {
  auto [q, r] = reduceCircle(m, x);
  return sinOf(m, m.iadd(q, m.i(1)), r);
}

Value ourc::emitTan(FloatBuilder &m, Value x) {
  auto [q, r] = reduceCircle(m, x);
  Value s = sinPoly(m, r), c = cosPoly(m, r);
  Value odd = m.ieq(m.iand(q, m.i(1)), m.i(1));
  Value y = m.div(m.select(odd, m.neg(c), s), m.select(odd, s, c));
  return m.select(m.eq(x, m.f(0.0)), x, y);
}

/// atan(a) for a in [0, 1].
static Value atanPoly(FloatBuilder &m, Value a) {
  Value t = m.mul(a, a);
  return m.fma(m.mul(a, t), m.poly<float>(t, kAtan), a);
}

Value ourc::emitAtan(FloatBuilder &m, Value x) {
  Value a = m.abs(x);
  Value big = m.gt(a, m.f(1.0));
  Value y = atanPoly(m, m.select(big, m.div(m.f(1.0), a), a));
  // pi/2 - y in two parts.
  constexpr float hi = kPi / 2;
  Value rest = m.sub(m.f(kPi / 2 - hi), y);
  y = m.select(big, m.add(m.f(hi), rest), y);
  return m.copysign(y, x);
}

Value ourc::emitAtan2(FloatBuilder &m, Value y, Value x) {
  Value ay = m.abs(y), ax = m.abs(x);
  Value swap = m.gt(ay, ax);
  Value low = m.select(swap, ax, ay), high = m.select(swap, ay, ax);
  // Both infinite, or both zero: the ratio's limit on the diagonal, on the
  // axis.
  Value ratio = m.div(low, high);
  ratio = m.select(m.eq(low, m.inf()), m.f(1.0), ratio);
  ratio = m.select(m.eq(high, m.f(0.0)), m.f(0.0), ratio);
  Value a = atanPoly(m, ratio);
  constexpr float halfHi = kPi / 2, piHi = kPi;
  a = m.select(swap, m.add(m.f(halfHi), m.sub(m.f(kPi / 2 - halfHi), a)), a);
  Value left = arith::CmpIOp::create(m.b, m.loc, arith::CmpIPredicate::slt,
                                     m.toBits(x), m.i(0));
  a = m.select(left, m.add(m.f(piHi), m.sub(m.f(kPi - piHi), a)), a);
  a = m.copysign(a, y);
  return m.select(m.logicalOr(m.isNaN(x), m.isNaN(y)), m.nan(), a);
}

/// asin(z) for z in [0, 1/2].
static Value asinPoly(FloatBuilder &m, Value z) {
  Value t = m.mul(z, z);
  return m.fma(m.mul(z, t), m.poly<float>(t, kAsin), z);
}

Value ourc::emitAsin(FloatBuilder &m, Value x) {
  // asin(a) = pi/2 - 2 asin(sqrt((1 - a) / 2)).
  Value a = m.abs(x);
  Value big = m.gt(a, m.f(0.5));
  Value z = m.sqrt(m.fma(a, m.f(-0.5), m.f(0.5)));
  Value p = asinPoly(m, m.select(big, z, a));
  constexpr float hi = kPi / 2;
  Value far = m.add(m.f(hi), m.fma(p, m.f(-2.0), m.f(kPi / 2 - hi)));
  return m.copysign(m.select(big, far, p), x);
}

Value ourc::emitAcos(FloatBuilder &m, Value x) {
  Value a = m.abs(x);
  Value big = m.gt(a, m.f(0.5));
  Value z = m.sqrt(m.fma(a, m.f(-0.5), m.f(0.5)));
  Value p = asinPoly(m, m.select(big, z, a));
  Value negative = m.lt(x, m.f(0.0));
  constexpr float piHi = kPi, halfHi = kPi / 2;
  Value two = m.add(p, p);
  Value far =
      m.select(negative, m.add(m.f(piHi), m.sub(m.f(kPi - piHi), two)), two);
  Value signedP = m.copysign(p, x);
  Value near = m.add(m.f(halfHi), m.sub(m.f(kPi / 2 - halfHi), signedP));
  return m.select(big, far, near);
}
