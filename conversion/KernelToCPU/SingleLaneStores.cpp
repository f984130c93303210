//===- SingleLaneStores.cpp - Masked stores of one lane -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "ourc-single-lane-stores"

namespace ourc {
#define GEN_PASS_DEF_SINGLELANESTORES
#include "conversion/KernelToCPU/Passes.h.inc"
} // namespace ourc

using namespace mlir;

/// The only lane that is on in a constant mask.
static std::optional<int64_t> getOnlyLane(Value mask) {
  DenseIntElementsAttr lanes;
  if (!matchPattern(mask, m_Constant(&lanes)))
    return std::nullopt;
  std::optional<int64_t> only;
  for (auto [lane, on] : llvm::enumerate(lanes.getValues<bool>())) {
    if (!on)
      continue;
    if (only)
      return std::nullopt;
    only = lane;
  }
  return only;
}

namespace {
struct SingleLaneStoresPass
    : ourc::impl::SingleLaneStoresBase<SingleLaneStoresPass> {
  void runOnOperation() override {
    SmallVector<LLVM::MaskedStoreOp> stores;
    getOperation()->walk(
        [&](LLVM::MaskedStoreOp store) { stores.push_back(store); });
    for (LLVM::MaskedStoreOp store : stores) {
      std::optional<int64_t> lane = getOnlyLane(store.getMask());
      if (!lane) {
        LDBG() << "more or fewer than one lane, or no constant: " << store;
        continue;
      }
      OpBuilder builder(store);
      Location loc = store.getLoc();
      Value address = store.getData();
      if (*lane != 0)
        address = LLVM::GEPOp::create(
            builder, loc, address.getType(),
            cast<VectorType>(store.getValue().getType()).getElementType(),
            address, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(*lane)});
      Value element =
          vector::ExtractOp::create(builder, loc, store.getValue(), *lane);
      LLVM::StoreOp::create(builder, loc, element, address,
                            store.getAlignment());
      store.erase();
      ++numStores;
    }
  }
};
} // namespace
