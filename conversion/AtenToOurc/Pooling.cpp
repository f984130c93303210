//===- Pooling.cpp - Pooling --------------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/AtenToOurc/Lowering.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::aten;

namespace {
/// A sliding window over the spatial dimensions of a channels-last tensor.
struct Window {
  SmallVector<int64_t> sizes, strides, dilations, low, high;
};

/// A pooling operand with its channels last and its batch in front, and what
/// undoes that.
struct Pooled {
  Value x;
  int64_t spatial;
  bool isBatched;
};
} // namespace

/// Reads "self": [batch, channels, spatial…], or the same without batch.
static Pooled readPooled(Call &call, int64_t spatial) {
  Value x = call.tensor("self");
  if (call.failed())
    return {};
  int64_t rank = Emitter::rankOf(x);
  if (rank != spatial + 1 && rank != spatial + 2) {
    (void)call.fail("the operand must have " + Twine(spatial + 1) + " or " +
                    Twine(spatial + 2) + " dimensions, but has " + Twine(rank));
    return {};
  }
  bool isBatched = rank == spatial + 2;
  if (!isBatched) {
    SmallVector<OpFoldResult> sizes{call.math.constant(1)};
    sizes.append(call.sizesOf(x));
    x = call.reshape(x, sizes);
  }
  SmallVector<int64_t> permutation{0};
  for (int64_t i = 0; i < spatial; ++i)
    permutation.push_back(2 + i);
  permutation.push_back(1);
  return {call.transpose(x, permutation), spatial, isBatched};
}

/// Back to channels first and to the operand's rank.
static Value restore(Call &call, Value x, const Pooled &pooled) {
  SmallVector<int64_t> permutation{0, pooled.spatial + 1};
  for (int64_t i = 0; i < pooled.spatial; ++i)
    permutation.push_back(1 + i);
  x = call.transpose(x, permutation);
  if (pooled.isBatched || call.failed())
    return x;
  SmallVector<OpFoldResult> sizes = call.sizesOf(x);
  return call.reshape(x, ArrayRef(sizes).drop_front());
}

static Value pool(Call &call, PoolKind kind, Value x, const Window &window) {
  if (call.failed())
    return {};
  SmallVector<int64_t> shape(Emitter::typeOf(x).getShape());
  for (size_t i = 0; i < window.sizes.size(); ++i) {
    int64_t &size = shape[i + 1];
    if (ShapedType::isDynamic(size))
      continue;
    int64_t span = size + window.low[i] + window.high[i] -
                   window.dilations[i] * (window.sizes[i] - 1) - 1;
    if (span < 0 || window.strides[i] < 1) {
      (void)call.fail("the window is larger than the padded operand, or a "
                      "stride is not positive");
      return {};
    }
    size = span / window.strides[i] + 1;
  }
  return call.make<PoolOp>(Emitter::typeOf(x).clone(shape), kind, x,
                           window.sizes, window.strides, window.dilations,
                           window.low, window.high);
}

/// Reads kernel_size, stride, padding, dilation and ceil_mode. `ceil_mode`
/// rounds the number of windows up: with more padding at the end, as far as the
/// last window still begins inside the operand or its first padding.
static Window readWindow(Call &call, const Pooled &pooled) {
  int64_t spatial = pooled.spatial;
  SmallVector<int64_t> ones(spatial, 1), zeros(spatial, 0);
  Window window;
  window.sizes = call.integers("kernel_size", spatial);
  window.strides = call.integers("stride", spatial, window.sizes);
  window.low = call.integers("padding", spatial, zeros);
  window.dilations = call.integers("dilation", spatial, ones);
  window.high = window.low;
  bool ceil = call.flag("ceil_mode", false);
  if (call.failed() || !ceil)
    return window;
  for (int64_t i = 0; i < spatial; ++i) {
    int64_t size = Emitter::typeOf(pooled.x).getDimSize(i + 1);
    if (ShapedType::isDynamic(size)) {
      (void)call.fail("ceil_mode=True with a dynamic size");
      return window;
    }
    int64_t low = window.low[i], stride = window.strides[i];
    int64_t span = window.dilations[i] * (window.sizes[i] - 1) + 1;
    int64_t rest = size + 2 * low - span;
    if (rest < 0 || stride < 1) {
      (void)call.fail("the window is larger than the padded operand, or a "
                      "stride is not positive");
      return window;
    }
    int64_t count = llvm::divideCeil(rest, stride) + 1;
    if ((count - 1) * stride >= size + low)
      --count;
    window.high[i] = std::max(low, (count - 1) * stride + span - size - low);
    // Fewer windows than the padding allows.
    if ((size + low + window.high[i] - span) / stride + 1 != count) {
      (void)call.fail("ceil_mode=True whose last window would begin outside "
                      "the operand");
      return window;
    }
  }
  return window;
}

