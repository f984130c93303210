//===- PartialReductions.cpp - Few long rows, cut into parts --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/PartialReductions.h"
#include "strategy/cpu/Loops.h"
#include "strategy/cpu/NestAnalysis.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace ourc;

/// Fewer rows than this may leave threads without work.
static constexpr int64_t kFewRows = 16;

/// Elements of a row that does not stay in a core's own cache: cutting it costs
/// no locality.
static constexpr int64_t kLargeRow = 1 << 18;

static constexpr int64_t kMaxParts = 64;

/// The sizes of a reduction's loops that are reduced.
static SmallVector<std::pair<unsigned, int64_t>> getReduced(Operation *op) {
  SmallVector<std::pair<unsigned, int64_t>> reduced;
  if (auto coupled = dyn_cast<kernel::CoupledReduceOp>(op)) {
    auto type = cast<RankedTensorType>(coupled.getInputs()[0].getType());
    for (int64_t dim : coupled.getDimensions())
      reduced.push_back({dim, type.getDimSize(dim)});
    return reduced;
  }
  auto linalgOp = cast<linalg::LinalgOp>(op);
  SmallVector<unsigned> dims;
  linalgOp.getReductionDims(dims);
  SmallVector<int64_t> ranges = linalgOp.getStaticLoopRanges();
  for (unsigned dim : dims)
    reduced.push_back({dim, ranges[dim]});
  return reduced;
}

static bool canMergeParts(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return true;
  for (unsigned i = 0; i < linalgOp.getNumDpsInits(); ++i) {
    SmallVector<Operation *> combiner;
    if (!matchReduction(linalgOp.getRegionOutputArgs(), i, combiner) ||
        combiner.size() != 1 || !arith::getNeutralElement(combiner[0]))
      return false;
  }
  return true;
}

unsigned ourc::getCutLoop(Operation *op) {
  // The outermost loop that makes parts enough, so that a part is contiguous;
  // else the longest.
  SmallVector<std::pair<unsigned, int64_t>> reduced = getReduced(op);
  for (auto [loop, size] : reduced)
    if (ShapedType::isDynamic(size) || size >= kMaxParts)
      return loop;
  return llvm::max_element(reduced, llvm::less_second())->first;
}

int64_t ourc::chooseParts(kernel::FuncOp kernel, int64_t lanes) {
  bool any = false;
  for (Operation &op : kernel.getBody().front()) {
    if (!isReduction(&op))
      continue;
    if (isWindowReduction(&op) || !canMergeParts(&op))
      return 0;
    int64_t elements = 1;
    bool anyDynamic = false;
    for (auto [loop, size] : getReduced(&op)) {
      anyDynamic |= ShapedType::isDynamic(size);
      elements *= ShapedType::isDynamic(size) ? 1 : size;
    }
    // Lanes that reduce apart share an iteration.
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    NestAnalysis analysis(op.getResult(0));
    int64_t iterations = 1;
    bool knowsRows = type.hasStaticShape();
    for (int64_t d = 0; d < type.getRank() && knowsRows; ++d) {
      int64_t size = type.getDimSize(d);
      int64_t width = std::min(size, lanes);
      if (d != analysis.laneDim || width <= 1) {
        iterations *= size;
        continue;
      }
      elements *= width;
      iterations *= llvm::divideCeil(size, width);
    }
    bool few = knowsRows && iterations < kFewRows &&
               (anyDynamic || elements >= 2 * kElementGrain);
    bool large = !anyDynamic && elements >= kLargeRow;
    if (!few && !large)
      return 0;
    any = true;
  }
  return any && getPartsWorkspace(kernel, kMaxParts) ? kMaxParts : 0;
}

//===----------------------------------------------------------------------===//
// The workspace
//===----------------------------------------------------------------------===//

/// The symbol of an argument's dynamic dimension.
static AffineExpr getSymbol(kernel::FuncOp kernel, BlockArgument argument,
                            int64_t dim) {
  unsigned number = 0;
  for (Type type :
       kernel.getArgumentTypes().take_front(argument.getArgNumber()))
    number += cast<RankedTensorType>(type).getNumDynamicDims();
  auto type = cast<RankedTensorType>(argument.getType());
  for (int64_t d = 0; d < dim; ++d)
    number += type.isDynamicDim(d);
  return getAffineSymbolExpr(number, kernel.getContext());
}

static AffineExpr getSize(kernel::FuncOp kernel, Value tensor, int64_t dim) {
  MLIRContext *context = kernel.getContext();
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return getAffineConstantExpr(type.getDimSize(dim), context);
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return getSymbol(kernel, argument, dim);
  Operation *op = tensor.getDefiningOp();
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    return getSize(kernel, dps.getTiedOpOperand(cast<OpResult>(tensor))->get(),
                   dim);
  auto empty = dyn_cast<tensor::EmptyOp>(op);
  auto size = empty ? empty.getDynamicSize(dim).getDefiningOp<tensor::DimOp>()
                    : tensor::DimOp();
  if (!size || !size.getConstantIndex())
    return {};
  return getSize(kernel, size.getSource(), *size.getConstantIndex());
}

int64_t ourc::getPartsBytes(Type type, int64_t parts) {
  int64_t bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return llvm::alignTo(parts * llvm::divideCeil(bits, 8), 64);
}

AffineExpr ourc::getPartsWorkspace(kernel::FuncOp kernel, int64_t parts) {
  AffineExpr bytes = getAffineConstantExpr(0, kernel.getContext());
  for (Operation &op : kernel.getBody().front()) {
    if (!isReduction(&op))
      continue;
    AffineExpr rows = getAffineConstantExpr(1, kernel.getContext());
    Value result = op.getResult(0);
    for (int64_t d = 0; d < cast<RankedTensorType>(result.getType()).getRank();
         ++d) {
      AffineExpr size = getSize(kernel, result, d);
      if (!size)
        return {};
      rows = rows * size;
    }
    int64_t each = kFinalBytes * op.getNumResults();
    if (auto coupled = dyn_cast<kernel::CoupledReduceOp>(op)) {
      for (Type type : coupled.getStateTypes())
        each += getPartsBytes(type, parts);
    } else {
      for (Type type : op.getResultTypes())
        each += getPartsBytes(getElementTypeOrSelf(type), parts);
    }
    bytes = bytes + rows * each;
  }
  return bytes;
}
