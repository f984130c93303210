//===- Factory.cpp - Tensors from sizes and numbers ---------------------===//
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

/// A tensor of the argument's sizes that holds `scalar`.
static LogicalResult fillSizes(Call &call, Scalar scalar) {
  SmallVector<OpFoldResult> sizes = call.sizes("size");
  Type element = call.resultElement();
  if (call.failed())
    return failure();
  return call.finish(call.fill(scalar, element, sizes));
}

/// A tensor of the operand's sizes that holds `scalar`.
static LogicalResult fillLikeSelf(Call &call, Scalar scalar) {
  Value x = call.tensor("self");
  Type element = call.resultElement();
  if (call.failed())
    return failure();
  return call.finish(call.fill(scalar, element, call.sizesOf(x)));
}

static LogicalResult lowerFull(Call &call) {
  return fillSizes(call, call.scalar("fill_value"));
}
static LogicalResult lowerFullLike(Call &call) {
  return fillLikeSelf(call, call.scalar("fill_value"));
}
static LogicalResult lowerFillScalar(Call &call) {
  return fillLikeSelf(call, call.scalar("value"));
}
template <int64_t value> static LogicalResult lowerConstant(Call &call) {
  return fillSizes(call, value);
}
template <int64_t value> static LogicalResult lowerConstantLike(Call &call) {
  return fillLikeSelf(call, value);
}

static LogicalResult lowerScalarTensor(Call &call) {
  Scalar scalar = call.scalar("s");
  Type element = call.resultElement();
  if (call.failed())
    return failure();
  return call.finish(call.fill(scalar, element, {}));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

static std::optional<double> realOf(Scalar scalar) {
  if (auto *real = std::get_if<double>(&scalar))
    return *real;
  if (auto *integer = std::get_if<int64_t>(&scalar))
    return double(*integer);
  return std::nullopt;
}

/// A scalar as a size; null when it is not whole.
static OpFoldResult sizeOfScalar(Call &call, Scalar scalar) {
  if (auto *value = std::get_if<Value>(&scalar))
    return *value;
  if (auto *integer = std::get_if<int64_t>(&scalar))
    return call.math.constant(*integer);
  return {};
}

/// start + i · step for ceil((end - start) / step) elements.
static LogicalResult lowerArange(Call &call) {
  Scalar zero = int64_t(0), one = int64_t(1);
  Scalar start = call.scalar("start", zero), end = call.scalar("end"),
         step = call.scalar("step", one);
  RankedTensorType result = call.resultType();
  if (call.failed())
    return failure();
  if (result.getRank() != 1)
    return call.fail("the result must have rank 1");
  OpFoldResult count;
  if (!result.isDynamicDim(0)) {
    count = call.math.constant(result.getDimSize(0));
  } else {
    OpFoldResult first = sizeOfScalar(call, start),
                 last = sizeOfScalar(call, end),
                 stride = sizeOfScalar(call, step);
    if (!first || !last || !stride ||
        getConstantIntValue(stride).value_or(0) < 1)
      return call.fail("a dynamic range needs whole bounds and a constant, "
                       "positive step");
    count = call.math.max(call.math.ceilDiv(call.math.sub(last, first), stride),
                          call.math.constant(0));
  }
  // f16 and bf16 hold few whole numbers: positions are multiplied in f32.
  Type element = result.getElementType();
  Type compute = element.isF16() || element.isBF16()
                     ? Type(call.builder.getF32Type())
                     : element;
  Value range = call.iota(0, count, compute);
  if (realOf(step) != 1.0)
    range = call.apply<MulOp>(range, call.fillLike(step, range));
  if (realOf(start) != 0.0)
    range = call.apply<AddOp>(range, call.fillLike(start, range));
  return call.finish(call.cast(range, element));
}

/// `steps` numbers from `start` to `end`, both included: each half is counted
/// from its own end, as torch does, so that both are met exactly.
static LogicalResult lowerLinspace(Call &call) {
  std::optional<double> start = realOf(call.scalar("start"));
  std::optional<double> end = realOf(call.scalar("end"));
  RankedTensorType result = call.resultType();
  if (call.failed())
    return failure();
  if (!start || !end || result.getRank() != 1 || result.isDynamicDim(0) ||
      !isa<FloatType>(result.getElementType()))
    return call.fail("ends, or a number of steps, that depend on the call, or "
                     "integers");
  int64_t steps = result.getDimSize(0);
  double step = steps > 1 ? (*end - *start) / double(steps - 1) : 0;
  SmallVector<double> values;
  for (int64_t i = 0; i < steps; ++i)
    values.push_back(i < steps / 2 || steps == 1
                         ? *start + step * double(i)
                         : *end - step * double(steps - 1 - i));
  auto wide = RankedTensorType::get({steps}, call.builder.getF64Type());
  Value table = call.make<ConstantOp>(
      wide, DenseElementsAttr::get(wide, ArrayRef<double>(values)));
  return call.finish(call.cast(table, result.getElementType()));
}

void ourc::aten::populateFactory(LoweringTable &table) {
  table.add({"full.default", "new_full.default"}, lowerFull);
  table.add("full_like.default", lowerFullLike);
  table.add("fill.Scalar", lowerFillScalar);
  table.add({"zeros.default", "new_zeros.default"}, lowerConstant<0>);
  table.add({"zeros_like.default", "zero.default"}, lowerConstantLike<0>);
  table.add({"ones.default", "new_ones.default"}, lowerConstant<1>);
  table.add("ones_like.default", lowerConstantLike<1>);
  table.add("scalar_tensor.default", lowerScalarTensor);
  table.add({"arange.default", "arange.start", "arange.start_step"},
            lowerArange);
  table.add("linspace.default", lowerLinspace);
}
