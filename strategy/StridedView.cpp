//===- StridedView.cpp - Tensors that are views of a kernel's arguments ---===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/StridedView.h"

#include "dialects/kernel/KernelDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ourc;

static void explain(std::string *reason, const Twine &text) {
  if (reason)
    *reason = text.str();
}

//===----------------------------------------------------------------------===//
// Product
//===----------------------------------------------------------------------===//

/// An order of factors that is the same in every run, unlike addresses:
/// arguments by number, then values of the kernel's body by position.
static bool isBefore(const Product::Factor &a, const Product::Factor &b) {
  if (a.value == b.value)
    return a.dim < b.dim;
  auto x = dyn_cast<BlockArgument>(a.value);
  auto y = dyn_cast<BlockArgument>(b.value);
  if (x || y)
    return x && (!y || x.getArgNumber() < y.getArgNumber());
  if (a.value.getDefiningOp() == b.value.getDefiningOp())
    return cast<OpResult>(a.value).getResultNumber() <
           cast<OpResult>(b.value).getResultNumber();
  return a.value.getDefiningOp()->isBeforeInBlock(b.value.getDefiningOp());
}

Product Product::operator*(const Product &other) const {
  Product result(constant * other.constant);
  if (result.constant == 0)
    return result;
  result.factors = factors;
  llvm::append_range(result.factors, other.factors);
  llvm::sort(result.factors, isBefore);
  return result;
}

Product Product::getSize(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return Product(*constant);
  Value value = cast<Value>(size);
  if (auto dim = value.getDefiningOp<tensor::DimOp>())
    if (std::optional<int64_t> index = dim.getConstantIndex())
      return getSize(dim.getSource(), *index);
  Product result;
  result.factors.push_back({value, -1});
  return result;
}

/// The first dimension of an argument that has the same name as this one.
static Product::Factor getFirstOfName(BlockArgument argument, int64_t dim) {
  auto func = dyn_cast<kernel::FuncOp>(argument.getOwner()->getParentOp());
  auto getName = [&](BlockArgument of, int64_t d) -> Attribute {
    auto shape = func ? func.getArgAttrOfType<ArrayAttr>(of.getArgNumber(),
                                                         kernel::kShapeAttrName)
                      : ArrayAttr();
    return shape ? shape[d] : Attribute();
  };
  if (Attribute name = getName(argument, dim))
    for (BlockArgument other : argument.getOwner()->getArguments()) {
      int64_t rank = cast<RankedTensorType>(other.getType()).getRank();
      for (int64_t d = 0; d < rank; ++d)
        if (getName(other, d) == name)
          return {other, d};
    }
  return {argument, dim};
}

Product Product::getSize(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return Product(type.getDimSize(dim));
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    Product result;
    result.factors.push_back(getFirstOfName(argument, dim));
    return result;
  }
  Operation *op = tensor.getDefiningOp();
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    return getSize(dps.getTiedOpOperand(cast<OpResult>(tensor))->get(), dim);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return getSize(empty.getMixedSizes()[dim]);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return getSize(expand.getMixedOutputShape()[dim]);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    Product result;
    for (int64_t source : collapse.getReassociationIndices()[dim])
      result = result * getSize(collapse.getSrc(), source);
    return result;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    int64_t position = -1;
    for (int64_t d = 0, e = dropped.size(); d < e; ++d)
      if (!dropped[d] && ++position == dim)
        return getSize(slice.getMixedSizes()[d]);
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return getSize(cast.getSource(), dim);
  // Not known by a name: only equal to itself.
  Product result;
  result.factors.push_back({tensor, dim});
  return result;
}

//===----------------------------------------------------------------------===//
// StridedView
//===----------------------------------------------------------------------===//

static std::optional<StridedView> viewOfExpand(tensor::ExpandShapeOp op,
                                               std::string *reason) {
  std::optional<StridedView> source = StridedView::get(op.getSrc(), reason);
  if (!source)
    return std::nullopt;
  StridedView view{source->argument, {}, source->offset};
  view.strides.resize(op.getResultType().getRank());
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    Product stride = source->strides[dim];
    for (int64_t result : llvm::reverse(group)) {
      view.strides[result] = stride;
      stride = stride * Product::getSize(op.getResult(), result);
    }
  }
  return view;
}

static std::optional<StridedView> viewOfCollapse(tensor::CollapseShapeOp op,
                                                 std::string *reason) {
  std::optional<StridedView> source = StridedView::get(op.getSrc(), reason);
  if (!source)
    return std::nullopt;
  StridedView view{source->argument, {}, source->offset};
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    std::optional<Product> innermost;
    Product next;
    for (int64_t dim : llvm::reverse(group)) {
      Product size = Product::getSize(op.getSrc(), dim);
      if (size.isOne())
        continue;
      if (!innermost) {
        innermost = source->strides[dim];
      } else if (source->strides[dim] != next) {
        explain(reason, "a reshape joins dimensions that do not follow one "
                        "another in memory");
        return std::nullopt;
      }
      next = source->strides[dim] * size;
    }
    view.strides.push_back(innermost.value_or(Product(1)));
  }
  return view;
}

