//===- ProgramFunctions.cpp - The functions of a program ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/buffer/ProgramFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ourc;

SmallVector<func::FuncOp, 2> ourc::programFunctions(ModuleOp module) {
  SmallVector<func::FuncOp, 2> functions;
  for (StringRef name : {StringRef(kMainName), StringRef(kInitName)})
    if (auto func = module.lookupSymbol<func::FuncOp>(name))
      if (!func.isExternal())
        functions.push_back(func);
  return functions;
}

func::FuncOp ourc::getOrCreateShapes(ModuleOp module) {
  if (auto shapes = module.lookupSymbol<func::FuncOp>(kShapesName))
    return shapes;
  auto main = module.lookupSymbol<func::FuncOp>(kMainName);
  OpBuilder b(module.getContext());
  b.setInsertionPointAfter(main);
  auto shapes = func::FuncOp::create(b, main.getLoc(), kShapesName,
                                     b.getFunctionType({}, {}));
  b.setInsertionPointToStart(shapes.addEntryBlock());
  func::ReturnOp::create(b, main.getLoc());
  return shapes;
}

/// Copies what computes `value` in front of the builder.
static Value cloneSize(OpBuilder &b, Value value, IRMapping &map) {
  if (Value known = map.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || !isPure(op) || op->getNumRegions() != 0)
    return {};
  for (Value operand : op->getOperands()) {
    if (isa<ShapedType>(operand.getType()))
      return {};
    if (!cloneSize(b, operand, map))
      return {};
  }
  b.clone(*op, map);
  return map.lookup(value);
}

LogicalResult ourc::appendToShapes(ModuleOp module, Value size,
                                   unsigned &number) {
  func::FuncOp shapes = getOrCreateShapes(module);
  Operation *ret = shapes.getBody().front().getTerminator();
  OpBuilder b(ret);
  IRMapping map;
  Value copy = cloneSize(b, size, map);
  if (!copy)
    return failure();
  number = ret->getNumOperands();
  ret->insertOperands(number, copy);
  return shapes.insertResult(number, b.getIndexType(), DictionaryAttr());
}

OpFoldResult ourc::multiplySizes(OpBuilder &b, Location loc, OpFoldResult x,
                                 OpFoldResult y) {
  std::optional<int64_t> cx = getConstantIntValue(x),
                         cy = getConstantIntValue(y);
  if (cx && cy)
    return b.getIndexAttr(*cx * *cy);
  if (cx && *cx == 1)
    return y;
  if (cy && *cy == 1)
    return x;
  auto materialize = [&](OpFoldResult ofr) -> Value {
    if (auto value = dyn_cast<Value>(ofr))
      return value;
    return arith::ConstantIndexOp::create(
        b, loc, cast<IntegerAttr>(cast<Attribute>(ofr)).getInt());
  };
  Value vx = materialize(x), vy = materialize(y);
  return arith::MulIOp::create(b, loc, vx, vy).getResult();
}
