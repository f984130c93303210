//===- Sizes.cpp - Sizes of tensors as values -----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/AtenToOurc/Sizes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace ourc;
using namespace ourc::aten;

//===----------------------------------------------------------------------===//
// SizeResolver
//===----------------------------------------------------------------------===//

void SizeResolver::prepare(FunctionOpInterface func) {
  if (func.isExternal())
    return;
  Block &entry = func.getFunctionBody().front();
  Operation *last = nullptr;
  for (DimOp dim : llvm::to_vector(entry.getOps<DimOp>())) {
    Value &first = symbols[{&entry, dim.getSymbolAttr()}];
    if (first) {
      dim.replaceAllUsesWith(first);
      dim.erase();
      continue;
    }
    first = dim;
    if (last)
      dim->moveAfter(last);
    else
      dim->moveBefore(&entry, entry.begin());
    last = dim;
  }
}

Value SizeResolver::getSymbolSize(Block &entry, FlatSymbolRefAttr symbol) {
  Value &size = symbols[{&entry, symbol}];
  if (!size) {
    auto builder = OpBuilder::atBlockBegin(&entry);
    size = DimOp::create(builder, entry.getParentOp()->getLoc(),
                         builder.getIndexType(), symbol);
  }
  return size;
}

OpFoldResult SizeResolver::getSize(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return Builder(tensor.getContext()).getIndexAttr(type.getDimSize(dim));
  auto found = known.find({tensor, dim});
  if (found != known.end())
    return found->second;
  OpFoldResult size = compute(tensor, dim);
  known[{tensor, dim}] = size;
  return size;
}

SmallVector<OpFoldResult> SizeResolver::getSizes(Value tensor) {
  SmallVector<OpFoldResult> sizes;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    sizes.push_back(getSize(tensor, dim));
  return sizes;
}

OpFoldResult SizeResolver::compute(Value tensor, int64_t dim) {
  if (auto result = dyn_cast<OpResult>(tensor))
    return computeFromProducer(result, dim);
  auto argument = cast<BlockArgument>(tensor);
  Block &block = *argument.getOwner();
  auto func = dyn_cast_if_present<FunctionOpInterface>(block.getParentOp());
  if (func && block.isEntryBlock()) {
    auto shape = func.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(),
                                                  kShapeAttrName);
    if (shape && dim < static_cast<int64_t>(shape.size()))
      if (auto symbol = dyn_cast<FlatSymbolRefAttr>(shape[dim]))
        return getSymbolSize(block, symbol);
  }
  auto builder = OpBuilder::atBlockBegin(&block);
  return tensor::DimOp::create(builder, tensor.getLoc(), tensor, dim)
      .getResult();
}

namespace {
/// Records the ops that a reification creates.
struct CreationListener : OpBuilder::Listener {
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    if (!previous.isSet())
      created.push_back(op);
  }
  SmallVector<Operation *> created;
};
} // namespace

OpFoldResult SizeResolver::computeFromProducer(OpResult tensor, int64_t dim) {
  Operation *op = tensor.getOwner();
  if (op->hasTrait<OpTrait::Elementwise>())
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (type && type.getRank() > dim)
        return getSize(operand, dim);
    }
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    if (isa<RankedTensorType>(cast.getSource().getType()))
      return getSize(cast.getSource(), dim);

  CreationListener listener;
  OpBuilder builder(op->getContext(), &listener);
  builder.setInsertionPointAfter(op);
  // The size of an operand that the producer asked for, in the resolver's own
  // terms.
  auto resolve = [&](Value size) -> OpFoldResult {
    auto dimOp = size.getDefiningOp<tensor::DimOp>();
    if (!dimOp || !llvm::is_contained(listener.created, dimOp.getOperation()))
      return size;
    std::optional<int64_t> index = dimOp.getConstantIndex();
    return index ? getSize(dimOp.getSource(), *index) : OpFoldResult(size);
  };
  OpFoldResult size;
  ReifiedRankedShapedTypeDims shapes;
  auto reifiable = dyn_cast<ReifyRankedShapedTypeOpInterface>(op);
  if (reifiable && succeeded(reifiable.reifyResultShapes(builder, shapes))) {
    size = shapes[tensor.getResultNumber()][dim];
    if (auto value = dyn_cast<Value>(size)) {
      size = resolve(value);
      for (Operation *created : llvm::to_vector(listener.created))
        for (OpOperand &operand : created->getOpOperands()) {
          OpFoldResult resolved = resolve(operand.get());
          if (resolved == OpFoldResult(operand.get()))
            continue;
          OpBuilder::InsertionGuard guard(builder);
          builder.setInsertionPoint(created);
          operand.set(
              getValueOrCreateConstantIndexOp(builder, op->getLoc(), resolved));
        }
    }
  } else {
    size =
        tensor::DimOp::create(builder, op->getLoc(), tensor, dim).getResult();
  }
  for (Operation *created : llvm::reverse(listener.created))
    if (created->use_empty() &&
        dyn_cast_if_present<Value>(size) != created->getResult(0))
      created->erase();
  return size;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

