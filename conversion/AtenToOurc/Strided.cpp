//===- Strided.cpp - Views by strides -----------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors have no strides here: the operand is the elements of its memory in
// row-major order, which the importer sees to. A view of them by strides is a
// slice of a reshape, in some order and repeated, wherever the strides are
// those of nested dimensions; what overlaps otherwise is gathered.
//
//===----------------------------------------------------------------------===//

#include "conversion/AtenToOurc/Lowering.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::aten;

namespace {
/// A dimension of the view along which it moves.
struct Moving {
  int64_t dim, size, stride;
};
} // namespace

/// The moving dimensions, outermost in memory first, as a slice of `flat`
/// under another shape; null, without a failure, where they are no nest.
static Value sliceNest(Call &call, Value flat, ArrayRef<Moving> nest,
                       int64_t offset) {
  int64_t count = Emitter::typeOf(flat).getDimSize(0);
  SmallVector<OpFoldResult> shape, offsets, sizes, moved;
  int64_t left = offset;
  for (auto [i, level] : llvm::enumerate(nest)) {
    int64_t extent = count / level.stride;
    if (i > 0) {
      if (nest[i - 1].stride % level.stride != 0)
        return {};
      extent = nest[i - 1].stride / level.stride;
    }
    int64_t begin = left / level.stride;
    if (begin + level.size > extent)
      return {};
    left %= level.stride;
    shape.push_back(call.math.constant(extent));
    offsets.push_back(call.math.constant(begin));
    sizes.push_back(call.math.constant(level.size));
    moved.push_back(call.math.constant(level.size));
  }
  int64_t inner = nest.empty() ? count : nest.back().stride;
  shape.push_back(call.math.constant(inner));
  offsets.push_back(call.math.constant(left));
  sizes.push_back(call.math.constant(1));
  int64_t outer = nest.empty() ? count : nest.front().stride;
  flat = call.slice(flat, 0, call.math.constant(0),
                    call.math.constant(count / outer * outer));
  SmallVector<int64_t> ones(shape.size(), 1);
  return call.reshape(
      call.slice(call.reshape(flat, shape), offsets, sizes, ones), moved);
}

/// The moving dimensions by the place of each element.
static Value gatherElements(Call &call, Value flat, ArrayRef<Moving> nest,
                            int64_t offset) {
  SmallVector<OpFoldResult> sizes;
  SmallVector<int64_t> shape;
  for (const Moving &level : nest) {
    sizes.push_back(call.math.constant(level.size));
    shape.push_back(level.size);
  }
  Type i64 = call.builder.getI64Type();
  Value place = call.fill(offset, i64, sizes);
  for (auto [i, level] : llvm::enumerate(nest)) {
    Value along = call.iota(i, sizes, i64);
    place = call.apply<AddOp>(
        place, call.apply<MulOp>(along, call.fillLike(level.stride, along)));
  }
  if (call.failed())
    return {};
  return call.make<GatherOp>(Emitter::typeOf(flat).clone(shape), flat,
                             ValueRange(place), ArrayRef<int64_t>{0});
}

static bool isSame(OpFoldResult a, OpFoldResult b) {
  std::optional<int64_t> known = getConstantIntValue(a);
  return known ? known == getConstantIntValue(b) : a == b;
}

/// Whether the products of sizes are known to be equal.
static bool haveSameCount(ArrayRef<OpFoldResult> a, ArrayRef<OpFoldResult> b) {
  auto split = [](ArrayRef<OpFoldResult> sizes, SmallVector<Value> &values) {
    int64_t known = 1;
    for (OpFoldResult size : sizes) {
      if (std::optional<int64_t> constant = getConstantIntValue(size))
        known *= *constant;
      else
        values.push_back(cast<Value>(size));
    }
    return known;
  };
  SmallVector<Value> left, right;
  if (split(a, left) != split(b, right) || left.size() != right.size())
    return false;
  for (Value value : left) {
    auto *match = llvm::find(right, value);
    if (match == right.end())
      return false;
    right.erase(match);
  }
  return true;
}

static LogicalResult lowerAsStrided(Call &call) {
  Value x = call.tensor("self");
  SmallVector<OpFoldResult> sizes = call.sizes("size");
  SmallVector<OpFoldResult> strides = call.sizes("stride");
  OpFoldResult start = call.size("storage_offset", 0);
  if (call.failed())
    return failure();
  if (sizes.size() != strides.size())
    return call.fail("'size' and 'stride' must have one length");

  // Row-major and whole: another shape, whatever the sizes are.
  bool isRowMajor =
      getConstantIntValue(start) == 0 && haveSameCount(call.sizesOf(x), sizes);
  OpFoldResult expected = call.math.constant(1);
  for (int64_t d = sizes.size() - 1; d >= 0 && isRowMajor; --d) {
    isRowMajor &=
        getConstantIntValue(sizes[d]) == 1 || isSame(strides[d], expected);
    if (d > 0)
      expected = call.math.mul(expected, sizes[d]);
  }
  if (isRowMajor)
    return call.finish(call.reshape(x, sizes));

  SmallVector<int64_t> all(llvm::to_vector(llvm::seq(Emitter::rankOf(x))));
  OpFoldResult count = call.countOf(x, all);
  std::optional<int64_t> offset = getConstantIntValue(start);
  std::optional<int64_t> elements = getConstantIntValue(count);
  std::optional<SmallVector<int64_t>> shape = getConstantIntValues(sizes);
  std::optional<SmallVector<int64_t>> steps = getConstantIntValues(strides);
  if (!offset || !elements || !shape || !steps)
    return call.fail("a view by strides of sizes that depend on a call, other "
                     "than all elements in row-major order");
  if (llvm::is_contained(*shape, 0))
    return call.finish(call.fill(int64_t(0), Emitter::elementOf(x), sizes));
  int64_t last = *offset;
  SmallVector<Moving> nest;
  for (auto [i, size] : llvm::enumerate(*shape)) {
    int64_t step = (*steps)[i];
    if (step < 0 || size < 0)
      return call.fail("negative sizes or strides");
    last += (size - 1) * step;
    if (size != 1 && step != 0)
      nest.push_back({static_cast<int64_t>(i), size, step});
  }
  if (*offset < 0 || last >= *elements)
    return call.fail("it reads element " + Twine(last) +
                     " of an operand that has " + Twine(*elements));
  llvm::sort(nest, [](const Moving &a, const Moving &b) {
    return std::make_pair(-a.stride, a.dim) < std::make_pair(-b.stride, b.dim);
  });

  Value flat = call.reshape(x, count);
  Value part = sliceNest(call, flat, nest, *offset);
  if (call.failed())
    return failure();
  if (!part)
    part = gatherElements(call, flat, nest, *offset);
  // Back in the order of the view, with what stands still.
  SmallVector<int64_t> order(llvm::to_vector(llvm::seq<int64_t>(nest.size())));
  llvm::sort(order,
             [&](int64_t a, int64_t b) { return nest[a].dim < nest[b].dim; });
  SmallVector<int64_t> dims;
  for (int64_t at : order)
    dims.push_back(nest[at].dim);
  return call.finish(call.broadcast(call.transpose(part, order), dims, sizes));
}

void ourc::aten::populateStrided(LoweringTable &table) {
  table.add("as_strided.default", lowerAsStrided, Signs::Moved);
}
