//===- Contraction.cpp - Contractions on tensor cores ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/gpu/ContractionStructure.h"
#include "strategy/gpu/GPUStrategies.h"

using namespace mlir;
using namespace ourc;

/// The number of iterations of some loops, where it is known.
static int64_t getSize(linalg::GenericOp op, ArrayRef<unsigned> loops) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t product = 1;
  for (unsigned loop : loops) {
    if (ShapedType::isDynamic(sizes[loop]))
      return ShapedType::kDynamic;
    product *= sizes[loop];
  }
  return product;
}

namespace {
class GPUContractionStrategy : public Strategy {
public:
  llvm::StringRef getName() const override { return "contraction"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    auto structure = analyzeContraction(kernel, reason);
    if (!structure)
      return failure();
    auto refuse = [&](llvm::StringRef why) {
      if (reason)
        *reason = why.str();
      return failure();
    };
    Type a = getElementTypeOrSelf(structure->op.getInputs()[0].getType());
    Type b = getElementTypeOrSelf(structure->op.getInputs()[1].getType());
    if (a != b || !(a.isF16() || a.isBF16()))
      return refuse("tensor cores multiply f16 or bf16 here");
    Type result = getElementTypeOrSelf(structure->op.getResultTypes()[0]);
    if (!result.isF32() && result != a)
      return refuse("tensor cores accumulate in f32 here");
    return success();
  }

  Assignment assign(kernel::FuncOp kernel) const override {
    std::string reason;
    ContractionStructure structure = *analyzeContraction(kernel, &reason);
    int64_t m = getSize(structure.op, structure.m);
    int64_t n = getSize(structure.op, structure.n);
    // Large tiles reuse operands more, but need enough of them for all SMs.
    bool large = m >= 1024 && n >= 1024;
    int64_t tile = large ? 128 : 64;
    Assignment assignment;
    assignment.schedule = kernel::GPUContractionAttr::get(
        kernel.getContext(), tile, tile, /*tileK=*/32, /*warpsM=*/2,
        /*warpsN=*/2, /*stages=*/3);
    return assignment;
  }
};
} // namespace

std::unique_ptr<Strategy>
ourc::createGPUContractionStrategy(const GPUDescription &) {
  return std::make_unique<GPUContractionStrategy>();
}
