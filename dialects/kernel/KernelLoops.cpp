//===- KernelLoops.cpp - The loops that linalg does not have --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace ourc::kernel;

/// Types as a message names them.
static std::string describe(TypeRange types) {
  if (types.empty())
    return "nothing";
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(types, stream);
  return text;
}

/// Checks the arguments and the yielded types of one region.
static LogicalResult verifyRegionSignature(Operation *op, Region &region,
                                           StringRef name, TypeRange arguments,
                                           TypeRange yields) {
  Block &block = region.front();
  if (block.getArgumentTypes() != arguments)
    return op->emitOpError("region '")
           << name << "' takes " << describe(block.getArgumentTypes())
           << ", but must take " << describe(arguments);
  auto yield = dyn_cast_if_present<YieldOp>(
      block.mightHaveTerminator() ? block.getTerminator() : nullptr);
  if (!yield)
    return op->emitOpError("region '") << name << "' must end in kernel.yield";
  if (yield.getOperandTypes() != yields)
    return op->emitOpError("region '")
           << name << "' yields " << describe(yield.getOperandTypes())
           << ", but must yield " << describe(yields);
  return success();
}

//===----------------------------------------------------------------------===//
// CoupledReduceOp
//===----------------------------------------------------------------------===//

TypeRange CoupledReduceOp::getStateTypes() {
  return getInit().front().getTerminator()->getOperandTypes();
}

LogicalResult CoupledReduceOp::verify() {
  if (getInputs().empty())
    return emitOpError("needs an input");
  auto first = cast<RankedTensorType>(getInputs().front().getType());
  for (Value input : getInputs())
    if (failed(verifyCompatibleShape(input.getType(), first)))
      return emitOpError("inputs must have one shape, but are ")
             << first << " and " << input.getType();
  int64_t previous = -1;
  for (int64_t dim : getDimensions()) {
    if (dim < 0 || dim >= first.getRank())
      return emitOpError("dimension ")
             << dim << " is out of range for rank " << first.getRank();
    if (dim <= previous)
      return emitOpError("dimensions must be unique and ascending");
    previous = dim;
  }
  SmallVector<int64_t> kept;
  for (int64_t i = 0; i < first.getRank(); ++i)
    if (!llvm::is_contained(getDimensions(), i))
      kept.push_back(first.getDimSize(i));
  for (Value output : getOutputs()) {
    auto type = cast<RankedTensorType>(output.getType());
    if (failed(verifyCompatibleShape(type.getShape(), kept)))
      return emitOpError("destination ")
             << type << " must have the inputs' shape without the reduced "
             << "dimensions";
  }
  if (getResultTypes() != getOutputs().getTypes())
    return emitOpError("results must have the destinations' types");
  return success();
}

LogicalResult CoupledReduceOp::verifyRegions() {
  if (!getInit().front().mightHaveTerminator() ||
      !isa<YieldOp>(getInit().front().getTerminator()))
    return emitOpError("region 'init' must end in kernel.yield");
  SmallVector<Type> state(getStateTypes());
  SmallVector<Type> accumulate(state), merge(state), finish;
  for (Value input : getInputs())
    accumulate.push_back(getElementTypeOrSelf(input.getType()));
  merge.append(state);
  for (Value output : getOutputs())
    finish.push_back(getElementTypeOrSelf(output.getType()));
  Operation *op = *this;
  if (failed(verifyRegionSignature(op, getInit(), "init", {}, state)) ||
      failed(verifyRegionSignature(op, getAccumulate(), "accumulate",
                                   accumulate, state)) ||
      failed(verifyRegionSignature(op, getMerge(), "merge", merge, state)) ||
      failed(verifyRegionSignature(op, getFinish(), "finish", state, finish)))
    return failure();
  return success();
}

LogicalResult
CoupledReduceOp::reifyResultShapes(OpBuilder &builder,
                                   ReifiedRankedShapedTypeDims &shapes) {
  for (Value output : getOutputs())
    shapes.push_back(tensor::getMixedSizes(builder, getLoc(), output));
  return success();
}

//===----------------------------------------------------------------------===//
// AttentionOp
//===----------------------------------------------------------------------===//

unsigned AttentionOp::getNumBatch() { return getMap(0).getNumDims() - 4; }

