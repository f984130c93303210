//===- Decompose.cpp - Take composite operations apart --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/OurcDialect.h"
#include "transforms/graph/Decompositions.h"
#include "transforms/graph/Passes.h"
#include "transforms/graph/TransposableModels.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "ourc-decompose"

namespace ourc {
#define GEN_PASS_DEF_DECOMPOSE
#include "transforms/graph/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

void ourc::registerGraphModels(DialectRegistry &registry) {
  registerActivationDecompositions(registry);
  registerContractionDecompositions(registry);
  registerNormDecompositions(registry);
  registerShapeDecompositions(registry);
  registerTransposableModels(registry);
}

namespace {
struct DecomposePass : ourc::impl::DecomposeBase<DecomposePass> {
  using DecomposeBase::DecomposeBase;

  void runOnOperation() override {
    llvm::StringSet<> named(llvm::from_range, keep);
    llvm::StringSet<> apartNames(llvm::from_range, apart);
    auto isKept = [&](DecomposableOpInterface op) {
      StringRef name = op->getName().stripDialect();
      std::string typed;
      llvm::raw_string_ostream(typed)
          << name << ':' << getElementTypeOrSelf(op->getOperand(0));
      return !apartNames.contains(name) && !apartNames.contains(typed) &&
             (keep.empty() ? op.isLoweredWhole() : named.contains(name));
    };

    // A decomposition may use composites again: until nothing is left.
    bool changed = true;
    while (changed) {
      changed = false;
      SmallVector<DecomposableOpInterface> ops;
      getOperation().walk([&](DecomposableOpInterface op) {
        if (!isKept(op))
          ops.push_back(op);
      });
      for (DecomposableOpInterface op : ops) {
        OpBuilder builder(op);
        FailureOr<SmallVector<Value>> values = op.decompose(builder);
        if (failed(values)) {
          LDBG() << "no decomposition of " << op->getName();
          return signalPassFailure();
        }
        for (auto [result, value] : llvm::zip(op->getResults(), *values))
          result.replaceAllUsesWith(value);
        op->erase();
        ++numDecomposed;
        changed = true;
      }
    }
  }
};
} // namespace
