//===- Pointwise.cpp - Parallel loops alone -------------------------------===//
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
class CPUPointwise : public Strategy {
public:
  explicit CPUPointwise(const cpu::MachineDescription &machine)
      : machine(machine), lanes(machine.getLanes(32)),
        grain(machine.getElementGrain()) {}

  StringRef getName() const override { return "pointwise"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    for (Operation &op : kernel.getBody().front()) {
      if (!isReduction(&op))
        continue;
      if (reason)
        *reason = "the kernel reduces";
      return failure();
    }
    return checkElementByElement(kernel, reason);
  }

  Assignment assign(kernel::FuncOp kernel) const override {
    Assignment assignment;
    assignment.schedule = kernel::CPUPointwiseAttr::get(
        kernel.getContext(), lanes, grain, getInterleave(kernel, machine));
    return assignment;
  }

private:
  cpu::MachineDescription machine;
  int64_t lanes;
  /// Elements that a thread should have to do.
  int64_t grain;
};
} // namespace

std::unique_ptr<Strategy>
ourc::createCPUPointwiseStrategy(const cpu::MachineDescription &machine) {
  return std::make_unique<CPUPointwise>(machine);
}