LogicalResult AttentionOp::verify() {
  ArrayAttr maps = getIndexingMaps();
  if (maps.size() != getNumOperands())
    return emitOpError("has ")
           << maps.size() << " maps for " << getNumOperands() << " operands";
  unsigned numDims = getMap(0).getNumDims();
  if (numDims < 4)
    return emitOpError("maps need at least 4 dimensions, but have ") << numDims;
  unsigned s = numDims - 4, t = numDims - 3, d = numDims - 2, e = numDims - 1;
  SmallVector<int64_t> sizes(numDims, ShapedType::kDynamic);
  for (auto [i, operand] : llvm::enumerate(getOperation()->getOpOperands())) {
    AffineMap map = getMap(i);
    auto type = cast<RankedTensorType>(operand.get().getType());
    if (map.getNumDims() != numDims || map.getNumSymbols() != 0 ||
        map.getNumResults() != type.getRank())
      return emitOpError("map ") << i << " must take " << numDims
                                 << " dimensions to " << type.getRank();
    bool score = i >= 3 && i + 1 < getNumOperands();
    SmallVector<bool> used(numDims, false);
    for (auto [j, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim) {
        auto constant = dyn_cast<AffineConstantExpr>(expr);
        if (score && constant && constant.getValue() == 0)
          continue;
        return emitOpError("map ")
               << i << " result " << j << " must be a dimension"
               << (score ? " or 0" : "");
      }
      unsigned p = dim.getPosition();
      if (used[p])
        return emitOpError("map ") << i << " uses dimension " << p << " twice";
      used[p] = true;
      int64_t size = type.getDimSize(j);
      if (ShapedType::isDynamic(size))
        continue;
      if (!ShapedType::isDynamic(sizes[p]) && sizes[p] != size)
        return emitOpError("operand ")
               << i << " gives dimension " << p << " the size " << size
               << ", but another operand gives " << sizes[p];
      sizes[p] = size;
    }
    // What each operand ranges over; score operands may use less.
    SmallVector<bool> wanted(numDims, true);
    wanted[s] = i != 1 && i != 2;
    wanted[t] = i != 0 && i + 1 != getNumOperands();
    wanted[d] = i == 0 || i == 1;
    wanted[e] = i == 2 || i + 1 == getNumOperands();
    for (unsigned p = 0; p < numDims; ++p)
      if (used[p] != wanted[p] && (used[p] || !score))
        return emitOpError("map ") << i << (used[p] ? " must not" : " must")
                                   << " use dimension " << p;
  }
  if (getResult().getType() != getOutput().getType())
    return emitOpError("result must have the destination's type");
  return success();
}

LogicalResult AttentionOp::verifyRegions() {
  Type element = getElementTypeOrSelf(getQueries().getType());
  Type score = element.isF64() ? element : Float32Type::get(getContext());
  SmallVector<Type> arguments{score};
  for (Value operand : getScoreOperands())
    arguments.push_back(getElementTypeOrSelf(operand.getType()));
  return verifyRegionSignature(*this, getScore(), "score", arguments, {score});
}

LogicalResult
AttentionOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(tensor::getMixedSizes(builder, getLoc(), getOutput()));
  return success();
}

//===----------------------------------------------------------------------===//
// ScatterOp
//===----------------------------------------------------------------------===//

SmallVector<int64_t> ScatterOp::getFreeDims() {
  SmallVector<int64_t> dims;
  int64_t rank = cast<RankedTensorType>(getOutput().getType()).getRank();
  for (int64_t i = 0; i < rank; ++i)
    if (!llvm::is_contained(getAxes(), i))
      dims.push_back(i);
  return dims;
}

LogicalResult ScatterOp::verify() {
  auto type = cast<RankedTensorType>(getOutput().getType());
  if (getIndices().empty() || getIndices().size() != getAxes().size())
    return emitOpError("needs one index tensor for each axis, at least one");
  llvm::SmallBitVector seen(type.getRank());
  for (int64_t axis : getAxes()) {
    if (axis < 0 || axis >= type.getRank() || seen.test(axis))
      return emitOpError("axes must be unique and in range for rank ")
             << type.getRank();
    seen.set(axis);
  }
  auto index = cast<RankedTensorType>(getIndices().front().getType());
  if (!index.getElementType().isInteger(64) &&
      !index.getElementType().isInteger(32))
    return emitOpError("indices must be i32 or i64, but are ")
           << index.getElementType();
  for (Value other : getIndices())
    if (getElementTypeOrSelf(other.getType()) != index.getElementType() ||
        failed(verifyCompatibleShape(other.getType(), index)))
      return emitOpError("index tensors must have one type, but are ")
             << index << " and " << other.getType();
  SmallVector<int64_t> shape(index.getShape());
  for (int64_t dim : getFreeDims())
    shape.push_back(type.getDimSize(dim));
  auto updates = cast<RankedTensorType>(getUpdates().getType());
  if (updates.getElementType() != type.getElementType() ||
      failed(verifyCompatibleShape(updates.getShape(), shape)))
    return emitOpError("updates must be ")
           << type.clone(shape) << ", but are " << updates;
  if (getResult().getType() != type)
    return emitOpError("result must have the destination's type");
  return success();
}

LogicalResult ScatterOp::verifyRegions() {
  Type element = getElementTypeOrSelf(getOutput().getType());
  return verifyRegionSignature(*this, getCombine(), "combine",
                               {element, element}, {element});
}

LogicalResult
ScatterOp::reifyResultShapes(OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(tensor::getMixedSizes(builder, getLoc(), getOutput()));
  return success();
}
