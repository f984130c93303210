//===- BodyEmitter.cpp - Scalar regions on vectors ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/BodyEmitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ourc;

FailureOr<SmallVector<Value>>
BodyEmitter::emit(Block &body, ValueRange arguments,
                  function_ref<Value(int64_t)> index) {
  IRMapping values;
  values.map(body.getArguments(), arguments);
  auto lookup = [&](Value value) -> Value {
    if (Value known = values.lookupOrNull(value))
      return known;
    Value copy = builder.clone(*value.getDefiningOp())->getResult(0);
    values.map(value, copy);
    return copy;
  };
  for (Operation &op : body.without_terminator()) {
    if (!OpTrait::hasElementwiseMappableTraits(&op) &&
        !op.hasTrait<OpTrait::ConstantLike>())
      return op.emitError("is not elementwise");
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(lookup(operand));
    bool onVectors = llvm::any_of(
        operands, [](Value value) { return isa<VectorType>(value.getType()); });
    if (onVectors)
      for (Value &operand : operands)
        operand = toVector(op.getLoc(), operand);
    OperationState state(op.getLoc(), op.getName());
    state.addOperands(operands);
    state.propertiesAttr = op.getPropertiesAsAttribute();
    for (Type type : op.getResultTypes())
      state.addTypes(onVectors ? VectorType::get({lanes}, type) : type);
    values.map(op.getResults(), builder.create(state)->getResults());
  }
  return llvm::map_to_vector(body.getTerminator()->getOperands(), lookup);
}

Value BodyEmitter::toVector(Location loc, Value value) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      builder, loc, VectorType::get({lanes}, value.getType()), value);
}
