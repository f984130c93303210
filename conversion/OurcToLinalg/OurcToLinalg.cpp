//===- OurcToLinalg.cpp - The ourc dialect to linalg ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/OurcToLinalg/LoopBuilder.h"
#include "conversion/OurcToLinalg/Passes.h"
#include "conversion/OurcToLinalg/Patterns.h"
#include "dialects/kernel/KernelDialect.h"
#include "dialects/ourc/OurcDialect.h"
#include "transforms/graph/SymbolicShapes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "ourc-to-linalg"

namespace ourc {
#define GEN_PASS_DEF_OURCTOLINALG
#include "conversion/OurcToLinalg/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

/// Whether the operation must go: it computes and is of the ourc dialect.
static bool isToBeLowered(Operation *op) {
  return isa_and_present<OurcDialect>(op->getDialect()) &&
         !isa<SymbolOp, DimOp>(op);
}

/// Erases loop nests that only looked-through operations used.
static void eraseDead(func::FuncOp func) {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) { ops.push_back(op); });
  // A user is visited before what it uses; ops of a nest go with the nest.
  llvm::DenseSet<Operation *> gone;
  for (Operation *op : llvm::reverse(ops)) {
    if (gone.contains(op) || op == func.getOperation())
      continue;
    if (!isOpTriviallyDead(op))
      continue;
    op->walk([&](Operation *nested) { gone.insert(nested); });
    op->erase();
  }
}

namespace {
/// What no other pattern takes: says so in the words of this dialect.
struct RefuseOthers : RewritePattern {
  explicit RefuseOthers(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/0, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &) const override {
    if (!isToBeLowered(op))
      return failure();
    InFlightDiagnostic error = op->emitOpError("has no lowering to linalg");
    if (isa<DecomposableOpInterface>(op))
      error << "; -ourc-decompose takes it apart";
    return error;
  }
};

/// A tensor without elements is an empty tensor, whatever would compute it:
/// a slice from behind the last element, say, which extract_slice refuses.
struct LowerNothing : RewritePattern {
  LowerNothing(MLIRContext *context, SymbolicShapes &shapes)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/10, context),
        shapes(shapes) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isToBeLowered(op) || op->getNumResults() == 0)
      return failure();
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          !tensor || !llvm::is_contained(tensor.getShape(), 0))
        return rewriter.notifyMatchFailure(op, "a result may have elements");
    SmallVector<Value> empty;
    for (Value result : op->getResults())
      empty.push_back(createEmptyLike(rewriter, shapes, op->getLoc(), result));
    rewriter.replaceOp(op, empty);
    return success();
  }

  SymbolicShapes &shapes;
};

struct OurcToLinalgPass : ourc::impl::OurcToLinalgBase<OurcToLinalgPass> {
  using OurcToLinalgBase::OurcToLinalgBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    MLIRContext *context = &getContext();
    SymbolicShapes shapes(func);

    func.walk([&](Operation *op) {
      if (!isToBeLowered(op))
        return;
      ++numLowered;
      // What the loop was goes with it, into kernels' names and reports.
      op->setLoc(
          NameLoc::get(StringAttr::get(context, op->getName().stripDialect()),
                       op->getLoc()));
    });
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal(
        [](Operation *op) { return !isToBeLowered(op); });
    RewritePatternSet patterns(context);
    populateElementwisePatterns(patterns, shapes);
    populateSourcePatterns(patterns, shapes);
    populateShapePatterns(patterns, shapes);
    populateReshapePatterns(patterns, shapes);
    populateReductionPatterns(patterns, shapes);
    populateContractionPatterns(patterns, shapes);
    populateConvolutionPatterns(patterns, shapes);
    populateNormPatterns(patterns, shapes);
    populateAttentionPatterns(patterns, shapes);
    patterns.add<LowerNothing>(context, shapes);
    patterns.add<RefuseOthers>(context);
    if (failed(applyFullConversion(func, target, std::move(patterns))))
      return signalPassFailure();

    eraseDead(func);
    if (!contractRoundings)
      func.walk(
          [](arith::TruncFOp rounding) { rounding.removeFastmathAttr(); });
  }
};
} // namespace
