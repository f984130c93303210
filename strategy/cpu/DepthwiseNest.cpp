//===- DepthwiseNest.cpp - The analysis behind the strategy depthwise -----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/Depthwise.h"

using namespace mlir;
using namespace ourc;

namespace {
class Analysis {
public:
  Analysis(DepthwiseNest &depthwise, std::string *reason)
      : depthwise(depthwise), nest(depthwise.nest), reason(reason) {}

  LogicalResult run() {
    return success(succeeded(findChannel()) && succeeded(findLoops()) &&
                   succeeded(findColumn()) && succeeded(checkElements()));
  }

private:
  LogicalResult fail(const Twine &text) {
    if (reason)
      *reason = text.str();
    return failure();
  }
  bool isUnit(unsigned loop) const { return nest.sizes[loop].isOne(); }
  LogicalResult findChannel();
  LogicalResult findLoops();
  LogicalResult findColumn();
  LogicalResult checkElements();

  DepthwiseNest &depthwise;
  ContractionNest &nest;
  std::string *reason;
};
} // namespace

LogicalResult Analysis::findChannel() {
  for (unsigned loop : nest.n)
    if (!isUnit(loop))
      return fail("a loop steps through its weights and its result alone");
  std::optional<unsigned> channel;
  for (unsigned loop : nest.batch) {
    if (isUnit(loop))
      continue;
    if (channel)
      return fail("it has more than one loop over channels");
    channel = loop;
  }
  if (!channel)
    return fail("it has no loop over channels");
  depthwise.channel = *channel;
  if (!nest.a.strides[*channel].isOne())
    return fail("its input's channels are not contiguous");
  if (nest.packedTile != 0 && nest.packedLoop != *channel)
    return fail("its weights are packed along another loop than channels");
  for (const ContractionNest::Result &result : nest.results)
    if (!result.access.strides[*channel].isOne())
      return fail("its results' channels are not contiguous");
  return success();
}

LogicalResult Analysis::findLoops() {
  auto isPadded = [&](unsigned loop) {
    return llvm::any_of(nest.padding, [&](const auto &padding) {
      return padding.m == loop || padding.k == loop;
    });
  };
  // Loops of size one step through nothing, but padding may take them away.
  for (unsigned loop : nest.m)
    if (!isUnit(loop) || isPadded(loop))
      depthwise.rows.push_back(loop);
  int64_t taps = 1;
  for (unsigned loop : nest.k) {
    if (!nest.sizes[loop].isConstant())
      return fail("the number of its taps is dynamic");
    taps *= nest.sizes[loop].constant;
    if (!isUnit(loop) || isPadded(loop))
      depthwise.taps.push_back(loop);
  }
  if (taps == 0)
    return fail("it has no taps");
  return success();
}

/// The innermost loop over pixels, and how it and its taps step.
LogicalResult Analysis::findColumn() {
  if (depthwise.rows.empty())
    return success();
  unsigned column = depthwise.rows.back();
  OpOperand &operand = nest.op->getOpOperand(nest.aOperand);
  AffineMap map = nest.op.getMatchingIndexingMap(&operand);
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    if (!map.getResult(dim).isFunctionOfDim(column))
      continue;
    if (depthwise.columnStep != 0)
      return fail("a row of its result is not one row of its input");
    StridedView unit{{}, {Product(1)}, {}};
    std::optional<LinearAccess> index =
        LinearAccess::get(unit, map.getSubMap({dim}), reason);
    if (!index)
      return failure();
    for (auto [loop, step] : llvm::enumerate(index->strides)) {
      if (step.isZero())
        continue;
      if (!step.isConstant() || step.constant < 0)
        return fail("it steps backwards through its input");
      if (loop == column) {
        depthwise.columnStep = step.constant;
      } else if (llvm::is_contained(depthwise.taps, loop)) {
        if (depthwise.columnTap)
          return fail("more than one loop over taps goes along a row");
        depthwise.columnTap = loop;
        depthwise.tapStep = step.constant;
      } else if (!isUnit(loop)) {
        return fail("a row of its result is not one row of its input");
      }
    }
  }
  if (depthwise.columnStep == 0 ||
      (depthwise.columnTap &&
       llvm::count_if(map.getResults(), [&](AffineExpr expr) {
         return expr.isFunctionOfDim(*depthwise.columnTap);
       }) != 1))
    return fail("a row of its result is not one row of its input");
  depthwise.column = column;
  depthwise.rows.pop_back();
  if (depthwise.columnTap) {
    llvm::erase(depthwise.taps, *depthwise.columnTap);
    if (depthwise.getNumColumnTaps() > 16)
      return fail("it has more than 16 taps along a row");
  }
  for (const ContractionNest::Padding &padding : nest.padding) {
    if (padding.m != column)
      continue;
    depthwise.low = padding.low;
    depthwise.width = padding.size;
  }
  return success();
}

LogicalResult Analysis::checkElements() {
  if (!isa<FloatType>(nest.accType))
    return fail("it does not sum floats");
  if (!nest.initValue)
    return fail("its sums do not start from a constant");
  if (nest.needsLoops)
    return fail("an operation on its result needs an operand that the kernel "
                "computes, or indices");
  return success();
}

std::optional<DepthwiseNest> DepthwiseNest::get(kernel::FuncOp kernel,
                                                std::string *reason) {
  std::optional<ContractionNest> nest =
      ContractionNest::get(kernel, reason, /*packsBatch=*/true);
  if (!nest)
    return std::nullopt;
  DepthwiseNest depthwise;
  depthwise.nest = std::move(*nest);
  if (failed(Analysis(depthwise, reason).run()))
    return std::nullopt;
  return depthwise;
}
