//===- ContractionEpilogue.cpp - Elementwise operations on a tile ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/BodyEmitter.h"
#include "conversion/KernelToCPU/ContractionEmitter.h"
#include "conversion/KernelToCPU/OperandReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace ourc;

/// Whether a copy of the epilogue for each vector of a tile would be much code.
bool ContractionEmitter::isEpilogueLong() {
  int64_t length = 0;
  for (ContractionNest::Epilogue &epilogue : nest.epilogues) {
    for (Operation &op : *epilogue.op.getBlock())
      length += isa<math::MathDialect>(op.getDialect()) ? 20 : 1;
    for (std::optional<LinearAccess> &operand : epilogue.operands)
      if (operand && columnLoop && !operand->strides[*columnLoop].isZero() &&
          !operand->strides[*columnLoop].isOne())
        length += lanes;
  }
  for (ContractionNest::Result &result : nest.results)
    if (columnLoop && !result.access.strides[*columnLoop].isOne())
      length += lanes;
  return length > 10;
}

void ContractionEmitter::emitEpilogue(const Panel &panel, const Tile &tile,
                                      ArrayRef<Value> sums) {
  if (!isEpilogueLong() || tile.size == 1) {
    for (int64_t i = 0; i < tile.size; ++i)
      for (int64_t v = 0; v < panel.vectors; ++v)
        emitElements(panel, code.constant(i), v, sums[i * panel.vectors + v]);
    return;
  }
  // The tile goes through memory (L1), so that the epilogue's code is there
  // once a vector of one row.
  int64_t rowElements = panel.vectors * lanes;
  Value buffer = code.stack(nest.accType, tile.size * rowElements);
  for (auto [i, sum] : llvm::enumerate(sums))
    code.storeVector(sum, code.address(buffer, i * lanes, nest.accType));
  code.loop(code.constant(0), code.constant(tile.size), 1, [&](Value i) {
    Value row = code.address(buffer, code.mul(i, code.constant(rowElements)),
                             nest.accType);
    for (int64_t v = 0; v < panel.vectors; ++v)
      emitElements(panel, i, v,
                   code.loadVector(code.address(row, v * lanes, nest.accType),
                                   nest.accType));
  });
}

/// The address of a vector of elements, `row` rows into the tile.
Value ContractionEmitter::getAddress(const LinearAccess &access, Type element,
                                     Value row, int64_t vector) {
  Value address =
      code.address(abi.getPointer(access.argument), getOffset(access), element);
  if (rowLoop)
    address = code.address(
        address, code.mul(row, code.product(access.strides[*rowLoop])),
        element);
  if (columnLoop)
    address = code.address(address,
                           code.mul(code.constant(vector * lanes),
                                    code.product(access.strides[*columnLoop])),
                           element);
  return address;
}

/// An operand of an epilogue that does not come from the contraction.
Value ContractionEmitter::readOperand(const Panel &panel, Value row,
                                      int64_t vector,
                                      ContractionNest::Epilogue &epilogue,
                                      unsigned operand) {
  Value tensor = epilogue.op.getDpsInputs()[operand];
  if (TypedAttr value = ContractionNest::getSplat(tensor))
    return abi.getConstant(value);
  if (const std::optional<LinearAccess> &access = epilogue.operands[operand]) {
    Type element =
        cast<RankedTensorType>(access->argument.getType()).getElementType();
    Value stride = columnLoop ? code.product(access->strides[*columnLoop])
                              : code.constant(0);
    Value address = getAddress(*access, element, row, vector);
    if (CodeBuilder::getConstant(stride) == 0)
      return code.load(address, element);
    return code.loadStrided(address, element, stride, panel.masks[vector]);
  }
  // Computed in the kernel.
  AffineMap map = epilogue.op.getMatchingIndexingMap(
      epilogue.op.getDpsInputOperand(operand));
  SmallVector<LaneIndex> indices;
  for (AffineExpr expr : map.getResults()) {
    Value base = code.constant(0);
    int64_t step = 0;
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      base = code.constant(constant.getValue());
    } else if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      unsigned loop = epilogue.loops[dim.getPosition()];
      if (at[loop])
        base = at[loop];
      if (rowLoop && loop == *rowLoop)
        base = code.add(base, row);
      if (columnLoop && loop == *columnLoop) {
        base = code.add(base, code.constant(vector * lanes));
        step = 1;
      }
    } else {
      epilogue.op.emitError("an operand computed in the kernel is indexed by "
                            "more than single loops");
      anyError = true;
    }
    indices.push_back(LaneIndex(base, step));
  }
  OperandReader reader(abi, lanes);
  FailureOr<Value> value =
      reader.read(code.builder, code.loc, tensor, indices, panel.masks[vector]);
  if (succeeded(value))
    return *value;
  anyError = true;
  return code.zero(getElementTypeOrSelf(tensor));
}

/// Takes one vector of sums through the epilogues and stores the results.
void ContractionEmitter::emitElements(const Panel &panel, Value row,
                                      int64_t vector, Value sum) {
  llvm::SmallDenseMap<Value, Value> values;
  Value result = nest.op->getResult(0);
  values[result] = code.convert(sum, getElementTypeOrSelf(result));
  auto getIndex = [&](unsigned loop) -> LaneIndex {
    Value index = at[loop] ? at[loop] : code.constant(0);
    if (rowLoop && loop == *rowLoop)
      index = code.add(index, row);
    if (!columnLoop || loop != *columnLoop)
      return index;
    return LaneIndex(code.add(index, code.constant(vector * lanes)), 1);
  };
  for (ContractionNest::Epilogue &epilogue : nest.epilogues) {
    SmallVector<Value> arguments;
    for (OpOperand *operand : epilogue.op.getDpsInputOperands()) {
      Value known = values.lookup(operand->get());
      arguments.push_back(known ? known
                                : readOperand(panel, row, vector, epilogue,
                                              operand->getOperandNumber()));
    }
    // Destinations are not read.
    for (OpOperand &init : epilogue.op.getDpsInitsMutable())
      arguments.push_back(code.zero(getElementTypeOrSelf(init.get())));
    BodyEmitter body(code.builder, lanes);
    FailureOr<SmallVector<Value>> outputs =
        body.emit(*epilogue.op.getBlock(), arguments,
                  [&](int64_t dim) { return getIndex(epilogue.loops[dim]); });
    if (failed(outputs)) {
      anyError = true;
      return;
    }
    for (auto [tensor, value] : llvm::zip(epilogue.op->getResults(), *outputs))
      values[tensor] = body.toVector(code.loc, value);
  }
  for (ContractionNest::Result &stored : nest.results) {
    Value value = values.lookup(stored.value);
    Type element = getElementTypeOrSelf(value.getType());
    Value stride = columnLoop ? code.product(stored.access.strides[*columnLoop])
                              : code.constant(1);
    code.storeStrided(value, getAddress(stored.access, element, row, vector),
                      stride, panel.masks[vector]);
  }
}
