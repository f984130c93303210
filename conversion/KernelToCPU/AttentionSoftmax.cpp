//===- AttentionSoftmax.cpp - From scores to the result of attention ------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/AttentionEmitter.h"
#include "conversion/KernelToCPU/PairDot.h"
#include "conversion/common/FloatBuilder.h"
#include "conversion/common/MathCoefficients.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ourc;

Value AttentionEmitter::splat(double value) {
  return code.splat(FloatAttr::get(type, value));
}

/// The greater one; one comparison, so a NaN may be lost: it comes back through
/// the row's sum.
Value AttentionEmitter::emitMax(Value a, Value b) {
  Value greater = arith::CmpFOp::create(code.builder, code.loc,
                                        arith::CmpFPredicate::OGT, a, b);
  return arith::SelectOp::create(code.builder, code.loc, greater, a, b);
}

Value AttentionEmitter::emitAdd(Value a, Value b) {
  return arith::AddFOp::create(code.builder, code.loc, a, b);
}

/// A tree: lanes meet those half as far away each time.
Value AttentionEmitter::reduce(Value vector,
                               function_ref<Value(Value, Value)> combine) {
  for (int64_t distance = lanes / 2; distance > 0; distance /= 2) {
    SmallVector<int64_t> partners;
    for (int64_t lane = 0; lane < lanes; ++lane)
      partners.push_back(lane ^ distance);
    Value other = vector::ShuffleOp::create(code.builder, code.loc, vector,
                                            vector, partners);
    vector = combine(vector, other);
  }
  return vector;
}

/// In f32 scores are exponents of two: 2^n (2^r) with n + r = x, |r| <= 1/2; 0
/// from 2^-127 on. In f64: the library's exponential.
Value AttentionEmitter::emitWeight(Value score, Value reference) {
  FloatBuilder m(code.builder, code.loc, score.getType());
  Value x = m.sub(score, reference);
  if (!type.isF32())
    return math::ExpOp::create(code.builder, code.loc, x);
  // -127 is an integer: its weight has the exponent and the fraction of zero.
  // A NaN goes on.
  x = m.select(m.lt(x, m.f(-127.0)), m.f(-127.0), x);
  // Adding 1.5 * 2^23 rounds to an integer, which is then in the low bits.
  Value shifted = m.add(x, m.f(12582912.0));
  Value r = m.sub(x, m.sub(shifted, m.f(12582912.0)));
  Value p = m.fma(m.poly<float>(r, coefficients::kExp2), r, m.f(1.0));
  return m.fromBits(m.iadd(m.toBits(p), m.shl(m.toBits(shifted), 23)));
}

/// Replaces the scores by weights relative to the greatest score so far, and
/// scales what was summed before to the same.
void AttentionEmitter::emitSoftmax(const Tile &tile, const Block &block) {
  Value numVectors = code.ceilDiv(block.size, code.constant(lanes));
  // The sums and references of some rows and the polynomial fit the registers.
  bool isWide = lanes * type.getIntOrFloatBitWidth() == 512;
  int64_t groups = llvm::divideCeil(tile.size, isWide ? 7 : 3);
  for (int64_t group = 0, first = 0; group < groups; ++group) {
    int64_t count = tile.size / groups + (group < tile.size % groups ? 1 : 0);
    emitSoftmaxRows(first, count, numVectors);
    first += count;
  }
}

