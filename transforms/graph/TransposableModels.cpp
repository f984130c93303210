//===- TransposableModels.cpp - How transposes move past each operation ---===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/TransposableModels.h"

#include "dialects/ourc/OurcDialect.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace ourc;

#include "transforms/graph/TransposableOpInterface.cpp.inc"

/// `values`, which belong to transposed dimensions, in the order of the
/// untransposed ones: transposed dimension i is `permutation[i]`.
template <typename T>
static SmallVector<T> untranspose(ArrayRef<T> values,
                                  ArrayRef<int64_t> permutation) {
  SmallVector<T> result(values.size());
  for (auto [i, dim] : llvm::enumerate(permutation))
    result[dim] = values[i];
  return result;
}

static RankedTensorType untransposeType(RankedTensorType type,
                                        ArrayRef<int64_t> permutation) {
  return type.clone(untranspose(type.getShape(), permutation));
}

static Value transpose(OpBuilder &builder, Operation *op, Value value,
                       ArrayRef<int64_t> permutation) {
  return TransposeOp::create(builder, op->getLoc(), op->getResult(0).getType(),
                             value, permutation);
}

namespace {
template <typename Model, typename OpT>
struct OneOperand : TransposableOpInterface::ExternalModel<Model, OpT> {
  unsigned getNumTransposable(Operation *) const { return 1; }
};

struct PadModel : OneOperand<PadModel, PadOp> {
  FailureOr<Value> buildOnUntransposed(Operation *op, OpBuilder &builder,
                                       ValueRange operands,
                                       ArrayRef<int64_t> permutation) const {
    auto pad = cast<PadOp>(op);
    Value result = PadOp::create(builder, op->getLoc(),
                                 untransposeType(pad.getType(), permutation),
                                 operands[0], cast<TypedAttr>(pad.getValue()),
                                 untranspose(pad.getLow(), permutation),
                                 untranspose(pad.getHigh(), permutation));
    return transpose(builder, op, result, permutation);
  }
};

struct RepeatModel : OneOperand<RepeatModel, RepeatOp> {
  FailureOr<Value> buildOnUntransposed(Operation *op, OpBuilder &builder,
                                       ValueRange operands,
                                       ArrayRef<int64_t> permutation) const {
    auto repeat = cast<RepeatOp>(op);
    Value result = RepeatOp::create(
        builder, op->getLoc(), untransposeType(repeat.getType(), permutation),
        operands[0], untranspose(repeat.getFactors(), permutation));
    return transpose(builder, op, result, permutation);
  }
};

struct SliceModel : OneOperand<SliceModel, SliceOp> {
  FailureOr<Value> buildOnUntransposed(Operation *op, OpBuilder &builder,
                                       ValueRange operands,
                                       ArrayRef<int64_t> permutation) const {
    auto slice = cast<SliceOp>(op);
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(),
                              sizes = slice.getMixedSizes();
    SmallVector<int64_t> staticOffsets, staticSizes;
    SmallVector<Value> dynamicOffsets, dynamicSizes;
    dispatchIndexOpFoldResults(
        untranspose(ArrayRef<OpFoldResult>(offsets), permutation),
        dynamicOffsets, staticOffsets);
    dispatchIndexOpFoldResults(
        untranspose(ArrayRef<OpFoldResult>(sizes), permutation), dynamicSizes,
        staticSizes);
    Value result = SliceOp::create(
        builder, op->getLoc(), untransposeType(slice.getType(), permutation),
        operands[0], dynamicOffsets, dynamicSizes, staticOffsets, staticSizes,
        untranspose(slice.getStrides(), permutation));
    return transpose(builder, op, result, permutation);
  }
};

struct ConcatModel
    : TransposableOpInterface::ExternalModel<ConcatModel, ConcatOp> {
  unsigned getNumTransposable(Operation *op) const {
    return op->getNumOperands();
  }
  FailureOr<Value> buildOnUntransposed(Operation *op, OpBuilder &builder,
                                       ValueRange operands,
                                       ArrayRef<int64_t> permutation) const {
    auto concat = cast<ConcatOp>(op);
    Value result = ConcatOp::create(
        builder, op->getLoc(), untransposeType(concat.getType(), permutation),
        operands, static_cast<uint64_t>(permutation[concat.getDim()]));
    return transpose(builder, op, result, permutation);
  }
};

struct SoftmaxModel : OneOperand<SoftmaxModel, SoftmaxOp> {
  FailureOr<Value> buildOnUntransposed(Operation *op, OpBuilder &builder,
                                       ValueRange operands,
                                       ArrayRef<int64_t> permutation) const {
    auto softmax = cast<SoftmaxOp>(op);
    Value result = SoftmaxOp::create(
        builder, op->getLoc(), operands[0].getType(), operands[0],
        static_cast<uint64_t>(permutation[softmax.getDim()]));
    return transpose(builder, op, result, permutation);
  }
};

struct BatchNormModel : OneOperand<BatchNormModel, BatchNormOp> {
  FailureOr<Value> buildOnUntransposed(Operation *op, OpBuilder &builder,
                                       ValueRange operands,
                                       ArrayRef<int64_t> permutation) const {
    auto norm = cast<BatchNormOp>(op);
    Value result = BatchNormOp::create(
        builder, op->getLoc(), operands[0].getType(), operands[0],
        norm.getMean(), norm.getVariance(), norm.getWeight(), norm.getBias(),
        static_cast<uint64_t>(permutation[norm.getChannel()]),
        norm.getEpsilon());
    return transpose(builder, op, result, permutation);
  }
};

/// Samples stay in front.
struct GroupNormModel : OneOperand<GroupNormModel, GroupNormOp> {
  FailureOr<Value> buildOnUntransposed(Operation *op, OpBuilder &builder,
                                       ValueRange operands,
                                       ArrayRef<int64_t> permutation) const {
    auto norm = cast<GroupNormOp>(op);
    if (permutation.front() != 0)
      return failure();
    Value result = GroupNormOp::create(
        builder, op->getLoc(), operands[0].getType(), operands[0],
        norm.getWeight(), norm.getBias(), norm.getGroups(),
        static_cast<uint64_t>(permutation[norm.getChannel()]),
        norm.getEpsilon());
    return transpose(builder, op, result, permutation);
  }
};

/// Reduced dimensions go; the others keep their order as far as they have one.
struct ReduceModel : OneOperand<ReduceModel, ReduceOp> {
  FailureOr<Value> buildOnUntransposed(Operation *op, OpBuilder &builder,
                                       ValueRange operands,
                                       ArrayRef<int64_t> permutation) const {
    auto reduce = cast<ReduceOp>(op);
    SmallVector<int64_t> dims;
    for (int64_t dim : reduce.getDimensions())
      dims.push_back(permutation[dim]);
    llvm::sort(dims);
    // What is left of the permutation.
    SmallVector<int64_t> kept, shape;
    auto type = cast<RankedTensorType>(operands[0].getType());
    for (int64_t dim : permutation)
      if (!llvm::is_contained(dims, dim)) {
        int64_t before =
            llvm::count_if(dims, [&](int64_t d) { return d < dim; });
        kept.push_back(dim - before);
      }
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (!llvm::is_contained(dims, i))
        shape.push_back(type.getDimSize(i));
    Value result = ReduceOp::create(builder, op->getLoc(), type.clone(shape),
                                    reduce.getCombiner(), operands[0], dims);
    return transpose(builder, op, result, kept);
  }
};

/// The operand's dimensions take the result dimensions that they had as a set.
struct BroadcastModel : OneOperand<BroadcastModel, BroadcastOp> {
  FailureOr<Value> buildOnUntransposed(Operation *op, OpBuilder &builder,
                                       ValueRange operands,
                                       ArrayRef<int64_t> permutation) const {
    auto broadcast = cast<BroadcastOp>(op);
    ArrayRef<int64_t> dims = broadcast.getDimensions();
    // Result dimension k of the original is `moved[k]` of the new one.
    SmallVector<int64_t> moved =
        llvm::to_vector(llvm::seq<int64_t>(0, broadcast.getType().getRank()));
    for (auto [i, dim] : llvm::enumerate(permutation))
      moved[dims[i]] = dims[dim];
    SmallVector<OpFoldResult> sizes = broadcast.getMixedSizes();
    SmallVector<int64_t> staticSizes;
    SmallVector<Value> dynamicSizes;
    dispatchIndexOpFoldResults(
        untranspose(ArrayRef<OpFoldResult>(sizes), moved), dynamicSizes,
        staticSizes);
    Value result = BroadcastOp::create(
        builder, op->getLoc(), untransposeType(broadcast.getType(), moved),
        operands[0], dims, dynamicSizes, staticSizes);
    return transpose(builder, op, result, moved);
  }
};

/// Runs of dimensions that a reshape takes to runs of dimensions.
struct ReshapeRun {
  SmallVector<int64_t> from, to;
};

/// The shortest runs of a reshape; operand dimensions of size 1 are in none.
/// Nothing where that cannot be told from the types.
static std::optional<SmallVector<ReshapeRun>> getRuns(ReshapeOp op) {
  ArrayRef<int64_t> from = op.getX().getType().getShape(),
                    to = op.getType().getShape();
  // One dynamic size is the same on both sides if all others are.
  auto product = [](ArrayRef<int64_t> shape) {
    int64_t size = 1;
    for (int64_t dim : shape)
      size *= ShapedType::isDynamic(dim) ? 1 : dim;
    return size;
  };
  if (llvm::count_if(from, ShapedType::isDynamic) !=
          llvm::count_if(to, ShapedType::isDynamic) ||
      llvm::count_if(from, ShapedType::isDynamic) > 1 ||
      product(from) != product(to) || product(from) == 0)
    return std::nullopt;
  SmallVector<ReshapeRun> runs;
  int64_t i = 0, j = 0, rank = from.size(), resultRank = to.size();
  while (true) {
    while (i < rank && from[i] == 1)
      ++i;
    ReshapeRun run;
    if (i == rank) {
      for (; j < resultRank; ++j)
        run.to.push_back(j);
      if (!run.to.empty())
        runs.push_back(run);
      return runs;
    }
    while (j < resultRank && to[j] == 1)
      run.to.push_back(j++);
    if (j == resultRank)
      return std::nullopt;
    int64_t a = from[i], b = to[j];
    run.from.push_back(i++);
    run.to.push_back(j++);
    while (a != b) {
      if (ShapedType::isDynamic(a) || ShapedType::isDynamic(b))
        return std::nullopt;
      bool takeFrom = a < b;
      int64_t next =
          takeFrom ? (i < rank ? from[i] : 0) : (j < resultRank ? to[j] : 0);
      if (next <= 0)
        return std::nullopt;
      if (takeFrom) {
        a *= next;
        if (next != 1)
          run.from.push_back(i);
        ++i;
      } else {
        b *= next;
        run.to.push_back(j++);
      }
    }
    runs.push_back(run);
  }
}

/// Dimensions that are merged or split must follow one another before the
/// transpose as well.
struct ReshapeModel : OneOperand<ReshapeModel, ReshapeOp> {
  FailureOr<Value> buildOnUntransposed(Operation *op, OpBuilder &builder,
                                       ValueRange operands,
                                       ArrayRef<int64_t> permutation) const {
    auto reshape = cast<ReshapeOp>(op);
    std::optional<SmallVector<ReshapeRun>> runs = getRuns(reshape);
    if (!runs)
      return failure();
    auto type = cast<RankedTensorType>(operands[0].getType());
    // The operand's dimensions that are there, in their order.
    SmallVector<int64_t> position(type.getRank(), -1);
    int64_t next = 0;
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (size != 1)
        position[dim] = next++;
    SmallVector<std::pair<int64_t, ReshapeRun *>> order;
    for (ReshapeRun &run : *runs) {
      if (run.from.empty()) {
        order.push_back({next, &run});
        continue;
      }
      int64_t first = position[permutation[run.from[0]]];
      for (auto [i, dim] : llvm::enumerate(run.from))
        if (position[permutation[dim]] != first + int64_t(i))
          return failure();
      order.push_back({first, &run});
    }
    llvm::sort(order, llvm::less_first());
    SmallVector<int64_t> dims;
    for (auto &[at, run] : order)
      llvm::append_range(dims, run->to);
    SmallVector<OpFoldResult> sizes = reshape.getMixedSizes();
    applyPermutationToVector(sizes, dims);
    SmallVector<int64_t> staticSizes;
    SmallVector<Value> dynamicSizes;
    dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
    Value result = ReshapeOp::create(
        builder, op->getLoc(),
        type.clone(applyPermutation(reshape.getType().getShape(), dims)),
        operands[0], dynamicSizes, staticSizes);
    return transpose(builder, op, result, invertPermutationVector(dims));
  }
};

/// The indices' dimensions stay in front; of the others the order is left.
struct GatherModel : OneOperand<GatherModel, GatherOp> {
  FailureOr<Value> buildOnUntransposed(Operation *op, OpBuilder &builder,
                                       ValueRange operands,
                                       ArrayRef<int64_t> permutation) const {
    auto gather = cast<GatherOp>(op);
    SmallVector<int64_t> axes;
    for (int64_t axis : gather.getAxes())
      axes.push_back(permutation[axis]);
    int64_t numFront =
        cast<RankedTensorType>(gather.getIndices()[0].getType()).getRank();
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(0, numFront));
    for (int64_t dim : permutation)
      if (!llvm::is_contained(axes, dim))
        order.push_back(
            numFront + dim -
            llvm::count_if(axes, [&](int64_t axis) { return axis < dim; }));
    Value result = GatherOp::create(builder, op->getLoc(),
                                    untransposeType(gather.getType(), order),
                                    operands[0], gather.getIndices(), axes);
    return transpose(builder, op, result, order);
  }
};

