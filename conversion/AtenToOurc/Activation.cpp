//===- Activation.cpp - Activation functions ----------------------------===//
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

static LogicalResult lowerRelu(Call &call) {
  Value x = call.tensor("self");
  return call.finish(call.apply<MaximumOp>(x, call.fillLike(int64_t(0), x)));
}

static LogicalResult lowerGelu(Call &call) {
  Value x = call.tensor("self");
  StringRef form = call.string("approximate", "none");
  if (form != "none" && form != "tanh")
    return call.fail("argument 'approximate' is '" + form +
                     "'; 'none' and 'tanh' are known");
  if (!x)
    return failure();
  return call.finish(call.make<GeluOp>(
      x.getType(), x, form == "none" ? GeluForm::Exact : GeluForm::Tanh));
}

/// x where x > 0, x · slope elsewhere.
static LogicalResult lowerLeakyRelu(Call &call) {
  Value x = call.tensor("self");
  Scalar slope = call.scalar("negative_slope", Scalar(0.01));
  if (call.failed())
    return failure();
  Type declared = Emitter::elementOf(x);
  x = call.cast(x, computeType(declared, slope));
  Value positive = call.compare(ComparePredicate::GT, x, call.fillLike(0.0, x));
  Value scaled = call.apply<MulOp>(x, call.fillLike(slope, x));
  if (call.failed())
    return failure();
  return call.finish(call.cast(
      call.make<SelectOp>(x.getType(), positive, x, scaled), declared));
}

/// The type in which a chain of operations that is rounded once at its end is
/// computed: f32 for f16 and bf16.
static Type chainType(Type declared) {
  return declared.isF16() || declared.isBF16()
             ? Float32Type::get(declared.getContext())
             : declared;
}

/// min(max(x + 3, 0), 6) / 6.
static Value hardSigmoid(Call &call, Value x) {
  Value shifted = call.apply<AddOp>(x, call.fillLike(3.0, x));
  Value low = call.apply<MaximumOp>(shifted, call.fillLike(0.0, x));
  Value both = call.apply<MinimumOp>(low, call.fillLike(6.0, x));
  return call.apply<DivOp>(both, call.fillLike(6.0, x));
}

static LogicalResult lowerHardSigmoid(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  Type declared = Emitter::elementOf(x);
  x = call.cast(x, chainType(declared));
  return call.finish(call.cast(hardSigmoid(call, x), declared));
}

static LogicalResult lowerHardSwish(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  Type declared = Emitter::elementOf(x);
  x = call.cast(x, chainType(declared));
  Value product = call.apply<MulOp>(x, hardSigmoid(call, x));
  return call.finish(call.cast(product, declared));
}

static LogicalResult lowerRelu6(Call &call) {
  Value x = call.tensor("self");
  Value low = call.apply<MaximumOp>(x, call.fillLike(int64_t(0), x));
  return call.finish(call.apply<MinimumOp>(low, call.fillLike(int64_t(6), x)));
}

static LogicalResult lowerSilu(Call &call) {
  return call.finish(call.apply<SiluOp>(call.tensor("self")));
}

/// scale · x where x > 0, scale · alpha · (exp(input_scale · x) - 1) elsewhere.
static LogicalResult lowerElu(Call &call) {
  Value x = call.tensor("self");
  double alpha = call.number("alpha", 1.0), scale = call.number("scale", 1.0),
         inputScale = call.number("input_scale", 1.0);
  if (call.failed())
    return failure();
  Type declared = Emitter::elementOf(x);
  x = call.cast(x, computeType(declared, {alpha, scale, inputScale}));
  auto scaled = [&](Value value, double factor) {
    return call.apply<MulOp>(value, call.fillLike(factor, value));
  };
  Value positive = call.compare(ComparePredicate::GT, x, call.fillLike(0.0, x));
  Value curve =
      scaled(call.apply<Expm1Op>(scaled(x, inputScale)), alpha * scale);
  Value line = scaled(x, scale);
  if (call.failed())
    return failure();
  Value result = call.make<SelectOp>(x.getType(), positive, line, curve);
  return call.finish(call.cast(result, declared));
}

/// log(1 + exp(beta · x)) / beta, which is x above the threshold.
static LogicalResult lowerSoftplus(Call &call) {
  Value x = call.tensor("self");
  double beta = call.number("beta", 1.0);
  double threshold = call.number("threshold", 20.0);
  if (call.failed())
    return failure();
  Type declared = Emitter::elementOf(x);
  x = call.cast(x, computeType(declared, {beta, threshold}));
  Value scaled = call.apply<MulOp>(x, call.fillLike(beta, x));
  Value isLine = call.compare(ComparePredicate::GT, scaled,
                              call.fillLike(threshold, scaled));
  Value curve = call.apply<DivOp>(
      call.apply<Log1pOp>(call.apply<ExpOp>(scaled)), call.fillLike(beta, x));
  if (call.failed())
    return failure();
  Value result = call.make<SelectOp>(x.getType(), isLine, x, curve);
  return call.finish(call.cast(result, declared));
}

/// x · tanh(log(1 + exp(x))).
static LogicalResult lowerMish(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  Type declared = Emitter::elementOf(x);
  x = call.cast(x, chainType(declared));
  Value softplus = call.apply<Log1pOp>(call.apply<ExpOp>(x));
  Value product = call.apply<MulOp>(x, call.apply<TanhOp>(softplus));
  return call.finish(call.cast(product, declared));
}

/// The first half of a dimension by the sigmoid of the second.
static LogicalResult lowerGlu(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  int64_t dim = call.dim("dim", Emitter::rankOf(x), -1);
  if (call.failed() || Emitter::rankOf(x) == 0)
    return call.fail("the operand has no dimensions");
  OpFoldResult half =
      call.math.floorDiv(call.sizeOf(x, dim), call.math.constant(2));
  Value first = call.slice(x, dim, call.math.constant(0), half);
  Value second = call.slice(x, dim, half, half);
  return call.finish(call.apply<MulOp>(first, call.apply<SigmoidOp>(second)));
}

void ourc::aten::populateActivation(LoweringTable &table) {
  table.add("elu.default", lowerElu);
  table.add("gelu.default", lowerGelu);
  table.add("glu.default", lowerGlu);
  table.add("hardsigmoid.default", lowerHardSigmoid);
  table.add("hardswish.default", lowerHardSwish);
  table.add("leaky_relu.default", lowerLeakyRelu);
  table.add("mish.default", lowerMish);
  table.add("relu.default", lowerRelu);
  table.add("relu6.default", lowerRelu6);
  table.add("silu.default", lowerSilu);
  table.add("softplus.default", lowerSoftplus);
}
