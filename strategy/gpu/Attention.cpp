//===- Attention.cpp - Attention on tensor cores ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/gpu/AttentionStructure.h"
#include "strategy/gpu/GPUStrategies.h"

using namespace mlir;
using namespace ourc;

namespace {
class GPUAttentionStrategy : public Strategy {
public:
  llvm::StringRef getName() const override { return "attention"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    return success(analyzeAttention(kernel, reason).has_value());
  }

  Assignment assign(kernel::FuncOp kernel) const override {
    AttentionStructure attention = *analyzeAttention(kernel, nullptr);
    unsigned s = attention.op.getNumBatch();
    int64_t queries = attention.getSize(s), keys = attention.getSize(s + 1);
    int64_t features =
        std::max(attention.getSize(s + 2), attention.getSize(s + 3));
    // Four warps share what they read of keys and values; one decodes.
    int64_t warps = 4;
    if (!ShapedType::isDynamic(queries) && queries <= 32)
      warps = queries <= 16 ? 1 : 2;
    // Long keys leave fewer registers for scores, and less shared memory; so do
    // the addresses of masks.
    bool reads = attention.op->getNumOperands() > 4;
    int64_t tile = features <= 64 && !reads ? 64 : 32;
    while (!ShapedType::isDynamic(keys) && tile > 16 && keys <= tile / 2)
      tile /= 2;
    Assignment assignment;
    assignment.schedule = kernel::GPUAttentionAttr::get(
        kernel.getContext(), warps, tile, /*stages=*/2);
    return assignment;
  }
};
} // namespace

std::unique_ptr<Strategy>
ourc::createGPUAttentionStrategy(const GPUDescription &) {
  return std::make_unique<GPUAttentionStrategy>();
}
