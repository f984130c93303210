//===- Row.cpp - Reductions with producers and consumers ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/CPUStrategies.h"
#include "strategy/cpu/Loops.h"
#include "strategy/cpu/PartialReductions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace ourc;

namespace {
class CPURow : public Strategy {
public:
  explicit CPURow(const cpu::MachineDescription &machine)
      : machine(machine), lanes(machine.getLanes(32)),
        grain(machine.getElementGrain()) {}

  StringRef getName() const override { return "row"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    auto &ops = kernel.getBody().front();
    if (llvm::none_of(ops, [](Operation &op) { return isReduction(&op); })) {
      if (reason)
        *reason = "the kernel reduces nothing";
      return failure();
    }
    return checkElementByElement(kernel, reason);
  }

  Assignment assign(kernel::FuncOp kernel) const override {
    Assignment assignment;
    int64_t parts = chooseParts(kernel, lanes);
    if (parts != 0)
      assignment.workspaceBytes = getPartsWorkspace(kernel, parts);
    assignment.schedule = kernel::CPURowAttr::get(
        kernel.getContext(), lanes, /*unroll=*/4, getRowGrain(kernel, grain),
        parts, parts != 0 ? 1 : getInterleave(kernel, machine));
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
ourc::createCPURowStrategy(const cpu::MachineDescription &machine) {
  return std::make_unique<CPURow>(machine);
}
