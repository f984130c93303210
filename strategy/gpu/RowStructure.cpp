//===- RowStructure.cpp - What rows a kernel has -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/gpu/RowStructure.h"

#include "strategy/gpu/ElementTracer.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ourc;

Operation *ourc::getCombiner(linalg::GenericOp op, unsigned i) {
  SmallVector<Operation *, 4> combiners;
  SmallVector<BlockArgument> carried(op.getRegionOutputArgs());
  if (!matchReduction(carried, i, combiners) || combiners.size() != 1)
    return nullptr;
  // Only then partial results can start from nothing.
  if (!arith::getNeutralElement(combiners.front()))
    return nullptr;
  return combiners.front();
}

bool ourc::isRowReduction(Operation *op) {
  if (isa<kernel::CoupledReduceOp>(op))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumReductionLoops() == 0)
    return false;
  for (unsigned i = 0; i < generic.getNumDpsInits(); ++i) {
    if (!getCombiner(generic, i))
      return false;
    // Results of one nest must lie side by side.
    AffineMap map = generic.getIndexingMapMatchingResult(generic->getResult(i));
    if (map != generic.getIndexingMapMatchingResult(generic->getResult(0)) ||
        !map.isProjectedPermutation())
      return false;
  }
  // Otherwise rows share their elements: a contraction or a window.
  return llvm::any_of(generic.getDpsInputOperands(), [&](OpOperand *input) {
    return generic.getMatchingIndexingMap(input).isPermutation();
  });
}

/// Follows what a reduction reads in the row d0, d1, ….
static void traceReduction(ElementTracer &tracer, Operation *op) {
  MLIRContext *context = op->getContext();
  auto next = static_cast<unsigned>(
      cast<RankedTensorType>(op->getResult(0).getType()).getRank());
  if (auto coupled = dyn_cast<kernel::CoupledReduceOp>(op)) {
    auto type = cast<RankedTensorType>(coupled.getInputs().front().getType());
    SmallVector<AffineExpr> coordinates;
    unsigned row = 0;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      coordinates.push_back(getAffineDimExpr(
          llvm::is_contained(coupled.getDimensions(), dim) ? next++ : row++,
          context));
    for (Value input : coupled.getInputs())
      tracer.trace(input, coordinates);
    return;
  }
  auto generic = cast<linalg::GenericOp>(op);
  AffineMap map = generic.getIndexingMapMatchingResult(generic->getResult(0));
  SmallVector<AffineExpr> iteration(generic.getNumLoops());
  for (auto [i, expr] : llvm::enumerate(map.getResults()))
    iteration[cast<AffineDimExpr>(expr).getPosition()] =
        getAffineDimExpr(static_cast<unsigned>(i), context);
  for (AffineExpr &expr : iteration)
    if (!expr)
      expr = getAffineDimExpr(next++, context);
  tracer.traceLoop(generic, iteration);
}

