//===- Matvec.cpp - Products of a matrix and one vector -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix that is used once in a call is read at the speed of memory, whatever
// is computed meanwhile. Where the elements of the sum are consecutive in it,
// each result is a row: a dot product, read where it lies. Packing it in panels
// of columns would be no faster from memory, slower from a cache (one stream of
// few lines instead of many), and cost its size once more.
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/CPUStrategies.h"
#include "strategy/cpu/Contraction.h"

using namespace mlir;
using namespace ourc;

namespace {
/// The strategy row, for kernels that the strategy contraction could make, too.
class CPUMatvec : public Strategy {
public:
  explicit CPUMatvec(const cpu::MachineDescription &machine)
      : row(createCPURowStrategy(machine)), lanes(machine.getLanes(32)) {}

  StringRef getName() const override { return row->getName(); }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override;

  Assignment assign(kernel::FuncOp kernel) const override {
    return row->assign(kernel);
  }
  void enumerate(kernel::FuncOp kernel, Schedules &schedules) const override {
    row->enumerate(kernel, schedules);
  }
  FailureOr<Assignment> assignGiven(kernel::FuncOp kernel,
                                    kernel::ScheduleAttrInterface schedule,
                                    std::string *reason) const override {
    return row->assignGiven(kernel, schedule, reason);
  }

private:
  std::unique_ptr<Strategy> row;
  int64_t lanes;
};
} // namespace

LogicalResult CPUMatvec::match(kernel::FuncOp kernel,
                               std::string *reason) const {
  auto fail = [&](const Twine &why) {
    if (reason)
      *reason = why.str();
    return failure();
  };
  std::optional<ContractionNest> nest = ContractionNest::get(kernel, reason);
  if (!nest)
    return failure();
  for (unsigned loop : llvm::concat<const unsigned>(nest->batch, nest->m))
    if (!nest->sizes[loop].isOne())
      return fail("the matrix is used for several vectors");
  if (nest->packedTile != 0 || !nest->aType.isF32() || !nest->bType.isF32())
    return fail("the matrix is not one of f32 where it lies");
  if (nest->k.empty() || !nest->b.strides[nest->k.back()].isOne())
    return fail("the elements of a sum are not consecutive in the matrix");
  // A row is worth the tree at its end.
  constexpr int64_t kVectors = 4;
  const Product &steps = nest->sizes[nest->k.back()];
  if (!steps.isConstant() || steps.constant < kVectors * lanes)
    return fail("its rows are short, or of a size that is not known");
  return row->match(kernel, reason);
}

std::unique_ptr<Strategy>
ourc::createCPUMatvecStrategy(const cpu::MachineDescription &machine) {
  return std::make_unique<CPUMatvec>(machine);
}
