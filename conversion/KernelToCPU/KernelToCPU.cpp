//===- KernelToCPU.cpp - Kernels to CPU code ------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Emitters.h"
#include "conversion/KernelToCPU/Passes.h"
#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "ourc-kernel-to-cpu"

namespace ourc {
#define GEN_PASS_DEF_KERNELTOCPU
#include "conversion/KernelToCPU/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

static LogicalResult emitKernel(KernelABI &abi, Attribute schedule) {
  return llvm::TypeSwitch<Attribute, LogicalResult>(schedule)
      .Case([&](kernel::CPUContractionAttr attr) {
        return emitContraction(abi, attr);
      })
      .Case(
          [&](kernel::CPUWinogradAttr attr) { return emitWinograd(abi, attr); })
      .Case([&](kernel::CPUAttentionAttr attr) {
        return emitAttention(abi, attr);
      })
      .Case([&](kernel::CPUDepthwiseAttr attr) {
        return emitDepthwise(abi, attr);
      })
      .Case([&](kernel::CPURowAttr attr) { return emitRow(abi, attr); })
      .Case([&](kernel::CPUPointwiseAttr attr) {
        return emitPointwise(abi, attr);
      })
      .Case([&](kernel::CPUScatterAttr attr) { return emitScatter(abi, attr); })
      .Case([&](kernel::CPUPoolAttr attr) { return emitPool(abi, attr); })
      .Default([&](Attribute attr) {
        return abi.getKernel().emitOpError("has the schedule ")
               << attr << ", for which there is no CPU emitter";
      });
}

namespace {
struct KernelToCPU : public ourc::impl::KernelToCPUBase<KernelToCPU> {
  void runOnOperation() override {
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<kernel::FuncOp>())) {
      std::optional<kernel::ScheduleAttrInterface> schedule =
          func.getSchedule();
      if (!schedule) {
        func.emitOpError("has no schedule: run ourc-assign-strategies first");
        return signalPassFailure();
      }
      if (schedule->getTargetKind() != "cpu")
        continue;
      KernelABI abi(func);
      LogicalResult emitted = emitKernel(abi, *schedule);
      LogicalResult finished = abi.finish();
      if (failed(emitted) || failed(finished))
        return signalPassFailure();
      std::string name = func.getSymName().str();
      func.erase();
      abi.getEntry().setSymName(name);
      ++numKernels;
    }
  }
};
} // namespace
