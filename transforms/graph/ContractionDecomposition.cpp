//===- ContractionDecomposition.cpp - Linear and attention as primitives ===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/ComputeBuilder.h"
#include "transforms/graph/Decompositions.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace ourc;

using Results = FailureOr<SmallVector<Value>>;

namespace {
struct DecomposeLinear
    : DecomposableOpInterface::ExternalModel<DecomposeLinear, LinearOp> {
  bool isLoweredWhole(Operation *) const { return true; }

  Results decompose(Operation *op, OpBuilder &builder) const {
    auto linear = cast<LinearOp>(op);
    ComputeBuilder b(builder, op->getLoc());
    int64_t last = linear.getType().getRank() - 1;
    Value y = ContractOp::create(builder, op->getLoc(), linear.getType(),
                                 linear.getX(), linear.getWeight(),
                                 ArrayRef<int64_t>(), ArrayRef<int64_t>(),
                                 ArrayRef<int64_t>(last), ArrayRef<int64_t>(1));
    if (linear.getBias())
      y = b.add(y, b.broadcastLike(linear.getBias(), last, y));
    return SmallVector<Value>{y};
  }
};

/// True where query i may see key j: j <= i.
Value causalMask(OpBuilder &builder, Location loc, Value scores) {
  auto type = cast<RankedTensorType>(scores.getType());
  RankedTensorType positions = type.clone(builder.getI64Type());
  SmallVector<int64_t> staticSizes;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(tensor::getMixedSizes(builder, loc, scores),
                             dynamicSizes, staticSizes);
  auto iota = [&](int64_t dim) -> Value {
    return IotaOp::create(builder, loc, positions, static_cast<uint64_t>(dim),
                          dynamicSizes, staticSizes);
  };
  int64_t rank = type.getRank();
  return CompareOp::create(builder, loc, type.clone(builder.getI1Type()),
                           ComparePredicate::GE, iota(rank - 2),
                           iota(rank - 1));
}

struct DecomposeAttention
    : DecomposableOpInterface::ExternalModel<DecomposeAttention, AttentionOp> {
  bool isLoweredWhole(Operation *) const { return true; }

  Results decompose(Operation *op, OpBuilder &builder) const {
    auto attention = cast<AttentionOp>(op);
    Location loc = op->getLoc();
    ComputeBuilder b(builder, loc);
    RankedTensorType type = attention.getType();
    int64_t rank = type.getRank();
    Type element = type.getElementType(), compute = b.getComputeType(element);
    SmallVector<int64_t> batch, all;
    for (int64_t i = 0; i < rank; ++i) {
      if (i < rank - 2)
        batch.push_back(i);
      all.push_back(i);
    }
    Value q = b.cast(attention.getQueries(), compute),
          k = b.cast(attention.getKeys(), compute),
          v = b.cast(attention.getValues(), compute);
    SmallVector<int64_t> shape(cast<RankedTensorType>(q.getType()).getShape());
    shape.back() = attention.getKeys().getType().getDimSize(rank - 2);
    Value scores = ContractOp::create(
        builder, loc, type.clone(shape, compute), q, k, batch, batch,
        ArrayRef<int64_t>(rank - 1), ArrayRef<int64_t>(rank - 1));
    scores = b.scale(scores, attention.getScale().convertToDouble());
    Value lowest = b.splat(-std::numeric_limits<double>::infinity(), scores);
    auto keep = [&](Value mask) {
      scores = SelectOp::create(builder, loc, scores.getType(), mask, scores,
                                lowest);
    };
    if (Value mask = attention.getMask()) {
      Value whole = b.broadcastLike(mask, all, scores);
      if (getElementTypeOrSelf(mask.getType()).isInteger(1))
        keep(whole);
      else
        scores = b.add(scores, b.cast(whole, compute));
    }
    if (attention.getCausal())
      keep(causalMask(builder, loc, scores));
    Value weights = SoftmaxOp::create(builder, loc, scores.getType(), scores,
                                      static_cast<uint64_t>(rank - 1));
    if (attention.getZeroMaskedRows()) {
      Value greatest = b.reduceAndRepeat(Combiner::Maximum, scores, rank - 1);
      Value masked = CompareOp::create(
          builder, loc,
          cast<RankedTensorType>(scores.getType()).clone(builder.getI1Type()),
          ComparePredicate::EQ, greatest, lowest);
      weights = SelectOp::create(builder, loc, scores.getType(), masked,
                                 b.splat(0.0, scores), weights);
    }
    Value result = ContractOp::create(
        builder, loc, type.clone(compute), weights, v, batch, batch,
        ArrayRef<int64_t>(rank - 1), ArrayRef<int64_t>(rank - 2));
    return SmallVector<Value>{b.cast(result, element)};
  }
};
} // namespace

void ourc::registerContractionDecompositions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, OurcDialect *) {
    LinearOp::attachInterface<DecomposeLinear>(*context);
    AttentionOp::attachInterface<DecomposeAttention>(*context);
  });
}
