//===- AttentionSoftmax.cpp - From scores to the result of attention ------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/AttentionEmitter.h"
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

/// All lanes combined, as a tree.
Value AttentionEmitter::reduce(Value vector,
                               function_ref<Value(Value, Value)> combine) {
  for (int64_t n = lanes; n > 1; n /= 2) {
    auto low = llvm::to_vector(llvm::seq<int64_t>(0, n / 2));
    auto high = llvm::to_vector(llvm::seq<int64_t>(n / 2, n));
    Value a =
        vector::ShuffleOp::create(code.builder, code.loc, vector, vector, low);
    Value b =
        vector::ShuffleOp::create(code.builder, code.loc, vector, vector, high);
    vector = combine(a, b);
  }
  return vector::ExtractOp::create(code.builder, code.loc, vector, 0);
}

/// In f32: 2^n (2^r) with n + r = x / ln 2, |r| <= 1/2; 0 below 2^-126. In f64:
/// the library's.
Value AttentionEmitter::emitExp(Value x) {
  FloatBuilder m(code.builder, code.loc, x.getType());
  if (!type.isF32())
    return math::ExpOp::create(code.builder, code.loc, x);
  Value t = m.mul(x, m.f(1.44269504088896340736));
  Value tiny = m.lt(t, m.f(-126.0));
  t = m.select(tiny, m.f(-126.0), t);
  // Adding 1.5 * 2^23 rounds to an integer, which is then in the low bits.
  Value shifted = m.add(t, m.f(12582912.0));
  Value r = m.sub(t, m.sub(shifted, m.f(12582912.0)));
  Value p = m.fma(m.poly<float>(r, coefficients::kExp2), r, m.f(1.0));
  Value scaled = m.fromBits(m.iadd(m.toBits(p), m.shl(m.toBits(shifted), 23)));
  return m.select(tiny, m.f(0.0), scaled);
}

/// Replaces the scores by weights relative to the greatest score so far, and
/// scales what was summed before to the same.
void AttentionEmitter::emitSoftmax(const Tile &tile, const Block &block) {
  Value numVectors = code.ceilDiv(block.size, code.constant(lanes));
  auto add = [&](Value a, Value b) -> Value {
    return arith::AddFOp::create(code.builder, code.loc, a, b);
  };
  code.loop(code.constant(0), code.constant(tile.size), 1, [&](Value i) {
    Value maximum = code.address(maxima, i, type);
    Value sum = code.address(sums, i, type);
    Value most = reduce(
        code.loadVector(
            code.address(laneMaxima, code.mul(i, code.constant(lanes)), type),
            type),
        [&](Value a, Value b) { return emitMax(a, b); });
    Value before = code.load(maximum, type);
    Value after = emitMax(before, most);
    code.store(after, maximum);
    // Where all is masked so far, -inf - -inf would be no number.
    Value lowest = abi.getConstant(
        FloatAttr::get(type, -std::numeric_limits<double>::infinity()));
    Value zero = abi.getConstant(code.builder.getFloatAttr(type, 0));
    Value masked = arith::CmpFOp::create(
        code.builder, code.loc, arith::CmpFPredicate::OEQ, after, lowest);
    Value reference = code.broadcast(
        arith::SelectOp::create(code.builder, code.loc, masked, zero, after));
    auto weigh = [&](Value scores) {
      return emitExp(
          arith::SubFOp::create(code.builder, code.loc, scores, reference));
    };
    Value row = code.address(scores, code.mul(i, code.constant(kb)), type);
    Value total =
        code.loop(code.constant(0), numVectors, 1, ValueRange{code.zero(type)},
                  [&](Value v, ValueRange carried) -> SmallVector<Value> {
                    Value address = code.address(
                        row, code.mul(v, code.constant(lanes)), type);
                    Value weight = weigh(code.loadVector(address, type));
                    code.storeVector(weight, address);
                    return {add(carried[0], weight)};
                  })[0];
    Value factor = weigh(code.broadcast(before));
    Value scalar = vector::ExtractOp::create(code.builder, code.loc, factor, 0);
    Value kept = arith::MulFOp::create(code.builder, code.loc,
                                       code.load(sum, type), scalar);
    code.store(add(kept, reduce(total, add)), sum);
    Value partial =
        code.address(result, code.mul(i, code.constant(resultWidth)), type);
    for (int64_t v = 0; v < resultWidth; v += lanes) {
      Value address = code.address(partial, v, type);
      code.storeVector(arith::MulFOp::create(code.builder, code.loc,
                                             code.loadVector(address, type),
                                             factor),
                       address);
    }
  });
}

