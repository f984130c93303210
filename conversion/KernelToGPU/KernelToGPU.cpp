//===- KernelToGPU.cpp - Emission of kernels for GPUs ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/Passes.h"

#include "conversion/KernelToGPU/Emitters.h"
#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "ourc-kernel-to-gpu"

namespace ourc {
#define GEN_PASS_DEF_KERNELTOGPUPASS
#include "conversion/KernelToGPU/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

/// Makes every loop nest a linalg.generic, the one form that emitters read.
static LogicalResult generalize(kernel::FuncOp kernel) {
  SmallVector<linalg::LinalgOp> named;
  kernel.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp>(op))
      named.push_back(op);
  });
  IRRewriter rewriter(kernel.getContext());
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op)))
      return op->emitOpError("cannot be part of a GPU kernel");
  }
  return success();
}

namespace {
struct KernelToGPUPass : ourc::impl::KernelToGPUPassBase<KernelToGPUPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    bool any = false;
    for (auto kernel :
         llvm::make_early_inc_range(module.getOps<kernel::FuncOp>())) {
      auto schedule = kernel.getScheduleAttr();
      if (!schedule || schedule.getTargetKind() != "gpu")
        continue;
      if (failed(generalize(kernel)) || failed(emit(kernel, schedule)))
        return signalPassFailure();
      kernel.erase();
      any = true;
    }
    if (any)
      module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                      UnitAttr::get(&getContext()));
  }

private:
  LogicalResult emit(kernel::FuncOp kernel, Attribute schedule) {
    using namespace gpucodegen;
    return llvm::TypeSwitch<Attribute, LogicalResult>(schedule)
        .Case<kernel::GPUPointwiseAttr>([&](auto attr) {
          ++numPointwise;
          return emitPointwise(kernel, attr);
        })
        .Case<kernel::GPURowAttr>([&](auto attr) {
          ++numRow;
          return emitRow(kernel, attr);
        })
        .Case<kernel::GPUScatterAttr>([&](auto attr) {
          ++numScatter;
          return emitScatter(kernel, attr);
        })
        .Case<kernel::GPUContractionAttr>([&](auto attr) {
          ++numContraction;
          return emitContraction(kernel, attr);
        })
        .Case<kernel::GPUAttentionAttr>([&](auto attr) {
          ++numAttention;
          return emitAttention(kernel, attr);
        })
        .Case<kernel::GPUTileAttr>([&](auto attr) {
          ++numTile;
          return emitTile(kernel, attr);
        })
        .Default([&](Attribute other) {
          return kernel.emitOpError("has no GPU emitter for its schedule ")
                 << other;
        });
  }
};
} // namespace
