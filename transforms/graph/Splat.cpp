//===- Splat.cpp - Values that are one number throughout ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/Splat.h"

#include "dialects/ourc/OurcDialect.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;

TypedAttr ourc::getSplat(Value value) {
  SplatElementsAttr splat;
  while (Operation *op = value.getDefiningOp()) {
    if (matchPattern(value, m_Constant(&splat)))
      return splat.getSplatValue<TypedAttr>();
    if (!isa<BroadcastOp, ReshapeOp, TransposeOp, SliceOp>(op))
      return {};
    value = op->getOperand(0);
  }
  return {};
}

std::optional<double> ourc::getSplatNumber(Value value) {
  TypedAttr splat = getSplat(value);
  if (auto number = dyn_cast_if_present<FloatAttr>(splat))
    return number.getValueAsDouble();
  auto number = dyn_cast_if_present<IntegerAttr>(splat);
  if (!number || number.getType().isInteger(1))
    return std::nullopt;
  return number.getValue().getSExtValue();
}

std::optional<bool> ourc::getSplatBool(Value value) {
  auto number = dyn_cast_if_present<IntegerAttr>(getSplat(value));
  if (!number || !number.getType().isInteger(1))
    return std::nullopt;
  return number.getValue().getBoolValue();
}
