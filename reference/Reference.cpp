//===- Reference.cpp - The dialect's specification, executable ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Reference.h"

#include "reference/Models.h"

using namespace mlir;
using namespace ourc::reference;

#include "reference/ReferenceOpInterface.cpp.inc"

void ourc::reference::registerReferenceModels(DialectRegistry &registry) {
  registerCompositeModels(registry);
  registerContractionModels(registry);
  registerElementwiseModels(registry);
  registerIndexModels(registry);
  registerReductionModels(registry);
  registerShapeModels(registry);
}

SmallVector<int64_t> ourc::reference::readSizes(ArrayRef<int64_t> staticSizes,
                                                ArrayRef<Tensor> operands,
                                                unsigned &next) {
  SmallVector<int64_t> sizes;
  for (int64_t size : staticSizes)
    sizes.push_back(
        ShapedType::isDynamic(size) ? operands[next++].data[0].integer : size);
  return sizes;
}

/// Whether a result is what its type says.
static bool hasType(const Tensor &tensor, Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return tensor.element == type && tensor.getRank() == 0;
  return tensor.element == ranked.getElementType() &&
         succeeded(verifyCompatibleShape(ranked.getShape(), tensor.shape));
}

Results ourc::reference::interpret(func::FuncOp function,
                                   ArrayRef<Tensor> arguments,
                                   const Symbols &symbols) {
  if (function.isExternal() || function.getBody().getBlocks().size() != 1)
    return function.emitError("needs a body of one block to be interpreted");
  llvm::DenseMap<Value, Tensor> values;
  for (auto [place, value] : llvm::zip(function.getArguments(), arguments))
    values[place] = value;
  for (Operation &op : function.getBody().front()) {
    SmallVector<Tensor> operands;
    for (Value operand : op.getOperands())
      operands.push_back(values.lookup(operand));
    if (isa<func::ReturnOp>(op))
      return operands;
    auto model = dyn_cast<ReferenceOpInterface>(&op);
    if (!model)
      return op.emitOpError("has no reference meaning");
    Results results = model.evaluate(operands, symbols);
    if (failed(results))
      return failure();
    for (auto [place, value] : llvm::zip(op.getResults(), *results)) {
      if (!hasType(value, place.getType()))
        return op.emitOpError("computes a tensor that its type does not fit");
      values[place] = value;
    }
  }
  return function.emitError("has no return");
}
