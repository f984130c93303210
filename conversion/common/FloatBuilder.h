//===- FloatBuilder.h - Short names for scalar or vector arithmetic -------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_COMMON_FLOATBUILDER_H
#define OURC_CONVERSION_COMMON_FLOATBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/ArrayRef.h"

namespace ourc {

/// Arithmetic on floats of one width, all scalars or all vectors of one
/// length, without fast-math flags: algorithms here rely on each rounding.
class FloatBuilder {
public:
  FloatBuilder(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type)
      : b(b), loc(loc), type(type),
        bits(mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth()),
        intType(like(b.getIntegerType(bits))) {}

  /// `element`, as a vector where this builder works on vectors.
  mlir::Type like(mlir::Type element) const {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
      return vector.clone(element);
    return element;
  }
  mlir::Type getType() const { return type; }
  mlir::Type getIntType() const { return intType; }

  mlir::Value f(double value) {
    return splat(b.getFloatAttr(mlir::getElementTypeOrSelf(type), value), type);
  }
  mlir::Value i(int64_t value) {
    return splat(b.getIntegerAttr(mlir::getElementTypeOrSelf(intType), value),
                 intType);
  }
  mlir::Value inf() { return f(std::numeric_limits<double>::infinity()); }
  mlir::Value nan() { return f(std::numeric_limits<double>::quiet_NaN()); }

