//===- FoldBatchNorm.cpp - Fold batch normalisation into convolutions -----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/OurcDialect.h"
#include "transforms/graph/ComputeBuilder.h"
#include "transforms/graph/Frozen.h"
#include "transforms/graph/Passes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "ourc-fold-batch-norm"

namespace ourc {
#define GEN_PASS_DEF_FOLDBATCHNORM
#include "transforms/graph/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

namespace {
/// convolution(x, filter) + bias, as a batch norm's operand.
struct BiasedConvolution {
  ConvolutionOp convolution;
  Value bias; ///< one element for each out channel; may be null
};
} // namespace

/// The vector along the last dimension that is broadcast, or null.
static Value getChannelVector(Value value) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast || broadcast.getX().getType().getRank() != 1 ||
      broadcast.getDimensions()[0] != broadcast.getType().getRank() - 1 ||
      broadcast.getX().getType().getDimSize(0) !=
          broadcast.getType().getShape().back())
    return {};
  return broadcast.getX();
}

static FailureOr<BiasedConvolution> matchConvolution(BatchNormOp op,
                                                     std::string &reason) {
  auto fail = [&](StringRef why) {
    reason = why.str();
    return failure();
  };
  BiasedConvolution result;
  Value x = op.getX();
  if (auto add = x.getDefiningOp<AddOp>()) {
    for (auto [sum, vector] : {std::pair(add.getLhs(), add.getRhs()),
                               std::pair(add.getRhs(), add.getLhs())})
      if (sum.getDefiningOp<ConvolutionOp>())
        if (Value bias = getChannelVector(vector)) {
          result.bias = bias;
          x = sum;
          break;
        }
    if (result.bias && !add->hasOneUse())
      return fail("the convolution's result is used elsewhere");
  }
  result.convolution = x.getDefiningOp<ConvolutionOp>();
  if (!result.convolution)
    return fail("its operand is not a convolution");
  if (!result.convolution->hasOneUse())
    return fail("the convolution's result is used elsewhere");
  if (static_cast<int64_t>(op.getChannel()) != op.getType().getRank() - 1)
    return fail("its channels are not the convolution's");
  SmallVector<Value> prepared{result.convolution.getFilter()};
  if (result.bias)
    prepared.push_back(result.bias);
  llvm::append_range(prepared, op->getOperands().drop_front());
  if (!llvm::all_of(prepared, isFrozen))
    return fail("its parameters may change between calls");
  return result;
}

/// Rewrites in f32 (f64 for f64). A filter of f16 or bf16 stays as it is: with
/// the scale in it, it would be rounded again, which costs more accuracy than
/// the whole of a batch norm that is rounded at its end.
static Value fold(OpBuilder &builder, BatchNormOp op,
                  BiasedConvolution matched) {
  ConvolutionOp convolution = matched.convolution;
  ComputeBuilder b(builder, op.getLoc());
  Type element = op.getType().getElementType();
  Type compute = b.getComputeType(element);
  auto [scale, shift] = b.batchNormScaleAndShift(op);
  if (matched.bias) {
    Value bias = b.cast(matched.bias, compute);
    shift = b.add(shift, b.mul(bias, scale));
  }
  int64_t channel = op.getChannel();
  Value filter = convolution.getFilter();
  if (compute == element)
    filter = b.mul(filter, b.broadcastLike(scale, {0}, filter));
  Value result = ConvolutionOp::create(
      builder, convolution.getLoc(), convolution.getType(),
      convolution.getInput(), filter, convolution.getStrides(),
      convolution.getDilations(), convolution.getLow(), convolution.getHigh(),
      convolution.getGroups());
  if (compute != element) {
    result = b.cast(result, compute);
    result = b.mul(result, b.broadcastLike(scale, {channel}, result));
  }
  result = b.add(result, b.broadcastLike(shift, {channel}, result));
  return b.cast(result, element);
}

namespace {
struct FoldBatchNormPass : ourc::impl::FoldBatchNormBase<FoldBatchNormPass> {
  void runOnOperation() override {
    SmallVector<BatchNormOp> ops;
    getOperation().walk([&](BatchNormOp op) { ops.push_back(op); });
    for (BatchNormOp op : ops) {
      std::string reason;
      FailureOr<BiasedConvolution> matched = matchConvolution(op, reason);
      if (failed(matched)) {
        ++numRefused;
        LDBG() << "refused: " << reason;
        remark::missed(
            op.getLoc(),
            remark::RemarkOpts::name("NotFolded").category(DEBUG_TYPE))
            << ("batch norm is not folded: " + reason);
        continue;
      }
      OpBuilder builder(op);
      op.getResult().replaceAllUsesWith(fold(builder, op, *matched));
      ++numFolded;
      // The chain is dead now, from its end.
      Operation *sum = op.getX().getDefiningOp();
      op->erase();
      if (matched->bias)
        sum->erase();
      matched->convolution->erase();
    }
  }
};
} // namespace