template <int64_t spatial> static LogicalResult lowerMaxPool(Call &call) {
  if (call.isUsed(1))
    return call.fail(
        "the positions of the maxima (its second result) are used");
  Pooled pooled = readPooled(call, spatial);
  if (call.failed())
    return failure();
  Window window = readWindow(call, pooled);
  return call.finish(
      restore(call, pool(call, PoolKind::Max, pooled.x, window), pooled));
}

/// How many elements each window has inside the operand (or inside its
/// padding, where that counts): the sum over a tensor of ones.
static Value countElements(Call &call, Value x, Window window,
                           bool includePadding) {
  if (call.failed())
    return {};
  SmallVector<OpFoldResult> sizes = call.sizesOf(x);
  sizes.front() = sizes.back() = call.math.constant(1);
  if (includePadding)
    for (size_t i = 0; i < window.sizes.size(); ++i) {
      // Padding that ceil_mode adds never counts.
      sizes[i + 1] =
          call.math.add(sizes[i + 1], call.math.constant(2 * window.low[i]));
      window.high[i] -= window.low[i];
      window.low[i] = 0;
    }
  Value ones = call.fill(1.0, Emitter::elementOf(x), sizes);
  return pool(call, PoolKind::Sum, ones, window);
}

template <int64_t spatial> static LogicalResult lowerAvgPool(Call &call) {
  Pooled pooled = readPooled(call, spatial);
  if (call.failed())
    return failure();
  Type element = Emitter::elementOf(pooled.x);
  if (!isa<FloatType>(element))
    return call.fail("averages of integers");
  Window window = readWindow(call, pooled);
  bool includePadding = call.flag("count_include_pad", true);
  int64_t product = 1;
  for (int64_t size : window.sizes)
    product *= size;
  int64_t divisor = call.integer("divisor_override", product);
  if (call.failed())
    return failure();
  if (element.isF16() || element.isBF16())
    pooled.x = call.cast(pooled.x, call.builder.getF32Type());
  Value sum = pool(call, PoolKind::Sum, pooled.x, window);
  bool isPadded =
      llvm::any_of(window.high, [](int64_t size) { return size > 0; });
  bool isFull = includePadding ? window.high == window.low : !isPadded;
  Value count;
  if (isFull || call.has("divisor_override")) {
    count = call.fillLike(divisor, sum);
  } else if (sum) {
    count =
        call.broadcast(countElements(call, pooled.x, window, includePadding),
                       call.sizesOf(sum));
  }
  Value average = call.cast(call.apply<DivOp>(sum, count), element);
  return call.finish(restore(call, average, pooled));
}