/// Spatial dimensions may be reordered among themselves.
struct PoolModel : OneOperand<PoolModel, PoolOp> {
  FailureOr<Value> buildOnUntransposed(Operation *op, OpBuilder &builder,
                                       ValueRange operands,
                                       ArrayRef<int64_t> permutation) const {
    auto pool = cast<PoolOp>(op);
    int64_t rank = permutation.size();
    if (permutation.front() != 0 || permutation.back() != rank - 1)
      return failure();
    SmallVector<int64_t> spatial;
    for (int64_t dim : permutation.drop_front().drop_back())
      spatial.push_back(dim - 1);
    Value result = PoolOp::create(
        builder, op->getLoc(), untransposeType(pool.getType(), permutation),
        pool.getKind(), operands[0], untranspose(pool.getWindow(), spatial),
        untranspose(pool.getStrides(), spatial),
        untranspose(pool.getDilations(), spatial),
        untranspose(pool.getLow(), spatial),
        untranspose(pool.getHigh(), spatial));
    return transpose(builder, op, result, permutation);
  }
};
} // namespace

void ourc::registerTransposableModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, OurcDialect *) {
    PadOp::attachInterface<PadModel>(*context);
    RepeatOp::attachInterface<RepeatModel>(*context);
    SliceOp::attachInterface<SliceModel>(*context);
    ConcatOp::attachInterface<ConcatModel>(*context);
    SoftmaxOp::attachInterface<SoftmaxModel>(*context);
    BatchNormOp::attachInterface<BatchNormModel>(*context);
    GroupNormOp::attachInterface<GroupNormModel>(*context);
    ReduceOp::attachInterface<ReduceModel>(*context);
    BroadcastOp::attachInterface<BroadcastModel>(*context);
    GatherOp::attachInterface<GatherModel>(*context);
    PoolOp::attachInterface<PoolModel>(*context);
    ReshapeOp::attachInterface<ReshapeModel>(*context);
  });
}
