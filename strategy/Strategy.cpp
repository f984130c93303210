//===- Strategy.cpp - How a class of kernels is made on a target ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/Strategy.h"

#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace ourc;

void Strategy::enumerate(kernel::FuncOp kernel, Schedules &schedules) const {
  schedules.push_back(assign(kernel).schedule);
}

FailureOr<Assignment>
Strategy::assignGiven(kernel::FuncOp kernel,
                      kernel::ScheduleAttrInterface schedule,
                      std::string *reason) const {
  Assignment assignment = assign(kernel);
  if (schedule == assignment.schedule)
    return assignment;
  if (reason)
    *reason = "the only one that its strategy takes is " +
              debugString(assignment.schedule);
  return failure();
}

void ourc::addWorkspace(kernel::FuncOp kernel, AffineExpr bytes) {
  if (!bytes)
    return;
  auto constant = dyn_cast<AffineConstantExpr>(bytes);
  int64_t size = constant ? constant.getValue() : ShapedType::kDynamic;
  auto type =
      RankedTensorType::get({size}, IntegerType::get(kernel.getContext(), 8));
  LogicalResult inserted = kernel.insertArgument(
      kernel.getNumArguments(), type, DictionaryAttr(), kernel.getLoc());
  assert(succeeded(inserted) && "a kernel takes any tensor");
  (void)inserted;
  kernel.setWorkspace(true);
}
