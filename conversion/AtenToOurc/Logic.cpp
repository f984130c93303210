//===- Logic.cpp - Comparisons, choices, logic and casts ----------------===//
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

/// Reads "self" and "other", the latter a tensor or a scalar, aligned in the
/// type that PyTorch's rules promote them to.
static SmallVector<Value> readPromoted(Call &call) {
  Value lhs = call.tensor("self");
  Value operand = call.op.getValue("other");
  bool isTensor = operand && isa<RankedTensorType>(operand.getType());
  Value rhs = isTensor ? call.tensor("other") : Value();
  SmallVector<Scalar> scalars;
  if (!isTensor)
    scalars.push_back(call.scalar("other"));
  if (call.failed())
    return {{}, {}};
  Type element = promoteOperands({lhs, rhs}, scalars);
  // A limit that f16 and bf16 would round is compared in f32.
  if (!scalars.empty() && (element.isF16() || element.isBF16()) &&
      !isExact(scalars.front(), element))
    element = call.builder.getF32Type();
  if (!isTensor)
    rhs = call.fill(scalars.front(), element, {});
  if (call.failed())
    return {{}, {}};
  return call.align({lhs, rhs}, element, call.resultType());
}

template <ComparePredicate predicate>
static LogicalResult lowerCompare(Call &call) {
  SmallVector<Value> operands = readPromoted(call);
  return call.finish(call.compare(predicate, operands[0], operands[1]));
}

/// On the bits of integers, or on booleans.
template <typename OpTy> static LogicalResult lowerBitwise(Call &call) {
  SmallVector<Value> operands = readPromoted(call);
  return call.finish(call.apply<OpTy>(operands[0], operands[1]));
}

static LogicalResult lowerBitwiseNot(Call &call) {
  return call.finish(call.apply<NotOp>(call.tensor("self")));
}

/// On whether elements are not zero.
template <typename OpTy> static LogicalResult lowerLogical(Call &call) {
  Value lhs = call.tensor("self"), rhs = call.tensor("other");
  if (call.failed())
    return failure();
  SmallVector<Value> operands =
      call.align({lhs, rhs}, call.builder.getI1Type(), call.resultType());
  return call.finish(call.apply<OpTy>(operands[0], operands[1]));
}

static LogicalResult lowerLogicalNot(Call &call) {
  Value x = call.cast(call.tensor("self"), call.builder.getI1Type());
  return call.finish(call.apply<NotOp>(x));
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// `onTrue` where `condition` holds, else `onFalse`; each a tensor or a scalar.
static LogicalResult choose(Call &call, Value condition, StringRef trueName,
                            StringRef falseName) {
  RankedTensorType result = call.resultType();
  if (call.failed())
    return failure();
  Type element = result.getElementType();
  auto read = [&](StringRef name) {
    Value operand = call.op.getValue(name);
    return operand && isa<RankedTensorType>(operand.getType())
               ? call.cast(call.tensor(name), element)
               : call.fill(call.scalar(name), element, {});
  };
  Value onTrue = read(trueName), onFalse = read(falseName);
  condition = call.cast(condition, call.builder.getI1Type());
  if (call.failed())
    return failure();
  SmallVector<OpFoldResult> sizes =
      call.broadcastSizes({condition, onTrue, onFalse}, result);
  condition = call.broadcast(condition, sizes);
  onTrue = call.broadcast(onTrue, sizes);
  onFalse = call.broadcast(onFalse, sizes);
  if (call.failed())
    return failure();
  return call.finish(
      call.make<SelectOp>(onTrue.getType(), condition, onTrue, onFalse));
}

static LogicalResult lowerWhere(Call &call) {
  return choose(call, call.tensor("condition"), "self", "other");
}

static LogicalResult lowerMaskedFill(Call &call) {
  return choose(call, call.tensor("mask"), "value", "self");
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

static LogicalResult lowerToCopy(Call &call) {
  Value x = call.tensor("self");
  RankedTensorType result = call.resultType();
  if (call.failed())
    return failure();
  Type from = Emitter::elementOf(x), to = result.getElementType();
  bool fromUnsigned = call.isUnsigned(x);
  bool toUnsigned =
      call.has("dtype") ? call.string("dtype", "") == "uint8" : fromUnsigned;
  if (from == to && fromUnsigned == toUnsigned)
    return call.finish(x);
  if (toUnsigned)
    return call.fail("conversion to unsigned integers");
  if (from == to)
    return call.fail("conversion of unsigned integers to signed ones of the "
                     "same width");
  return call.finish(
      call.make<CastOp>(Emitter::typeOf(x).clone(to), x, fromUnsigned, false));
}

void ourc::aten::populateLogic(LoweringTable &table) {
  table.add({"eq.Tensor", "eq.Scalar"}, lowerCompare<ComparePredicate::EQ>);
  table.add({"ne.Tensor", "ne.Scalar"}, lowerCompare<ComparePredicate::NE>);
  table.add({"lt.Tensor", "lt.Scalar"}, lowerCompare<ComparePredicate::LT>);
  table.add({"le.Tensor", "le.Scalar"}, lowerCompare<ComparePredicate::LE>);
  table.add({"gt.Tensor", "gt.Scalar"}, lowerCompare<ComparePredicate::GT>);
  table.add({"ge.Tensor", "ge.Scalar"}, lowerCompare<ComparePredicate::GE>);

  table.add({"bitwise_and.Tensor", "bitwise_and.Scalar"}, lowerBitwise<AndOp>);
  table.add({"bitwise_or.Tensor", "bitwise_or.Scalar"}, lowerBitwise<OrOp>);
  table.add({"bitwise_xor.Tensor", "bitwise_xor.Scalar"}, lowerBitwise<XorOp>);
  table.add("bitwise_not.default", lowerBitwiseNot);
  table.add("logical_and.default", lowerLogical<AndOp>);
  table.add("logical_or.default", lowerLogical<OrOp>);
  table.add("logical_xor.default", lowerLogical<XorOp>);
  table.add("logical_not.default", lowerLogicalNot);

  table.add(
      {"where.self", "where.ScalarSelf", "where.ScalarOther", "where.Scalar"},
      lowerWhere);
  table.add({"masked_fill.Scalar", "masked_fill.Tensor"}, lowerMaskedFill);

  table.add({"_to_copy.default", "to.dtype"}, lowerToCopy, Signs::Handled);
}
