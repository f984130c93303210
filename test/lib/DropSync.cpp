//===- DropSync.cpp - Removing one synchronisation ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/DropSync.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace {
struct DropSyncPass : PassWrapper<DropSyncPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropSyncPass)

  explicit DropSyncPass(int index) : index(index) {}
  StringRef getArgument() const override { return "test-drop-sync"; }

  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation().walk([&](gpu::GPUModuleOp module) {
      module.walk([&](Operation *op) {
        if (isa<NVVM::Barrier0Op, NVVM::BarrierOp, NVVM::SyncWarpOp,
                NVVM::CpAsyncWaitGroupOp, NVVM::CpAsyncCommitGroupOp>(op))
          found.push_back(op);
      });
    });
    if (index < 0 || index >= static_cast<int>(found.size())) {
      getOperation().emitError("there are ")
          << found.size() << " synchronisations";
      return signalPassFailure();
    }
    found[static_cast<size_t>(index)]->erase();
  }

  int index;
};
} // namespace

std::unique_ptr<Pass> ourc::test::createDropSyncPass(int index) {
  return std::make_unique<DropSyncPass>(index);
}