/// Which dimensions of a result run along the rows; an empty string, or why
/// they do not.
static StringRef findResultDims(const ElementTracer &tracer,
                                ArrayRef<int64_t> shape,
                                SmallVectorImpl<int64_t> &dims) {
  dims.assign(shape.size(), -1);
  for (auto &[used, coordinates] : tracer.uses)
    for (auto [i, expr] : llvm::enumerate(coordinates)) {
      if (shape[i] == 1)
        continue;
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        return "a result does not run along the rows";
      auto position = static_cast<int64_t>(dim.getPosition());
      if (dims[i] >= 0 && dims[i] != position)
        return "a result runs along the rows in two ways";
      dims[i] = position;
    }
  for (size_t i = 0; i < dims.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (dims[i] >= 0 && dims[i] == dims[j])
        return "a result runs along a diagonal of the rows";
  return "";
}

SmallVector<int64_t> ourc::getRowSizes(const RowStructure &rows) {
  Operation *op = rows.reductions.front();
  SmallVector<int64_t> result;
  if (auto coupled = dyn_cast<kernel::CoupledReduceOp>(op)) {
    auto type = cast<RankedTensorType>(coupled.getInputs().front().getType());
    for (int64_t dim : coupled.getDimensions())
      result.push_back(type.getDimSize(dim));
    return result;
  }
  auto generic = cast<linalg::GenericOp>(op);
  SmallVector<unsigned> dims;
  generic.getReductionDims(dims);
  SmallVector<int64_t> sizes = generic.getStaticLoopRanges();
  for (unsigned dim : dims)
    result.push_back(sizes[dim]);
  return result;
}

int64_t ourc::getRowLength(const RowStructure &rows) {
  int64_t length = 1;
  for (int64_t size : getRowSizes(rows)) {
    if (ShapedType::isDynamic(size))
      return ShapedType::kDynamic;
    length *= size;
  }
  return length;
}

/// The most elements of a result that the first row makes beside its own: a
/// warp's.
static constexpr int64_t maxAsideElements = 32;

std::optional<RowStructure> ourc::analyzeRows(kernel::FuncOp kernel,
                                              std::string *reason) {
  auto refuse = [&](const Twine &why) -> std::optional<RowStructure> {
    if (reason)
      *reason = why.str();
    return std::nullopt;
  };
  RowStructure rows;
  for (Operation &op : kernel.getBody().front()) {
    if (isRowReduction(&op))
      rows.reductions.push_back(&op);
    else if (isa<kernel::AttentionOp>(op))
      return refuse("attention has no rows");
    else if (auto nest = dyn_cast<linalg::LinalgOp>(op);
             nest && nest.getNumReductionLoops() > 0)
      return refuse("a loop nest reduces in another way than along rows");
  }
  if (rows.reductions.empty())
    return refuse("there is no reduction");
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(rows.getRowTensor().getType()).getShape();
  for (Operation *op : rows.reductions)
    for (Type type : op->getResultTypes())
      if (failed(verifyCompatibleShape(cast<RankedTensorType>(type).getShape(),
                                       shape)))
        return refuse("reductions have results of different shapes");

  MLIRContext *context = kernel.getContext();
  for (Operation *op : rows.reductions) {
    ElementTracer tracer(context, isRowReduction);
    traceReduction(tracer, op);
    for (auto &[used, coordinates] : tracer.uses)
      for (auto [i, expr] : llvm::enumerate(coordinates))
        if (expr != getAffineDimExpr(static_cast<unsigned>(i), context) &&
            !(shape[i] == 1 && expr == getAffineConstantExpr(0, context)))
          return refuse("a reduction reads another one across rows");
  }

  OperandRange results = kernel.getReturnOp().getOperands();
  SmallVector<bool> free;
  for (Value result : results) {
    ElementTracer tracer(context, isRowReduction);
    tracer.traceAll(result);
    SmallVector<int64_t> dims;
    // A result of no reduction may be cut into rows in any way.
    free.push_back(tracer.uses.empty());
    if (free.back()) {
      rows.resultDims.push_back({});
      continue;
    }
    if (StringRef why = findResultDims(tracer, shape, dims); !why.empty())
      return refuse(why);
    rows.resultDims.push_back(dims);
  }
  for (auto [i, result] : llvm::enumerate(results)) {
    if (!free[i])
      continue;
    auto model =
        llvm::find_if(llvm::seq<size_t>(0, results.size()),
                      [&, type = result.getType()](size_t j) {
                        return !free[j] && results[j].getType() == type;
                      });
    if (model == llvm::seq<size_t>(0, results.size()).end()) {
      auto type = cast<RankedTensorType>(result.getType());
      if (type.hasStaticShape() && type.getNumElements() <= maxAsideElements) {
        rows.asideResults.insert(static_cast<unsigned>(i));
        continue;
      }
      return refuse("a result does not depend on a reduction, nor has it the "
                    "shape of one that does");
    }
    rows.resultDims[i] = rows.resultDims[*model];
  }
  return rows;
}
