//===- DepthwiseTile.cpp - The taps of a tile, and its epilogue -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/BodyEmitter.h"
#include "conversion/KernelToCPU/DepthwiseEmitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <map>

using namespace mlir;
using namespace ourc;

/// `size` pixels by `vectors` vectors of channels.
void DepthwiseEmitter::emitTile(const Tile &tile, const Block &block) {
  Value a = code.address(abi.getPointer(nest.a.argument), getOffset(nest.a),
                         nest.aType);
  Value bOffset;
  if (nest.packedTile != 0) {
    Value channel = std::exchange(at[depthwise.channel], nullptr);
    bOffset = code.add(getOffset(nest.b),
                       code.mul(block.index, code.product(nest.panelStride)));
    at[depthwise.channel] = channel;
  } else {
    bOffset = getOffset(nest.b);
  }
  Value b = code.address(abi.getPointer(nest.b.argument), bOffset, nest.bType);
  TypedAttr start = nest.initValue;
  if (auto number = dyn_cast<FloatAttr>(start))
    start = FloatAttr::get(nest.accType, number.getValueAsDouble());
  Sums sums(tile.size * vectors, code.splat(start));
  emitEpilogue(tile, block, emitTaps(tile, block, 0, a, b, sums));
}

//===----------------------------------------------------------------------===//
// Taps
//===----------------------------------------------------------------------===//

std::pair<Value, Value>
DepthwiseEmitter::getClipped(const ContractionNest::Padding &padding) {
  Value zero = code.constant(0), step = code.constant(padding.kStep);
  Value position = at[padding.m] ? at[padding.m] : zero;
  Value first = code.sub(code.mul(position, code.constant(padding.mStep)),
                         code.constant(padding.low));
  Value below = code.max(code.sub(zero, first), zero);
  Value inside = code.max(code.sub(code.product(padding.size), first), zero);
  return {code.ceilDiv(below, step),
          code.min(getSize(padding.k), code.ceilDiv(inside, step))};
}

/// The loops over taps that do not go along the row, then those that do.
DepthwiseEmitter::Sums DepthwiseEmitter::emitTaps(const Tile &tile,
                                                  const Block &block,
                                                  unsigned position, Value a,
                                                  Value b, Sums sums) {
  if (position == depthwise.taps.size())
    return tile.clipped ? emitClippedRow(block, a, b, sums)
                        : emitRowOfTaps(tile, block, a, b, sums);
  unsigned loop = depthwise.taps[position];
  Value begin = code.constant(0), end = getSize(loop);
  for (const ContractionNest::Padding &padding : nest.padding)
    if (padding.k == loop)
      std::tie(begin, end) = getClipped(padding);
  return code.loop(begin, end, 1, sums, [&](Value k, ValueRange carried) {
    Value aHere = code.address(
        a, code.mul(k, code.product(nest.a.strides[loop])), nest.aType);
    Value bHere = code.address(
        b, code.mul(k, code.product(nest.b.strides[loop])), nest.bType);
    return emitTaps(tile, block, position + 1, aHere, bHere, Sums(carried));
  });
}

/// One vector of the weights of a tap.
Value DepthwiseEmitter::loadWeight(const Block &block, Value b,
                                   int64_t vector) {
  // Packed weights are whole; elsewhere the tail is not there.
  bool packed = nest.packedTile != 0;
  Value stride = packed ? code.constant(1)
                        : code.product(nest.b.strides[depthwise.channel]);
  Value address = code.address(
      b, code.mul(code.constant(vector * lanes), stride), nest.bType);
  Value weight = code.loadStrided(address, nest.bType, stride,
                                  packed ? Value() : block.masks[vector]);
  return code.convert(weight, nest.accType);
}

Value DepthwiseEmitter::loadInput(const Block &block, Value a, int64_t vector) {
  return code.convert(
      code.loadVector(code.address(a, vector * lanes, nest.aType), nest.aType,
                      block.masks[vector]),
      nest.accType);
}

