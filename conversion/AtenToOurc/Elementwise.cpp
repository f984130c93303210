//===- Elementwise.cpp - Arithmetic and functions of elements -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/AtenToOurc/Lowering.h"
#include "conversion/AtenToOurc/TypePromotion.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::aten;

/// The argument as a tensor: an operand, or a scalar of rank 0 in `element`.
static Value tensorOrScalar(Call &call, StringRef name, Type element) {
  if (call.op.getValue(name) &&
      isa<RankedTensorType>(call.op.getValue(name).getType()))
    return call.tensor(name);
  return call.fill(call.scalar(name), element, {});
}

/// A scalar argument, where the argument is one.
static std::optional<Scalar> scalarIn(Call &call, StringRef name) {
  Value operand = call.op.getValue(name);
  if (!call.has(name) || (operand && isa<RankedTensorType>(operand.getType())))
    return std::nullopt;
  return call.scalar(name);
}

//===----------------------------------------------------------------------===//
// Functions of one element
//===----------------------------------------------------------------------===//

/// Computed in the result's type, whatever the operand's: sqrt of integers is
/// one of floats.
template <typename OpTy> static LogicalResult lowerUnary(Call &call) {
  Value x = call.cast(call.tensor("self"), call.resultElement());
  return call.finish(call.apply<OpTy>(x));
}

/// Rounding functions leave integers alone.
template <typename OpTy> static LogicalResult lowerRounding(Call &call) {
  Value x = call.cast(call.tensor("self"), call.resultElement());
  if (x && isa<FloatType>(Emitter::elementOf(x)))
    x = call.apply<OpTy>(x);
  return call.finish(x);
}

static Value truncate(Call &call, Value x) {
  if (!x)
    return {};
  Value negative = call.compare(ComparePredicate::LT, x, call.fillLike(0.0, x));
  Value ceil = call.apply<CeilOp>(x), floor = call.apply<FloorOp>(x);
  return call.make<SelectOp>(x.getType(), negative, ceil, floor);
}

static LogicalResult lowerTrunc(Call &call) {
  Value x = call.cast(call.tensor("self"), call.resultElement());
  if (x && isa<FloatType>(Emitter::elementOf(x)))
    x = truncate(call, x);
  return call.finish(x);
}

static LogicalResult lowerReciprocal(Call &call) {
  Value x = call.cast(call.tensor("self"), call.resultElement());
  return call.finish(call.apply<DivOp>(call.fillLike(1.0, x), x));
}

//===----------------------------------------------------------------------===//
// Sums, products, quotients
//===----------------------------------------------------------------------===//

namespace {
/// The two operands of a binary operator, broadcast to one shape and cast to
/// the type it computes in.
struct Operands {
  Value lhs, rhs;
  explicit operator bool() const { return lhs && rhs; }
};
} // namespace

static Operands readOperands(Call &call, StringRef lhsName, StringRef rhsName) {
  RankedTensorType result = call.resultType();
  if (!result)
    return {};
  SmallVector<Scalar> scalars;
  for (StringRef name : {lhsName, rhsName})
    if (std::optional<Scalar> scalar = scalarIn(call, name))
      scalars.push_back(*scalar);
  Type element = computeType(result.getElementType(), scalars);
  Value lhs = tensorOrScalar(call, lhsName, element);
  Value rhs = tensorOrScalar(call, rhsName, element);
  if (call.failed())
    return {};
  SmallVector<Value> aligned = call.align({lhs, rhs}, element, result);
  return {aligned[0], aligned[1]};
}

static LogicalResult finishAs(Call &call, Value value) {
  return call.finish(call.cast(value, call.resultElement()));
}

/// On booleans a sum is `or` and a product is `and`.
template <typename OpTy, typename BoolOpTy>
static Value arithmeticOrLogic(Call &call, Operands operands) {
  if (!operands)
    return {};
  if (Emitter::elementOf(operands.lhs).isInteger(1))
    return call.apply<BoolOpTy>(operands.lhs, operands.rhs);
  return call.apply<OpTy>(operands.lhs, operands.rhs);
}