/// Adds the block's weights times its values to the tile's result.
void AttentionEmitter::emitWeightedValues(const Tile &tile,
                                          const Block &block) {
  Type element =
      cast<RankedTensorType>(nest.values.argument.getType()).getElementType();
  Value keyStride = code.product(nest.values.strides[nest.t()]);
  Value featureStride = code.product(nest.values.strides[nest.e()]);
  Value base = code.address(
      abi.getPointer(nest.values.argument),
      code.add(getOffset(nest.values), code.mul(block.first, keyStride)),
      element);
  for (int64_t first = 0; first < e; first += vectors * lanes) {
    int64_t width = std::min(e - first, vectors * lanes);
    int64_t numVectors = llvm::divideCeil(width, lanes);
    auto forAll = [&](function_ref<void(int64_t index, Value address)> body) {
      for (int64_t i = 0; i < tile.size; ++i)
        for (int64_t v = 0; v < numVectors; ++v)
          body(i * numVectors + v,
               code.address(result, i * resultWidth + first + v * lanes, type));
    };
    SmallVector<Value> totals(tile.size * numVectors);
    forAll([&](int64_t index, Value address) {
      totals[index] = code.loadVector(address, type);
    });
    totals = code.loop(
        code.constant(0), block.size, 1, totals,
        [&](Value key, ValueRange carried) {
          SmallVector<Value> next(carried);
          Value row = code.address(base, code.mul(key, keyStride), element);
          SmallVector<Value> columns;
          for (int64_t v = 0; v < numVectors; ++v) {
            Value offset =
                code.mul(featureStride, code.constant(first + v * lanes));
            Value vector = code.loadStrided(
                code.address(row, offset, element), element, featureStride,
                code.mask(std::min(lanes, width - v * lanes)));
            columns.push_back(code.convert(vector, type));
          }
          Value weights = code.address(scores, key, type);
          for (int64_t i = 0; i < tile.size; ++i) {
            Value weight = code.broadcast(
                code.load(code.address(weights, i * kb, type), type));
            for (int64_t v = 0; v < numVectors; ++v) {
              Value &total = next[i * numVectors + v];
              total = vector::FMAOp::create(code.builder, code.loc, weight,
                                            columns[v], total);
            }
          }
          return next;
        });
    forAll([&](int64_t index, Value address) {
      code.storeVector(totals[index], address);
    });
  }
}

/// Divides by the sums and stores. A row whose scores are all -inf has the sum
/// 0, so it is not a number, or zero where the operation says so.
void AttentionEmitter::emitResult(const Tile &tile) {
  Type element =
      cast<RankedTensorType>(nest.result.argument.getType()).getElementType();
  Value base = code.address(
      abi.getPointer(nest.result.argument),
      code.add(
          getOffset(nest.result),
          code.mul(tile.firstRow, code.product(nest.result.strides[nest.s()]))),
      element);
  Value featureStride = code.product(nest.result.strides[nest.e()]);
  code.loop(code.constant(0), code.constant(tile.size), 1, [&](Value i) {
    Value sum = code.broadcast(code.load(code.address(sums, i, type), type));
    Value inverse =
        arith::DivFOp::create(code.builder, code.loc, splat(1), sum);
    Value empty = arith::CmpFOp::create(
        code.builder, code.loc, arith::CmpFPredicate::OEQ, sum, splat(0));
    Value partial =
        code.address(result, code.mul(i, code.constant(resultWidth)), type);
    Value row = code.address(
        base, code.mul(i, code.product(nest.result.strides[nest.s()])),
        element);
    for (int64_t v = 0; v < e; v += lanes) {
      Value value = arith::MulFOp::create(
          code.builder, code.loc,
          code.loadVector(code.address(partial, v, type), type), inverse);
      if (nest.op.getZeroMaskedRows())
        value = arith::SelectOp::create(code.builder, code.loc, empty, splat(0),
                                        value);
      Value target =
          code.address(row, code.mul(featureStride, code.constant(v)), element);
      code.storeStrided(code.convert(value, element), target, featureStride,
                        code.mask(std::min(lanes, e - v)));
    }
  });
}