/// The taps along a row: the weights are loaded once, and each vector of the
/// input once for all pixels that it belongs to.
DepthwiseEmitter::Sums DepthwiseEmitter::emitRowOfTaps(const Tile &tile,
                                                       const Block &block,
                                                       Value a, Value b,
                                                       Sums sums) {
  int64_t numTaps = depthwise.getNumColumnTaps();
  // Which (pixel, tap) read which pixel of the input.
  std::map<int64_t, SmallVector<std::pair<int64_t, int64_t>>> readers;
  for (int64_t i = 0; i < tile.size; ++i)
    for (int64_t k = 0; k < numTaps; ++k)
      if (!tile.padded[k][i])
        readers[i * depthwise.columnStep + k * depthwise.tapStep].push_back(
            {i, k});
  Value zero = code.constant(0);
  // From one pixel of the input to the next, and from one tap to the next.
  Value inputStride = zero;
  if (depthwise.columnTap)
    inputStride = code.div(code.product(nest.a.strides[*depthwise.columnTap]),
                           code.constant(depthwise.tapStep));
  else if (depthwise.column)
    inputStride = code.div(code.product(nest.a.strides[*depthwise.column]),
                           code.constant(depthwise.columnStep));
  Value weightStride = depthwise.columnTap
                           ? code.product(nest.b.strides[*depthwise.columnTap])
                           : zero;
  for (int64_t v = 0; v < vectors; ++v) {
    SmallVector<Value> weights;
    for (int64_t k = 0; k < numTaps; ++k)
      weights.push_back(loadWeight(
          block,
          code.address(b, code.mul(code.constant(k), weightStride), nest.bType),
          v));
    for (auto &[column, sharers] : readers) {
      Value input = loadInput(
          block,
          code.address(a, code.mul(code.constant(column), inputStride),
                       nest.aType),
          v);
      for (auto [i, k] : sharers) {
        Value &sum = sums[i * vectors + v];
        sum = vector::FMAOp::create(code.builder, code.loc, input, weights[k],
                                    sum);
      }
    }
  }
  return sums;
}

/// The taps of one pixel that do not read padding.
DepthwiseEmitter::Sums DepthwiseEmitter::emitClippedRow(const Block &block,
                                                        Value a, Value b,
                                                        Sums sums) {
  auto *padding = llvm::find_if(nest.padding, [&](const auto &candidate) {
    return candidate.m == *depthwise.column;
  });
  auto [begin, end] = getClipped(*padding);
  unsigned loop = padding->k;
  return code.loop(begin, end, 1, sums, [&](Value k, ValueRange carried) {
    Value aHere = code.address(
        a, code.mul(k, code.product(nest.a.strides[loop])), nest.aType);
    Value bHere = code.address(
        b, code.mul(k, code.product(nest.b.strides[loop])), nest.bType);
    Sums next(carried);
    for (int64_t v = 0; v < vectors; ++v)
      next[v] = vector::FMAOp::create(code.builder, code.loc,
                                      loadInput(block, aHere, v),
                                      loadWeight(block, bHere, v), next[v]);
    return next;
  });
}

//===----------------------------------------------------------------------===//
// Epilogue
//===----------------------------------------------------------------------===//

Value DepthwiseEmitter::getColumnStride(const LinearAccess &access) {
  return depthwise.column ? code.product(access.strides[*depthwise.column])
                          : code.constant(0);
}

/// The address of a vector of elements, `pixel` pixels into the tile.
Value DepthwiseEmitter::getAddress(const LinearAccess &access, Value pixel,
                                   int64_t vector) {
  Type element =
      cast<RankedTensorType>(access.argument.getType()).getElementType();
  Value address =
      code.address(abi.getPointer(access.argument), getOffset(access), element);
  address =
      code.address(address, code.mul(pixel, getColumnStride(access)), element);
  Value stride = code.product(access.strides[depthwise.channel]);
  return code.address(address, code.mul(code.constant(vector * lanes), stride),
                      element);
}

Value DepthwiseEmitter::readOperand(const Block &block,
                                    const LinearAccess &access, Value pixel,
                                    int64_t vector) {
  Type element =
      cast<RankedTensorType>(access.argument.getType()).getElementType();
  Value address = getAddress(access, pixel, vector);
  Value stride = code.product(access.strides[depthwise.channel]);
  if (CodeBuilder::getConstant(stride) == 0)
    return code.load(address, element);
  return code.loadStrided(address, element, stride, block.masks[vector]);
}

