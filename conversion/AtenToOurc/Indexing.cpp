//===- Indexing.cpp - Elements at given positions -----------------------===//
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

Value ourc::aten::readIndex(Call &call, Value index) {
  if (!index)
    return {};
  Type element = Emitter::elementOf(index);
  if (element.isInteger(1)) {
    (void)call.fail("indexing by a boolean mask: the result's size would "
                    "depend on data");
    return {};
  }
  if (!element.isInteger(64) && !element.isInteger(32)) {
    (void)call.fail("positions must be 32- or 64-bit integers");
    return {};
  }
  return index;
}

/// Whether no element can be negative, as far as its producers tell.
static bool isNonNegative(Value index) {
  Operation *op = index.getDefiningOp();
  if (!op)
    return false;
  if (isa<IotaOp>(op))
    return true;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto elements = dyn_cast<DenseIntElementsAttr>(constant.getValue());
    return elements && elements.isSplat() &&
           !elements.getSplatValue<APInt>().isNegative();
  }
  if (isa<ReshapeOp, TransposeOp, BroadcastOp, SliceOp>(op))
    return isNonNegative(op->getOperand(0));
  if (isa<AddOp, MulOp>(op))
    return isNonNegative(op->getOperand(0)) && isNonNegative(op->getOperand(1));
  return false;
}

Value ourc::aten::wrapIndex(Call &call, Value index, OpFoldResult size) {
  if (!index || isNonNegative(index))
    return index;
  Value negative = call.compare(ComparePredicate::LT, index,
                                call.fillLike(int64_t(0), index));
  std::optional<int64_t> known = getConstantIntValue(size);
  Scalar shift = known ? Scalar(*known) : Scalar(call.math.materialize(size));
  Value wrapped = call.apply<AddOp>(index, call.fillLike(shift, index));
  return call.make<SelectOp>(index.getType(), negative, wrapped, index);
}

static Value gather(Call &call, Value x, ArrayRef<Value> indices,
                    ArrayRef<int64_t> axes) {
  if (call.failed())
    return {};
  RankedTensorType type = Emitter::typeOf(x);
  SmallVector<int64_t> shape(Emitter::typeOf(indices.front()).getShape());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(axes, dim))
      shape.push_back(type.getDimSize(dim));
  return call.make<GatherOp>(type.clone(shape), x, indices, axes);
}

/// The indices are rows of the table; padding_idx matters to gradients only.
static LogicalResult lowerEmbedding(Call &call) {
  Value table = call.tensor("weight");
  Value indices = readIndex(call, call.tensor("indices"));
  if (call.failed())
    return failure();
  if (Emitter::rankOf(table) != 2)
    return call.fail("the table must have 2 dimensions");
  return call.finish(gather(call, table, indices, {0}));
}

static LogicalResult lowerIndexSelect(Call &call) {
  Value x = call.tensor("self");
  Value index = readIndex(call, call.tensor("index"));
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x), dim = call.dim("dim", rank);
  if (call.failed() || rank == 0 || Emitter::rankOf(index) > 1)
    return call.fail("an operand without dimensions, or indices with more than "
                     "one");
  if (Emitter::rankOf(index) == 0)
    index = call.reshape(index, call.math.constant(1));
  Value picked = gather(call, x, index, {dim});
  // The picked dimension comes first; put it back.
  SmallVector<int64_t> permutation;
  for (int64_t i = 0; i < rank; ++i)
    permutation.push_back(i == dim ? 0 : i < dim ? i + 1 : i);
  return call.finish(call.transpose(picked, permutation));
}

/// result[i, j, k] = self[index[i, j, k], j, k] for dim = 0: the other
/// dimensions are indexed by their own positions.
static LogicalResult lowerGather(Call &call) {
  Value x = call.tensor("self");
  Value index = readIndex(call, call.tensor("index"));
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x), dim = call.dim("dim", rank);
  if (call.failed() || rank == 0 || Emitter::rankOf(index) != rank)
    return call.fail("the index must have the operand's rank, at least 1");
  SmallVector<OpFoldResult> sizes = call.sizesOf(index);
  SmallVector<Value> indices;
  SmallVector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  for (int64_t axis : axes)
    indices.push_back(axis == dim
                          ? index
                          : call.iota(axis, sizes, Emitter::elementOf(index)));
  return call.finish(gather(call, x, indices, axes));
}

/// x[i, :, j]: tensors of positions, which broadcast together, and None where a
/// dimension stays whole. The positions' dimensions stand where the first
/// indexed one was if the indexed ones are adjacent, else in front.
static LogicalResult lowerIndex(Call &call) {
  Value x = call.tensor("self");
  SmallVector<Value> given = call.tensors("indices", /*allowNone=*/true);
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x);
  if (static_cast<int64_t>(given.size()) > rank)
    return call.fail("there are more indices than dimensions");
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
    return call.finish(x);
  Type element = Emitter::elementOf(indices.front());
  for (Value index : indices)
    if (Emitter::elementOf(index) != element)
      element = call.builder.getI64Type();
  indices = call.align(indices, element);
  Value picked = gather(call, x, indices, axes);
  if (call.failed())
    return failure();

  int64_t first = axes.front();
  bool isAdjacent =
      axes.back() - first + 1 == static_cast<int64_t>(axes.size());
  if (!isAdjacent || first == 0)
    return call.finish(picked);
  int64_t indexRank = Emitter::rankOf(indices.front());
  SmallVector<int64_t> permutation;
  for (int64_t i = 0; i < first; ++i)
    permutation.push_back(indexRank + i);
  for (int64_t i = 0; i < indexRank; ++i)
    permutation.push_back(i);
  for (int64_t i = indexRank + first; i < Emitter::rankOf(picked); ++i)
    permutation.push_back(i);
  return call.finish(call.transpose(picked, permutation));
}

void ourc::aten::populateIndexing(LoweringTable &table) {
  constexpr Signs moved = Signs::Moved;
  table.add("embedding.default", lowerEmbedding, moved);
  table.add("index_select.default", lowerIndexSelect, moved);
  table.add("gather.default", lowerGather, moved);
  table.add({"index.Tensor", "_unsafe_index.Tensor"}, lowerIndex, moved);
}
