//===- Elementwise.cpp - The meaning of elementwise operations ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Models.h"

#include "mlir/IR/DialectRegistry.h"
#include <cmath>

using namespace mlir;
using namespace ourc;
using namespace ourc::reference;

static Element real(double x) { return {x, 0}; }
static Element integer(int64_t x) { return {0, x}; }

namespace {
/// A function of real numbers.
template <typename OpT, double (*Function)(double)>
struct UnaryModel
    : ReferenceOpInterface::ExternalModel<UnaryModel<OpT, Function>, OpT> {
  Results evaluate(Operation *op, ArrayRef<Tensor> operands,
                   const Symbols &) const {
    Tensor result = operands[0];
    for (Element &element : result.data)
      element.real = Function(element.real);
    return single(result);
  }
};

/// A function of one element of each operand, real or integer by type.
template <typename OpT, Element (*Function)(OpT, ArrayRef<Element>, bool)>
struct ElementModel
    : ReferenceOpInterface::ExternalModel<ElementModel<OpT, Function>, OpT> {
  Results evaluate(Operation *op, ArrayRef<Tensor> operands,
                   const Symbols &) const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Tensor result(type.getElementType(), operands[0].shape);
    for (size_t i = 0; i < result.data.size(); ++i) {
      SmallVector<Element> elements;
      for (const Tensor &operand : operands)
        elements.push_back(operand.data[i]);
      result.data[i] =
          Function(cast<OpT>(op), elements, operands.back().isFloat());
      if (!result.isFloat())
        result.data[i].integer =
            wrapInteger(result.data[i].integer, result.element);
    }
    return single(result);
  }
};
} // namespace

static double rsqrt(double x) { return 1 / std::sqrt(x); }
static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
static double silu(double x) { return x * sigmoid(x); }

static Element absolute(AbsOp, ArrayRef<Element> v, bool isFloat) {
  return isFloat ? real(std::fabs(v[0].real))
                 : integer(v[0].integer < 0 ? -v[0].integer : v[0].integer);
}
static Element negate(NegOp, ArrayRef<Element> v, bool isFloat) {
  return isFloat ? real(-v[0].real)
                 : integer(static_cast<int64_t>(
                       0 - static_cast<uint64_t>(v[0].integer)));
}
static Element complement(NotOp, ArrayRef<Element> v, bool) {
  return integer(~v[0].integer);
}
static Element sum(AddOp, ArrayRef<Element> v, bool isFloat) {
  return isFloat ? real(v[0].real + v[1].real)
                 : integer(static_cast<int64_t>(
                       static_cast<uint64_t>(v[0].integer) +
                       static_cast<uint64_t>(v[1].integer)));
}
static Element difference(SubOp, ArrayRef<Element> v, bool isFloat) {
  return isFloat ? real(v[0].real - v[1].real)
                 : integer(static_cast<int64_t>(
                       static_cast<uint64_t>(v[0].integer) -
                       static_cast<uint64_t>(v[1].integer)));
}
static Element product(MulOp, ArrayRef<Element> v, bool isFloat) {
  return isFloat ? real(v[0].real * v[1].real)
                 : integer(static_cast<int64_t>(
                       static_cast<uint64_t>(v[0].integer) *
                       static_cast<uint64_t>(v[1].integer)));
}
static Element quotient(DivOp, ArrayRef<Element> v, bool isFloat) {
  if (isFloat)
    return real(v[0].real / v[1].real);
  // By zero it is undefined: any value will do.
  if (v[1].integer == 0)
    return integer(0);
  return v[1].integer == -1 ? integer(-v[0].integer)
                            : integer(v[0].integer / v[1].integer);
}
static Element power(PowOp, ArrayRef<Element> v, bool) {
  return real(std::pow(v[0].real, v[1].real));
}
static Element greater(MaximumOp, ArrayRef<Element> v, bool isFloat) {
  if (!isFloat)
    return integer(std::max(v[0].integer, v[1].integer));
  if (std::isnan(v[0].real) || std::isnan(v[1].real))
    return real(NAN);
  return real(std::max(v[0].real, v[1].real));
}
static Element lesser(MinimumOp, ArrayRef<Element> v, bool isFloat) {
  if (!isFloat)
    return integer(std::min(v[0].integer, v[1].integer));
  if (std::isnan(v[0].real) || std::isnan(v[1].real))
    return real(NAN);
  return real(std::min(v[0].real, v[1].real));
}
static Element both(AndOp, ArrayRef<Element> v, bool) {
  return integer(v[0].integer & v[1].integer);
}
static Element either(OrOp, ArrayRef<Element> v, bool) {
  return integer(v[0].integer | v[1].integer);
}
static Element one(XorOp, ArrayRef<Element> v, bool) {
  return integer(v[0].integer ^ v[1].integer);
}
static Element choose(SelectOp, ArrayRef<Element> v, bool) {
  return v[0].integer ? v[1] : v[2];
}