void AttentionEmitter::emitSoftmaxRows(int64_t first, int64_t count,
                                       Value numVectors) {
  Value lowest = splat(-std::numeric_limits<double>::infinity());
  SmallVector<Value> before(count), reference(count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t row = first + i;
    Value most = reduce(code.loadVector(vectorOfRow(laneMaxima, row), type),
                        [&](Value a, Value b) { return emitMax(a, b); });
    if (!oneBlock) {
      before[i] = code.loadVector(vectorOfRow(maxima, row), type);
      most = emitMax(before[i], most);
      code.storeVector(most, vectorOfRow(maxima, row));
    }
    // Where all is masked so far, -inf - -inf would be no number.
    Value masked = arith::CmpFOp::create(
        code.builder, code.loc, arith::CmpFPredicate::OEQ, most, lowest);
    reference[i] =
        arith::SelectOp::create(code.builder, code.loc, masked, splat(0), most);
  }
  SmallVector<Value> totals =
      code.loop(code.constant(0), numVectors, 1,
                SmallVector<Value>(count, code.zero(type)),
                [&](Value v, ValueRange carried) {
                  SmallVector<Value> next(carried);
                  Value column = code.mul(v, code.constant(lanes));
                  Value from = code.address(scores, column, type);
                  Type bf16 = code.builder.getBF16Type();
                  Value to = pairs ? code.address(weights, column, bf16) : from;
                  for (int64_t i = 0; i < count; ++i) {
                    int64_t row = (first + i) * kb;
                    Value score =
                        code.loadVector(code.address(from, row, type), type);
                    Value weight = emitWeight(score, reference[i]);
                    next[i] = emitAdd(next[i], weight);
                    if (pairs)
                      code.storeVector(code.convert(weight, bf16),
                                       code.address(to, row, bf16));
                    else
                      code.storeVector(weight, code.address(to, row, type));
                  }
                  return next;
                });
  for (int64_t i = 0; i < count; ++i) {
    int64_t row = first + i;
    Value total =
        reduce(totals[i], [&](Value a, Value b) { return emitAdd(a, b); });
    Value sum = vectorOfRow(sums, row);
    if (oneBlock) {
      code.storeVector(total, sum);
      continue;
    }
    Value factor = emitWeight(before[i], reference[i]);
    Value kept = arith::MulFOp::create(code.builder, code.loc,
                                       code.loadVector(sum, type), factor);
    code.storeVector(emitAdd(kept, total), sum);
    for (int64_t v = 0; v < resultWidth; v += lanes) {
      Value address = code.address(result, row * resultWidth + v, type);
      code.storeVector(arith::MulFOp::create(code.builder, code.loc,
                                             code.loadVector(address, type),
                                             factor),
                       address);
    }
  }
}

