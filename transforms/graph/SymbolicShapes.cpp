//===- SymbolicShapes.cpp - Sizes of tensors as expressions of symbols ----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/SymbolicShapes.h"

#include "dialects/ourc/OurcDialect.h"
#include "transforms/graph/SizePolynomial.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ourc;

AffineExpr ourc::normalizeSize(AffineExpr size) {
  return SizePolynomial(size).toExpr(size.getContext());
}

std::optional<AffineExpr> ourc::divideExactly(AffineExpr b, AffineExpr a) {
  if (auto quotient = SizePolynomial(b).divide(SizePolynomial(a)))
    return quotient->toExpr(b.getContext());
  return std::nullopt;
}

SymbolicShapes::SymbolicShapes(FunctionOpInterface function)
    : function(function) {}

AffineExpr SymbolicShapes::getNamed(StringAttr name) {
  auto [it, isNew] = named.try_emplace(name, symbols.size());
  if (isNew)
    symbols.push_back({name, nullptr, -1});
  return getAffineSymbolExpr(it->second, name.getContext());
}

AffineExpr SymbolicShapes::getUnknown(Value value, int64_t dim) {
  auto [it, isNew] = unknown.try_emplace({value, dim}, symbols.size());
  if (isNew)
    symbols.push_back({nullptr, value, dim});
  return getAffineSymbolExpr(it->second, value.getContext());
}

StringRef SymbolicShapes::getSymbolName(unsigned position) const {
  StringAttr name = symbols[position].name;
  return name ? name.getValue() : StringRef();
}

SmallVector<AffineExpr> SymbolicShapes::computeArgument(BlockArgument arg) {
  auto type = cast<RankedTensorType>(arg.getType());
  ArrayAttr named;
  if (function && arg.getOwner()->getParentOp() == function.getOperation() &&
      arg.getOwner()->isEntryBlock())
    named = function.getArgAttrOfType<ArrayAttr>(arg.getArgNumber(),
                                                 kShapeAttrName);
  if (named && static_cast<int64_t>(named.size()) != type.getRank())
    named = nullptr;
  SmallVector<AffineExpr> shape;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (!type.isDynamicDim(i)) {
      shape.push_back(
          getAffineConstantExpr(type.getDimSize(i), arg.getContext()));
      continue;
    }
    auto symbol = named ? dyn_cast<FlatSymbolRefAttr>(named[i]) : nullptr;
    shape.push_back(symbol ? getNamed(symbol.getAttr()) : getUnknown(arg, i));
  }
  return shape;
}

/// Asks the operation for the sizes of its results. They are built in a block
/// of their own, read, and dropped.
void SymbolicShapes::computeResults(Operation *op) {
  // Reification may fold what it builds, which needs a block in an operation.
  OwningOpRef<ModuleOp> holder = ModuleOp::create(op->getLoc());
  Block &scratch = *holder->getBody();
  OpBuilder builder = OpBuilder::atBlockBegin(&scratch);
  ReifiedRankedShapedTypeDims reified;
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
    // Results have the shapes of their destinations.
    for (OpResult result : op->getResults())
      if (isa<RankedTensorType>(result.getType()))
        shapes[result] = getShape(dps.getTiedOpOperand(result)->get());
  } else if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    if (isa<RankedTensorType>(cast.getSource().getType()) &&
        isa<RankedTensorType>(cast.getType()))
      shapes[cast.getResult()] = getShape(cast.getSource());
  } else if (auto interface = dyn_cast<ReifyRankedShapedTypeOpInterface>(op)) {
    if (failed(interface.reifyResultShapes(builder, reified)))
      reified.clear();
  }
  bool known = reified.size() == op->getNumResults();
  for (OpResult result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      continue;
    SmallVector<AffineExpr> shape(shapes.lookup(result));
    if (shape.empty() && known)
      for (OpFoldResult size : reified[result.getResultNumber()])
        shape.push_back(getIndex(size));
    shape.resize(type.getRank());
    for (int64_t i = 0; i < type.getRank(); ++i) {
      // The type is the last word: it may say more than the operands do.
      if (!type.isDynamicDim(i))
        shape[i] = getAffineConstantExpr(type.getDimSize(i), op->getContext());
      else if (!shape[i])
        shape[i] = getUnknown(result, i);
    }
    shapes[result] = shape;
  }
  // Nothing outside refers to what was built here: forget it.
  for (Operation &temporary : scratch)
    for (Value result : temporary.getResults()) {
      indices.erase(result);
      shapes.erase(result);
    }
}

SmallVector<AffineExpr> SymbolicShapes::getShape(Value tensor) {
  auto found = shapes.find(tensor);
  if (found != shapes.end())
    return found->second;
  if (auto arg = dyn_cast<BlockArgument>(tensor))
    return shapes[tensor] = computeArgument(arg);
  computeResults(tensor.getDefiningOp());
  return shapes.lookup(tensor);
}

AffineExpr SymbolicShapes::getSize(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return getAffineConstantExpr(type.getDimSize(dim), tensor.getContext());
  return getShape(tensor)[dim];
}

AffineExpr SymbolicShapes::getProduct(ArrayRef<AffineExpr> sizes) {
  AffineExpr product = getAffineConstantExpr(1, function->getContext());
  for (AffineExpr size : sizes)
    product = product * size;
  return normalizeSize(product);
}

AffineExpr SymbolicShapes::getIndex(OpFoldResult index) {
  if (auto value = dyn_cast<Value>(index))
    return getIndex(value);
  return getAffineConstantExpr(
      cast<IntegerAttr>(cast<Attribute>(index)).getInt(),
      function->getContext());
}

