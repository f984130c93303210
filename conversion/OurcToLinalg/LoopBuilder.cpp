//===- LoopBuilder.cpp - Loop nests of the lowering -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/OurcToLinalg/LoopBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;

Type ourc::getComputeType(Type type) {
  auto floating = dyn_cast<FloatType>(type);
  if (!floating || floating.getWidth() >= 32)
    return type;
  return Float32Type::get(type.getContext());
}

static arith::FastMathFlagsAttr contract(OpBuilder &builder) {
  return arith::FastMathFlagsAttr::get(builder.getContext(),
                                       arith::FastMathFlags::contract);
}

Value ourc::widen(OpBuilder &builder, Location loc, Value element) {
  Type type = getComputeType(element.getType());
  if (type == element.getType())
    return element;
  return arith::ExtFOp::create(builder, loc, type, element);
}

Value ourc::narrow(OpBuilder &builder, Location loc, Value element, Type type) {
  if (type == element.getType())
    return element;
  return arith::TruncFOp::create(builder, loc, type, element,
                                 arith::RoundingModeAttr(), contract(builder));
}

Value ourc::createAdd(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isa<FloatType>(a.getType()))
    return arith::AddFOp::create(builder, loc, a, b, contract(builder));
  return arith::AddIOp::create(builder, loc, a, b);
}

Value ourc::createSub(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isa<FloatType>(a.getType()))
    return arith::SubFOp::create(builder, loc, a, b, contract(builder));
  return arith::SubIOp::create(builder, loc, a, b);
}

Value ourc::createMul(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isa<FloatType>(a.getType()))
    return arith::MulFOp::create(builder, loc, a, b, contract(builder));
  return arith::MulIOp::create(builder, loc, a, b);
}

Value ourc::createFloat(OpBuilder &builder, Location loc, Type type,
                        double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

Value ourc::createEmptyLike(OpBuilder &builder, SymbolicShapes &shapes,
                            Location loc, Value like, Type element) {
  auto type = cast<RankedTensorType>(like.getType());
  SmallVector<Value> sizes = shapes.materializeDynamicSizes(builder, loc, like);
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 element ? element : type.getElementType(),
                                 sizes);
}

Value ourc::createFilled(OpBuilder &builder, Location loc, Value destination,
                         TypedAttr value) {
  Value scalar = arith::ConstantOp::create(builder, loc, value);
  return linalg::FillOp::create(builder, loc, scalar, destination).getResult(0);
}

Value ourc::castTo(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(builder, loc, type, value);
}

Value ourc::narrowTensor(OpBuilder &builder, SymbolicShapes &shapes,
                         Location loc, Value tensor, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  Type element = type.getElementType();
  if (getElementTypeOrSelf(tensor.getType()) == element)
    return castTo(builder, loc, tensor, type);
  Value empty = createEmptyLike(builder, shapes, loc, like);
  auto identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, type, tensor, empty,
             ArrayRef<AffineMap>{identity, identity}, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange elements) {
               linalg::YieldOp::create(
                   nested, loc, narrow(nested, loc, elements[0], element));
             })
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The map to the operand of a broadcast; nothing when it would need a constant
/// that is not allowed.
static AffineMap throughBroadcast(BroadcastOp op, AffineMap map,
                                  bool constants) {
  RankedTensorType from = op.getX().getType(), to = op.getType();
  SmallVector<AffineExpr> results;
  for (auto [i, dim] : llvm::enumerate(op.getDimensions())) {
    if (from.getDimSize(i) == 1 && to.getDimSize(dim) != 1) {
      if (!constants)
        return {};
      results.push_back(getAffineConstantExpr(0, op.getContext()));
      continue;
    }
    results.push_back(map.getResult(dim));
  }
  return AffineMap::get(map.getNumDims(), 0, results, op.getContext());
}

/// The map to the operand of a reshape that only adds and drops dimensions of
/// size 1; nothing for others.
static AffineMap throughUnitReshape(ReshapeOp op, AffineMap map,
                                    SymbolicShapes &shapes, bool constants) {
  SmallVector<AffineExpr> from = shapes.getShape(op.getX()),
                          to = shapes.getShape(op.getResult());
  AffineExpr one = getAffineConstantExpr(1, op.getContext()),
             zero = getAffineConstantExpr(0, op.getContext());
  SmallVector<AffineExpr> results;
  size_t at = 0;
  auto skip = [&] {
    while (at < to.size() && to[at] == one)
      ++at;
  };
  for (AffineExpr size : from) {
    if (size == one) {
      if (!constants)
        return {};
      results.push_back(zero);
      continue;
    }
    skip();
    if (at == to.size() || to[at] != size)
      return {};
    results.push_back(map.getResult(at++));
  }
  skip();
  if (at != to.size())
    return {};
  return AffineMap::get(map.getNumDims(), 0, results, op.getContext());
}

std::pair<Value, AffineMap> ourc::lookThrough(Value operand, AffineMap map,
                                              SymbolicShapes &shapes,
                                              LookThrough through) {
  while (Operation *op = operand.getDefiningOp()) {
    AffineMap next;
    if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
      if (through.broadcasts)
        next = throughBroadcast(broadcast, map, through.constants);
    } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
      if (through.broadcasts)
        next = throughUnitReshape(reshape, map, shapes, through.constants);
    } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
      if (through.transposes) {
        SmallVector<AffineExpr> results(map.getNumResults());
        for (auto [i, dim] : llvm::enumerate(transpose.getPermutation()))
          results[dim] = map.getResult(i);
        next = AffineMap::get(map.getNumDims(), 0, results, op->getContext());
      }
    }
    if (!next)
      break;
    operand = op->getOperand(0);
    map = next;
  }
  return {operand, map};
}

void LoopInputs::addLowered(Value tensor, AffineMap map) {
  for (unsigned i = 0; i < tensors.size(); ++i)
    if (tensors[i] == tensor && maps[i] == map) {
      operands.push_back({i, {}});
      return;
    }
  operands.push_back({static_cast<unsigned>(tensors.size()), {}});
  tensors.push_back(tensor);
  maps.push_back(map);
}

void LoopInputs::add(Value operand, AffineMap map, LookThrough through) {
  auto [source, sourceMap] = lookThrough(operand, map, shapes, through);
  SplatElementsAttr splat;
  if (through.splats && matchPattern(source, m_Constant(&splat))) {
    operands.push_back({0, splat.getSplatValue<TypedAttr>()});
    return;
  }
  addLowered(rewriter.getRemappedValue(source), sourceMap);
}

SmallVector<Value> LoopInputs::getElements(OpBuilder &builder, Location loc,
                                           ValueRange arguments) const {
  SmallVector<Value> elements;
  for (const Operand &operand : operands)
    elements.push_back(
        operand.splat
            ? arith::ConstantOp::create(builder, loc, operand.splat).getResult()
            : arguments[operand.input]);
  return elements;
}

Value ourc::createLoops(OpBuilder &builder, Location loc,
                        const LoopInputs &inputs, Value destination,
                        AffineMap destinationMap, unsigned numParallel,
                        ElementsBody body) {
  SmallVector<AffineMap> maps(inputs.getMaps());
  maps.push_back(destinationMap);
  SmallVector<utils::IteratorType> iterators(destinationMap.getNumDims(),
                                             utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), numParallel, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, destination.getType(), inputs.getTensors(),
             destination, maps, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange arguments) {
               SmallVector<Value> elements =
                   inputs.getElements(nested, loc, arguments);
               Value result = body(nested, loc, elements, arguments.back());
               linalg::YieldOp::create(nested, loc, result);
             })
      .getResult(0);
}