static bool isOne(Scalar scalar) {
  if (auto *integer = std::get_if<int64_t>(&scalar))
    return *integer == 1;
  if (auto *real = std::get_if<double>(&scalar))
    return *real == 1;
  if (auto *boolean = std::get_if<bool>(&scalar))
    return *boolean;
  return false;
}

/// lhs + alpha · rhs.
static LogicalResult lowerAdd(Call &call) {
  Operands operands = readOperands(call, "self", "other");
  Scalar alpha = call.scalar("alpha", Scalar(int64_t(1)));
  if (!operands)
    return failure();
  if (!isOne(alpha))
    operands.rhs = arithmeticOrLogic<MulOp, AndOp>(
        call, {operands.rhs, call.fillLike(alpha, operands.rhs)});
  return finishAs(call, arithmeticOrLogic<AddOp, OrOp>(call, operands));
}

/// minuend - alpha · subtrahend.
static LogicalResult lowerDifference(Call &call, StringRef minuend,
                                     StringRef subtrahend) {
  Operands operands = readOperands(call, minuend, subtrahend);
  Scalar alpha = call.scalar("alpha", Scalar(int64_t(1)));
  if (!operands)
    return failure();
  if (!isOne(alpha))
    operands.rhs =
        call.apply<MulOp>(operands.rhs, call.fillLike(alpha, operands.rhs));
  return finishAs(call, call.apply<SubOp>(operands.lhs, operands.rhs));
}

static LogicalResult lowerSub(Call &call) {
  return lowerDifference(call, "self", "other");
}

static LogicalResult lowerRsub(Call &call) {
  return lowerDifference(call, "other", "self");
}

static LogicalResult lowerMul(Call &call) {
  return finishAs(call, arithmeticOrLogic<MulOp, AndOp>(
                            call, readOperands(call, "self", "other")));
}

/// Integer quotients rounded down: the truncated one, less one where it is not
/// exact and the signs differ.
static Value floorDivideIntegers(Call &call, Operands operands) {
  auto [lhs, rhs] = operands;
  Value quotient = call.apply<DivOp>(lhs, rhs);
  Value product = call.apply<MulOp>(quotient, rhs);
  Value remainder = call.apply<SubOp>(lhs, product);
  Value zero = call.fillLike(int64_t(0), lhs);
  Value inexact = call.compare(ComparePredicate::NE, remainder, zero);
  Value remainderNegative = call.compare(ComparePredicate::LT, remainder, zero);
  Value rhsNegative = call.compare(ComparePredicate::LT, rhs, zero);
  Value differ = call.apply<XorOp>(remainderNegative, rhsNegative);
  Value lower = call.apply<SubOp>(quotient, call.fillLike(int64_t(1), lhs));
  if (!lower)
    return {};
  return call.make<SelectOp>(
      lower.getType(), call.apply<AndOp>(inexact, differ), lower, quotient);
}

static LogicalResult divide(Call &call, StringRef mode) {
  Operands operands = readOperands(call, "self", "other");
  if (!operands)
    return failure();
  Type element = Emitter::elementOf(operands.lhs);
  bool isFloat = isa<FloatType>(element);
  if (mode == "floor" && isFloat)
    return call.fail("quotients of floats that are rounded down "
                     "(rounding_mode='floor')");
  if (mode == "floor")
    return finishAs(call, floorDivideIntegers(call, operands));
  if (mode != "" && mode != "trunc")
    return call.fail("argument 'rounding_mode' is '" + mode + "'");
  if (mode == "" && !isFloat)
    return call.fail("the quotient of integers must be declared as floats");
  Value quotient = call.apply<DivOp>(operands.lhs, operands.rhs);
  if (mode == "trunc" && isFloat)
    quotient = truncate(call, quotient);
  return finishAs(call, quotient);
}

