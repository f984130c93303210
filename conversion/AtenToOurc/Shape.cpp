//===- Shape.cpp - Views and other moves of elements --------------------===//
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

/// `clone`, `contiguous` and the like: values have no memory format here.
static LogicalResult lowerIdentity(Call &call) {
  return call.finish(call.tensor("self"));
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// Sizes as an argument gives them, where one may be -1: what is left of the
/// tensor's elements. Static sizes of the result come first.
static SmallVector<OpFoldResult> inferSizes(Call &call, Value x,
                                            SmallVector<OpFoldResult> sizes) {
  RankedTensorType result = call.resultType();
  if (call.failed())
    return {};
  if (static_cast<int64_t>(sizes.size()) != result.getRank()) {
    (void)call.fail("argument 'size' has " + Twine(sizes.size()) +
                    " entries, but the result has rank " +
                    Twine(result.getRank()));
    return {};
  }
  std::optional<unsigned> unknown;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (getConstantIntValue(size) == -1) {
      if (unknown) {
        (void)call.fail("argument 'size' holds -1 twice");
        return {};
      }
      unknown = i;
    }
    if (!result.isDynamicDim(i) &&
        getConstantIntValue(size).value_or(-1) == -1) {
      size = call.math.constant(result.getDimSize(i));
      if (unknown == i)
        unknown.reset();
    }
  }
  if (!unknown)
    return sizes;
  SmallVector<OpFoldResult> others(sizes);
  others.erase(others.begin() + *unknown);
  sizes[*unknown] = call.math.quotient(call.sizesOf(x), others);
  return sizes;
}

static LogicalResult lowerView(Call &call) {
  Value x = call.tensor("self");
  SmallVector<OpFoldResult> sizes =
      call.sizes(call.has("shape") ? "shape" : "size");
  if (call.failed())
    return failure();
  sizes = inferSizes(call, x, sizes);
  if (call.failed())
    return failure();
  return call.finish(call.reshape(x, sizes));
}

static LogicalResult lowerFlatten(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x);
  int64_t start = call.dim("start_dim", rank, 0);
  int64_t end = call.dim("end_dim", rank, -1);
  if (call.failed() || start > end)
    return call.fail("'start_dim' is above 'end_dim'");
  SmallVector<OpFoldResult> sizes;
  OpFoldResult product = call.math.constant(1);
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim < start || dim > end) {
      sizes.push_back(call.sizeOf(x, dim));
      continue;
    }
    product = call.math.mul(product, call.sizeOf(x, dim));
    if (dim == end)
      sizes.push_back(product);
  }
  if (rank == 0)
    sizes.push_back(product);
  return call.finish(call.reshape(x, sizes));
}

static LogicalResult lowerUnsqueeze(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  int64_t dim = call.dim("dim", Emitter::rankOf(x) + 1);
  if (call.failed())
    return failure();
  SmallVector<OpFoldResult> sizes = call.sizesOf(x);
  sizes.insert(sizes.begin() + dim, call.math.constant(1));
  return call.finish(call.reshape(x, sizes));
}

/// Drops the given dimensions where their size is 1. A dynamic size is not 1:
/// the result's declared rank tells otherwise and is then refused.
static LogicalResult squeeze(Call &call, ArrayRef<int64_t> dims) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(call.sizesOf(x)))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)) ||
        getConstantIntValue(size) != 1)
      sizes.push_back(size);
  return call.finish(call.reshape(x, sizes));
}

static LogicalResult lowerSqueeze(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  // Absent dimensions are all of them, an empty list is none.
  if (call.op.getArgument("dim") ==
      Attribute(ArrayAttr::get(call.op.getContext(), {})))
    return call.finish(x);
  SmallVector<int64_t> dims = call.dims("dim", Emitter::rankOf(x));
  if (call.failed())
    return failure();
  return squeeze(call, dims);
}

