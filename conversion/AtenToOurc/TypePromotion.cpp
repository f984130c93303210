//===- TypePromotion.cpp - The element type that operands promote to ----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/AtenToOurc/TypePromotion.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::aten;

/// 0 for booleans, 1 for integers, 2 for floats.
static unsigned categoryOf(Type type) {
  if (isa<FloatType>(type))
    return 2;
  return type.isInteger(1) ? 0 : 1;
}

Type ourc::aten::promote(Type a, Type b) {
  if (!a || a == b)
    return b;
  if (!b)
    return a;
  if (categoryOf(a) != categoryOf(b))
    return categoryOf(a) > categoryOf(b) ? a : b;
  unsigned widthA = a.getIntOrFloatBitWidth();
  unsigned widthB = b.getIntOrFloatBitWidth();
  if (widthA != widthB)
    return widthA > widthB ? a : b;
  // f16 with bf16, or the two 8-bit floats.
  return Float32Type::get(a.getContext());
}

/// What a lower priority may do to the type that a higher one has found.
static Type combine(Type higher, Type lower) {
  if (!higher || !lower)
    return higher ? higher : lower;
  return categoryOf(lower) > categoryOf(higher) ? promote(higher, lower)
                                                : higher;
}

Type ourc::aten::promoteOperands(ValueRange tensors, ArrayRef<Scalar> scalars) {
  Type withDims, withoutDims, ofScalars;
  MLIRContext *context = nullptr;
  for (Value tensor : tensors) {
    if (!tensor)
      continue;
    context = tensor.getContext();
    Type &type = Emitter::rankOf(tensor) > 0 ? withDims : withoutDims;
    type = promote(type, Emitter::elementOf(tensor));
  }
  if (!context)
    return {};
  for (const Scalar &scalar : scalars) {
    Type type = IntegerType::get(context, 64);
    if (std::holds_alternative<bool>(scalar))
      type = IntegerType::get(context, 1);
    else if (std::holds_alternative<double>(scalar))
      type = Float32Type::get(context);
    ofScalars = promote(ofScalars, type);
  }
  return combine(combine(withDims, withoutDims), ofScalars);
}

bool ourc::aten::isExact(Scalar scalar, Type element) {
  auto type = dyn_cast<FloatType>(element);
  if (!type || std::holds_alternative<bool>(scalar))
    return true;
  if (std::holds_alternative<Value>(scalar))
    return false;
  bool losesInfo;
  llvm::APFloat value(std::holds_alternative<double>(scalar)
                          ? std::get<double>(scalar)
                          : double(std::get<int64_t>(scalar)));
  value.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return !losesInfo;
}

Type ourc::aten::computeType(Type result, ArrayRef<Scalar> scalars) {
  if (result && (result.isF16() || result.isBF16()))
    for (const Scalar &scalar : scalars)
      if (!isExact(scalar, result))
        return Float32Type::get(result.getContext());
  return result;
}
