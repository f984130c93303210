//===- FuseElementwise.cpp - Merge elementwise loops
//------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/kernel/ElidableRounding.h"
#include "transforms/kernel/FrozenValues.h"
#include "transforms/kernel/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "ourc-fuse-elementwise"

namespace ourc {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "transforms/kernel/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

/// Whether computing an element again costs about as much as loading it.
static bool isCheap(linalg::LinalgOp producer) {
  unsigned numOps = 0;
  for (Operation &op : producer.getBlock()->without_terminator()) {
    if (isa<math::MathDialect>(op.getDialect()) ||
        isa<arith::DivFOp, arith::DivSIOp, tensor::ExtractOp>(op))
      return false;
    ++numOps;
  }
  return numOps <= 2 && producer.getNumDpsInputs() <= 1;
}

/// Whether a result is rounded as operations on a narrow type are, by choice.
static bool endsInElidableRounding(linalg::LinalgOp producer) {
  return llvm::any_of(
      producer.getBlock()->getOps<arith::TruncFOp>(),
      [](arith::TruncFOp rounding) { return isElidableRounding(rounding); });
}

static bool shouldFuse(OpOperand *operand, FrozenValues &frozen) {
  auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
  auto consumer = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  if (!producer || !consumer)
    return false;
  if (linalg::isaContractionOpInterface(consumer) ||
      linalg::isaConvolutionOpInterface(consumer))
    return false;
  if (frozen.isPreparation(producer) && !frozen.isPreparation(consumer))
    return false;
  if (isCheap(producer) &&
      (producer->hasOneUse() || !endsInElidableRounding(producer)))
    return true;
  // Once for each element, and for one consumer.
  return producer->hasOneUse() &&
         consumer.getMatchingIndexingMap(operand).isPermutation() &&
         consumer.getNumReductionLoops() == 0;
}

namespace {
struct FuseElementwisePass
    : ourc::impl::FuseElementwiseBase<FuseElementwisePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    // Operations come and go, so frozenness is asked anew.
    linalg::populateElementwiseOpsFusionPatterns(
        patterns, [&](OpOperand *operand) {
          FrozenValues frozen;
          bool fuse = shouldFuse(operand, frozen);
          numFused += fuse;
          return fuse;
        });
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal();
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