template <typename T> static bool holds(ComparePredicate predicate, T a, T b) {
  switch (predicate) {
  case ComparePredicate::EQ:
    return a == b;
  case ComparePredicate::NE:
    return a != b;
  case ComparePredicate::LT:
    return a < b;
  case ComparePredicate::LE:
    return a <= b;
  case ComparePredicate::GT:
    return a > b;
  case ComparePredicate::GE:
    return a >= b;
  }
  llvm_unreachable("unknown predicate");
}
static Element compare(CompareOp op, ArrayRef<Element> v, bool isFloat) {
  return integer(isFloat
                     ? holds(op.getPredicate(), v[0].real, v[1].real)
                     : holds(op.getPredicate(), v[0].integer, v[1].integer));
}

static Element gelu(GeluOp op, ArrayRef<Element> v, bool) {
  double x = v[0].real;
  if (op.getForm() == GeluForm::Exact)
    return real(x / 2 * (1 + std::erf(x / std::sqrt(2.0))));
  double inner = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  return real(x / 2 * (1 + std::tanh(inner)));
}

static Element convert(CastOp op, ArrayRef<Element> v, bool isFloat) {
  Type from = op.getX().getType().getElementType();
  Type to = op.getType().getElementType();
  if (to.isInteger(1))
    return integer(isFloat ? v[0].real != 0 : v[0].integer != 0);
  if (isFloat && isa<FloatType>(to)) {
    // The only rounding that the program asks for.
    APFloat value(v[0].real);
    bool losesInfo;
    value.convert(cast<FloatType>(to).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return real(value.convertToDouble());
  }
  if (isFloat)
    return integer(static_cast<int64_t>(v[0].real));
  uint64_t bits = static_cast<uint64_t>(v[0].integer);
  unsigned width = from.getIntOrFloatBitWidth();
  if (op.getUnsignedSource() && width < 64)
    bits &= (uint64_t(1) << width) - 1;
  if (!isa<FloatType>(to))
    return integer(static_cast<int64_t>(bits));
  return real(op.getUnsignedSource() ? static_cast<double>(bits)
                                     : static_cast<double>(v[0].integer));
}

void ourc::reference::registerElementwiseModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, OurcDialect *) {
#define OURC_UNARY(OP, FUNCTION)                                               \
  OP::attachInterface<UnaryModel<OP, FUNCTION>>(*context)
#define OURC_ELEMENT(OP, FUNCTION)                                             \
  OP::attachInterface<ElementModel<OP, FUNCTION>>(*context)
    OURC_UNARY(ExpOp, std::exp);
    OURC_UNARY(Expm1Op, std::expm1);
    OURC_UNARY(LogOp, std::log);
    OURC_UNARY(Log1pOp, std::log1p);
    OURC_UNARY(SqrtOp, std::sqrt);
    OURC_UNARY(RsqrtOp, rsqrt);
    OURC_UNARY(TanhOp, std::tanh);
    OURC_UNARY(ErfOp, std::erf);
    OURC_UNARY(SigmoidOp, sigmoid);
    OURC_UNARY(SinOp, std::sin);
    OURC_UNARY(CosOp, std::cos);
    OURC_UNARY(FloorOp, std::floor);
    OURC_UNARY(CeilOp, std::ceil);
    OURC_UNARY(SiluOp, silu);
    OURC_ELEMENT(AbsOp, absolute);
    OURC_ELEMENT(NegOp, negate);
    OURC_ELEMENT(NotOp, complement);
    OURC_ELEMENT(AddOp, sum);
    OURC_ELEMENT(SubOp, difference);
    OURC_ELEMENT(MulOp, product);
    OURC_ELEMENT(DivOp, quotient);
    OURC_ELEMENT(PowOp, power);
    OURC_ELEMENT(MaximumOp, greater);
    OURC_ELEMENT(MinimumOp, lesser);
    OURC_ELEMENT(AndOp, both);
    OURC_ELEMENT(OrOp, either);
    OURC_ELEMENT(XorOp, one);
    OURC_ELEMENT(SelectOp, choose);
    OURC_ELEMENT(CompareOp, compare);
    OURC_ELEMENT(GeluOp, gelu);
    OURC_ELEMENT(CastOp, convert);
#undef OURC_UNARY
#undef OURC_ELEMENT
  });
}
