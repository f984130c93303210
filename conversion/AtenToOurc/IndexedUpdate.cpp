//===- IndexedUpdate.cpp - Tensors with elements at indices replaced ----===//
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

/// `x` with `updates` at `indices` along `axes`. Booleans go as bytes.
static Value scatter(Call &call, Value x, Value updates,
                     ArrayRef<Value> indices, ArrayRef<int64_t> axes,
                     std::optional<Combiner> combiner = std::nullopt) {
  if (call.failed())
    return {};
  Type element = Emitter::elementOf(x);
  bool isBoolean = element.isInteger(1);
  if (isBoolean && combiner) {
    (void)call.fail("arithmetic on booleans");
    return {};
  }
  Type stored = isBoolean ? call.builder.getI8Type() : element;
  x = call.cast(x, stored);
  updates = call.cast(updates, stored);
  if (call.failed())
    return {};
  CombinerAttr attribute =
      combiner ? CombinerAttr::get(call.builder.getContext(), *combiner)
               : CombinerAttr();
  Value result =
      call.make<ScatterOp>(x.getType(), updates, x, indices, axes, attribute);
  return call.cast(result, element);
}

//===----------------------------------------------------------------------===//
// Whole slices along one dimension
//===----------------------------------------------------------------------===//

namespace {
/// What `index_copy` and the like take: positions along one dimension.
struct Positions {
  Value x, index;
  int64_t rank = 0, dim = 0;

  /// The indexed dimension before the others.
  SmallVector<int64_t> indexedFirst() const {
    SmallVector<int64_t> permutation{dim};
    for (int64_t i = 0; i < rank; ++i)
      if (i != dim)
        permutation.push_back(i);
    return permutation;
  }
};
} // namespace

static FailureOr<Positions> readPositions(Call &call) {
  Positions positions;
  positions.x = call.tensor("self");
  positions.index = readIndex(call, call.tensor("index"));
  if (call.failed())
    return failure();
  positions.rank = Emitter::rankOf(positions.x);
  if (positions.rank == 0 || Emitter::rankOf(positions.index) > 1)
    return call.fail("an operand without dimensions, or indices with more than "
                     "one");
  positions.dim = call.dim("dim", positions.rank);
  if (Emitter::rankOf(positions.index) == 0)
    positions.index = call.reshape(positions.index, call.math.constant(1));
  return positions;
}

static LogicalResult updateSlices(Call &call, Value source,
                                  std::optional<Combiner> combiner) {
  FailureOr<Positions> positions = readPositions(call);
  if (mlir::failed(positions) || call.failed())
    return failure();
  if (Emitter::rankOf(source) != positions->rank)
    return call.fail("operand and source must have one rank");
  source = call.transpose(source, positions->indexedFirst());
  return call.finish(scatter(call, positions->x, source, positions->index,
                             positions->dim, combiner));
}

static LogicalResult lowerIndexCopy(Call &call) {
  return updateSlices(call, call.tensor("source"), std::nullopt);
}

static LogicalResult lowerIndexAdd(Call &call) {
  Value source = call.tensor("source");
  Scalar alpha = call.scalar("alpha", Scalar(int64_t(1)));
  if (call.failed())
    return failure();
  auto *one = std::get_if<int64_t>(&alpha);
  if (!one || *one != 1)
    source = call.apply<MulOp>(source, call.fillLike(alpha, source));
  return updateSlices(call, source, Combiner::Add);
}

static LogicalResult lowerIndexFill(Call &call) {
  FailureOr<Positions> positions = readPositions(call);
  Scalar value = call.scalar("value");
  if (mlir::failed(positions) || call.failed())
    return failure();
  SmallVector<OpFoldResult> sizes = call.sizesOf(positions->index);
  for (int64_t dim : ArrayRef(positions->indexedFirst()).drop_front())
    sizes.push_back(call.sizeOf(positions->x, dim));
  Value updates = call.fill(value, Emitter::elementOf(positions->x), sizes);
  Value index = wrapIndex(call, positions->index,
                          call.sizeOf(positions->x, positions->dim));
  return call.finish(
      scatter(call, positions->x, updates, index, positions->dim));
}

//===----------------------------------------------------------------------===//
// Elements along one dimension
//===----------------------------------------------------------------------===//

/// result[index[i, j, k], j, k] = updates[i, j, k] for dim = 0: the other
/// dimensions are indexed by their own positions. `updates` may be larger than
/// the index; null: `value` everywhere.
static LogicalResult scatterElements(Call &call, Value updates, Scalar value,
                                     std::optional<Combiner> combiner) {
  Value x = call.tensor("self");
  Value index = readIndex(call, call.tensor("index"));
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x), dim = call.dim("dim", rank);
  if (call.failed() || rank == 0 || Emitter::rankOf(index) != rank ||
      (updates && Emitter::rankOf(updates) != rank))
    return call.fail("operand, index and source must have one rank, at least "
                     "1");
  SmallVector<OpFoldResult> sizes = call.sizesOf(index);
  if (updates)
    updates = call.slice(updates,
                         SmallVector<OpFoldResult>(rank, call.math.constant(0)),
                         sizes, SmallVector<int64_t>(rank, 1));
  else
    updates = call.fill(value, Emitter::elementOf(x), sizes);
  SmallVector<Value> indices;
  SmallVector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  for (int64_t axis : axes)
    indices.push_back(axis == dim
                          ? index
                          : call.iota(axis, sizes, Emitter::elementOf(index)));
  return call.finish(scatter(call, x, updates, indices, axes, combiner));
}

static LogicalResult lowerScatter(Call &call) {
  return scatterElements(call, call.tensor("src"), Scalar(), std::nullopt);
}