/// Loads what does not depend on the pixel, such as a bias, once for a tile.
void DepthwiseEmitter::loadShared(const Block &block, Shared &shared) {
  for (ContractionNest::Epilogue &epilogue : nest.epilogues)
    for (auto [operand, access] :
         llvm::zip(epilogue.op.getDpsInputOperands(), epilogue.operands)) {
      if (!access)
        continue;
      if (CodeBuilder::getConstant(getColumnStride(*access)) != 0)
        continue;
      for (int64_t v = 0; v < vectors; ++v)
        shared[{operand, v}] = readOperand(block, *access, code.constant(0), v);
    }
}

/// Whether a copy of the epilogue for each vector of a tile would be much code.
bool DepthwiseEmitter::isEpilogueLong() {
  int64_t length = 0;
  for (ContractionNest::Epilogue &epilogue : nest.epilogues)
    for (Operation &op : *epilogue.op.getBlock())
      length += isa<math::MathDialect>(op.getDialect()) ? 20 : 1;
  return length > 10;
}

void DepthwiseEmitter::emitEpilogue(const Tile &tile, const Block &block,
                                    ArrayRef<Value> sums) {
  Shared shared;
  loadShared(block, shared);
  if (!isEpilogueLong() || tile.size == 1) {
    for (int64_t i = 0; i < tile.size; ++i)
      for (int64_t v = 0; v < vectors; ++v)
        emitElements(block, code.constant(i), v, sums[i * vectors + v], shared);
    return;
  }
  // The tile goes through memory (L1), so that the epilogue's code is there
  // once a vector of one pixel.
  int64_t pixelElements = vectors * lanes;
  Value buffer = code.stack(nest.accType, tile.size * pixelElements);
  for (auto [i, sum] : llvm::enumerate(sums))
    code.storeVector(sum, code.address(buffer, i * lanes, nest.accType));
  code.loop(code.constant(0), code.constant(tile.size), 1, [&](Value i) {
    Value pixel = code.address(
        buffer, code.mul(i, code.constant(pixelElements)), nest.accType);
    for (int64_t v = 0; v < vectors; ++v)
      emitElements(block, i, v,
                   code.loadVector(code.address(pixel, v * lanes, nest.accType),
                                   nest.accType),
                   shared);
  });
}

/// Takes one vector of sums through the epilogues and stores the results.
void DepthwiseEmitter::emitElements(const Block &block, Value pixel,
                                    int64_t vector, Value sum,
                                    const Shared &shared) {
  llvm::SmallDenseMap<Value, Value> values;
  Value result = nest.op->getResult(0);
  values[result] = code.convert(sum, getElementTypeOrSelf(result));
  for (ContractionNest::Epilogue &epilogue : nest.epilogues) {
    SmallVector<Value> arguments;
    for (auto [operand, access] :
         llvm::zip(epilogue.op.getDpsInputOperands(), epilogue.operands)) {
      Value value = values.lookup(operand->get());
      if (!value && access)
        value = shared.lookup({operand, vector});
      if (!value && access)
        value = readOperand(block, *access, pixel, vector);
      if (!value)
        value = abi.getConstant(ContractionNest::getSplat(operand->get()));
      arguments.push_back(value);
    }
    // Destinations are not read.
    for (OpOperand &init : epilogue.op.getDpsInitsMutable())
      arguments.push_back(code.zero(getElementTypeOrSelf(init.get())));
    BodyEmitter body(code.builder, lanes);
    FailureOr<SmallVector<Value>> outputs =
        body.emit(*epilogue.op.getBlock(), arguments);
    if (failed(outputs)) {
      anyError = true;
      return;
    }
    for (auto [tensor, value] : llvm::zip(epilogue.op->getResults(), *outputs))
      values[tensor] = body.toVector(code.loc, value);
  }
  for (ContractionNest::Result &stored : nest.results)
    code.storeVector(values.lookup(stored.value),
                     getAddress(stored.access, pixel, vector),
                     block.masks[vector]);
}
