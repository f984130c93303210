//===- Scatter.cpp - Writes at computed places ----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/CPUStrategies.h"
#include "strategy/cpu/Loops.h"
#include "strategy/cpu/NestAnalysis.h"

using namespace mlir;
using namespace ourc;

/// Why the strategy cannot make a kernel; empty where it can.
static std::string findObjection(kernel::FuncOp kernel) {
  kernel::ScatterOp scatter;
  for (Operation &op : kernel.getBody().front()) {
    if (auto found = dyn_cast<kernel::ScatterOp>(op)) {
      if (scatter)
        return "the kernel scatters twice";
      scatter = found;
      continue;
    }
    if (isReduction(&op))
      return "the kernel reduces";
    if (std::string why = whyNotElementByElement(&op); !why.empty())
      return why;
  }
  if (!scatter)
    return "the kernel scatters nothing";
  if (kernel.getFunctionType().getNumResults() != 1 ||
      !kernel.updatesDestination(0))
    return "it gives more than the tensor that it overwrites in part";
  if (!scatter.getResult().hasOneUse())
    return "it reads what it overwrites";
  SmallVector<Value> read(scatter.getIndices());
  read.push_back(scatter.getUpdates());
  for (Value value : read)
    if (std::string why = NestAnalysis(value).objection; !why.empty())
      return why;
  return {};
}

namespace {
class CPUScatter : public Strategy {
public:
  explicit CPUScatter(const cpu::MachineDescription &machine)
      : lanes(machine.getLanes(32)) {}

  StringRef getName() const override { return "scatter"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    std::string objection = findObjection(kernel);
    if (objection.empty())
      return success();
    if (reason)
      *reason = objection;
    return failure();
  }

  Assignment assign(kernel::FuncOp kernel) const override {
    Assignment assignment;
    assignment.schedule =
        kernel::CPUScatterAttr::get(kernel.getContext(), lanes, kElementGrain);
    return assignment;
  }

private:
  int64_t lanes;
};
} // namespace

std::unique_ptr<Strategy>
ourc::createCPUScatterStrategy(const cpu::MachineDescription &machine) {
  return std::make_unique<CPUScatter>(machine);
}
