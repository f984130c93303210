//===- SourceOps.cpp - Constants, symbols, index ranges
//-----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/Inference.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ourc;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

LogicalResult
ConstantOp::reifyResultShapes(OpBuilder &builder,
                              ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(getAsIndexOpFoldResult(getContext(), getType().getShape()));
  return success();
}

LogicalResult IotaOp::verify() {
  RankedTensorType type = getType();
  // C1
  if (static_cast<int64_t>(getDim()) >= type.getRank() ||
      static_cast<int64_t>(getDim()) < 0)
    return emitOpError("dim ")
           << getDim() << " is out of range for rank " << type.getRank();
  // C2
  return verifySizes(*this, getStaticSizes(), getSizes(), type);
}

LogicalResult IotaOp::reifyResultShapes(OpBuilder &,
                                        ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(getMixedSizes());
  return success();
}

LogicalResult SymbolOp::verify() {
  // C1
  int64_t min = getMin(), max = getMax(), multiple = getMultipleOf();
  if (min < 0 || max < min)
    return emitOpError("needs 0 <= min <= max, but has min ")
           << min << " and max " << max;
  if (multiple < 1)
    return emitOpError("needs multiple_of >= 1, but has ") << multiple;
  return success();
}

LogicalResult DimOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // C1
  if (!symbols.lookupNearestSymbolFrom<SymbolOp>(*this, getSymbolAttr()))
    return emitOpError("names ")
           << getSymbolAttr() << ", which is not an ourc.symbol";
  return success();
}