//===----------------------------------------------------------------------===//
// Orders of dimensions
//===----------------------------------------------------------------------===//

static LogicalResult lowerT(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  if (Emitter::rankOf(x) > 2)
    return call.fail("the operand must have at most 2 dimensions");
  if (Emitter::rankOf(x) < 2)
    return call.finish(x);
  return call.finish(call.transpose(x, {1, 0}));
}

static LogicalResult lowerTranspose(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x);
  int64_t a = call.dim("dim0", rank), b = call.dim("dim1", rank);
  if (call.failed())
    return failure();
  if (rank == 0)
    return call.finish(x);
  SmallVector<int64_t> permutation(rank);
  std::iota(permutation.begin(), permutation.end(), 0);
  std::swap(permutation[a], permutation[b]);
  return call.finish(call.transpose(x, permutation));
}

static LogicalResult lowerPermute(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x);
  SmallVector<int64_t> permutation = call.integers("dims", rank);
  for (int64_t &dim : permutation)
    if (dim < 0)
      dim += rank;
  return call.finish(call.transpose(x, permutation));
}

//===----------------------------------------------------------------------===//
// Repetition
//===----------------------------------------------------------------------===//

static LogicalResult lowerExpand(Call &call) {
  Value x = call.tensor("self");
  SmallVector<OpFoldResult> sizes = call.sizes("size");
  RankedTensorType result = call.resultType();
  if (call.failed())
    return failure();
  int64_t lead = static_cast<int64_t>(sizes.size()) - Emitter::rankOf(x);
  if (lead < 0 || result.getRank() != static_cast<int64_t>(sizes.size()))
    return call.fail("argument 'size' has " + Twine(sizes.size()) +
                     " entries for an operand of rank " +
                     Twine(Emitter::rankOf(x)) + " and a result of rank " +
                     Twine(result.getRank()));
  for (auto [i, size] : llvm::enumerate(sizes)) {
    int64_t own = static_cast<int64_t>(i) - lead;
    if (!result.isDynamicDim(i))
      size = call.math.constant(result.getDimSize(i));
    else if (getConstantIntValue(size) == -1 && own >= 0)
      size = call.sizeOf(x, own);
  }
  return call.finish(call.broadcast(x, sizes));
}

/// The tensor beside itself, `repeats` times along each dimension: repeated
/// along new dimensions before its own, which then merge.
static LogicalResult lowerRepeat(Call &call) {
  Value x = call.tensor("self");
  SmallVector<OpFoldResult> repeats = call.sizes("repeats");
  if (call.failed())
    return failure();
  int64_t rank = repeats.size(), lead = rank - Emitter::rankOf(x);
  if (lead < 0)
    return call.fail("argument 'repeats' has fewer entries than the operand "
                     "has dimensions");
  SmallVector<OpFoldResult> sizes, merged;
  SmallVector<int64_t> dims;
  for (int64_t i = 0; i < rank; ++i) {
    OpFoldResult own =
        i < lead ? call.math.constant(1) : call.sizeOf(x, i - lead);
    sizes.push_back(repeats[i]);
    sizes.push_back(own);
    if (i >= lead)
      dims.push_back(2 * i + 1);
    merged.push_back(call.math.mul(repeats[i], own));
  }
  return call.finish(call.reshape(call.broadcast(x, dims, sizes), merged));
}

