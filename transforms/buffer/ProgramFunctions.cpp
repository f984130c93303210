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
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace ourc;

bool ourc::hasStorableElements(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() && shaped.getElementType().isIntOrFloat();
}

static LogicalResult verifyTypes(func::FuncOp func, TypeRange types,
                                 StringRef kind) {
  for (auto [i, type] : llvm::enumerate(types)) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (kind == "argument" && func.getArgAttr(i, kLifetimeAttrName))
      continue; // the offset of a buffer in a planned program
    if (!shaped || !shaped.hasRank())
      return func.emitError()
             << kind << " " << i << " must be a ranked tensor, but is " << type;
    if (!hasStorableElements(type))
      return func.emitError()
             << kind << " " << i << ": " << shaped.getElementType()
             << " cannot be passed to or from a program";
  }
  return success();
}

LogicalResult ourc::verifyProgram(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>(kMainName);
  if (!main || main.isExternal())
    return module.emitError("has no function '@")
           << kMainName << "': a program is a function of that name";
  for (auto func : module.getOps<func::FuncOp>()) {
    StringRef name = func.getName();
    if (name == kShapesName) {
      if (func.isExternal() || !func.getBody().hasOneBlock() ||
          func.getNumArguments() != 0 ||
          !llvm::all_of(func.getResultTypes(), llvm::IsaPred<IndexType>))
        return func.emitError("'@")
               << kShapesName
               << "' is the compiler's name for a function without arguments "
                  "that returns sizes; give this function another name";
      continue;
    }
    if (name != kMainName && name != kInitName)
      return func.emitError("'@")
             << name << "' must be inlined: a program is the function '@"
             << kMainName << "' alone";
    if (func.isExternal() || !func.getBody().hasOneBlock())
      return func.emitError("must be one block");
    if (failed(verifyTypes(func, func.getArgumentTypes(), "argument")) ||
        failed(verifyTypes(func, func.getResultTypes(), "result")))
      return failure();
  }
  auto init = module.lookupSymbol<func::FuncOp>(kInitName);
  unsigned numPrepared = 0;
  for (unsigned i = 0, e = main.getNumArguments(); i < e; ++i)
    numPrepared += main.getArgAttr(i, kPreparedAttrName) != Attribute();
  // On tensors results are returned, on buffers they are destinations alone.
  unsigned numResults = init ? init.getNumResults() : 0;
  if (init && numResults == 0)
    for (unsigned i = 0, e = init.getNumArguments(); i < e; ++i)
      numResults += init.getArgAttr(i, kDestinationAttrName) != Attribute();
  if (numResults != numPrepared)
    return (init ? init : main).emitError("'@")
           << kInitName
           << "' is the compiler's name for what prepares weights; "
           << "it gives " << numResults << " but '@" << kMainName << "' takes "
           << numPrepared;
  return success();
}

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
  if (cx && cy) {
    // What no memory can hold stays too large.
    int64_t product;
    if (llvm::MulOverflow(*cx, *cy, product))
      product = std::numeric_limits<int64_t>::max();
    return b.getIndexAttr(product);
  }
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
