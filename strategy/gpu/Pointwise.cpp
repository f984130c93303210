//===- Pointwise.cpp - One thread an output element --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/gpu/ElementTracer.h"
#include "strategy/gpu/GPUStrategies.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ourc;

/// Whether an element of a result of `op` needs a loop.
static bool isReduction(Operation *op) {
  if (isa<kernel::CoupledReduceOp, kernel::AttentionOp>(op))
    return true;
  auto loops = dyn_cast<linalg::LinalgOp>(op);
  return loops && loops.getNumReductionLoops() > 0;
}

/// Whether elements of `value` are loads: through views and fills alone.
static bool isCheap(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<linalg::FillOp>(op))
    return true;
  if (isa<linalg::LinalgOp>(op) || isReduction(op))
    return false;
  return llvm::all_of(op->getOperands(), [](Value operand) {
    return !isa<RankedTensorType>(operand.getType()) || isCheap(operand);
  });
}

/// Whether a reduction goes over the same window for neighbours of the last
/// dimension, which are neighbours in something that it reads: pools and
/// depthwise convolutions of images whose channels come last.
static bool isWindowOfChannels(Operation *op) {
  auto nest = dyn_cast<linalg::LinalgOp>(op);
  if (!nest || nest->getNumResults() != 1)
    return false;
  AffineMap out = nest.getIndexingMapMatchingResult(nest->getResult(0));
  if (out.getNumResults() == 0 || !out.isProjectedPermutation())
    return false;
  auto channel = dyn_cast<AffineDimExpr>(out.getResults().back());
  return channel &&
         llvm::any_of(nest.getDpsInputOperands(), [&](OpOperand *input) {
           AffineMap map = nest.getMatchingIndexingMap(input);
           return map.getNumResults() > 0 &&
                  map.getResults().back() == channel &&
                  llvm::none_of(
                      map.getResults().drop_back(), [&](AffineExpr expr) {
                        return expr.isFunctionOfDim(channel.getPosition());
                      });
         });
}

/// How many neighbours a thread makes: accesses of 16 bytes to the narrowest
/// result's widest companion, as long as there are threads for the whole GPU.
static int64_t chooseWidth(kernel::FuncOp kernel) {
  constexpr int64_t accessBytes = 16, mostLanes = 8, enoughThreads = 16384;
  bool reduces = false;
  for (Operation &op : kernel.getBody().front()) {
    if (!isReduction(&op))
      continue;
    if (!isWindowOfChannels(&op))
      return 1;
    reduces = true;
  }
  int64_t width = mostLanes;
  for (Value result : kernel.getReturnOp().getOperands()) {
    auto type = cast<RankedTensorType>(result.getType());
    Type element = type.getElementType();
    if (!element.isIntOrFloat() || type.getRank() == 0)
      return 1;
    int64_t bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
    int64_t last = type.getShape().back();
    auto covers = [&](int64_t lanes) {
      if (type.hasStaticShape() &&
          type.getNumElements() / lanes < enoughThreads)
        return false;
      return (!ShapedType::isDynamic(last) && last % lanes == 0) ||
             (!reduces && type.hasStaticShape() &&
              type.getNumElements() % lanes == 0);
    };
    while (width > 1 && (width * bytes > accessBytes || !covers(width)))
      width /= 2;
  }
  return width;
}

namespace {
/// Kernels whose threads need nothing of each other: parallel loops, or one
/// reduction that each thread makes for its own element, with what is
/// elementwise after it.
class GPUPointwiseStrategy : public Strategy {
public:
  llvm::StringRef getName() const override { return "pointwise"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    auto refuse = [&](llvm::StringRef why) {
      if (reason)
        *reason = why.str();
      return failure();
    };
    Operation *reduction = nullptr;
    for (Operation &op : kernel.getBody().front()) {
      if (isa<linalg::PackOp, linalg::UnPackOp>(op))
        return refuse("packed layouts are for CPUs");
      if (isa<kernel::ScatterOp>(op))
        return refuse("it writes at computed places");
      if (!isReduction(&op))
        continue;
      if (reduction)
        return refuse("threads would repeat a reduction for another one");
      reduction = &op;
    }
    if (!reduction)
      return success();
    if (!llvm::all_of(reduction->getOperands(), isCheapOperand))
      return refuse("threads would repeat what the reduction reads");
    for (Value result : kernel.getReturnOp().getOperands()) {
      ElementTracer tracer(kernel.getContext(), isReduction);
      tracer.traceAll(result);
      auto rank = cast<RankedTensorType>(result.getType()).getRank();
      for (const ElementTracer::Use &use : tracer.uses) {
        llvm::SmallDenseSet<unsigned> dims;
        for (AffineExpr expr : use.coordinates)
          if (auto dim = dyn_cast<AffineDimExpr>(expr))
            dims.insert(dim.getPosition());
        if (static_cast<int64_t>(dims.size()) != rank)
          return refuse("threads would repeat the reduction");
      }
      if (tracer.uses.empty())
        return refuse("a result does not depend on the reduction");
    }
    return success();
  }

  Assignment assign(kernel::FuncOp kernel) const override {
    Assignment assignment;
    assignment.schedule = kernel::GPUPointwiseAttr::get(
        kernel.getContext(), /*threads=*/128, chooseWidth(kernel));
    return assignment;
  }

private:
  static bool isCheapOperand(Value value) {
    return !isa<RankedTensorType>(value.getType()) || isCheap(value);
  }
};
} // namespace

std::unique_ptr<Strategy>
ourc::createGPUPointwiseStrategy(const GPUDescription &) {
  return std::make_unique<GPUPointwiseStrategy>();
}
