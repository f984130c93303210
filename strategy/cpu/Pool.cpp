//===- Pool.cpp - Window reductions ---------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/CPUStrategies.h"
#include "strategy/cpu/Loops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace ourc;

namespace {
class CPUPool : public Strategy {
public:
  explicit CPUPool(const cpu::MachineDescription &machine)
      : lanes(machine.getLanes(32)), grain(machine.getElementGrain()) {}

  StringRef getName() const override { return "pool"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    bool window = false;
    for (Operation &op : kernel.getBody().front()) {
      if (!isReduction(&op))
        continue;
      if (!isWindowReduction(&op)) {
        if (reason)
          *reason = "the kernel reduces more than windows";
        return failure();
      }
      // With weights it would be a convolution.
      auto windows = cast<linalg::LinalgOp>(op);
      unsigned read = llvm::count_if(
          windows.getRegionInputArgs(),
          [](BlockArgument argument) { return !argument.use_empty(); });
      if (read != 1) {
        if (reason)
          *reason = "the kernel weighs its windows";
        return failure();
      }
      window = true;
    }
    if (!window) {
      if (reason)
        *reason = "the kernel reduces no windows";
      return failure();
    }
    return checkElementByElement(kernel, reason);
  }

  Assignment assign(kernel::FuncOp kernel) const override {
    Assignment assignment;
    assignment.schedule = kernel::CPUPoolAttr::get(
        kernel.getContext(), lanes, getRowGrain(kernel, grain) / lanes + 1);
    return assignment;
  }

private:
  int64_t lanes;
  /// Elements that a thread should have to do.
  int64_t grain;
};
} // namespace

std::unique_ptr<Strategy>
ourc::createCPUPoolStrategy(const cpu::MachineDescription &machine) {
  return std::make_unique<CPUPool>(machine);
}
