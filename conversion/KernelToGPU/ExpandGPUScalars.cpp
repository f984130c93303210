//===- ExpandGPUScalars.cpp - Scalar operations without a device library -===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/Passes.h"

#include "conversion/common/MathPolynomials.h"

#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "ourc-gpu-expand-scalars"

namespace ourc {
#define GEN_PASS_DEF_EXPANDGPUSCALARSPASS
#include "conversion/KernelToGPU/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

namespace {

/// A function that is one PTX instruction: through LLVM's intrinsic, since the
/// conversion to NVVM takes the math dialect's own to libdevice.
template <typename MathOp> struct ToIntrinsic : OpRewritePattern<MathOp> {
  ToIntrinsic(MLIRContext *context, StringRef intrinsic)
      : OpRewritePattern<MathOp>(context), intrinsic(intrinsic) {}

  LogicalResult matchAndRewrite(MathOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!type.isF32() && !type.isF64())
      return rewriter.notifyMatchFailure(op, "is not f32 or f64");
    std::string name = (intrinsic + (type.isF32() ? ".f32" : ".f64")).str();
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, type, rewriter.getStringAttr(name), op->getOperands());
    return success();
  }

  StringRef intrinsic;
};

/// 1 / sqrt(x), both rounded as IEEE says.
struct ExpandRsqrt : OpRewritePattern<math::RsqrtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::RsqrtOp op,
                                PatternRewriter &rewriter) const override {
    Value root = math::SqrtOp::create(rewriter, op.getLoc(), op.getOperand());
    Value one = arith::ConstantOp::create(
        rewriter, op.getLoc(), rewriter.getFloatAttr(op.getType(), 1.0));
    rewriter.replaceOpWithNewOp<arith::DivFOp>(op, one, root);
    return success();
  }
};

/// PTX's abs has no form in the LLVM dialect that both roads know.
struct ExpandAbs : OpRewritePattern<math::AbsIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::AbsIOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = op.getOperand();
    Value zero = arith::ConstantOp::create(
        rewriter, loc, rewriter.getIntegerAttr(op.getType(), 0));
    // Wraps for the least number, like the operation.
    Value negated = arith::SubIOp::create(rewriter, loc, zero, x);
    rewriter.replaceOpWithNewOp<arith::MaxSIOp>(op, x, negated);
    return success();
  }
};

/// Minima and maxima that drop NaN.
template <typename ArithOp, typename IntrinsicOp>
struct ToMinMax : OpRewritePattern<ArithOp> {
  using OpRewritePattern<ArithOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(ArithOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<IntrinsicOp>(op, op.getType(), op.getLhs(),
                                             op.getRhs());
    return success();
  }
};

struct ToFma : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::FMAOp>(op, op.getType(), op.getA(),
                                             op.getB(), op.getC());
    return success();
  }
};

struct ExpandGPUScalarsPass
    : ourc::impl::ExpandGPUScalarsPassBase<ExpandGPUScalarsPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    populateMathPolynomialPatterns(patterns);
    patterns.add<ToIntrinsic<math::SqrtOp>>(context, "llvm.sqrt");
    patterns.add<ToIntrinsic<math::AbsFOp>>(context, "llvm.fabs");
    patterns.add<ToIntrinsic<math::FloorOp>>(context, "llvm.floor");
    patterns.add<ToIntrinsic<math::CeilOp>>(context, "llvm.ceil");
    patterns.add<ToIntrinsic<math::TruncOp>>(context, "llvm.trunc");
    patterns.add<ToIntrinsic<math::RoundEvenOp>>(context, "llvm.rint");
    patterns.add<ToIntrinsic<math::RoundOp>>(context, "llvm.round");
    patterns.add<ToIntrinsic<math::CopySignOp>>(context, "llvm.copysign");
    patterns.add<ExpandAbs, ExpandRsqrt, ToFma,
                 ToMinMax<arith::MinNumFOp, LLVM::MinNumOp>,
                 ToMinMax<arith::MaxNumFOp, LLVM::MaxNumOp>>(context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    // Whatever is left would become a call of libdevice.
    WalkResult result = getOperation().walk([](Operation *op) {
      if (!isa_and_present<math::MathDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitOpError("on ")
          << op->getResult(0).getType() << " has no form for GPUs; f32 has one";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
