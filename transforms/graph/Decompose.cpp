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
/// An entry of the option `apart`.
struct Selection {
  StringRef name, type; ///< empty: any type
  int64_t size = -1;    ///< -1: any size

  static std::optional<Selection> parse(StringRef text) {
    Selection selection;
    auto [front, size] = text.split('>');
    std::tie(selection.name, selection.type) = front.split(':');
    bool sized = text.contains('>');
    if (selection.name.empty() ||
        (sized &&
         (size.getAsInteger(10, selection.size) || selection.size < 0)) ||
        (front.contains(':') && selection.type.empty()))
      return std::nullopt;
    return selection;
  }

  bool selects(Operation *op) const {
    if (op->getName().stripDialect() != name)
      return false;
    Value first = op->getOperand(0);
    std::string element;
    llvm::raw_string_ostream(element) << getElementTypeOrSelf(first);
    if (!type.empty() && type != element)
      return false;
    auto isLarge = [&](Value value) {
      auto shaped = dyn_cast<RankedTensorType>(value.getType());
      return shaped && shaped.getRank() != 0 &&
             (ShapedType::isDynamic(shaped.getShape().back()) ||
              shaped.getShape().back() > size);
    };
    return size < 0 || isLarge(first) || isLarge(op->getResult(0));
  }
};

struct DecomposePass : ourc::impl::DecomposeBase<DecomposePass> {
  using DecomposeBase::DecomposeBase;

  void runOnOperation() override {
    llvm::StringSet<> named(llvm::from_range, keep);
    SmallVector<Selection> selections;
    for (StringRef text : apart) {
      std::optional<Selection> selection = Selection::parse(text);
      if (!selection) {
        getOperation()->emitError("'apart' takes name, name:type or "
                                  "name:type>size, not '")
            << text << "'";
        return signalPassFailure();
      }
      selections.push_back(*selection);
    }
    auto isKept = [&](DecomposableOpInterface op) {
      return llvm::none_of(
                 selections,
                 [&](const Selection &one) { return one.selects(op); }) &&
             (keep.empty() ? op.isLoweredWhole()
                           : named.contains(op->getName().stripDialect()));
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
