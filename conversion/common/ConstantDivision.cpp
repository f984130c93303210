//===- ConstantDivision.cpp - Divisions by a constant without a divider ---===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A divider makes one vector in about ten cycles; two multiply-adds a cycle are
// free meanwhile. With r = 1/y rounded, q = x * r is within an ulp of the
// quotient, and the remainder y * q - x is exact. Adding -remainder * r to q
// then rounds to the quotient itself (P. Markstein, Computation of elementary
// functions on the IBM RISC System/6000 processor, 1990).
//
//===----------------------------------------------------------------------===//

#include "conversion/common/ConstantDivision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;

/// The float that all elements of `value` are.
static std::optional<float> getConstant(Value value) {
  while (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    value = broadcast.getSource();
  FloatAttr number;
  if (matchPattern(value, m_Constant(&number)))
    return number.getValue().convertToFloat();
  DenseFPElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
    return elements.getSplatValue<APFloat>().convertToFloat();
  return std::nullopt;
}

Value ourc::emitConstantDivision(OpBuilder &builder, Location loc, Value x,
                                 Value y) {
  Type type = x.getType();
  if (!getElementTypeOrSelf(type).isF32())
    return {};
  std::optional<float> divisor = getConstant(y);
  // Between these the reciprocal is far from the ends of the exponents, and no
  // product overflows where the quotient does not.
  if (!divisor || !(*divisor >= 1.0f) || *divisor > 0x1p64f)
    return {};
  auto constant = [&](float value) -> Value {
    FloatAttr number = builder.getF32FloatAttr(value);
    if (auto shaped = dyn_cast<ShapedType>(type))
      return arith::ConstantOp::create(builder, loc,
                                       DenseElementsAttr::get(shaped, number));
    return arith::ConstantOp::create(builder, loc, number);
  };
  float reciprocal = 1.0f / *divisor;
  Value quotient = arith::MulFOp::create(builder, loc, x, constant(reciprocal));
  // By a power of two the product is exact.
  if (APFloat(*divisor).getExactLog2Abs() != INT_MIN)
    return quotient;
  Value remainder =
      math::FmaOp::create(builder, loc, constant(*divisor), quotient,
                          arith::NegFOp::create(builder, loc, x));
  Value exact = math::FmaOp::create(builder, loc, remainder,
                                    constant(-reciprocal), quotient);
  // An infinite quotient has no remainder.
  Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                      exact, exact);
  return arith::SelectOp::create(builder, loc, isNaN, quotient, exact);
}
