//===- TransposedConvolution.cpp - Convolutions that enlarge ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/AtenToOurc/Lowering.h"

#include <numeric>

using namespace mlir;
using namespace ourc;
using namespace ourc::aten;

namespace {
struct Window {
  SmallVector<int64_t> strides, padding, dilations, outputPadding, kernel;
  int64_t count = 0, groups = 1;

  /// Whether every element of the result comes from one of the input.
  bool isApart() const {
    auto isZero = [](int64_t n) { return n == 0; };
    auto isOne = [](int64_t n) { return n == 1; };
    return groups == 1 && kernel == strides && llvm::all_of(padding, isZero) &&
           llvm::all_of(outputPadding, isZero) &&
           llvm::all_of(dilations, isOne);
  }
};
} // namespace

/// Windows that do not overlap: a product with the filter, whose columns are
/// then put in their places. `x` is channels last.
static Value multiplyApart(Call &call, Value x, Value filter,
                           const Window &window) {
  int64_t rank = window.count + 2;
  SmallVector<OpFoldResult> sizes = call.sizesOf(x);
  // [batch, spatial…, out channels, kernel…]
  Value product = call.contract(x, filter, {}, {}, {rank - 1}, {0});
  SmallVector<int64_t> permutation{0};
  SmallVector<OpFoldResult> shape{sizes[0]};
  for (int64_t i = 0; i < window.count; ++i) {
    permutation.push_back(1 + i);
    permutation.push_back(rank + i);
    shape.push_back(
        call.math.mul(sizes[1 + i], call.math.constant(window.kernel[i])));
  }
  permutation.push_back(rank - 1);
  product = call.transpose(product, permutation);
  if (call.failed())
    return {};
  shape.push_back(call.sizeOf(product, Emitter::rankOf(product) - 1));
  return call.reshape(product, shape);
}

/// `x`, channels last, with `stride - 1` zeros between neighbours.
static Value spread(Call &call, Value x, const Window &window) {
  if (llvm::all_of(window.strides, [](int64_t s) { return s == 1; }))
    return x;
  SmallVector<OpFoldResult> sizes = call.sizesOf(x), apart{sizes[0]},
                            joined{sizes[0]};
  SmallVector<int64_t> low{0}, high{0};
  for (int64_t i = 0; i < window.count; ++i) {
    apart.push_back(sizes[1 + i]);
    apart.push_back(call.math.constant(1));
    low.append({0, 0});
    high.append({0, window.strides[i] - 1});
    joined.push_back(
        call.math.mul(sizes[1 + i], call.math.constant(window.strides[i])));
  }
  apart.push_back(sizes.back());
  joined.push_back(sizes.back());
  low.push_back(0);
  high.push_back(0);
  x = call.reshape(x, apart);
  if (call.failed())
    return {};
  RankedTensorType type = Emitter::typeOf(x);
  SmallVector<int64_t> shape(type.getShape());
  for (auto [d, added] : llvm::enumerate(high))
    if (added)
      shape[d] = 1 + added;
  TypedAttr zero = call.attributeOf(int64_t(0), type.getElementType());
  x = call.reshape(call.make<PadOp>(type.clone(shape), x, zero, low, high),
                   joined);
  // No zeros behind the last one.
  for (int64_t i = 0; i < window.count; ++i)
    x = call.slice(x, 1 + i, call.math.constant(0),
                   call.math.sub(joined[1 + i],
                                 call.math.constant(window.strides[i] - 1)));
  return x;
}

/// [in, out / groups, kernel…] as a convolution takes it, reflected:
/// [out, kernel…, in / groups].
static Value reflectFilter(Call &call, Value filter, const Window &window) {
  SmallVector<OpFoldResult> sizes = call.sizesOf(filter);
  OpFoldResult groups = call.math.constant(window.groups);
  SmallVector<OpFoldResult> apart{groups, call.math.floorDiv(sizes[0], groups)};
  llvm::append_range(apart, ArrayRef(sizes).drop_front());
  filter = call.reshape(filter, apart);
  SmallVector<int64_t> permutation{0, 2};
  for (int64_t i = 0; i < window.count; ++i)
    permutation.push_back(3 + i);
  permutation.push_back(1);
  filter = call.transpose(filter, permutation);
  SmallVector<OpFoldResult> joined{call.math.mul(sizes[1], groups)};
  llvm::append_range(joined, ArrayRef(sizes).drop_front(2));
  joined.push_back(apart[1]);
  filter = call.reshape(filter, joined);
  for (int64_t i = 0; i < window.count; ++i)
    if (window.kernel[i] != 1)
      filter = reverse(call, filter, 1 + i);
  return filter;
}

static Value convolveSpread(Call &call, Value x, Value filter,
                            const Window &window, ArrayRef<int64_t> shape) {
  x = spread(call, x, window);
  filter = reflectFilter(call, filter, window);
  SmallVector<int64_t> low, high, ones(window.count, 1);
  for (int64_t i = 0; i < window.count && !call.failed(); ++i) {
    int64_t reach = window.dilations[i] * (window.kernel[i] - 1);
    int64_t before = reach - window.padding[i];
    int64_t after = before + window.outputPadding[i];
    // More padding than the window reaches cuts the input.
    int64_t cut = std::max<int64_t>(-before, 0);
    int64_t cutEnd = std::max<int64_t>(-after, 0);
    if (cut || cutEnd)
      x = call.slice(x, 1 + i, call.math.constant(cut),
                     call.math.sub(call.sizeOf(x, 1 + i),
                                   call.math.constant(cut + cutEnd)));
    low.push_back(std::max<int64_t>(before, 0));
    high.push_back(std::max<int64_t>(after, 0));
  }
  if (call.failed())
    return {};
  return call.make<ConvolutionOp>(Emitter::typeOf(x).clone(shape), x, filter,
                                  ones, window.dilations, low, high,
                                  static_cast<uint64_t>(window.groups));
}

LogicalResult ourc::aten::lowerTransposedConvolution(Call &call) {
  Value x = call.tensor("input"), filter = call.tensor("weight"),
        bias = call.optionalTensor("bias");
  RankedTensorType result = call.resultType();
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x);
  Window window;
  window.count = rank - 2;
  SmallVector<int64_t> ones(window.count, 1), zeros(window.count, 0);
  window.strides = call.integers("stride", window.count, ones);
  window.padding = call.integers("padding", window.count, zeros);
  window.dilations = call.integers("dilation", window.count, ones);
  window.outputPadding = call.integers("output_padding", window.count, zeros);
  window.groups = call.integer("groups", 1);
  if (call.failed())
    return failure();
  if (result.getRank() != rank || !Emitter::typeOf(filter).hasStaticShape())
    return call.fail("the result must have the input's rank and the weight a "
                     "static shape");
  llvm::append_range(window.kernel,
                     Emitter::typeOf(filter).getShape().drop_front(2));
  SmallVector<int64_t> toLast{0}, fromLast{0, rank - 1}, shape;
  for (int64_t dim = 2; dim < rank; ++dim) {
    toLast.push_back(dim);
    fromLast.push_back(dim - 1);
  }
  toLast.push_back(1);
  for (int64_t dim : toLast)
    shape.push_back(result.getDimSize(dim));
  x = call.transpose(x, toLast);
  if (call.failed())
    return failure();
  Value y = window.isApart() ? multiplyApart(call, x, filter, window)
                             : convolveSpread(call, x, filter, window, shape);
  if (bias && y)
    y = call.apply<AddOp>(y, call.broadcast(bias, call.sizesOf(y)));
  return call.finish(call.transpose(y, fromLast));
}
