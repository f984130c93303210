//===- Scatter.cpp - Tensors with a part replaced -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/AtenToOurc/Lowering.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::aten;

/// `x` whose positions [begin, end) of a dimension are `part`.
static Value replacePart(Call &call, Value x, Value part, int64_t dim,
                         OpFoldResult begin, OpFoldResult end) {
  Value before = call.slice(x, dim, call.math.constant(0), begin);
  Value after =
      call.slice(x, dim, end, call.math.sub(call.sizeOf(x, dim), end));
  part = call.cast(part, Emitter::elementOf(x));
  if (call.failed())
    return {};
  return call.concat({before, part, after}, dim);
}

static LogicalResult lowerSliceScatter(Call &call) {
  Value x = call.tensor("self"), part = call.tensor("src");
  if (call.failed())
    return failure();
  int64_t dim = call.dim("dim", Emitter::rankOf(x), 0);
  if (call.integer("step", 1) != 1)
    return call.fail("parts with a step above 1");
  if (call.failed() || Emitter::rankOf(x) == 0)
    return call.fail("the operand has no dimensions");
  OpFoldResult size = call.sizeOf(x, dim);
  OpFoldResult begin = call.math.clampPosition(call.size("start", 0), size);
  OpFoldResult end = call.math.clampPosition(
      call.size("end", std::numeric_limits<int64_t>::max()), size);
  if (call.failed())
    return failure();
  return call.finish(
      replacePart(call, x, part, dim, begin, call.math.max(begin, end)));
}

static LogicalResult lowerSelectScatter(Call &call) {
  Value x = call.tensor("self"), part = call.tensor("src");
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x), dim = call.dim("dim", rank);
  OpFoldResult index = call.size("index");
  if (call.failed() || rank == 0 || Emitter::rankOf(part) != rank - 1)
    return call.fail(
        "the source must have one dimension less than the operand");
  index = call.math.wrap(index, call.sizeOf(x, dim));
  SmallVector<OpFoldResult> sizes = call.sizesOf(part);
  sizes.insert(sizes.begin() + dim, call.math.constant(1));
  part = call.reshape(part, sizes);
  OpFoldResult end = call.math.add(index, call.math.constant(1));
  return call.finish(replacePart(call, x, part, dim, index, end));
}

/// The source in the type and the shape of the operand, whose values go.
static LogicalResult lowerCopy(Call &call) {
  Value x = call.tensor("self"), source = call.tensor("src");
  if (call.failed())
    return failure();
  return call.finish(call.broadcast(call.cast(source, Emitter::elementOf(x)),
                                    call.sizesOf(x)));
}

/// Elements on one side of a diagonal, the others zero.
template <ComparePredicate kept>
static LogicalResult lowerTriangle(Call &call) {
  Value x = call.tensor("self");
  int64_t diagonal = call.integer("diagonal", 0);
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x);
  if (rank < 2)
    return call.fail("the operand must have at least 2 dimensions");
  SmallVector<OpFoldResult> sizes = call.sizesOf(x);
  ArrayRef<OpFoldResult> matrix = ArrayRef(sizes).take_back(2);
  Type i64 = call.builder.getI64Type();
  Value row = call.iota(0, matrix, i64), column = call.iota(1, matrix, i64);
  Value offset = call.apply<SubOp>(column, row);
  Value mask = call.compare(kept, offset, call.fillLike(diagonal, offset));
  mask = call.broadcast(mask, sizes);
  if (call.failed())
    return failure();
  return call.finish(
      call.make<SelectOp>(x.getType(), mask, x, call.fillLike(int64_t(0), x)));
}

void ourc::aten::populateScatter(LoweringTable &table) {
  table.add("copy.default", lowerCopy);
  table.add("select_scatter.default", lowerSelectScatter);
  table.add("slice_scatter.default", lowerSliceScatter);
  table.add("tril.default", lowerTriangle<ComparePredicate::LE>, Signs::Moved);
  table.add("triu.default", lowerTriangle<ComparePredicate::GE>, Signs::Moved);
}