/// Moves elements along dimensions, those that fall off return at the front;
/// along all elements in row-major order where no dimensions are given.
static LogicalResult lowerRoll(Call &call) {
  Value x = call.tensor("self");
  SmallVector<OpFoldResult> shifts = call.sizes("shifts");
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x);
  SmallVector<OpFoldResult> sizes = call.sizesOf(x);
  SmallVector<int64_t> dims;
  auto given = dyn_cast_if_present<ArrayAttr>(call.op.getArgument("dims"));
  bool flat = !given || given.empty();
  if (shifts.size() != (flat ? 1 : given.size()))
    return call.fail("there must be one shift for each dimension");
  if (flat) {
    SmallVector<int64_t> all(rank);
    std::iota(all.begin(), all.end(), 0);
    x = call.reshape(x, call.countOf(x, all));
    dims.push_back(0);
  } else {
    dims = call.integers("dims", shifts.size());
    for (int64_t &dim : dims)
      dim += dim < 0 ? rank : 0;
  }
  if (call.failed())
    return failure();
  for (auto [dim, shift] : llvm::zip(dims, shifts)) {
    if (dim < 0 || dim >= Emitter::rankOf(x))
      return call.fail("dimension " + Twine(dim) +
                       " is out of range for rank " + Twine(rank));
    std::optional<int64_t> by = getConstantIntValue(shift);
    OpFoldResult size = call.sizeOf(x, dim);
    std::optional<int64_t> known = getConstantIntValue(size);
    if (known == 0)
      continue;
    if (by && known)
      by = ((*by % *known) + *known) % *known;
    if (!by || std::abs(*by) > getBounds(size).min)
      return call.fail("a shift by a number, or along a dimension, whose size "
                       "depends on a call");
    if (*by == 0)
      continue;
    // The last elements come first.
    OpFoldResult front = *by > 0 ? call.math.constant(*by)
                                 : call.math.add(size, call.math.constant(*by));
    OpFoldResult rest = call.math.sub(size, front);
    Value last = call.slice(x, dim, rest, front);
    Value first = call.slice(x, dim, call.math.constant(0), rest);
    x = call.concat({last, first}, dim);
    if (call.failed())
      return failure();
  }
  return call.finish(flat ? call.reshape(x, sizes) : x);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static LogicalResult lowerSlice(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  int64_t dim = call.dim("dim", Emitter::rankOf(x), 0);
  int64_t step = call.integer("step", 1);
  if (Emitter::rankOf(x) == 0)
    return call.fail("the operand has no dimensions");
  if (step < 1)
    return call.fail("argument 'step' must be positive");
  OpFoldResult size = call.sizeOf(x, dim);
  OpFoldResult start = call.size("start", 0);
  OpFoldResult end = call.size("end", std::numeric_limits<int64_t>::max());
  RankedTensorType result = call.resultType();
  if (call.failed())
    return failure();
  if (result.getRank() != Emitter::rankOf(x))
    return call.fail("the result must have the operand's rank");
  start = call.math.clampPosition(start, size);
  end = call.math.clampPosition(end, size);
  OpFoldResult length = call.math.ceilDiv(
      call.math.max(call.math.sub(end, start), call.math.constant(0)),
      call.math.constant(step));
  // Tracing may know the length where arithmetic does not.
  if (!result.isDynamicDim(dim) && !getConstantIntValue(length))
    length = call.math.constant(result.getDimSize(dim));
  return call.finish(call.slice(x, dim, start, length, step));
}

/// One position of a dimension, which goes.
static Value select(Call &call, Value x, int64_t dim, OpFoldResult index) {
  Value part = call.slice(x, dim, index, call.math.constant(1));
  if (!part)
    return {};
  SmallVector<OpFoldResult> sizes = call.sizesOf(part);
  sizes.erase(sizes.begin() + dim);
  return call.reshape(part, sizes);
}

static LogicalResult lowerSelect(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  int64_t dim = call.dim("dim", Emitter::rankOf(x));
  OpFoldResult index = call.size("index");
  if (call.failed() || Emitter::rankOf(x) == 0)
    return call.fail("the operand has no dimensions");
  index = call.math.wrap(index, call.sizeOf(x, dim));
  return call.finish(select(call, x, dim, index));
}