static LogicalResult lowerDiv(Call &call) {
  return divide(call, call.string("rounding_mode", ""));
}
static LogicalResult lowerFloorDivide(Call &call) {
  return divide(call, "floor");
}

/// Without a parameter beside the two operands.
template <typename OpTy> static LogicalResult lowerBinary(Call &call) {
  Operands operands = readOperands(call, "self", "other");
  return finishAs(call, call.apply<OpTy>(operands.lhs, operands.rhs));
}

/// self + value · tensor1 · tensor2, or with a quotient of the two.
template <typename OpTy> static LogicalResult lowerAddc(Call &call) {
  Value self = call.tensor("self"), a = call.tensor("tensor1"),
        b = call.tensor("tensor2");
  Scalar value = call.scalar("value", Scalar(int64_t(1)));
  RankedTensorType result = call.resultType();
  if (call.failed())
    return failure();
  Type element = computeType(result.getElementType(), value);
  SmallVector<Value> aligned = call.align({self, a, b}, element, result);
  Value term = call.apply<OpTy>(aligned[1], aligned[2]);
  if (!isOne(value))
    term = call.apply<MulOp>(term, call.fillLike(value, term));
  return finishAs(call, call.apply<AddOp>(aligned[0], term));
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// x to a small whole power by products; null for others.
static Value wholePower(Call &call, Value x, int64_t exponent) {
  switch (exponent) {
  case 0:
    return call.fillLike(int64_t(1), x);
  case 1:
    return x;
  case 2:
    return call.apply<MulOp>(x, x);
  case 3:
    return call.apply<MulOp>(call.apply<MulOp>(x, x), x);
  case 4: {
    Value square = call.apply<MulOp>(x, x);
    return call.apply<MulOp>(square, square);
  }
  default:
    return {};
  }
}

static LogicalResult lowerPowScalar(Call &call) {
  Value x = call.tensor("self");
  Scalar exponent = call.scalar("exponent");
  Type result = call.resultElement();
  if (call.failed())
    return failure();
  double power = 0;
  if (auto *integer = std::get_if<int64_t>(&exponent))
    power = *integer;
  else if (auto *real = std::get_if<double>(&exponent))
    power = *real;
  else
    return call.fail("the exponent must be a constant number");
  x = call.cast(x, computeType(result, exponent));
  bool isWhole = power >= 0 && power <= 4 && power == int64_t(power);
  if (isWhole)
    return finishAs(call, wholePower(call, x, int64_t(power)));
  if (!isa<FloatType>(result))
    return call.fail("powers of integers above 4 or below 0");
  if (power == 0.5)
    return finishAs(call, call.apply<SqrtOp>(x));
  if (power == -0.5)
    return finishAs(call, call.apply<RsqrtOp>(x));
  if (power == -1)
    return finishAs(call, call.apply<DivOp>(call.fillLike(1.0, x), x));
  return finishAs(call, call.apply<PowOp>(x, call.fillLike(exponent, x)));
}

static LogicalResult lowerPow(Call &call) {
  Operands operands = readOperands(call, "self", "exponent");
  if (!operands)
    return failure();
  if (!isa<FloatType>(Emitter::elementOf(operands.lhs)))
    return call.fail("powers of integers by a tensor");
  return finishAs(call, call.apply<PowOp>(operands.lhs, operands.rhs));
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// min(max(x, low), high), each limit optional, a scalar or a tensor.
static LogicalResult clamp(Call &call, StringRef lowName, StringRef highName,
                           std::optional<Scalar> absentLow = {},
                           std::optional<Scalar> absentHigh = {}) {
  Value x = call.tensor("self");
  RankedTensorType result = call.resultType();
  if (call.failed())
    return failure();
  SmallVector<Scalar> scalars;
  for (StringRef name : {lowName, highName})
    if (!name.empty())
      if (std::optional<Scalar> scalar = scalarIn(call, name))
        scalars.push_back(*scalar);
  Type element = computeType(result.getElementType(), scalars);
  auto limit = [&](StringRef name, std::optional<Scalar> absent) -> Value {
    if (!name.empty() && call.has(name))
      return tensorOrScalar(call, name, element);
    return absent ? call.fill(*absent, element, {}) : Value();
  };
  Value low = limit(lowName, absentLow), high = limit(highName, absentHigh);
  if (call.failed())
    return failure();
  if (!low && !high)
    return call.fail("a lower or an upper limit is needed");
  SmallVector<Value> operands{x};
  for (Value value : {low, high})
    if (value)
      operands.push_back(value);
  SmallVector<Value> aligned = call.align(operands, element, result);
  x = aligned[0];
  if (low)
    x = call.apply<MaximumOp>(x, aligned[1]);
  if (high)
    x = call.apply<MinimumOp>(x, aligned.back());
  return finishAs(call, x);
}

static LogicalResult lowerClamp(Call &call) {
  return clamp(call, "min", "max");
}
static LogicalResult lowerClampMin(Call &call) {
  return clamp(call, "min", "");
}
static LogicalResult lowerClampMax(Call &call) {
  return clamp(call, "", "max");
}
static LogicalResult lowerHardtanh(Call &call) {
  return clamp(call, "min_val", "max_val", Scalar(int64_t(-1)),
               Scalar(int64_t(1)));
}
//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

void ourc::aten::populateElementwise(LoweringTable &table) {
  table.add("abs.default", lowerUnary<AbsOp>);
  table.add("ceil.default", lowerRounding<CeilOp>);
  table.add("cos.default", lowerUnary<CosOp>);
  table.add("erf.default", lowerUnary<ErfOp>);
  table.add("exp.default", lowerUnary<ExpOp>);
  table.add("expm1.default", lowerUnary<Expm1Op>);
  table.add("floor.default", lowerRounding<FloorOp>);
  table.add("log.default", lowerUnary<LogOp>);
  table.add("log1p.default", lowerUnary<Log1pOp>);
  table.add("neg.default", lowerUnary<NegOp>);
  table.add("rsqrt.default", lowerUnary<RsqrtOp>);
  table.add("sigmoid.default", lowerUnary<SigmoidOp>);
  table.add("sin.default", lowerUnary<SinOp>);
  table.add("sqrt.default", lowerUnary<SqrtOp>);
  table.add("tanh.default", lowerUnary<TanhOp>);
  table.add("trunc.default", lowerTrunc);
  table.add("reciprocal.default", lowerReciprocal);

  table.add({"add.Tensor", "add.Scalar"}, lowerAdd);
  table.add({"sub.Tensor", "sub.Scalar"}, lowerSub);
  table.add({"rsub.Tensor", "rsub.Scalar"}, lowerRsub);
  table.add({"mul.Tensor", "mul.Scalar"}, lowerMul);
  table.add({"div.Tensor", "div.Scalar", "div.Tensor_mode", "div.Scalar_mode"},
            lowerDiv);
  table.add({"floor_divide.default", "floor_divide.Scalar"}, lowerFloorDivide);
  table.add("addcdiv.default", lowerAddc<DivOp>);
  table.add("addcmul.default", lowerAddc<MulOp>);
  table.add("maximum.default", lowerBinary<MaximumOp>);
  table.add("minimum.default", lowerBinary<MinimumOp>);

  table.add("pow.Tensor_Scalar", lowerPowScalar);
  table.add({"pow.Tensor_Tensor", "pow.Scalar"}, lowerPow);

  table.add({"clamp.default", "clamp.Tensor"}, lowerClamp);
  table.add({"clamp_min.default", "clamp_min.Tensor"}, lowerClampMin);
  table.add({"clamp_max.default", "clamp_max.Tensor"}, lowerClampMax);
  table.add("hardtanh.default", lowerHardtanh);
}
