//===- Attention.cpp - Scaled dot-product attention ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/AtenToOurc/Lowering.h"
#include "conversion/AtenToOurc/TypePromotion.h"

#include <cmath>

using namespace mlir;
using namespace ourc;
using namespace ourc::aten;

/// Adds unit dimensions in front up to `rank`.
static Value raise(Call &call, Value x, int64_t rank) {
  if (!x || Emitter::rankOf(x) >= rank)
    return x;
  SmallVector<OpFoldResult> sizes(rank - Emitter::rankOf(x),
                                  call.math.constant(1));
  sizes.append(call.sizesOf(x));
  return call.reshape(x, sizes);
}

static LogicalResult lowerAttention(Call &call) {
  Value queries = call.tensor("query"), keys = call.tensor("key"),
        values = call.tensor("value"), mask = call.optionalTensor("attn_mask");
  if (call.number("dropout_p", 0.0) != 0)
    return call.fail("attention with dropout (dropout_p > 0)");
  if (call.flag("enable_gqa", false))
    return call.fail("groups of queries that share keys (enable_gqa=True)");
  if (call.isUsed(1))
    return call.fail("the logarithms of the sums (its second result) are used");
  bool causal = call.flag("is_causal", false);
  RankedTensorType result = call.resultType();
  if (call.failed())
    return failure();
  if (causal && mask)
    return call.fail("a mask beside is_causal=True");
  for (Value x : {queries, keys, values})
    if (Emitter::rankOf(x) != Emitter::rankOf(queries) ||
        Emitter::rankOf(x) < 2)
      return call.fail("queries, keys and values must have one rank, at least "
                       "2");
  int64_t rank = std::max<int64_t>(Emitter::rankOf(queries), 3);
  queries = raise(call, queries, rank);
  keys = raise(call, keys, rank);
  values = raise(call, values, rank);
  if (call.failed())
    return failure();

  int64_t features = Emitter::typeOf(queries).getDimSize(rank - 1);
  double scale = 0;
  if (call.has("scale"))
    scale = call.number("scale");
  else if (ShapedType::isDynamic(features))
    return call.fail("the default scale of a dynamic number of features");
  else
    scale = features == 0 ? 1.0 : 1.0 / std::sqrt(double(features));

  // One batch shape. Sizes are only asked for where something is repeated.
  SmallVector<int64_t> shape(Emitter::typeOf(queries).getShape());
  shape.back() = Emitter::typeOf(values).getShape().back();
  bool repeats = false;
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    for (Value x : {keys, values}) {
      int64_t size = Emitter::typeOf(x).getDimSize(dim);
      repeats |= (size == 1) != (shape[dim] == 1);
      if (!ShapedType::isDynamic(size) && (size != 1 || shape[dim] == 1))
        shape[dim] = size;
    }
  if (repeats) {
    auto batchOf = [&](Value x) {
      SmallVector<OpFoldResult> sizes = call.sizesOf(x);
      sizes[rank - 2] = sizes[rank - 1] = call.math.constant(1);
      return sizes;
    };
    SmallVector<OpFoldResult> batch = batchOf(queries);
    for (Value x : {keys, values})
      for (auto [joined, size] : llvm::zip(batch, batchOf(x))) {
        std::optional<int64_t> constant = getConstantIntValue(size);
        if (getConstantIntValue(joined) == 1 || (constant && constant != 1))
          joined = size;
      }
    for (Value *x : {&queries, &keys, &values}) {
      SmallVector<OpFoldResult> sizes = call.sizesOf(*x);
      std::copy(batch.begin(), batch.end() - 2, sizes.begin());
      *x = call.broadcast(*x, sizes);
    }
    shape = SmallVector<int64_t>(
        call.typeFor(batch, Emitter::elementOf(values)).getShape());
    if (call.failed())
      return failure();
    shape[rank - 2] = Emitter::typeOf(queries).getDimSize(rank - 2);
    shape[rank - 1] = Emitter::typeOf(values).getDimSize(rank - 1);
  }
  if (mask) {
    if (Emitter::rankOf(mask) > rank)
      return call.fail("the mask has more dimensions than the scores");
    if (!Emitter::elementOf(mask).isInteger(1))
      mask = call.cast(mask, Emitter::elementOf(queries));
    mask = raise(call, mask, rank);
  }
  if (call.failed())
    return failure();
  Value attention = call.make<AttentionOp>(
      Emitter::typeOf(queries).clone(shape), queries, keys, values, mask,
      llvm::APFloat(scale), causal, /*zero_masked_rows=*/true);
  if (attention && result.getRank() == 2) {
    SmallVector<OpFoldResult> sizes = call.sizesOf(attention);
    attention = call.reshape(attention, ArrayRef(sizes).drop_front());
  }
  return call.finish(attention);
}

void ourc::aten::populateAttention(LoweringTable &table) {
  table.add({"_scaled_dot_product_flash_attention_for_cpu.default",
             "scaled_dot_product_attention.default"},
            lowerAttention);
}