static std::optional<StridedView> viewOfSlice(tensor::ExtractSliceOp op,
                                              std::string *reason) {
  std::optional<StridedView> source = StridedView::get(op.getSource(), reason);
  if (!source)
    return std::nullopt;
  StridedView view{source->argument, {}, source->offset};
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (int64_t dim = 0, e = source->strides.size(); dim < e; ++dim) {
    Product offset =
        Product::getSize(op.getMixedOffsets()[dim]) * source->strides[dim];
    if (!offset.isZero())
      view.offset.push_back(offset);
    if (!dropped[dim])
      view.strides.push_back(Product::getSize(op.getMixedStrides()[dim]) *
                             source->strides[dim]);
  }
  return view;
}

/// A generic that yields one of its inputs: a transpose or a broadcast.
static std::optional<StridedView> viewOfMove(linalg::LinalgOp op, Value result,
                                             std::string *reason) {
  auto yield = cast<linalg::YieldOp>(op.getBlock()->getTerminator());
  unsigned number = cast<OpResult>(result).getResultNumber();
  auto argument = dyn_cast<BlockArgument>(yield.getOperand(number));
  if (!argument || argument.getOwner() != op.getBlock() ||
      op.getNumParallelLoops() != op.getNumLoops()) {
    explain(reason, "an operand is computed inside the kernel");
    return std::nullopt;
  }
  OpOperand *operand = op.getMatchingOpOperand(argument);
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(number));
  AffineMap in = op.getMatchingIndexingMap(operand);
  if (op.isDpsInit(operand) || !out.isPermutation()) {
    explain(reason, "an operand is rearranged in a way that is not a view");
    return std::nullopt;
  }
  std::optional<StridedView> source = StridedView::get(operand->get(), reason);
  if (!source)
    return std::nullopt;
  std::optional<LinearAccess> access =
      LinearAccess::get(*source, in.compose(inversePermutation(out)), reason);
  if (!access)
    return std::nullopt;
  return StridedView{access->argument, access->strides, access->offset};
}

std::optional<StridedView> StridedView::get(Value tensor, std::string *reason) {
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
    StridedView view{argument, SmallVector<Product>(rank), {}};
    Product stride;
    for (int64_t dim = rank - 1; dim >= 0; --dim) {
      view.strides[dim] = stride;
      stride = stride * Product::getSize(tensor, dim);
    }
    return view;
  }
  Operation *op = tensor.getDefiningOp();
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return viewOfExpand(expand, reason);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return viewOfCollapse(collapse, reason);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return viewOfSlice(slice, reason);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return StridedView::get(cast.getSource(), reason);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return viewOfMove(linalgOp, tensor, reason);
  explain(reason, "an operand is the result of '" +
                      op->getName().getStringRef() + "', which is no view");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// LinearAccess
//===----------------------------------------------------------------------===//

std::optional<LinearAccess> LinearAccess::get(Value tensor, AffineMap map,
                                              std::string *reason) {
  std::optional<StridedView> view = StridedView::get(tensor, reason);
  if (!view)
    return std::nullopt;
  return get(*view, map, reason);
}

/// Adds `factor` times a linear expression of loops; fails on anything else.
static LogicalResult addExpr(AffineExpr expr, Product factor,
                             LinearAccess &access) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    Product offset = factor * Product(constant.getValue());
    if (!offset.isZero())
      access.offset.push_back(offset);
    return success();
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    Product &stride = access.strides[dim.getPosition()];
    if (stride.isZero()) {
      stride = factor;
      return success();
    }
    if (factor.isZero())
      return success();
    if (stride.factors != factor.factors)
      return failure();
    stride.constant += factor.constant;
    return success();
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return failure();
  if (expr.getKind() == AffineExprKind::Add)
    return success(succeeded(addExpr(binary.getLHS(), factor, access)) &&
                   succeeded(addExpr(binary.getRHS(), factor, access)));
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() != AffineExprKind::Mul || !scale)
    return failure();
  return addExpr(binary.getLHS(), factor * Product(scale.getValue()), access);
}

std::optional<LinearAccess>
LinearAccess::get(const StridedView &view, AffineMap map, std::string *reason) {
  LinearAccess access{view.argument,
                      SmallVector<Product>(map.getNumDims(), Product(0)),
                      view.offset};
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (failed(addExpr(expr, view.strides[dim], access))) {
      explain(reason, "an index is not a linear function of the loops");
      return std::nullopt;
    }
  return access;
}
