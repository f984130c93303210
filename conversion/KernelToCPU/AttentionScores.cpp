//===- AttentionScores.cpp - The scores of a block of keys ----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/AttentionEmitter.h"
#include "conversion/KernelToCPU/BodyEmitter.h"
#include "conversion/KernelToCPU/OperandReader.h"
#include "conversion/KernelToCPU/PairDot.h"
#include "strategy/cpu/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ourc;

/// Scores of the tile and the block, [size][kb]; -inf beyond the block's last
/// key up to a whole vector. The maxima of each lane go to scratch memory too.
void AttentionEmitter::emitScores(const Tile &tile, const Block &block) {
  Value width = code.constant(panelWidth);
  Value firstPanel = code.div(block.first, width);
  Value wholePanels = code.div(block.size, width);
  auto getPanel = [&](Value panel) {
    return code.address(keys,
                        code.mul(code.add(firstPanel, panel),
                                 code.constant(steps * panelWidth)),
                        type);
  };
  Value lowest = splat(-std::numeric_limits<double>::infinity());
  SmallVector<Value> most(tile.size, lowest);
  auto emitPanels = [&](Value begin, Value end, bool causal) {
    most = code.loop(begin, end, 1, most, [&](Value panel, ValueRange carried) {
      Value key = code.mul(panel, width);
      return emitScorePanel(tile, getPanel(panel), code.add(block.first, key),
                            code.address(scores, key, type), vectors, {},
                            causal, carried);
    });
  };
  // Panels of keys that are before every row need no comparison.
  bool causal = nest.op.getCausal();
  Value firstCausal = wholePanels;
  if (causal) {
    Value before =
        code.sub(code.add(tile.firstRow, code.constant(1)), block.first);
    before = code.max(before, code.constant(0));
    firstCausal = code.min(wholePanels, code.div(before, width));
  }
  emitPanels(code.constant(0), firstCausal, false);
  if (causal)
    emitPanels(firstCausal, wholePanels, true);
  // The rest, vector by vector: not even half a panel of work is wasted.
  Value lanesHere = code.constant(lanes);
  Value firstVector = code.mul(wholePanels, code.constant(vectors));
  most = code.loop(
      firstVector, code.ceilDiv(block.size, lanesHere), 1, most,
      [&](Value vector, ValueRange carried) {
        Value key = code.mul(vector, lanesHere);
        Value column = code.mul(code.sub(vector, firstVector), lanesHere);
        return emitScorePanel(
            tile, code.address(getPanel(wholePanels), column, type),
            code.add(block.first, key), code.address(scores, key, type), 1,
            code.mask(code.sub(block.size, key)), causal, carried);
      });
  for (auto [i, value] : llvm::enumerate(most))
    code.storeVector(value, vectorOfRow(laneMaxima, i));
}

