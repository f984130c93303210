//===- Pointwise.cpp - Parallel loops alone -------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/CPUStrategies.h"
#include "strategy/cpu/Loops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

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

  void enumerate(kernel::FuncOp kernel, Schedules &schedules) const override {
    auto chosen = cast<kernel::CPUPointwiseAttr>(assign(kernel).schedule);
    llvm::SmallSetVector<kernel::ScheduleAttrInterface, 8> found;
    auto add = [&](int64_t elements, int64_t interleave) {
      found.insert(kernel::CPUPointwiseAttr::get(kernel.getContext(), lanes,
                                                 elements, interleave));
    };
    add(grain, chosen.getInterleave());
    for (int64_t interleave : {1, 2, 4})
      if (interleave < chosen.getInterleave())
        add(grain, interleave);
    for (int64_t elements : {std::max<int64_t>(1, grain / 4), grain * 4})
      add(elements, chosen.getInterleave());
    schedules.append(found.begin(), found.end());
  }

  FailureOr<Assignment> assignGiven(kernel::FuncOp kernel,
                                    kernel::ScheduleAttrInterface schedule,
                                    std::string *reason) const override {
    Assignment assignment = assign(kernel);
    int64_t most =
        cast<kernel::CPUPointwiseAttr>(assignment.schedule).getInterleave();
    auto given = dyn_cast<kernel::CPUPointwiseAttr>(schedule);
    if (given && given.getLanes() == lanes && given.getInterleave() <= most) {
      assignment.schedule = given;
      return assignment;
    }
    if (reason)
      *reason = ("its schedule must be a #kernel.cpu_pointwise with 'lanes' " +
                 Twine(lanes) + " and 'interleave' at most " + Twine(most))
                    .str();
    return failure();
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
