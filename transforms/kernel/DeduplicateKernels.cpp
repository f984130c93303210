//===- DeduplicateKernels.cpp - One kernel for equal kernels
//------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/kernel/Passes.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

#define DEBUG_TYPE "ourc-deduplicate-kernels"

namespace ourc {
#define GEN_PASS_DEF_DEDUPLICATEKERNELS
#include "transforms/kernel/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

/// Combines what is inside of a kernel; its name and locations stay outside.
static llvm::hash_code hashKernel(kernel::FuncOp kernel) {
  llvm::hash_code hash =
      llvm::hash_combine(kernel.getFunctionType(), kernel.getScheduleAttr(),
                         kernel.getWorkspace(), kernel.getArgAttrsAttr());
  for (Operation &op : kernel.getBody().front())
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     &op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  return hash;
}

static bool areEqual(kernel::FuncOp a, kernel::FuncOp b) {
  return a.getFunctionType() == b.getFunctionType() &&
         a.getScheduleAttr() == b.getScheduleAttr() &&
         a.getWorkspace() == b.getWorkspace() &&
         a.getArgAttrsAttr() == b.getArgAttrsAttr() &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

namespace {
struct DeduplicateKernelsPass
    : ourc::impl::DeduplicateKernelsBase<DeduplicateKernelsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    DenseMap<size_t, SmallVector<kernel::FuncOp>> buckets;
    DenseMap<StringAttr, kernel::FuncOp> keptFor;
    llvm::MapVector<Operation *, SmallVector<Location>> locations;
    for (kernel::FuncOp kernel : module.getOps<kernel::FuncOp>()) {
      SmallVector<kernel::FuncOp> &bucket = buckets[hashKernel(kernel)];
      auto *equal = llvm::find_if(bucket, [&](kernel::FuncOp other) {
        return areEqual(kernel, other);
      });
      kernel::FuncOp kept = equal == bucket.end() ? kernel : *equal;
      if (equal == bucket.end())
        bucket.push_back(kernel);
      keptFor[kernel.getSymNameAttr()] = kept;
      locations[kept].push_back(kernel.getLoc());
    }
    DenseSet<Operation *> launched;
    module.walk([&](kernel::LaunchOp launch) {
      kernel::FuncOp kept = keptFor.lookup(launch.getCalleeAttr().getAttr());
      if (!kept)
        return;
      launch.setCallee(kept.getSymName());
      launched.insert(kept);
    });
    for (kernel::FuncOp kernel :
         llvm::make_early_inc_range(module.getOps<kernel::FuncOp>())) {
      kernel::FuncOp kept = keptFor.lookup(kernel.getSymNameAttr());
      if (kept == kernel && launched.contains(kernel)) {
        kernel->setLoc(FusedLoc::get(&getContext(), locations[kernel]));
        continue;
      }
      ++(kept == kernel ? numUnused : numMerged);
      kernel.erase();
    }
  }
};
} // namespace