/// Scores for `numVectors` vectors of keys from `key` on.
SmallVector<Value>
AttentionEmitter::emitScorePanel(const Tile &tile, Value panel, Value key,
                                 Value target, int64_t numVectors, Value mask,
                                 bool causal, ValueRange maximaSoFar) {
  Type element =
      cast<RankedTensorType>(nest.queries.argument.getType()).getElementType();
  Value rowStride = code.product(nest.queries.strides[nest.s()]);
  Value featureStride = code.product(nest.queries.strides[nest.d()]);
  auto emitStep = [&](Value step, PairHalves halves, ValueRange carried) {
    SmallVector<Value> next(carried);
    Value row =
        code.address(panel, code.mul(step, code.constant(panelWidth)), type);
    SmallVector<Value> columns;
    for (int64_t v = 0; v < numVectors; ++v) {
      Value from = code.address(row, v * lanes, type);
      columns.push_back(pairs ? loadPairs(code, from)
                              : code.loadVector(from, type));
    }
    Value feature = pairs ? code.mul(step, code.constant(2)) : step;
    Value query =
        code.address(tile.queries, code.mul(feature, featureStride), element);
    for (int64_t i = 0; i < tile.size; ++i) {
      Value from =
          code.address(query, code.mul(rowStride, code.constant(i)), element);
      Value factor =
          pairs ? loadPairSplat(code, from, featureStride, halves)
                : code.broadcast(code.convert(code.load(from, element), type));
      for (int64_t v = 0; v < numVectors; ++v) {
        Value &sum = next[i * numVectors + v];
        sum = pairs
                  ? emitPairDot(code.builder, code.loc, sum, factor, columns[v])
                  : vector::FMAOp::create(code.builder, code.loc, factor,
                                          columns[v], sum);
      }
    }
    return next;
  };
  SmallVector<Value> products(tile.size * numVectors, code.zero(type));
  products = code.loop(code.constant(0), code.constant(pairs ? d / 2 : d), 1,
                       products, [&](Value step, ValueRange carried) {
                         return emitStep(step, PairHalves::Both, carried);
                       });
  if (pairs && d % 2 != 0)
    products = emitStep(code.constant(d / 2), PairHalves::First, products);

  // Scores in f32 are stored as exponents of two.
  double log2e = type.isF32() ? 1.44269504088896340736 : 1;
  Value scale =
      splat(nest.op.getScale().convertToDouble() * (isPlain ? log2e : 1));
  Value lowest = splat(-std::numeric_limits<double>::infinity());
  SmallVector<Value> most(maximaSoFar);
  for (int64_t i = 0; i < tile.size; ++i) {
    Value row = code.add(tile.firstRow, code.constant(i));
    for (int64_t v = 0; v < numVectors; ++v) {
      Value score = arith::MulFOp::create(code.builder, code.loc,
                                          products[i * numVectors + v], scale);
      Value here = code.add(key, code.constant(v * lanes));
      if (!isPlain) {
        score = emitScoreRegion(score, row, here, mask);
        if (log2e != 1)
          score = arith::MulFOp::create(code.builder, code.loc, score,
                                        splat(log2e));
      }
      auto keepWhere = [&](Value on) {
        score =
            arith::SelectOp::create(code.builder, code.loc, on, score, lowest);
      };
      if (causal)
        // Keys up to the row's own.
        keepWhere([&] {
          Value count = code.add(code.sub(row, here), code.constant(1));
          Value on = code.mask(count);
          return on ? on : code.allLanes();
        }());
      if (mask)
        keepWhere(mask);
      most[i] = emitMax(most[i], score);
      code.storeVector(score, code.address(target, i * kb + v * lanes, type));
    }
  }
  return most;
}

Value AttentionEmitter::readScoreOperand(unsigned operand, Value row, Value key,
                                         Value mask) {
  Value tensor = nest.op.getScoreOperands()[operand];
  if (TypedAttr value = ContractionNest::getSplat(tensor))
    return abi.getConstant(value);
  if (const std::optional<LinearAccess> &access = nest.scoreOperands[operand]) {
    Type element =
        cast<RankedTensorType>(access->argument.getType()).getElementType();
    Value stride = code.product(access->strides[nest.t()]);
    Value offset = getOffset(*access);
    offset = code.add(offset,
                      code.mul(row, code.product(access->strides[nest.s()])));
    offset = code.add(offset, code.mul(key, stride));
    Value address =
        code.address(abi.getPointer(access->argument), offset, element);
    if (CodeBuilder::getConstant(stride) == 0)
      return code.load(address, element);
    return code.loadStrided(address, element, stride, mask);
  }
  SmallVector<LaneIndex> indices;
  for (AffineExpr expr : nest.op.getMap(3 + operand).getResults()) {
    LaneIndex index;
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      unsigned loop = dim.getPosition();
      index = LaneIndex(loop == nest.s()   ? row
                        : loop == nest.t() ? key
                                           : at[loop],
                        loop == nest.t());
    }
    indices.push_back(index);
  }
  OperandReader reader(abi, lanes);
  FailureOr<Value> value =
      reader.read(code.builder, code.loc, tensor, indices, mask);
  if (succeeded(value))
    return *value;
  anyError = true;
  return code.zero(getElementTypeOrSelf(tensor));
}

Value AttentionEmitter::emitScoreRegion(Value score, Value row, Value key,
                                        Value mask) {
  mlir::Block &region = nest.op.getScore().front();
  SmallVector<Value> arguments{score};
  for (unsigned i = 0, n = nest.scoreOperands.size(); i < n; ++i)
    arguments.push_back(readScoreOperand(i, row, key, mask));
  BodyEmitter body(code.builder, lanes);
  FailureOr<SmallVector<Value>> results = body.emit(region, arguments);
  if (succeeded(results))
    return body.toVector(code.loc, results->front());
  anyError = true;
  return score;
}
