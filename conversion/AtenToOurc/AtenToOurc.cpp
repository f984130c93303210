//===- AtenToOurc.cpp - Lower calls of ATen operators to ourc -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/AtenToOurc/Lowering.h"
#include "conversion/AtenToOurc/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ourc {
#define GEN_PASS_DEF_ATENTOOURC
#include "conversion/AtenToOurc/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;
using namespace ourc::aten;

namespace {

class AtenToOurcPass : public ourc::impl::AtenToOurcBase<AtenToOurcPass> {
public:
  LogicalResult initialize(MLIRContext *) override {
    populateActivation(table);
    populateAttention(table);
    populateContraction(table);
    populateConvolution(table);
    populateElementwise(table);
    populateFactory(table);
    populateIndexedUpdate(table);
    populateIndexing(table);
    populateLogic(table);
    populateNormalization(table);
    populateOrder(table);
    populatePooling(table);
    populateReduction(table);
    populateScan(table);
    populateScatter(table);
    populateShape(table);
    populateStrided(table);
    return success();
  }

  void runOnOperation() override {
    SizeResolver resolver;
    DenseSet<Value> unsignedValues;
    getOperation().walk([&](FunctionOpInterface func) {
      resolver.prepare(func);
      if (func.isExternal())
        return;
      for (BlockArgument argument : func.getArguments())
        if (func.getArgAttr(argument.getArgNumber(), kUnsignedAttrName))
          unsignedValues.insert(argument);
    });

    SmallVector<CallOp> calls;
    getOperation().walk([&](CallOp call) { calls.push_back(call); });
    bool allLowered = true;
    for (CallOp call : calls)
      allLowered &= succeeded(lower(call, resolver, unsignedValues));
    if (!allLowered)
      return signalPassFailure();
    for (CallOp call : llvm::reverse(calls))
      call.erase();
    numCalls += calls.size();
  }

private:
  LogicalResult lower(CallOp op, SizeResolver &resolver,
                      DenseSet<Value> &unsignedValues);

  LoweringTable table;
};

} // namespace

/// Erases the constants between two ops that a lowering made but, because
/// what it made of them was folded, nothing uses.
static void eraseDeadConstants(Operation *before, Operation *after) {
  for (Operation *op = after->getPrevNode(); op && op != before;) {
    Operation *previous = op->getPrevNode();
    if (isa<ConstantOp>(op) && op->use_empty())
      op->erase();
    op = previous;
  }
}

/// Lowers one call, or reports why not. A call that fails keeps its results,
/// so that the calls after it are still looked at.
LogicalResult AtenToOurcPass::lower(CallOp op, SizeResolver &resolver,
                                    DenseSet<Value> &unsignedValues) {
  StringRef callee = op.getCallee();
  // Operators of other namespaces are written with theirs.
  StringRef space = callee.contains("::") ? "" : "aten.";
  auto refuse = [&](const Twine &why) -> LogicalResult {
    // Not op.emitError(), which would show the call's text below the user's
    // line.
    InFlightDiagnostic error = emitError(op.getLoc())
                               << "operator '" << space << callee
                               << "' is not supported";
    if (!why.isTriviallyEmpty())
      error << ": " << why;
    return error;
  };
  const Lowering *lowering = table.find(callee);
  if (!lowering)
    return refuse("");

  bool seesUnsigned = llvm::any_of(op.getOperands(), [&](Value operand) {
    return unsignedValues.contains(operand);
  });
  if (seesUnsigned && lowering->signs == Signs::Signed)
    return refuse("it has an operand of unsigned integers; convert it to a "
                  "signed type or to floats first");

  Operation *before = op->getPrevNode();
  Call call(op, resolver, unsignedValues);
  if (mlir::failed(lowering->lower(call)) || call.failed())
    return refuse(call.getReason());
  for (auto [index, result] : llvm::enumerate(call.getResults()))
    if (!result && call.isUsed(index))
      return refuse("its result " + Twine(index) + " is used");
  for (auto [index, result] : llvm::enumerate(call.getResults())) {
    if (!result)
      continue;
    if (seesUnsigned && lowering->signs == Signs::Moved)
      unsignedValues.insert(result);
    op->getResult(index).replaceAllUsesWith(result);
  }
  eraseDeadConstants(before, op);
  return success();
}
