//===- ResultDims.cpp - How results run along an operation's ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/gpu/ResultDims.h"

#include "strategy/gpu/ElementTracer.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ourc;

Value ourc::peelReshapes(Value result) {
  while (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
      result.getDefiningOp()))
    result = result.getDefiningOp()->getOperand(0);
  return result;
}

std::optional<SmallVector<SmallVector<int64_t>>>
ourc::findResultDims(kernel::FuncOp kernel, ValueRange operands,
                     const std::function<bool(Operation *)> &isTarget,
                     std::string *reason) {
  using Dims = SmallVector<SmallVector<int64_t>>;
  auto refuse = [&](const Twine &why) -> std::optional<Dims> {
    if (reason)
      *reason = why.str();
    return std::nullopt;
  };
  Dims result;
  MLIRContext *context = kernel.getContext();
  for (Value operand : operands) {
    ElementTracer tracer(context, isTarget);
    tracer.traceAll(operand);
    if (!tracer.uses.empty())
      return refuse("an operand depends on the result");
  }
  for (Value returned : kernel.getReturnOp().getOperands()) {
    Value value = peelReshapes(returned);
    ElementTracer tracer(context, isTarget);
    tracer.traceAll(value);
    if (tracer.uses.empty())
      return refuse("a result does not depend on it");
    auto rank =
        static_cast<size_t>(cast<RankedTensorType>(value.getType()).getRank());
    SmallVector<int64_t> dims;
    for (const ElementTracer::Use &use : tracer.uses) {
      SmallVector<int64_t> own;
      llvm::SmallDenseSet<int64_t> seen;
      for (AffineExpr expr : use.coordinates) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        if (!dim || !seen.insert(dim.getPosition()).second)
          return refuse("a result does not run along the operation's");
        own.push_back(dim.getPosition());
      }
      if (own.size() != rank)
        return refuse("an element of the operation's result is needed by "
                      "several elements of a result");
      if (!dims.empty() && dims != own)
        return refuse("a result runs along the operation's in two ways");
      dims = own;
    }
    result.push_back(dims);
  }
  return result;
}
