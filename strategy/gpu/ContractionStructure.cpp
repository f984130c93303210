//===- ContractionStructure.cpp - The contraction of a kernel ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/gpu/ContractionStructure.h"

#include "strategy/gpu/ElementTracer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ourc;

/// The block argument behind a widening, if any.
static BlockArgument getWidened(Value value) {
  if (auto extend = value.getDefiningOp<arith::ExtFOp>())
    value = extend.getIn();
  return dyn_cast<BlockArgument>(value);
}

/// Whether the body adds the product of the two inputs to the output.
static bool isMultiplyAdd(linalg::GenericOp op) {
  Block &body = op.getRegion().front();
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return false;
  auto sum = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum)
    return false;
  BlockArgument carried = body.getArgument(2);
  Value other = sum.getLhs() == carried   ? sum.getRhs()
                : sum.getRhs() == carried ? sum.getLhs()
                                          : Value();
  auto product = other ? other.getDefiningOp<arith::MulFOp>() : arith::MulFOp();
  if (!product)
    return false;
  BlockArgument a = getWidened(product.getLhs());
  BlockArgument b = getWidened(product.getRhs());
  return a && b && a != b && a != carried && b != carried;
}

bool ourc::isContraction(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || !isMultiplyAdd(generic))
    return false;
  for (AffineMap map : generic.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return false;
  // Every reduction loop is in both operands.
  AffineMap a = generic.getIndexingMapsArray()[0];
  AffineMap b = generic.getIndexingMapsArray()[1];
  AffineMap out = generic.getIndexingMapsArray()[2];
  for (unsigned loop = 0; loop < generic.getNumLoops(); ++loop) {
    bool inA = a.isFunctionOfDim(loop), inB = b.isFunctionOfDim(loop);
    if (out.isFunctionOfDim(loop) ? !inA && !inB : !inA || !inB)
      return false;
  }
  return generic.getNumReductionLoops() > 0;
}

std::optional<ContractionStructure>
ourc::analyzeContraction(kernel::FuncOp kernel, std::string *reason) {
  auto refuse = [&](const Twine &why) -> std::optional<ContractionStructure> {
    if (reason)
      *reason = why.str();
    return std::nullopt;
  };
  ContractionStructure result;
  for (Operation &op : kernel.getBody().front()) {
    if (isContraction(&op)) {
      if (result.op)
        return refuse("there is more than one contraction");
      result.op = cast<linalg::GenericOp>(op);
      continue;
    }
    auto loops = dyn_cast<linalg::LinalgOp>(op);
    if ((loops && loops.getNumReductionLoops() > 0) ||
        isa<kernel::CoupledReduceOp, kernel::AttentionOp>(op))
      return refuse("there is another reduction than a contraction");
  }
  if (!result.op)
    return refuse("there is no contraction");

  AffineMap a = result.op.getIndexingMapsArray()[0];
  AffineMap b = result.op.getIndexingMapsArray()[1];
  AffineMap out = result.op.getIndexingMapsArray()[2];
  for (unsigned loop = 0; loop < result.op.getNumLoops(); ++loop) {
    bool inA = a.isFunctionOfDim(loop), inB = b.isFunctionOfDim(loop);
    if (!out.isFunctionOfDim(loop))
      result.k.push_back(loop);
    else
      (inA && inB ? result.batch : inA ? result.m : result.n).push_back(loop);
  }

  MLIRContext *context = kernel.getContext();
  for (Value operand : result.op.getInputs()) {
    ElementTracer tracer(context, isContraction);
    tracer.traceAll(operand);
    if (!tracer.uses.empty())
      return refuse("an operand depends on the contraction");
  }
  for (Value value : kernel.getReturnOp().getOperands()) {
    ElementTracer tracer(context, isContraction);
    tracer.traceAll(value);
    if (tracer.uses.empty())
      return refuse("a result does not depend on the contraction");
    auto rank =
        static_cast<size_t>(cast<RankedTensorType>(value.getType()).getRank());
    SmallVector<int64_t> dims;
    for (const ElementTracer::Use &use : tracer.uses) {
      SmallVector<int64_t> own;
      llvm::SmallDenseSet<int64_t> seen;
      for (AffineExpr expr : use.coordinates) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        if (!dim || !seen.insert(dim.getPosition()).second)
          return refuse("a result does not run along the contraction's");
        own.push_back(dim.getPosition());
      }
      if (own.size() != rank)
        return refuse("an element of the contraction's result is needed by "
                      "several elements of a result");
      if (!dims.empty() && dims != own)
        return refuse("a result runs along the contraction's in two ways");
      dims = own;
    }
    result.resultDims.push_back(dims);
  }
  return result;
}
