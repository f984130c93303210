//===- MutateGPU.cpp - A pass that makes one fault ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Mutants.h"
#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "ourc-mutate-gpu"

namespace ourc {
#define GEN_PASS_DEF_MUTATEGPU
#include "transforms/gpu/Passes.h.inc"
} // namespace ourc

using namespace mlir;

namespace {
struct MutateGPU : ourc::impl::MutateGPUBase<MutateGPU> {
  using MutateGPUBase::MutateGPUBase;

  void runOnOperation() override {
    std::vector<ourc::GPUMutant> mutants = ourc::findGPUMutants(getOperation());
    numMutants += mutants.size();
    if (mutant < 0) {
      for (auto [i, one] : llvm::enumerate(mutants))
        one.op->emitRemark("mutant ") << i << ": " << one.name;
      return;
    }
    if (mutant >= static_cast<int>(mutants.size())) {
      getOperation().emitError("there is no mutant ")
          << mutant.getValue() << ": the kernels have " << mutants.size();
      return signalPassFailure();
    }
    LDBG() << "making " << mutants[static_cast<size_t>(mutant)].name;
    ourc::applyGPUMutant(mutants[static_cast<size_t>(mutant)]);
  }
};
} // namespace
