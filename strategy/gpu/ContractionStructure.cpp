//===- ContractionStructure.cpp - The contraction of a kernel ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/gpu/ContractionStructure.h"

#include "strategy/gpu/ResultDims.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ourc;

/// The block argument behind a widening, if any.
static BlockArgument getWidened(Value value) {
  if (auto extend = value.getDefiningOp<arith::ExtFOp>())
    value = extend.getIn();
  return dyn_cast<BlockArgument>(value);
}

/// Whether the body adds the product of the two inputs to the output.
static bool isMultiplyAdd(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return false;
  auto sum = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum)
    return false;
  BlockArgument carried = body.getArgument(2);
  Value other = sum.getLhs() == carried   ? sum.getRhs()
                : sum.getRhs() == carried ? sum.getLhs()
                                          : Value();
  auto product = other ? other.getDefiningOp<arith::MulFOp>() : arith::MulFOp();
  if (!product)
    return false;
  BlockArgument a = getWidened(product.getLhs());
  BlockArgument b = getWidened(product.getRhs());
  return a && b && a != b && a != carried && b != carried;
}

/// Whether a coordinate is a sum of loops, each times a positive constant: its
/// own position, or that of an element of a window.
static bool isWindowCoordinate(AffineExpr expr) {
  if (isa<AffineDimExpr>(expr))
    return true;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (expr.getKind() == AffineExprKind::Add)
    return isWindowCoordinate(binary.getLHS()) &&
           isWindowCoordinate(binary.getRHS());
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul && factor &&
         factor.getValue() > 0 && isa<AffineDimExpr>(binary.getLHS());
}

bool ourc::isContraction(Operation *op) {
  auto loops = dyn_cast<linalg::LinalgOp>(op);
  if (!loops || !loops.hasPureTensorSemantics() || !isMultiplyAdd(loops))
    return false;
  SmallVector<AffineMap> maps = loops.getIndexingMapsArray();
  AffineMap a = maps[0], b = maps[1], out = maps[2];
  // One of the operands may be read in windows.
  if (!out.isProjectedPermutation() ||
      (!a.isProjectedPermutation() && !b.isProjectedPermutation()) ||
      !llvm::all_of(a.getResults(), isWindowCoordinate) ||
      !llvm::all_of(b.getResults(), isWindowCoordinate))
    return false;
  // Every reduction loop is in both operands.
  for (unsigned loop = 0; loop < loops.getNumLoops(); ++loop) {
    bool inA = a.isFunctionOfDim(loop), inB = b.isFunctionOfDim(loop);
    if (out.isFunctionOfDim(loop) ? !inA && !inB : !inA || !inB)
      return false;
    // Sizes are those of dimensions that a loop runs along alone.
    AffineExpr dim = getAffineDimExpr(loop, op->getContext());
    if (llvm::none_of(maps, [&](AffineMap map) {
          return map.getResultPosition(dim).has_value();
        }))
      return false;
  }
  return loops.getNumReductionLoops() > 0;
}

bool ContractionStructure::hasWindow() const {
  linalg::LinalgOp loops = op;
  return llvm::any_of(loops.getIndexingMapsArray(), [](AffineMap map) {
    return !map.isProjectedPermutation();
  });
}

int64_t ContractionStructure::getSize(ArrayRef<unsigned> loops) const {
  linalg::LinalgOp nest = op;
  SmallVector<int64_t> sizes = nest.getStaticLoopRanges();
  int64_t product = 1;
  for (unsigned loop : loops) {
    if (ShapedType::isDynamic(sizes[loop]))
      return ShapedType::kDynamic;
    product *= sizes[loop];
  }
  return product;
}

std::optional<ContractionStructure>
ourc::analyzeContraction(kernel::FuncOp kernel, std::string *reason) {
  auto refuse = [&](const Twine &why) -> std::optional<ContractionStructure> {
    if (reason)
      *reason = why.str();
    return std::nullopt;
  };
  ContractionStructure result;
  for (Operation &op : kernel.getBody().front()) {
    if (isContraction(&op)) {
      if (result.op)
        return refuse("there is more than one contraction");
      result.op = cast<linalg::LinalgOp>(op);
      continue;
    }
    if (isa<linalg::PackOp, linalg::UnPackOp>(op))
      return refuse("packed layouts are for CPUs");
    auto loops = dyn_cast<linalg::LinalgOp>(op);
    if ((loops && loops.getNumReductionLoops() > 0) ||
        isa<kernel::CoupledReduceOp, kernel::AttentionOp>(op))
      return refuse("there is another reduction than a contraction");
  }
  if (!result.op)
    return refuse("there is no contraction");

  AffineMap a = result.op.getIndexingMapsArray()[0];
  AffineMap b = result.op.getIndexingMapsArray()[1];
  AffineMap out = result.op.getIndexingMapsArray()[2];
  for (unsigned loop = 0; loop < result.op.getNumLoops(); ++loop) {
    bool inA = a.isFunctionOfDim(loop), inB = b.isFunctionOfDim(loop);
    if (!out.isFunctionOfDim(loop))
      result.k.push_back(loop);
    else
      (inA && inB ? result.batch : inA ? result.m : result.n).push_back(loop);
  }

  auto dims =
      findResultDims(kernel, result.op.getDpsInputs(), isContraction, reason);
  if (!dims)
    return std::nullopt;
  result.resultDims = std::move(*dims);
  return result;
}

/// The element types of the operands and the result.
static std::array<Type, 3> getTypes(const ContractionStructure &structure) {
  linalg::LinalgOp op = structure.op;
  return {getElementTypeOrSelf(op.getDpsInputs()[0]),
          getElementTypeOrSelf(op.getDpsInputs()[1]),
          getElementTypeOrSelf(op->getResult(0))};
}

LogicalResult ourc::checkTensorCoreTypes(const ContractionStructure &structure,
                                         std::string *reason) {
  auto [a, b, result] = getTypes(structure);
  if (a == b && (a.isF16() || a.isBF16()) && (result.isF32() || result == a))
    return success();
  if (reason)
    *reason = "tensor cores multiply f16 or bf16 and accumulate in f32";
  return failure();
}

LogicalResult ourc::checkSingleTypes(const ContractionStructure &structure,
                                     std::string *reason) {
  if (llvm::all_of(getTypes(structure), [](Type type) { return type.isF32(); }))
    return success();
  if (reason)
    *reason = "tiles in registers are of f32";
  return failure();
}
