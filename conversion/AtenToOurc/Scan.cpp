//===- Scan.cpp - Running sums and products -----------------------------===//
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

/// Positions that are reduced at once. A reduction of so many has no chain of
/// dependent additions as long as itself, and vectors do it; longer scans are
/// made of it in levels.
static constexpr int64_t kBlock = 64;

static Value combine(Call &call, Combiner combiner, Value a, Value b) {
  return combiner == Combiner::Add ? call.apply<AddOp>(a, b)
                                   : call.apply<MulOp>(a, b);
}

/// For each position along `dim` the reduction of all up to it, over the
/// square of positions: result[i] = reduce_j (j <= i ? x[j] : neutral). What
/// comes later has no influence, NaN neither.
static Value scanSquare(Call &call, Combiner combiner, Value x, int64_t dim,
                        Scalar neutral) {
  if (call.failed())
    return {};
  int64_t rank = Emitter::rankOf(x);
  SmallVector<OpFoldResult> sizes = call.sizesOf(x);
  OpFoldResult size = sizes[dim];
  sizes.insert(sizes.begin() + dim, size);
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < rank; ++d)
    dims.push_back(d < dim ? d : d + 1);
  Value square = call.broadcast(x, dims, sizes);
  Type i64 = call.builder.getI64Type();
  SmallVector<OpFoldResult> matrix{size, size};
  Value upTo = call.compare(ComparePredicate::GE, call.iota(0, matrix, i64),
                            call.iota(1, matrix, i64));
  upTo = call.broadcast(upTo, {dim, dim + 1}, sizes);
  if (call.failed())
    return {};
  Value masked = call.make<SelectOp>(square.getType(), upTo, square,
                                     call.fillLike(neutral, square));
  return call.reduce(combiner, masked, {dim + 1}, /*keepDims=*/false);
}

/// A border of `neutral` along one dimension.
static Value pad(Call &call, Value x, int64_t dim, int64_t low, int64_t high,
                 Scalar neutral) {
  if (call.failed() || (low == 0 && high == 0))
    return x;
  RankedTensorType type = Emitter::typeOf(x);
  TypedAttr border = call.attributeOf(neutral, type.getElementType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] += low + high;
  SmallVector<int64_t> before(type.getRank(), 0), after(type.getRank(), 0);
  before[dim] = low;
  after[dim] = high;
  return call.make<PadOp>(type.clone(shape), x, border, before, after);
}

static Value scan(Call &call, Combiner combiner, Value x, int64_t dim,
                  Scalar neutral) {
  if (call.failed())
    return {};
  int64_t size = Emitter::typeOf(x).getDimSize(dim);
  if (ShapedType::isDynamic(size) || size <= kBlock)
    return scanSquare(call, combiner, x, dim, neutral);

  // Blocks apart, then each block's positions with all blocks before it.
  int64_t blocks = llvm::divideCeil(size, kBlock);
  SmallVector<OpFoldResult> sizes = call.sizesOf(x);
  SmallVector<OpFoldResult> blocked(sizes), whole(sizes);
  blocked[dim] = call.math.constant(blocks);
  blocked.insert(blocked.begin() + dim + 1, call.math.constant(kBlock));
  whole[dim] = call.math.constant(blocks * kBlock);
  x = pad(call, x, dim, 0, blocks * kBlock - size, neutral);
  Value within =
      scanSquare(call, combiner, call.reshape(x, blocked), dim + 1, neutral);
  SmallVector<OpFoldResult> perBlock(sizes);
  perBlock[dim] = call.math.constant(blocks);
  Value totals =
      call.reshape(call.slice(within, dim + 1, call.math.constant(kBlock - 1),
                              call.math.constant(1)),
                   perBlock);
  Value before = scan(call, combiner, totals, dim, neutral);
  before = call.slice(before, dim, call.math.constant(0),
                      call.math.constant(blocks - 1));
  before = pad(call, before, dim, 1, 0, neutral);
  if (call.failed())
    return {};
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < Emitter::rankOf(before); ++d)
    dims.push_back(d <= dim ? d : d + 1);
  Value all =
      combine(call, combiner, call.broadcast(before, dims, blocked), within);
  return call.slice(call.reshape(all, whole), dim, call.math.constant(0),
                    call.math.constant(size));
}

/// In the result's type, f16 and bf16 accumulated in f32.
template <Combiner combiner> static LogicalResult lowerScan(Call &call) {
  Value x = call.tensor("self");
  Type element = call.resultElement();
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(x), dim = call.dim("dim", rank);
  if (call.failed())
    return failure();
  if (Emitter::elementOf(x) != element)
    x = call.make<CastOp>(Emitter::typeOf(x).clone(element), x,
                          call.isUnsigned(x), /*unsignedResult=*/false);
  else if (call.isUnsigned(x))
    return call.fail("a result of unsigned integers");
  if (rank == 0)
    return call.finish(x);
  if (element.isF16() || element.isBF16())
    x = call.cast(x, call.builder.getF32Type());
  Scalar neutral = int64_t(combiner == Combiner::Mul);
  return call.finish(call.cast(scan(call, combiner, x, dim, neutral), element));
}

void ourc::aten::populateScan(LoweringTable &table) {
  table.add("cumsum.default", lowerScan<Combiner::Add>, Signs::Handled);
  table.add("cumprod.default", lowerScan<Combiner::Mul>, Signs::Handled);
}