static constexpr SizeBounds kUnbounded{std::numeric_limits<int64_t>::min(),
                                       std::numeric_limits<int64_t>::max()};

/// Bounds of the arithmetic that importers and SizeMath emit; `depth` keeps
/// long chains cheap.
static SizeBounds boundsOf(Value value, unsigned depth) {
  Operation *op = value.getDefiningOp();
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return {*constant, *constant};
  if (!op || depth == 0)
    return kUnbounded;
  if (auto dim = dyn_cast<DimOp>(op)) {
    auto symbol =
        SymbolTable::lookupNearestSymbolFrom<SymbolOp>(op, dim.getSymbolAttr());
    if (!symbol)
      return {0, kUnbounded.max};
    return {static_cast<int64_t>(symbol.getMin()),
            static_cast<int64_t>(symbol.getMax())};
  }
  if (isa<tensor::DimOp>(op))
    return {0, kUnbounded.max};
  if (op->getNumOperands() != 2)
    return kUnbounded;
  SizeBounds a = boundsOf(op->getOperand(0), depth - 1);
  SizeBounds b = boundsOf(op->getOperand(1), depth - 1);
  if (isa<arith::MinSIOp>(op))
    return {std::min(a.min, b.min), std::min(a.max, b.max)};
  if (isa<arith::MaxSIOp>(op))
    return {std::max(a.min, b.min), std::max(a.max, b.max)};
  if (isa<arith::AddIOp>(op)) {
    auto low = llvm::checkedAdd(a.min, b.min),
         high = llvm::checkedAdd(a.max, b.max);
    return low && high ? SizeBounds{*low, *high}
           : low       ? SizeBounds{*low, kUnbounded.max}
                       : kUnbounded;
  }
  if (isa<arith::SubIOp>(op)) {
    auto low = llvm::checkedSub(a.min, b.max),
         high = llvm::checkedSub(a.max, b.min);
    return low && high ? SizeBounds{*low, *high} : kUnbounded;
  }
  if (a.min < 0 || b.min < 0)
    return kUnbounded;
  if (isa<arith::MulIOp>(op)) {
    auto low = llvm::checkedMul(a.min, b.min),
         high = llvm::checkedMul(a.max, b.max);
    return {low.value_or(0), high.value_or(kUnbounded.max)};
  }
  if (isa<arith::FloorDivSIOp, arith::DivSIOp, arith::DivUIOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return {0, a.max};
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return {0, std::min(a.max, b.max)};
  return kUnbounded;
}

SizeBounds ourc::aten::getBounds(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return {*constant, *constant};
  return boundsOf(cast<Value>(size), /*depth=*/8);
}

//===----------------------------------------------------------------------===//
// SizeMath
//===----------------------------------------------------------------------===//

OpFoldResult SizeMath::constant(int64_t value) {
  return builder.getIndexAttr(value);
}

Value SizeMath::materialize(OpFoldResult size) {
  return getValueOrCreateConstantIndexOp(builder, loc, size);
}

OpFoldResult SizeMath::add(OpFoldResult a, OpFoldResult b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return constant(*x + *y);
  if (x == 0)
    return b;
  if (y == 0)
    return a;
  return arith::AddIOp::create(builder, loc, materialize(a), materialize(b))
      .getResult();
}

OpFoldResult SizeMath::sub(OpFoldResult a, OpFoldResult b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return constant(*x - *y);
  if (y == 0)
    return a;
  if (a == b)
    return constant(0);
  return arith::SubIOp::create(builder, loc, materialize(a), materialize(b))
      .getResult();
}

OpFoldResult SizeMath::mul(OpFoldResult a, OpFoldResult b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return constant(*x * *y);
  if (x == 1 || y == 0)
    return b;
  if (y == 1 || x == 0)
    return a;
  return arith::MulIOp::create(builder, loc, materialize(a), materialize(b))
      .getResult();
}

OpFoldResult SizeMath::floorDiv(OpFoldResult a, OpFoldResult b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y && *y > 0)
    return constant(llvm::divideFloorSigned(*x, *y));
  if (y == 1)
    return a;
  return arith::FloorDivSIOp::create(builder, loc, materialize(a),
                                     materialize(b))
      .getResult();
}

