//===- RaiseUpdates.cpp - Parts of arguments that are overwritten ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/Passes.h"

#include "dialects/ourc/OurcDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <numeric>

#define DEBUG_TYPE "ourc-raise-updates"

namespace ourc {
#define GEN_PASS_DEF_RAISEUPDATES
#include "transforms/graph/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

namespace {
/// `base` with `part` at positions from `begin` on of dimension `dim`.
struct Replacement {
  Value base, part;
  int64_t dim = 0, begin = 0;
};
} // namespace

/// Whether `value` is positions [begin, begin + its size) of dimension `dim` of
/// a tensor, which is returned; null otherwise.
static Value getSliced(Value value, int64_t dim, int64_t begin) {
  auto slice = value.getDefiningOp<SliceOp>();
  if (!slice || !llvm::all_equal(slice.getStrides()) ||
      (!slice.getStrides().empty() && slice.getStrides()[0] != 1))
    return {};
  auto type = cast<RankedTensorType>(slice.getX().getType());
  for (auto [d, offset] : llvm::enumerate(slice.getMixedOffsets())) {
    bool isDim = static_cast<int64_t>(d) == dim;
    if (getConstantIntValue(offset) != (isDim ? begin : 0))
      return {};
    int64_t size = slice.getType().getDimSize(d);
    if (!isDim && (ShapedType::isDynamic(size) || size != type.getDimSize(d)))
      return {};
  }
  return slice.getX();
}

/// A concatenation of parts of one tensor in their places, but for one.
static std::optional<Replacement> matchReplacement(Value value) {
  auto concat = value.getDefiningOp<ConcatOp>();
  if (!concat || concat.getInputs().size() < 2)
    return std::nullopt;
  Replacement found;
  found.dim = concat.getDim();
  int64_t begin = 0;
  for (Value input : concat.getInputs()) {
    int64_t size =
        cast<RankedTensorType>(input.getType()).getDimSize(found.dim);
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    Value base = getSliced(input, found.dim, begin);
    if (base && base.getType() == value.getType() &&
        (!found.base || found.base == base)) {
      found.base = base;
    } else {
      if (found.part)
        return std::nullopt;
      found.part = input;
      found.begin = begin;
    }
    begin += size;
  }
  if (!found.base || !found.part)
    return std::nullopt;
  return found;
}

/// The replacement as a scatter at consecutive positions.
static void raise(ConcatOp concat, const Replacement &replacement) {
  OpBuilder builder(concat);
  Location loc = concat.getLoc();
  auto partType = cast<RankedTensorType>(replacement.part.getType());
  int64_t rank = partType.getRank(), dim = replacement.dim;
  int64_t size = partType.getDimSize(dim);
  auto positionsType = RankedTensorType::get({size}, builder.getI64Type());
  Value positions = IotaOp::create(builder, loc, positionsType, uint64_t(0),
                                   ValueRange(), ArrayRef<int64_t>{size});
  Value begin = ConstantOp::create(
      builder, loc, positionsType,
      SplatElementsAttr::get(positionsType,
                             builder.getI64IntegerAttr(replacement.begin)));
  positions = AddOp::create(builder, loc, positionsType, positions, begin);
  SmallVector<int64_t> permutation{dim}, shape{size};
  for (int64_t d = 0; d < rank; ++d)
    if (d != dim) {
      permutation.push_back(d);
      shape.push_back(partType.getDimSize(d));
    }
  Value updates = TransposeOp::create(builder, loc, partType.clone(shape),
                                      replacement.part, permutation);
  auto scatter = ScatterOp::create(builder, loc, concat.getType(), updates,
                                   replacement.base, ValueRange(positions),
                                   ArrayRef<int64_t>{dim}, CombinerAttr());
  concat.replaceAllUsesWith(scatter.getResult());
}

namespace {
struct RaiseUpdatesPass : ourc::impl::RaiseUpdatesBase<RaiseUpdatesPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isDeclaration() || !func.getBody().hasOneBlock())
      return;
    auto ret = cast<func::ReturnOp>(func.getBody().front().getTerminator());
    for (unsigned i = 0, e = ret.getNumOperands(); i < e; ++i) {
      auto updated = func.getResultAttrOfType<IntegerAttr>(i, kUpdatesAttrName);
      if (!updated)
        continue;
      // Only where all that changes the argument is a replacement of a part:
      // else the argument is computed anew whatever is done here.
      SmallVector<std::pair<ConcatOp, Replacement>> found;
      Value value = ret.getOperand(i);
      while (true) {
        if (auto scatter = value.getDefiningOp<ScatterOp>()) {
          value = scatter.getX();
        } else if (auto replacement = matchReplacement(value)) {
          found.push_back({value.getDefiningOp<ConcatOp>(), *replacement});
          value = replacement->base;
        } else {
          break;
        }
      }
      if (value != func.getArgument(updated.getInt()))
        continue;
      for (auto &[concat, replacement] : found) {
        raise(concat, replacement);
        ++numRaised;
      }
    }
  }
};
} // namespace