  mlir::Value add(mlir::Value x, mlir::Value y) {
    return mlir::arith::AddFOp::create(b, loc, x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) {
    return mlir::arith::SubFOp::create(b, loc, x, y);
  }
  mlir::Value mul(mlir::Value x, mlir::Value y) {
    return mlir::arith::MulFOp::create(b, loc, x, y);
  }
  mlir::Value div(mlir::Value x, mlir::Value y) {
    return mlir::arith::DivFOp::create(b, loc, x, y);
  }
  mlir::Value neg(mlir::Value x) {
    return mlir::arith::NegFOp::create(b, loc, x);
  }
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z) {
    return mlir::math::FmaOp::create(b, loc, x, y, z);
  }
  mlir::Value abs(mlir::Value x) {
    return mlir::math::AbsFOp::create(b, loc, x);
  }
  mlir::Value sqrt(mlir::Value x) {
    return mlir::math::SqrtOp::create(b, loc, x);
  }
  mlir::Value copysign(mlir::Value magnitude, mlir::Value sign) {
    return mlir::math::CopySignOp::create(b, loc, magnitude, sign);
  }
  /// x * 2^n, n an integer.
  mlir::Value ldexp(mlir::Value x, mlir::Value n) {
    // LLVM's dialect has it with a scalar n only.
    return mlir::LLVM::CallIntrinsicOp::create(b, loc, type,
                                               b.getStringAttr("llvm.ldexp"),
                                               mlir::ValueRange{x, n})
        .getResult(0);
  }
  mlir::Value iadd(mlir::Value x, mlir::Value y) {
    return mlir::arith::AddIOp::create(b, loc, x, y);
  }
  mlir::Value isub(mlir::Value x, mlir::Value y) {
    return mlir::arith::SubIOp::create(b, loc, x, y);
  }
  mlir::Value imul(mlir::Value x, mlir::Value y) {
    return mlir::arith::MulIOp::create(b, loc, x, y);
  }
  mlir::Value iand(mlir::Value x, mlir::Value y) {
    return mlir::arith::AndIOp::create(b, loc, x, y);
  }
  mlir::Value ior(mlir::Value x, mlir::Value y) {
    return mlir::arith::OrIOp::create(b, loc, x, y);
  }
  mlir::Value shl(mlir::Value x, int64_t n) {
    return mlir::arith::ShLIOp::create(b, loc, x, i(n));
  }
  mlir::Value ashr(mlir::Value x, int64_t n) {
    return mlir::arith::ShRSIOp::create(b, loc, x, i(n));
  }
  mlir::Value lshr(mlir::Value x, int64_t n) {
    return mlir::arith::ShRUIOp::create(b, loc, x, i(n));
  }
  mlir::Value toBits(mlir::Value x) {
    return mlir::arith::BitcastOp::create(b, loc, intType, x);
  }
  mlir::Value fromBits(mlir::Value x) {
    return mlir::arith::BitcastOp::create(b, loc, type, x);
  }
  mlir::Value fromInt(mlir::Value x) {
    return mlir::arith::SIToFPOp::create(b, loc, type, x);
  }
  mlir::Value cmp(mlir::arith::CmpFPredicate p, mlir::Value x, mlir::Value y) {
    return mlir::arith::CmpFOp::create(b, loc, p, x, y);
  }
  mlir::Value gt(mlir::Value x, mlir::Value y) {
    return cmp(mlir::arith::CmpFPredicate::OGT, x, y);
  }
  mlir::Value lt(mlir::Value x, mlir::Value y) {
    return cmp(mlir::arith::CmpFPredicate::OLT, x, y);
  }
  mlir::Value eq(mlir::Value x, mlir::Value y) {
    return cmp(mlir::arith::CmpFPredicate::OEQ, x, y);
  }
  mlir::Value isNaN(mlir::Value x) {
    return cmp(mlir::arith::CmpFPredicate::UNO, x, x);
  }
  mlir::Value ieq(mlir::Value x, mlir::Value y) {
    return mlir::arith::CmpIOp::create(b, loc, mlir::arith::CmpIPredicate::eq,
                                       x, y);
  }
  mlir::Value logicalAnd(mlir::Value x, mlir::Value y) {
    return mlir::arith::AndIOp::create(b, loc, x, y);
  }
  mlir::Value logicalOr(mlir::Value x, mlir::Value y) {
    return mlir::arith::OrIOp::create(b, loc, x, y);
  }
  mlir::Value logicalNot(mlir::Value x) {
    return mlir::arith::XOrIOp::create(b, loc, x,
                                       splat(b.getBoolAttr(true), x.getType()));
  }
  mlir::Value select(mlir::Value c, mlir::Value x, mlir::Value y) {
    return mlir::arith::SelectOp::create(b, loc, c, x, y);
  }
  /// x, but at most `hi`; NaN stays.
  mlir::Value atMost(mlir::Value x, mlir::Value hi) {
    return select(gt(x, hi), hi, x);
  }
  /// x, but at least `lo`; NaN stays.
  mlir::Value atLeast(mlir::Value x, mlir::Value lo) {
    return select(lt(x, lo), lo, x);
  }
  /// The polynomial with these coefficients, lowest degree first, by Horner.
  template <typename T>
  mlir::Value poly(mlir::Value x, llvm::ArrayRef<T> coefficients) {
    mlir::Value p = f(coefficients.back());
    for (T c : llvm::reverse(coefficients.drop_back()))
      p = fma(p, x, f(c));
    return p;
  }
  /// The same by Estrin's scheme: a few more multiplications, half the latency
  /// (long chains are more than a core can hide), a little less accurate.
  template <typename T>
  mlir::Value wide(mlir::Value x, llvm::ArrayRef<T> coefficients) {
    llvm::SmallVector<mlir::Value> terms;
    for (T c : coefficients)
      terms.push_back(f(c));
    while (terms.size() > 1) {
      llvm::SmallVector<mlir::Value> next;
      for (size_t i = 0; i < terms.size(); i += 2)
        next.push_back(i + 1 < terms.size() ? fma(terms[i + 1], x, terms[i])
                                            : terms[i]);
      terms = std::move(next);
      if (terms.size() > 1)
        x = mul(x, x);
    }
    return terms[0];
  }
  /// Whether any lane of a condition holds, as a scalar.
  mlir::Value any(mlir::Value condition) {
    if (!mlir::isa<mlir::VectorType>(condition.getType()))
      return condition;
    return mlir::vector::ReductionOp::create(
        b, loc, mlir::vector::CombiningKind::OR, condition);
  }

  mlir::OpBuilder &b;
  mlir::Location loc;

private:
  mlir::Value splat(mlir::TypedAttr value, mlir::Type as) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(as))
      value = mlir::DenseElementsAttr::get(vector, mlir::Attribute(value));
    return mlir::arith::ConstantOp::create(b, loc, value);
  }

  mlir::Type type;
  unsigned bits;
  mlir::Type intType;
};

} // namespace ourc

#endif // OURC_CONVERSION_COMMON_FLOATBUILDER_H