/// Adds the block's weights times its values to the tile's result; where it is
/// the only block, that is the result.
void AttentionEmitter::emitWeightedValues(const Tile &tile,
                                          const Block &block) {
  Type element = getElementTypeOrSelf(nest.values.argument);
  Value keyStride = code.product(nest.values.strides[nest.t()]);
  Value featureStride = code.product(nest.values.strides[nest.e()]);
  Value count = block.size;
  Value base;
  if (pairs) {
    count = code.ceilDiv(count, code.constant(2));
    Value firstPair = code.div(block.first, code.constant(2));
    base = code.address(values, code.mul(firstPair, code.constant(resultWidth)),
                        type);
  } else {
    base = code.address(
        abi.getPointer(nest.values.argument),
        code.add(getOffset(nest.values), code.mul(block.first, keyStride)),
        element);
  }
  for (int64_t first = 0; first < e; first += vectors * lanes) {
    int64_t width = std::min(e - first, vectors * lanes);
    int64_t numVectors = llvm::divideCeil(width, lanes);
    auto forAll = [&](function_ref<void(int64_t, int64_t, Value &)> body,
                      MutableArrayRef<Value> totals) {
      for (int64_t i = 0; i < tile.size; ++i)
        for (int64_t v = 0; v < numVectors; ++v)
          body(i, first + v * lanes, totals[i * numVectors + v]);
    };
    auto getPartial = [&](int64_t row, int64_t column) {
      return code.address(result, row * resultWidth + column, type);
    };
    SmallVector<Value> totals(tile.size * numVectors, code.zero(type));
    if (!oneBlock)
      forAll(
          [&](int64_t row, int64_t column, Value &total) {
            total = code.loadVector(getPartial(row, column), type);
          },
          totals);
    auto loadColumn = [&](Value step, int64_t column, int64_t width) {
      if (pairs)
        return loadPairs(
            code,
            code.address(
                code.address(base, code.mul(step, code.constant(resultWidth)),
                             type),
                column, type));
      Value row = code.address(base, code.mul(step, keyStride), element);
      Value offset = code.mul(featureStride, code.constant(column));
      Value vector =
          code.loadStrided(code.address(row, offset, element), element,
                           featureStride, code.mask(std::min(lanes, width)));
      return code.convert(vector, type);
    };
    totals = code.loop(
        code.constant(0), count, 1, totals,
        [&](Value step, ValueRange carried) {
          SmallVector<Value> next(carried);
          SmallVector<Value> columns;
          for (int64_t v = 0; v < numVectors; ++v)
            columns.push_back(
                loadColumn(step, first + v * lanes, width - v * lanes));
          Type bf16 = code.builder.getBF16Type();
          Value from =
              pairs ? code.address(weights, code.mul(step, code.constant(2)),
                                   bf16)
                    : code.address(scores, step, type);
          for (int64_t i = 0; i < tile.size; ++i) {
            Value weight =
                pairs ? loadPairSplat(code, code.address(from, i * kb, bf16))
                      : code.broadcast(
                            code.load(code.address(from, i * kb, type), type));
            for (int64_t v = 0; v < numVectors; ++v) {
              Value &total = next[i * numVectors + v];
              total = pairs ? emitPairDot(code.builder, code.loc, total, weight,
                                          columns[v])
                            : vector::FMAOp::create(code.builder, code.loc,
                                                    weight, columns[v], total);
            }
          }
          return next;
        });
    if (!oneBlock) {
      forAll(
          [&](int64_t row, int64_t column, Value &total) {
            code.storeVector(total, getPartial(row, column));
          },
          totals);
      continue;
    }
    for (int64_t i = 0; i < tile.size; ++i) {
      Value sum = code.loadVector(vectorOfRow(sums, i), type);
      for (int64_t v = 0; v < numVectors; ++v)
        storeResult(tile, code.constant(i), first + v * lanes,
                    totals[i * numVectors + v], sum);
    }
  }
}

/// Stores a vector of the result: `value` divided by the sum of weights. A row
/// whose scores are all -inf has the sum 0, so it is not a number, or zero
/// where the operation says so.
void AttentionEmitter::storeResult(const Tile &tile, Value row, int64_t column,
                                   Value value, Value sum) {
  Type element = getElementTypeOrSelf(nest.result.argument);
  const LinearAccess &access = nest.result;
  Value featureStride = code.product(access.strides[nest.e()]);
  Value base =
      code.address(abi.getPointer(access.argument), getOffset(access), element);
  Value offset = code.mul(code.add(tile.firstRow, row),
                          code.product(access.strides[nest.s()]));
  offset = code.add(offset, code.mul(featureStride, code.constant(column)));
  Value inverse = arith::DivFOp::create(code.builder, code.loc, splat(1), sum);
  value = arith::MulFOp::create(code.builder, code.loc, value, inverse);
  if (nest.op.getZeroMaskedRows()) {
    Value empty = arith::CmpFOp::create(
        code.builder, code.loc, arith::CmpFPredicate::OEQ, sum, splat(0));
    value =
        arith::SelectOp::create(code.builder, code.loc, empty, splat(0), value);
  }
  code.storeStrided(code.convert(value, element),
                    code.address(base, offset, element), featureStride,
                    code.mask(std::min(lanes, e - column)));
}

void AttentionEmitter::emitResult(const Tile &tile) {
  code.loop(code.constant(0), code.constant(tile.size), 1, [&](Value i) {
    Value sum = code.loadVector(
        code.address(sums, code.mul(i, code.constant(lanes)), type), type);
    Value partial =
        code.address(result, code.mul(i, code.constant(resultWidth)), type);
    for (int64_t v = 0; v < e; v += lanes)
      storeResult(tile, i, v,
                  code.loadVector(code.address(partial, v, type), type), sum);
  });
}
