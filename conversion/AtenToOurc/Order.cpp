//===- Order.cpp - Elements in another order ----------------------------===//
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

/// Each element is compared with each other one: more of them than this are
/// refused.
static constexpr int64_t kMostSorted = 8192;

/// Positions of one dimension, picked by a list of indices.
static Value pick(Call &call, Value x, int64_t dim, Value index) {
  if (call.failed())
    return {};
  RankedTensorType type = Emitter::typeOf(x);
  SmallVector<int64_t> shape{Emitter::typeOf(index).getDimSize(0)};
  SmallVector<int64_t> permutation;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (i != dim)
      shape.push_back(type.getDimSize(i));
    permutation.push_back(i == dim ? 0 : i < dim ? i + 1 : i);
  }
  Value picked = call.make<GatherOp>(type.clone(shape), x, ValueRange(index),
                                     ArrayRef<int64_t>{dim});
  return call.transpose(picked, permutation);
}

Value ourc::aten::reverse(Call &call, Value x, int64_t dim) {
  if (call.failed())
    return {};
  Type i64 = call.builder.getI64Type();
  OpFoldResult size = call.sizeOf(x, dim);
  OpFoldResult last = call.math.sub(size, call.math.constant(1));
  std::optional<int64_t> known = getConstantIntValue(last);
  Value forward = call.iota(0, size, i64);
  Scalar from = known ? Scalar(*known) : Scalar(call.math.materialize(last));
  return pick(call, x, dim,
              call.apply<SubOp>(call.fillLike(from, forward), forward));
}

static LogicalResult lowerFlip(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  if (!call.has("dims"))
    return call.finish(x);
  auto given = dyn_cast_if_present<ArrayAttr>(call.op.getArgument("dims"));
  if (given && given.empty())
    return call.finish(x);
  for (int64_t dim : call.dims("dims", Emitter::rankOf(x)))
    x = reverse(call, x, dim);
  return call.finish(x);
}

//===----------------------------------------------------------------------===//
// Borders of the tensor's own elements
//===----------------------------------------------------------------------===//

/// Positions -low … size + high - 1 of one dimension, brought into it by
/// `inside`.
template <int64_t inside(int64_t at, int64_t size)>
static LogicalResult lowerOwnBorder(Call &call) {
  Value x = call.tensor("self");
  SmallVector<OpFoldResult> given = call.sizes("padding");
  if (call.failed())
    return failure();
  std::optional<SmallVector<int64_t>> borders = getConstantIntValues(given);
  int64_t rank = Emitter::rankOf(x);
  if (!borders || borders->size() % 2 != 0 ||
      static_cast<int64_t>(borders->size()) > 2 * rank)
    return call.fail("argument 'padding' must hold two constants for each of "
                     "at most " +
                     Twine(rank) + " dimensions");
  for (int64_t i = 0, e = borders->size() / 2; i < e; ++i) {
    int64_t dim = rank - 1 - i, size = Emitter::typeOf(x).getDimSize(dim);
    int64_t low = (*borders)[2 * i], high = (*borders)[2 * i + 1];
    if (low == 0 && high == 0)
      continue;
    if (ShapedType::isDynamic(size) || size < 1 || size + low + high < 0)
      return call.fail("a border of a dimension whose size depends on the "
                       "call, or is zero");
    SmallVector<int64_t> positions;
    for (int64_t at = -low; at < size + high; ++at) {
      positions.push_back(inside(at, size));
      if (positions.back() < 0 || positions.back() >= size)
        return call.fail("a border as wide as the tensor");
    }
    auto type = RankedTensorType::get({static_cast<int64_t>(positions.size())},
                                      call.builder.getI64Type());
    Value index = call.make<ConstantOp>(
        type, DenseElementsAttr::get(type, ArrayRef<int64_t>(positions)));
    x = pick(call, x, dim, index);
    if (call.failed())
      return failure();
  }
  return call.finish(x);
}

