//===- Booleans.cpp - Booleans at the program's boundary
//----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/kernel/Booleans.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "transforms/kernel/Passes.h"

using namespace mlir;
using namespace ourc;

/// An elementwise generic from `input` to a tensor of `element`s.
static Value
buildElementwise(OpBuilder &builder, Location loc, Value input, Type element,
                 function_ref<Value(OpBuilder &, Location, Value)> body) {
  auto type = cast<RankedTensorType>(input.getType()).clone(element);
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, input), element);
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, type, input, empty, ArrayRef{identity, identity},
             iterators,
             [&](OpBuilder &b, Location l, ValueRange args) {
               linalg::YieldOp::create(b, l, body(b, l, args[0]));
             })
      .getResult(0);
}

Value ourc::bytesToBooleans(OpBuilder &builder, Location loc, Value bytes) {
  return buildElementwise(builder, loc, bytes, builder.getI1Type(),
                          [](OpBuilder &b, Location l, Value byte) -> Value {
                            Value zero =
                                arith::ConstantIntOp::create(b, l, 0, 8);
                            return arith::CmpIOp::create(
                                b, l, arith::CmpIPredicate::ne, byte, zero);
                          });
}

Value ourc::booleansToBytes(OpBuilder &builder, Location loc, Value booleans) {
  return buildElementwise(builder, loc, booleans, builder.getI8Type(),
                          [](OpBuilder &b, Location l, Value bit) -> Value {
                            return arith::ExtUIOp::create(b, l, b.getI8Type(),
                                                          bit);
                          });
}

static bool isBoolean(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getElementType().isInteger(1);
}

void ourc::makeBoundaryBytes(func::FuncOp func) {
  if (func.isDeclaration())
    return;
  Block &block = func.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  Type byte = builder.getI8Type();
  for (BlockArgument argument : block.getArguments()) {
    if (!isBoolean(argument.getType()))
      continue;
    argument.setType(cast<RankedTensorType>(argument.getType()).clone(byte));
    func.setArgAttr(argument.getArgNumber(), kBooleanMarkName,
                    builder.getUnitAttr());
    Value booleans = bytesToBooleans(builder, func.getLoc(), argument);
    Operation *conversion = booleans.getDefiningOp();
    argument.replaceUsesWithIf(booleans, [&](OpOperand &use) {
      // The conversion itself, and the sizes that it asks for, read the bytes.
      return use.getOwner() != conversion &&
             !isa<tensor::DimOp>(use.getOwner());
    });
  }
  Operation *terminator = block.getTerminator();
  builder.setInsertionPoint(terminator);
  for (OpOperand &operand : terminator->getOpOperands()) {
    if (!isBoolean(operand.get().getType()))
      continue;
    operand.set(booleansToBytes(builder, func.getLoc(), operand.get()));
    func.setResultAttr(operand.getOperandNumber(), kBooleanMarkName,
                       builder.getUnitAttr());
  }
  func.setFunctionType(builder.getFunctionType(block.getArgumentTypes(),
                                               terminator->getOperandTypes()));
}
