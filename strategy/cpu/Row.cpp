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
#include "llvm/ADT/SetVector.h"

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

  void enumerate(kernel::FuncOp kernel, Schedules &schedules) const override {
    auto chosen = cast<kernel::CPURowAttr>(assign(kernel).schedule);
    llvm::SmallSetVector<kernel::ScheduleAttrInterface, 8> found;
    auto add = [&](int64_t unroll, int64_t rows, int64_t interleave) {
      found.insert(kernel::CPURowAttr::get(kernel.getContext(), lanes, unroll,
                                           rows, chosen.getParts(),
                                           interleave));
    };
    add(chosen.getUnroll(), chosen.getGrain(), chosen.getInterleave());
    for (int64_t interleave : {1, 2, 4})
      if (interleave < chosen.getInterleave())
        add(chosen.getUnroll(), chosen.getGrain(), interleave);
    for (int64_t unroll : {2, 8})
      add(unroll, chosen.getGrain(), chosen.getInterleave());
    for (int64_t rows :
         {std::max<int64_t>(1, chosen.getGrain() / 4), chosen.getGrain() * 4})
      add(chosen.getUnroll(), rows, chosen.getInterleave());
    schedules.append(found.begin(), found.end());
  }

  FailureOr<Assignment> assignGiven(kernel::FuncOp kernel,
                                    kernel::ScheduleAttrInterface schedule,
                                    std::string *reason) const override {
    Assignment assignment = assign(kernel);
    auto chosen = cast<kernel::CPURowAttr>(assignment.schedule);
    auto given = dyn_cast<kernel::CPURowAttr>(schedule);
    // The workspace follows from the parts.
    if (given && given.getLanes() == lanes &&
        given.getParts() == chosen.getParts() &&
        given.getInterleave() <= chosen.getInterleave()) {
      assignment.schedule = given;
      return assignment;
    }
    if (reason)
      *reason = ("its schedule must be a #kernel.cpu_row with 'lanes' " +
                 Twine(lanes) + ", 'parts' " + Twine(chosen.getParts()) +
                 " and 'interleave' at most " + Twine(chosen.getInterleave()))
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
ourc::createCPURowStrategy(const cpu::MachineDescription &machine) {
  return std::make_unique<CPURow>(machine);
}