/// The average of dimension `dim`'s parts [i · size / count, (i + 1) · size /
/// count), rounded outwards: a product with a matrix of weights.
static Value averageParts(Call &call, Value x, int64_t dim, int64_t count) {
  RankedTensorType type = Emitter::typeOf(x);
  int64_t size = type.getDimSize(dim);
  SmallVector<Attribute> weights;
  for (int64_t i = 0; i < count; ++i) {
    int64_t begin = i * size / count,
            end = llvm::divideCeil((i + 1) * size, count);
    for (int64_t j = 0; j < size; ++j)
      weights.push_back(call.attributeOf(
          j >= begin && j < end ? 1.0 / double(end - begin) : 0.0,
          type.getElementType()));
  }
  auto matrixType = RankedTensorType::get({count, size}, type.getElementType());
  Value matrix = call.make<ConstantOp>(
      matrixType, DenseElementsAttr::get(matrixType, weights));
  Value product = call.contract(x, matrix, {}, {}, {dim}, {1});
  // The parts come last; put them where the dimension was.
  SmallVector<int64_t> permutation;
  for (int64_t i = 0; i < type.getRank(); ++i)
    permutation.push_back(i == dim ? type.getRank() - 1 : i < dim ? i : i - 1);
  return call.transpose(product, permutation);
}

template <int64_t spatial>
static LogicalResult lowerAdaptiveAvgPool(Call &call) {
  Pooled pooled = readPooled(call, spatial);
  SmallVector<int64_t> counts = call.integers("output_size", spatial);
  if (call.failed())
    return failure();
  Type element = Emitter::elementOf(pooled.x);
  if (!isa<FloatType>(element))
    return call.fail("averages of integers");
  Value x = pooled.x;
  if (element.isF16() || element.isBF16())
    x = call.cast(x, call.builder.getF32Type());
  Window window;
  SmallVector<std::pair<int64_t, int64_t>> uneven;
  SmallVector<int64_t> whole;
  bool isPool = false;
  for (int64_t i = 0; i < spatial; ++i) {
    int64_t size = Emitter::typeOf(x).getDimSize(i + 1), count = counts[i];
    if (count < 1)
      return call.fail("argument 'output_size' must be positive");
    int64_t length = 1;
    if (count == 1)
      whole.push_back(i + 1);
    else if (ShapedType::isDynamic(size))
      return call.fail("adaptive pooling of a dynamic size to more than one "
                       "element");
    else if (size % count == 0)
      length = size / count;
    else
      uneven.push_back({i + 1, count});
    isPool |= length > 1;
    window.sizes.push_back(length);
  }
  window.strides = window.sizes;
  window.dilations.assign(spatial, 1);
  window.low.assign(spatial, 0);
  window.high.assign(spatial, 0);
  if (!whole.empty())
    x = call.mean(x, whole, /*keepDims=*/true);
  if (isPool) {
    Value sum = pool(call, PoolKind::Sum, x, window);
    int64_t product = 1;
    for (int64_t size : window.sizes)
      product *= size;
    x = call.apply<DivOp>(sum, call.fillLike(product, sum));
  }
  for (auto [dim, count] : uneven) {
    if (call.failed())
      return failure();
    x = averageParts(call, x, dim, count);
  }
  return call.finish(restore(call, call.cast(x, element), pooled));
}

void ourc::aten::populatePooling(LoweringTable &table) {
  table.add("max_pool1d.default", lowerMaxPool<1>);
  table.add({"max_pool2d.default", "max_pool2d_with_indices.default"},
            lowerMaxPool<2>);
  table.add({"max_pool3d.default", "max_pool3d_with_indices.default"},
            lowerMaxPool<3>);
  table.add("avg_pool1d.default", lowerAvgPool<1>);
  table.add("avg_pool2d.default", lowerAvgPool<2>);
  table.add("avg_pool3d.default", lowerAvgPool<3>);
  table.add("adaptive_avg_pool1d.default", lowerAdaptiveAvgPool<1>);
  table.add({"adaptive_avg_pool2d.default", "_adaptive_avg_pool2d.default"},
            lowerAdaptiveAvgPool<2>);
  table.add({"adaptive_avg_pool3d.default", "_adaptive_avg_pool3d.default"},
            lowerAdaptiveAvgPool<3>);
}