static int64_t reflect(int64_t at, int64_t size) {
  return at < 0 ? -at : at >= size ? 2 * (size - 1) - at : at;
}
static int64_t clampInside(int64_t at, int64_t size) {
  return std::clamp<int64_t>(at, 0, size - 1);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Windows of `size` positions along a dimension, `step` apart; their elements
/// are the last dimension.
static LogicalResult lowerUnfold(Call &call) {
  Value x = call.tensor("self");
  int64_t size = call.integer("size"), step = call.integer("step");
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x), dim = call.dim("dimension", rank);
  if (call.failed() || rank == 0)
    return call.fail("an operand without dimensions");
  int64_t length = Emitter::typeOf(x).getDimSize(dim);
  if (ShapedType::isDynamic(length) || size < 1 || step < 1 || size > length)
    return call.fail("windows along a dimension whose size depends on the "
                     "call, or that are larger than it");
  int64_t count = (length - size) / step + 1;
  Type i64 = call.builder.getI64Type();
  SmallVector<OpFoldResult> sizes{call.math.constant(count),
                                  call.math.constant(size)};
  Value start = call.iota(0, sizes, i64);
  Value index =
      call.apply<AddOp>(call.apply<MulOp>(start, call.fillLike(step, start)),
                        call.iota(1, sizes, i64));
  SmallVector<int64_t> shape{count, size}, permutation;
  for (int64_t i = 0; i < rank; ++i) {
    if (i != dim)
      shape.push_back(Emitter::typeOf(x).getDimSize(i));
    permutation.push_back(i == dim ? 0 : i < dim ? i + 2 : i + 1);
  }
  permutation.push_back(1);
  Value windows =
      call.make<GatherOp>(Emitter::typeOf(x).clone(shape), x, ValueRange(index),
                          ArrayRef<int64_t>{dim});
  return call.finish(call.transpose(windows, permutation));
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

/// For each element along `dim` how many come before it; NaN is the greatest,
/// and of equal elements the first comes first.
static Value rankElements(Call &call, Value x, int64_t dim, bool descending) {
  int64_t rank = Emitter::rankOf(x);
  SmallVector<OpFoldResult> sizes = call.sizesOf(x), square(sizes);
  square.insert(square.begin() + dim, sizes[dim]);
  SmallVector<int64_t> asOwn, asOther;
  for (int64_t d = 0; d < rank; ++d) {
    asOwn.push_back(d <= dim ? d : d + 1);
    asOther.push_back(d < dim ? d : d + 1);
  }
  Value own = call.broadcast(x, asOwn, square);
  Value other = call.broadcast(x, asOther, square);
  Type i64 = call.builder.getI64Type();
  SmallVector<OpFoldResult> matrix{sizes[dim], sizes[dim]};
  Value isEarlier = call.broadcast(call.compare(ComparePredicate::LT,
                                                call.iota(1, matrix, i64),
                                                call.iota(0, matrix, i64)),
                                   {dim, dim + 1}, square);
  Value before = call.compare(
      descending ? ComparePredicate::GT : ComparePredicate::LT, other, own);
  Value equal = call.compare(ComparePredicate::EQ, other, own);
  if (call.failed())
    return {};
  if (isa<FloatType>(Emitter::elementOf(x))) {
    Value ownNan = call.compare(ComparePredicate::NE, own, own);
    Value otherNan = call.compare(ComparePredicate::NE, other, other);
    Value greater = descending ? otherNan : ownNan;
    Value lesser = descending ? ownNan : otherNan;
    before = call.apply<OrOp>(
        before, call.apply<AndOp>(greater, call.apply<NotOp>(lesser)));
    equal = call.apply<OrOp>(equal, call.apply<AndOp>(ownNan, otherNan));
  }
  before = call.apply<OrOp>(before, call.apply<AndOp>(equal, isEarlier));
  return call.reduce(Combiner::Add, call.cast(before, i64), {dim + 1},
                     /*keepDims=*/false);
}

/// The first `count` elements of the order along `dim`, and their positions.
static LogicalResult sort(Call &call, Value x, int64_t dim, OpFoldResult count,
                          bool descending) {
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x);
  if (rank == 0)
    return call.fail("an operand without dimensions");
  int64_t size = Emitter::typeOf(x).getDimSize(dim);
  if (ShapedType::isDynamic(size) || size > kMostSorted)
    return call.fail("an order of more than " + Twine(kMostSorted) +
                     " elements, or of a number that depends on the call");
  Type i64 = call.builder.getI64Type();
  Value compared = Emitter::elementOf(x).isInteger(1)
                       ? call.cast(x, call.builder.getI8Type())
                       : x;
  Value ranks = rankElements(call, compared, dim, descending);
  // Position k holds the only element of rank k.
  SmallVector<OpFoldResult> sizes = call.sizesOf(x), square(sizes);
  square.insert(square.begin() + dim, count);
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < rank; ++d)
    dims.push_back(d < dim ? d : d + 1);
  ranks = call.broadcast(ranks, dims, square);
  Value wanted = call.iota(dim, square, i64);
  Value positions = call.iota(dim + 1, square, i64);
  Value isWanted = call.compare(ComparePredicate::EQ, ranks, wanted);
  if (call.failed())
    return failure();
  Value found = call.make<SelectOp>(positions.getType(), isWanted, positions,
                                    call.fillLike(int64_t(0), positions));
  positions = call.reduce(Combiner::Add, found, {dim + 1}, /*keepDims=*/false);
  if (call.failed())
    return failure();
  SmallVector<OpFoldResult> picked = call.sizesOf(positions);
  SmallVector<Value> indices;
  SmallVector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  for (int64_t axis : axes)
    indices.push_back(axis == dim ? positions : call.iota(axis, picked, i64));
  if (call.isUsed(0) &&
      mlir::failed(call.set(
          0, call.make<GatherOp>(Emitter::typeOf(x).clone(
                                     Emitter::typeOf(positions).getShape()),
                                 x, indices, axes))))
    return failure();
  return call.isUsed(1) ? call.set(1, positions) : success(!call.failed());
}

static LogicalResult lowerSort(Call &call) {
  Value x = call.tensor("self");
  if (call.failed())
    return failure();
  int64_t dim = call.dim("dim", Emitter::rankOf(x), -1);
  bool descending = call.flag("descending", false);
  if (call.failed() || Emitter::rankOf(x) == 0)
    return call.fail("an operand without dimensions");
  return sort(call, x, dim, call.sizeOf(x, dim), descending);
}

static LogicalResult lowerTopk(Call &call) {
  Value x = call.tensor("self");
  OpFoldResult count = call.size("k");
  if (call.failed())
    return failure();
  int64_t dim = call.dim("dim", Emitter::rankOf(x), -1);
  return sort(call, x, dim, count, call.flag("largest", true));
}

void ourc::aten::populateOrder(LoweringTable &table) {
  constexpr Signs moved = Signs::Moved;
  table.add("flip.default", lowerFlip, moved);
  table.add({"reflection_pad1d.default", "reflection_pad2d.default",
             "reflection_pad3d.default"},
            lowerOwnBorder<reflect>, moved);
  table.add({"replication_pad1d.default", "replication_pad2d.default",
             "replication_pad3d.default"},
            lowerOwnBorder<clampInside>, moved);
  table.add("unfold.default", lowerUnfold, moved);
  table.add({"sort.default", "sort.stable"}, lowerSort);
  table.add("topk.default", lowerTopk);
}
