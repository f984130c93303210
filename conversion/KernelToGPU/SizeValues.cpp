//===- SizeValues.cpp - Sizes of a kernel at the top of a function -----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/KernelFrame.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

Value SizeValues::getConstant(int64_t value) {
  return getConstant(Builder(end->getContext()).getIndexAttr(value));
}

Value SizeValues::getConstant(TypedAttr value) {
  Value &constant = constants[value];
  if (!constant) {
    OpBuilder top = OpBuilder::atBlockBegin(end->getBlock());
    constant = arith::ConstantOp::create(top, end->getLoc(), value);
  }
  return constant;
}

Value SizeValues::getIndex(OpFoldResult index) {
  if (auto attr = dyn_cast<Attribute>(index))
    return getConstant(cast<IntegerAttr>(attr).getInt());
  return getScalar(cast<Value>(index));
}

Value SizeValues::getDim(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return getConstant(type.getDimSize(dim));
  if (Value known = dims.lookup({tensor, dim}))
    return known;
  Value size;
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    size = argumentDim(argument.getArgNumber(), dim);
  } else {
    Operation *op = tensor.getDefiningOp();
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
      size = getDim(dps.getTiedOpOperand(cast<OpResult>(tensor))->get(), dim);
    } else if (auto castOp = dyn_cast<tensor::CastOp>(op)) {
      size = getDim(castOp.getSource(), dim);
    } else if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
      size = getScalar(empty.getDynamicSize(static_cast<unsigned>(dim)));
    } else if (auto reify = dyn_cast<ReifyRankedShapedTypeOpInterface>(op)) {
      // Sizes of the other tensor operations, in terms of their operands'.
      OpBuilder builder(op);
      builder.setInsertionPointAfter(op);
      ReifiedRankedShapedTypeDims shapes;
      if (succeeded(reify.reifyResultShapes(builder, shapes)))
        size = getIndex(shapes[cast<OpResult>(tensor).getResultNumber()][dim]);
    } else {
      op->emitError("the size of dimension ")
          << dim << " of its result cannot be derived from the arguments of "
          << "the kernel";
    }
  }
  dims[{tensor, dim}] = size;
  return size;
}

Value SizeValues::getScalar(Value scalar) {
  if (Value known = scalars.lookup(scalar))
    return known;
  Operation *op = scalar.getDefiningOp();
  Value result;
  Attribute constant;
  if (op && matchPattern(scalar, m_Constant(&constant))) {
    result = getConstant(cast<TypedAttr>(constant));
  } else if (auto dim = dyn_cast_if_present<tensor::DimOp>(op)) {
    if (auto index = dim.getConstantIndex())
      result = getDim(dim.getSource(), *index);
  } else if (op && isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
             llvm::none_of(op->getOperandTypes(),
                           [](Type type) { return isa<ShapedType>(type); })) {
    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      Value value = getScalar(operand);
      if (!value)
        return {};
      mapping.map(operand, value);
    }
    OpBuilder top(end);
    Operation *clone = top.clone(*op, mapping);
    result = clone->getResult(cast<OpResult>(scalar).getResultNumber());
  }
  if (!result && op)
    op->emitError("a kernel computes scalars outside of its loops from sizes "
                  "and constants alone");
  scalars[scalar] = result;
  return result;
}

Value SizeValues::getProduct(ArrayRef<Value> factors) {
  OpBuilder top(end);
  Value product = getConstant(1);
  for (Value factor : factors)
    product = mulIndex(top, end->getLoc(), product, factor);
  return product;
}

Value SizeValues::getNumElements(Value tensor, int64_t first) {
  SmallVector<Value> sizes;
  for (int64_t i = first;
       i < cast<RankedTensorType>(tensor.getType()).getRank(); ++i)
    sizes.push_back(getDim(tensor, i));
  return getProduct(sizes);
}