static LogicalResult lowerUnbind(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  int64_t dim = call.dim("dim", Emitter::rankOf(x), 0);
  if (call.failed() || Emitter::rankOf(x) == 0)
    return call.fail("the operand has no dimensions");
  for (unsigned i = 0, end = call.op->getNumResults(); i < end; ++i)
    if (mlir::failed(call.set(i, select(call, x, dim, call.math.constant(i)))))
      return failure();
  return success();
}

/// Consecutive parts of the given sizes along a dimension, one a result.
static LogicalResult split(Call &call, Value x, int64_t dim,
                           ArrayRef<OpFoldResult> sizes) {
  if (sizes.size() != call.op->getNumResults())
    return call.fail("the call has " + Twine(call.op->getNumResults()) +
                     " results for " + Twine(sizes.size()) + " parts");
  OpFoldResult offset = call.math.constant(0);
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (mlir::failed(call.set(i, call.slice(x, dim, offset, size))))
      return failure();
    offset = call.math.add(offset, size);
  }
  return success();
}

static LogicalResult lowerSplit(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  int64_t dim = call.dim("dim", Emitter::rankOf(x), 0);
  OpFoldResult size = call.size("split_size");
  if (call.failed() || Emitter::rankOf(x) == 0)
    return call.fail("the operand has no dimensions");
  // All parts have one size but the last, which is the rest.
  int64_t count = call.op->getNumResults();
  SmallVector<OpFoldResult> sizes(count, size);
  if (count > 0)
    sizes.back() =
        call.math.sub(call.sizeOf(x, dim),
                      call.math.mul(size, call.math.constant(count - 1)));
  return split(call, x, dim, sizes);
}

static LogicalResult lowerSplitWithSizes(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  int64_t dim = call.dim("dim", Emitter::rankOf(x), 0);
  SmallVector<OpFoldResult> sizes = call.sizes("split_sizes");
  if (call.failed() || Emitter::rankOf(x) == 0)
    return call.fail("the operand has no dimensions");
  return split(call, x, dim, sizes);
}

//===----------------------------------------------------------------------===//
// Joins and borders
//===----------------------------------------------------------------------===//

static LogicalResult lowerCat(Call &call) {
  SmallVector<Value> parts = call.tensors("tensors");
  RankedTensorType result = call.resultType();
  if (call.failed())
    return failure();
  // A tensor of shape [0] may stand beside any other.
  if (result.getRank() != 1)
    llvm::erase_if(parts, [](Value part) {
      RankedTensorType type = Emitter::typeOf(part);
      return type.getRank() == 1 && type.getDimSize(0) == 0;
    });
  if (parts.empty())
    return call.fail("there is nothing to join");
  int64_t dim = call.dim("dim", Emitter::rankOf(parts.front()), 0);
  if (call.failed() || Emitter::rankOf(parts.front()) == 0)
    return call.fail("the operands have no dimensions");
  for (Value &part : parts)
    part = call.cast(part, result.getElementType());
  return call.finish(call.concat(parts, dim));
}

static LogicalResult lowerStack(Call &call) {
  SmallVector<Value> parts = call.tensors("tensors");
  RankedTensorType result = call.resultType();
  if (call.failed() || parts.empty())
    return call.fail("there is nothing to join");
  int64_t dim = call.dim("dim", Emitter::rankOf(parts.front()) + 1, 0);
  if (call.failed())
    return failure();
  for (Value &part : parts) {
    SmallVector<OpFoldResult> sizes = call.sizesOf(part);
    if (static_cast<int64_t>(sizes.size()) < dim)
      return call.fail("tensors of different ranks are joined");
    sizes.insert(sizes.begin() + dim, call.math.constant(1));
    part = call.reshape(call.cast(part, result.getElementType()), sizes);
  }
  return call.finish(call.concat(parts, dim));
}