static LogicalResult lowerScatterValue(Call &call) {
  return scatterElements(call, {}, call.scalar("value"), std::nullopt);
}

static LogicalResult lowerScatterAdd(Call &call) {
  return scatterElements(call, call.tensor("src"), Scalar(), Combiner::Add);
}

static std::optional<Combiner> readReduction(Call &call) {
  StringRef name = call.string("reduce", "");
  auto combiner = llvm::StringSwitch<std::optional<Combiner>>(name)
                      .Cases({"sum", "add"}, Combiner::Add)
                      .Cases({"prod", "multiply"}, Combiner::Mul)
                      .Case("amax", Combiner::Maximum)
                      .Case("amin", Combiner::Minimum)
                      .Default(std::nullopt);
  if (!combiner)
    (void)call.fail("the reduction '" + name + "'");
  return combiner;
}

static LogicalResult lowerScatterReduce(Call &call) {
  std::optional<Combiner> combiner = readReduction(call);
  if (!call.flag("include_self", true))
    return call.fail("a reduction without the operand's own elements "
                     "(include_self=False)");
  return scatterElements(call, call.tensor("src"), Scalar(), combiner);
}

static LogicalResult lowerScatterReduceValue(Call &call) {
  std::optional<Combiner> combiner = readReduction(call);
  return scatterElements(call, {}, call.scalar("value"), combiner);
}

//===----------------------------------------------------------------------===//
// Any dimensions
//===----------------------------------------------------------------------===//

/// Where the mask is true, one value: there is a result of known size.
static LogicalResult putMasked(Call &call, Value x, Value mask, Value values,
                               bool accumulate) {
  SmallVector<int64_t> dims(llvm::to_vector(llvm::seq(Emitter::rankOf(mask))));
  SmallVector<OpFoldResult> sizes = call.sizesOf(x);
  mask = call.broadcast(mask, dims, sizes);
  Value value = call.broadcast(
      call.reshape(call.cast(values, Emitter::elementOf(x)), {}), sizes);
  if (accumulate)
    value = call.apply<AddOp>(x, value);
  if (call.failed())
    return failure();
  return call.finish(call.make<SelectOp>(x.getType(), mask, value, x));
}

/// x[i, :, j] = values: tensors of positions, which broadcast together, and
/// None where a dimension stays whole. See `index` for where the positions'
/// dimensions stand in `values`.
static LogicalResult lowerIndexPut(Call &call) {
  Value x = call.tensor("self"), values = call.tensor("values");
  SmallVector<Value> given = call.tensors("indices", /*allowNone=*/true);
  bool accumulate = call.flag("accumulate", false);
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x);
  if (static_cast<int64_t>(given.size()) > rank)
    return call.fail("there are more indices than dimensions");
  if (given.size() == 1 && given[0] &&
      Emitter::elementOf(given[0]).isInteger(1) &&
      Emitter::rankOf(given[0]) <= rank &&
      Emitter::typeOf(values).hasStaticShape() &&
      Emitter::typeOf(values).getNumElements() == 1)
    return putMasked(call, x, given[0], values, accumulate);
  SmallVector<Value> indices;
  SmallVector<int64_t> axes;
  for (auto [axis, index] : llvm::enumerate(given)) {
    if (!index)
      continue;
    indices.push_back(
        wrapIndex(call, readIndex(call, index), call.sizeOf(x, axis)));
    axes.push_back(axis);
  }
  if (call.failed())
    return failure();
  if (axes.empty())
    return call.fail("no dimension is indexed");
  Type element = Emitter::elementOf(indices.front());
  for (Value index : indices)
    if (Emitter::elementOf(index) != element)
      element = call.builder.getI64Type();
  indices = call.align(indices, element);
  if (call.failed())
    return failure();
  // The values' shape as indexing gives it, then the positions in front.
  int64_t first = axes.front(), indexRank = Emitter::rankOf(indices.front());
  bool isAdjacent =
      axes.back() - first + 1 == static_cast<int64_t>(axes.size());
  int64_t lead = isAdjacent ? first : 0;
  SmallVector<OpFoldResult> sizes, positions = call.sizesOf(indices.front());
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(axes, dim))
      sizes.push_back(call.sizeOf(x, dim));
  sizes.insert(sizes.begin() + lead, positions.begin(), positions.end());
  SmallVector<int64_t> permutation;
  for (int64_t i = 0; i < indexRank; ++i)
    permutation.push_back(lead + i);
  for (int64_t i = 0, e = sizes.size(); i < e; ++i)
    if (i < lead || i >= lead + indexRank)
      permutation.push_back(i);
  values = call.transpose(
      call.broadcast(call.cast(values, Emitter::elementOf(x)), sizes),
      permutation);
  return call.finish(
      scatter(call, x, values, indices, axes,
              accumulate ? std::optional(Combiner::Add) : std::nullopt));
}

void ourc::aten::populateIndexedUpdate(LoweringTable &table) {
  constexpr Signs moved = Signs::Moved;
  table.add("index_copy.default", lowerIndexCopy, moved);
  table.add("index_add.default", lowerIndexAdd);
  table.add("index_fill.int_Scalar", lowerIndexFill);
  table.add({"index_put.default", "_unsafe_index_put.default",
             "_index_put_impl.default"},
            lowerIndexPut);
  table.add("scatter.src", lowerScatter, moved);
  table.add("scatter.value", lowerScatterValue);
  table.add("scatter_add.default", lowerScatterAdd);
  table.add({"scatter_reduce.two", "scatter.reduce"}, lowerScatterReduce);
  table.add("scatter.value_reduce", lowerScatterReduceValue);
}
