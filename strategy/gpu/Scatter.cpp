//===- Scatter.cpp - Writes at computed places -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/gpu/GPUStrategies.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace ourc;

/// Why the strategy cannot make a kernel; empty where it can.
static StringRef findObjection(kernel::FuncOp kernel) {
  kernel::ScatterOp scatter;
  for (Operation &op : kernel.getBody().front()) {
    if (auto found = dyn_cast<kernel::ScatterOp>(op)) {
      if (scatter)
        return "the kernel scatters twice";
      scatter = found;
    } else if (isa<linalg::PackOp, linalg::UnPackOp>(op)) {
      return "packed layouts are for CPUs";
    } else if (isa<kernel::CoupledReduceOp, kernel::AttentionOp>(op)) {
      return "the kernel reduces";
    } else if (auto nest = dyn_cast<linalg::LinalgOp>(op);
               nest && nest.getNumReductionLoops() > 0) {
      return "the kernel reduces";
    }
  }
  if (!scatter)
    return "the kernel scatters nothing";
  if (kernel.getFunctionType().getNumResults() != 1 ||
      !kernel.updatesDestination(0))
    return "it gives more than the tensor that it overwrites in part";
  if (!scatter.getResult().hasOneUse())
    return "it reads what it overwrites";
  return {};
}

namespace {
/// Kernels that replace elements of a tensor that stays in place, with what is
/// elementwise before: updates of key and value caches, indexed assignments.
class GPUScatterStrategy : public Strategy {
public:
  StringRef getName() const override { return "scatter"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    StringRef objection = findObjection(kernel);
    if (objection.empty())
      return success();
    if (reason)
      *reason = objection.str();
    return failure();
  }

  Assignment assign(kernel::FuncOp kernel) const override {
    Assignment assignment;
    assignment.schedule =
        kernel::GPUScatterAttr::get(kernel.getContext(), /*threads=*/128);
    return assignment;
  }
};
} // namespace

std::unique_ptr<Strategy>
ourc::createGPUScatterStrategy(const GPUDescription &) {
  return std::make_unique<GPUScatterStrategy>();
}