/// Pairs of borders from the last dimension on; a negative border cuts.
static LogicalResult lowerPad(Call &call) {
  Value x = call.tensor("self");
  SmallVector<OpFoldResult> borders = call.sizes("pad");
  Scalar value = call.scalar("value", Scalar(int64_t(0)));
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x), pairs = borders.size() / 2;
  if (borders.size() % 2 != 0 || pairs > rank)
    return call.fail(
        "argument 'pad' must hold two entries for each of at most " +
        Twine(rank) + " dimensions");
  SmallVector<int64_t> low(rank, 0), high(rank, 0);
  for (int64_t i = 0; i < pairs; ++i) {
    auto before = getConstantIntValue(borders[2 * i]);
    auto after = getConstantIntValue(borders[2 * i + 1]);
    if (!before || !after)
      return call.fail("borders that depend on the sizes of a call");
    int64_t dim = rank - 1 - i;
    if (*before < 0 || *after < 0) {
      int64_t front = std::max<int64_t>(-*before, 0);
      int64_t cut = front + std::max<int64_t>(-*after, 0);
      x = call.slice(
          x, dim, call.math.constant(front),
          call.math.sub(call.sizeOf(x, dim), call.math.constant(cut)));
      if (call.failed())
        return failure();
    }
    low[dim] = std::max<int64_t>(*before, 0);
    high[dim] = std::max<int64_t>(*after, 0);
  }
  TypedAttr border = call.attributeOf(value, Emitter::elementOf(x));
  if (!border)
    return call.fail("argument 'value' must be a constant");
  SmallVector<int64_t> shape(Emitter::typeOf(x).getShape());
  for (auto [i, size] : llvm::enumerate(shape))
    if (!ShapedType::isDynamic(size))
      size += low[i] + high[i];
  return call.finish(
      call.make<PadOp>(Emitter::typeOf(x).clone(shape), x, border, low, high));
}

//===----------------------------------------------------------------------===//
// Sizes as values
//===----------------------------------------------------------------------===//

static LogicalResult lowerSymSize(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  int64_t dim = call.dim("dim", Emitter::rankOf(x));
  if (call.failed() || Emitter::rankOf(x) == 0)
    return call.fail("the operand has no dimensions");
  return call.finish(call.math.materialize(call.sizeOf(x, dim)));
}

static LogicalResult lowerSymNumel(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  SmallVector<int64_t> dims(Emitter::rankOf(x));
  std::iota(dims.begin(), dims.end(), 0);
  return call.finish(call.math.materialize(call.countOf(x, dims)));
}

void ourc::aten::populateShape(LoweringTable &table) {
  constexpr Signs moved = Signs::Moved;
  table.add({"alias.default", "clone.default", "contiguous.default",
             "detach.default", "lift_fresh_copy.default"},
            lowerIdentity, moved);
  table.add({"view.default", "_unsafe_view.default", "reshape.default"},
            lowerView, moved);
  table.add("flatten.using_ints", lowerFlatten, moved);
  table.add("unsqueeze.default", lowerUnsqueeze, moved);
  table.add({"squeeze.default", "squeeze.dim", "squeeze.dims"}, lowerSqueeze,
            moved);
  table.add("t.default", lowerT, moved);
  table.add("transpose.int", lowerTranspose, moved);
  table.add("permute.default", lowerPermute, moved);
  table.add("expand.default", lowerExpand, moved);
  table.add("repeat.default", lowerRepeat, moved);
  table.add("roll.default", lowerRoll, moved);
  table.add("slice.Tensor", lowerSlice, moved);
  table.add("select.int", lowerSelect, moved);
  table.add("unbind.int", lowerUnbind, moved);
  table.add("split.Tensor", lowerSplit, moved);
  table.add("split_with_sizes.default", lowerSplitWithSizes, moved);
  // Of mixed types these convert, which depends on the sign.
  table.add("cat.default", lowerCat);
  table.add("stack.default", lowerStack);
  table.add("constant_pad_nd.default", lowerPad, moved);
  table.add("sym_size.int", lowerSymSize, moved);
  table.add("sym_numel.default", lowerSymNumel, moved);
}