OpFoldResult SizeMath::ceilDiv(OpFoldResult a, OpFoldResult b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y && *y > 0)
    return constant(llvm::divideCeilSigned(*x, *y));
  if (y == 1)
    return a;
  return arith::CeilDivSIOp::create(builder, loc, materialize(a),
                                    materialize(b))
      .getResult();
}

OpFoldResult SizeMath::min(OpFoldResult a, OpFoldResult b) {
  SizeBounds x = getBounds(a), y = getBounds(b);
  if (a == b || x.max <= y.min)
    return a;
  if (y.max <= x.min)
    return b;
  return arith::MinSIOp::create(builder, loc, materialize(a), materialize(b))
      .getResult();
}

OpFoldResult SizeMath::max(OpFoldResult a, OpFoldResult b) {
  SizeBounds x = getBounds(a), y = getBounds(b);
  if (a == b || x.min >= y.max)
    return a;
  if (y.min >= x.max)
    return b;
  return arith::MaxSIOp::create(builder, loc, materialize(a), materialize(b))
      .getResult();
}

OpFoldResult SizeMath::quotient(ArrayRef<OpFoldResult> numerators,
                                ArrayRef<OpFoldResult> denominators) {
  int64_t above = 1, below = 1;
  SmallVector<OpFoldResult> left;
  for (OpFoldResult factor : numerators) {
    if (auto size = getConstantIntValue(factor))
      above *= *size;
    else
      left.push_back(factor);
  }
  OpFoldResult divisor = constant(1);
  for (OpFoldResult factor : denominators) {
    if (auto size = getConstantIntValue(factor)) {
      below *= *size;
      continue;
    }
    auto *match = llvm::find(left, factor);
    if (match != left.end())
      left.erase(match);
    else
      divisor = mul(divisor, factor);
  }
  if (below != 0 && above % below == 0) {
    above /= below;
    below = 1;
  }
  OpFoldResult product = constant(1);
  for (OpFoldResult factor : left)
    product = mul(product, factor);
  product = mul(product, constant(above));
  divisor = mul(divisor, constant(below));
  if (getConstantIntValue(divisor) == 0)
    return constant(0);
  return floorDiv(product, divisor);
}

OpFoldResult SizeMath::wrap(OpFoldResult index, OpFoldResult size) {
  SizeBounds bounds = getBounds(index);
  if (bounds.min >= 0)
    return index;
  OpFoldResult wrapped = add(index, size);
  if (bounds.max < 0)
    return wrapped;
  Value zero = materialize(constant(0)), value = materialize(index);
  Value negative = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, value, zero);
  return arith::SelectOp::create(builder, loc, negative, materialize(wrapped),
                                 value)
      .getResult();
}

OpFoldResult SizeMath::clampPosition(OpFoldResult position, OpFoldResult size) {
  OpFoldResult wrapped = wrap(position, size);
  // One that counts from the end is before it.
  if (getBounds(position).max >= 0)
    wrapped = min(wrapped, size);
  return max(wrapped, constant(0));
}