AffineExpr SymbolicShapes::getIndex(Value index) {
  auto found = indices.find(index);
  if (found != indices.end())
    return found->second;
  IntegerAttr constant;
  if (matchPattern(index, m_Constant(&constant)))
    return getAffineConstantExpr(constant.getInt(), index.getContext());
  Operation *op = index.getDefiningOp();
  if (!op)
    return indices[index] = getUnknown(index, -1);
  auto operand = [&](unsigned i) { return getIndex(op->getOperand(i)); };
  // A division by what may be zero or negative is left alone.
  auto byPositive = [&](AffineExpr divisor) {
    auto value = dyn_cast<AffineConstantExpr>(divisor);
    return value && value.getValue() > 0;
  };
  AffineExpr result =
      llvm::TypeSwitch<Operation *, AffineExpr>(op)
          .Case([&](DimOp dim) {
            return getNamed(dim.getSymbolAttr().getAttr());
          })
          .Case([&](tensor::DimOp dim) -> AffineExpr {
            std::optional<int64_t> at = dim.getConstantIndex();
            auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
            if (!at || !type || *at < 0 || *at >= type.getRank())
              return {};
            return getSize(dim.getSource(), *at);
          })
          .Case([&](arith::AddIOp) { return operand(0) + operand(1); })
          .Case([&](arith::SubIOp) { return operand(0) - operand(1); })
          .Case([&](arith::MulIOp) { return operand(0) * operand(1); })
          .Case([&](arith::FloorDivSIOp) -> AffineExpr {
            AffineExpr a = operand(0), b = operand(1);
            if (byPositive(b))
              return a.floorDiv(b);
            return divideExactly(a, b).value_or(AffineExpr());
          })
          .Case([&](arith::CeilDivSIOp) -> AffineExpr {
            AffineExpr b = operand(1);
            return byPositive(b) ? operand(0).ceilDiv(b) : AffineExpr();
          })
          .Case<arith::DivSIOp, arith::DivUIOp>([&](Operation *) {
            // Truncation is floor only where the quotient is exact or the
            // dividend is not negative: sizes may be subtracted, so no claim.
            AffineExpr a = operand(0), b = operand(1);
            return divideExactly(a, b).value_or(AffineExpr());
          })
          .Case([&](affine::AffineApplyOp apply) -> AffineExpr {
            AffineMap map = apply.getAffineMap();
            SmallVector<AffineExpr> dims, syms;
            for (Value v : apply.getDimOperands())
              dims.push_back(getIndex(v));
            for (Value v : apply.getSymbolOperands())
              syms.push_back(getIndex(v));
            return map.getResult(0).replaceDimsAndSymbols(dims, syms);
          })
          .Default([](Operation *) { return AffineExpr(); });
  result = result ? normalizeSize(result) : getUnknown(index, -1);
  return indices[index] = result;
}

OpFoldResult SymbolicShapes::materialize(OpBuilder &builder, Location loc,
                                         AffineExpr size) {
  if (auto constant = dyn_cast<AffineConstantExpr>(size))
    return builder.getIndexAttr(constant.getValue());
  if (auto expr = dyn_cast<AffineSymbolExpr>(size)) {
    const Symbol &symbol = symbols[expr.getPosition()];
    if (symbol.name)
      return DimOp::create(builder, loc, builder.getIndexType(),
                           symbol.name.getValue())
          .getResult();
    if (symbol.dim < 0)
      return symbol.value;
    return tensor::DimOp::create(builder, loc, symbol.value, symbol.dim)
        .getResult();
  }
  auto binary = cast<AffineBinaryOpExpr>(size);
  Value lhs = getValueOrCreateConstantIndexOp(
      builder, loc, materialize(builder, loc, binary.getLHS()));
  Value rhs = getValueOrCreateConstantIndexOp(
      builder, loc, materialize(builder, loc, binary.getRHS()));
  switch (size.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(builder, loc, lhs, rhs).getResult();
  case AffineExprKind::Mul:
    return arith::MulIOp::create(builder, loc, lhs, rhs).getResult();
  case AffineExprKind::FloorDiv:
    return arith::FloorDivSIOp::create(builder, loc, lhs, rhs).getResult();
  case AffineExprKind::CeilDiv:
    return arith::CeilDivSIOp::create(builder, loc, lhs, rhs).getResult();
  default: {
    // The remainder of a floor division, which is not negative.
    Value quotient = arith::FloorDivSIOp::create(builder, loc, lhs, rhs);
    Value multiple = arith::MulIOp::create(builder, loc, quotient, rhs);
    return arith::SubIOp::create(builder, loc, lhs, multiple).getResult();
  }
  }
}

SmallVector<OpFoldResult> SymbolicShapes::materializeShape(OpBuilder &builder,
                                                           Location loc,
                                                           Value tensor) {
  SmallVector<OpFoldResult> sizes;
  auto type = cast<RankedTensorType>(tensor.getType());
  for (int64_t i = 0; i < type.getRank(); ++i)
    sizes.push_back(type.isDynamicDim(i)
                        ? materialize(builder, loc, getSize(tensor, i))
                        : builder.getIndexAttr(type.getDimSize(i)));
  return sizes;
}

SmallVector<Value> SymbolicShapes::materializeDynamicSizes(OpBuilder &builder,
                                                           Location loc,
                                                           Value tensor) {
  SmallVector<Value> sizes;
  auto type = cast<RankedTensorType>(tensor.getType());
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(getValueOrCreateConstantIndexOp(
          builder, loc, materialize(builder, loc, getSize(tensor, i))));
  return sizes;
}
