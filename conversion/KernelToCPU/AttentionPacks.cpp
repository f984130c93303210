//===- AttentionPacks.cpp - Keys and values in scratch memory -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/AttentionEmitter.h"
#include "conversion/KernelToCPU/PairDot.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ourc;

/// Panels of keys with the features outermost, so that the keys are the lanes.
/// Lanes beyond the last key hold anything.
void AttentionEmitter::packKeys() {
  Type element = getElementTypeOrSelf(nest.keys.argument);
  Value base = code.address(abi.getPointer(nest.keys.argument),
                            getOffset(nest.keys), element);
  const Product &keyStride = nest.keys.strides[nest.t()];
  const Product &featureStride = nest.keys.strides[nest.d()];
  Value panels = code.ceilDiv(getSize(nest.t()), code.constant(panelWidth));
  code.loop(code.constant(0), panels, 1, [&](Value panel) {
    Value packed = code.address(
        keys, code.mul(panel, code.constant(steps * panelWidth)), type);
    Value firstKey = code.mul(panel, code.constant(panelWidth));
    code.loop(code.constant(0), code.constant(vectors), 1, [&](Value v) {
      Value lane = code.mul(v, code.constant(lanes));
      Value key = code.add(firstKey, lane);
      Value target = code.address(packed, lane, type);
      if (featureStride.isOne() && !keyStride.isOne() && (!pairs || d % 2 == 0))
        packTransposed(base, key, target);
      else
        packStrided(base, key, target);
    });
  });
}

/// A vector of keys, feature by feature (or pair by pair).
void AttentionEmitter::packStrided(Value base, Value firstKey, Value target) {
  Type element = getElementTypeOrSelf(nest.keys.argument);
  Value keyStride = code.product(nest.keys.strides[nest.t()]);
  Value featureStride = code.product(nest.keys.strides[nest.d()]);
  Value mask = code.mask(code.sub(getSize(nest.t()), firstKey));
  Value source = code.address(base, code.mul(firstKey, keyStride), element);
  auto load = [&](Value feature) {
    return code.loadStrided(
        code.address(source, code.mul(feature, featureStride), element),
        element, keyStride, mask);
  };
  auto getTarget = [&](Value step) {
    return code.address(target, code.mul(step, code.constant(panelWidth)),
                        type);
  };
  if (!pairs) {
    code.loop(code.constant(0), code.constant(d), 1, [&](Value feature) {
      code.storeVector(code.convert(load(feature), type), getTarget(feature));
    });
    return;
  }
  code.loop(code.constant(0), code.constant(d / 2), 1, [&](Value step) {
    Value first = code.mul(step, code.constant(2));
    Value second = load(code.add(first, code.constant(1)));
    storePairs(code, emitPairs(code.builder, code.loc, load(first), second),
               getTarget(step));
  });
  if (d % 2 != 0)
    storePairs(code,
               emitPairs(code.builder, code.loc, load(code.constant(d - 1)),
                         code.zero(element)),
               getTarget(code.constant(d / 2)));
}

/// `rows` as the rows of a square matrix, transposed: halves are exchanged at
/// each distance, log2(lanes) times.
static void transpose(CodeBuilder &code, SmallVectorImpl<Value> &rows) {
  int64_t n = rows.size();
  for (int64_t distance = n / 2; distance > 0; distance /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < n; ++lane) {
      bool second = lane & distance;
      low.push_back(second ? n + lane - distance : lane);
      high.push_back(second ? n + lane : lane + distance);
    }
    for (int64_t i = 0; i < n; ++i) {
      if (i & distance)
        continue;
      Value a = rows[i], b = rows[i + distance];
      rows[i] = vector::ShuffleOp::create(code.builder, code.loc, a, b, low);
      rows[i + distance] =
          vector::ShuffleOp::create(code.builder, code.loc, a, b, high);
    }
  }
}

/// A vector of keys whose features are contiguous. A pair moves as one element:
/// its bits are not looked at.
void AttentionEmitter::packTransposed(Value base, Value firstKey,
                                      Value target) {
  Type element = getElementTypeOrSelf(nest.keys.argument);
  Type moved = pairs ? type : element;
  Value stride = code.product(nest.keys.strides[nest.t()]);
  Value lastKey = code.sub(getSize(nest.t()), code.constant(1));
  auto packChunk = [&](Value step, int64_t count) {
    SmallVector<Value> rows;
    for (int64_t i = 0; i < lanes; ++i) {
      // Beyond the last key there is no memory: read that one again.
      Value key = code.min(code.add(firstKey, code.constant(i)), lastKey);
      Value from = code.address(
          code.address(base, code.mul(key, stride), element), step, moved);
      Value row = code.loadVector(from, moved, code.mask(count));
      rows.push_back(pairs ? row : code.convert(row, type));
    }
    transpose(code, rows);
    Value to =
        code.address(target, code.mul(step, code.constant(panelWidth)), type);
    for (int64_t i = 0; i < count; ++i)
      code.storeVector(rows[i], code.address(to, i * panelWidth, type));
  };
  int64_t whole = steps / lanes * lanes;
  code.loop(code.constant(0), code.constant(whole), lanes,
            [&](Value step) { packChunk(step, lanes); });
  if (whole < steps)
    packChunk(code.constant(whole), steps - whole);
}

/// Two neighbouring rows of values, element by element. A last row without a
/// neighbour has zeros beside it.
void AttentionEmitter::packValues() {
  Type element = getElementTypeOrSelf(nest.values.argument);
  Value base = code.address(abi.getPointer(nest.values.argument),
                            getOffset(nest.values), element);
  Value keyStride = code.product(nest.values.strides[nest.t()]);
  Value featureStride = code.product(nest.values.strides[nest.e()]);
  Value numKeys = getSize(nest.t());
  auto packPair = [&](Value pair, bool isWhole) {
    Value key = code.mul(pair, code.constant(2));
    Value target =
        code.address(values, code.mul(pair, code.constant(resultWidth)), type);
    for (int64_t column = 0; column < resultWidth; column += lanes) {
      Value mask = code.mask(std::min(lanes, std::max<int64_t>(e - column, 0)));
      Value first =
          code.address(code.address(base, code.mul(key, keyStride), element),
                       code.mul(featureStride, code.constant(column)), element);
      auto load = [&](Value from) {
        return code.loadStrided(from, element, featureStride, mask);
      };
      Value second = isWhole ? load(code.address(first, keyStride, element))
                             : code.zero(element);
      storePairs(code, emitPairs(code.builder, code.loc, load(first), second),
                 code.address(target, column, type));
    }
  };
  Value whole = code.div(numKeys, code.constant(2));
  code.loop(code.constant(0), whole, 1,
            [&](Value pair) { packPair(pair, true); });
  // Not a branch: a loop of one iteration or none.
  code.loop(whole, code.ceilDiv(numKeys, code.constant(2)), 1,
            [&](Value pair) { packPair(pair, false); });
}
