//===- Row.cpp - Reductions along rows ---------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/gpu/GPUStrategies.h"
#include "strategy/gpu/RowStructure.h"

using namespace mlir;
using namespace ourc;

/// The elements of one row of a reduction's input, where they are known.
static int64_t getRowLength(Operation *op) {
  if (auto coupled = dyn_cast<kernel::CoupledReduceOp>(op)) {
    auto type = cast<RankedTensorType>(coupled.getInputs().front().getType());
    int64_t length = 1;
    for (int64_t dim : coupled.getDimensions()) {
      if (type.isDynamicDim(dim))
        return ShapedType::kDynamic;
      length *= type.getDimSize(dim);
    }
    return length;
  }
  auto generic = cast<linalg::GenericOp>(op);
  SmallVector<unsigned> dims;
  generic.getReductionDims(dims);
  SmallVector<int64_t> sizes = generic.getStaticLoopRanges();
  int64_t length = 1;
  for (unsigned dim : dims) {
    if (ShapedType::isDynamic(sizes[dim]))
      return ShapedType::kDynamic;
    length *= sizes[dim];
  }
  return length;
}

namespace {
class GPURowStrategy : public Strategy {
public:
  llvm::StringRef getName() const override { return "row"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    return success(analyzeRows(kernel, reason).has_value());
  }

  Assignment assign(kernel::FuncOp kernel) const override {
    std::string reason;
    RowStructure rows = *analyzeRows(kernel, &reason);
    int64_t length = getRowLength(rows.reductions.front());
    // About eight elements a thread; one warp needs no shared memory.
    int64_t threads = 128;
    if (!ShapedType::isDynamic(length) && length <= 256)
      threads = 32;
    else if (length >= 4096)
      threads = 256;
    Assignment assignment;
    assignment.schedule = kernel::GPURowAttr::get(kernel.getContext(), threads);
    return assignment;
  }
};
} // namespace

std::unique_ptr<Strategy> ourc::createGPURowStrategy(const GPUDescription &) {
  return std::make_unique<GPURowStrategy>();
}
