//===- ElementViews.cpp - Elements of views, pads and constants --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

/// then() where `condition` holds, else otherwise(); null when one is null.
static Value emitIf(OpBuilder &builder, Location loc, Value condition,
                    Type type, llvm::function_ref<Value(OpBuilder &)> then,
                    llvm::function_ref<Value(OpBuilder &)> otherwise) {
  // bf16 moves as an integer: a CPU would convert it, and lose denormals.
  Type moved = type.isBF16() ? Type(builder.getI16Type()) : type;
  auto branch = scf::IfOp::create(builder, loc, TypeRange(moved), condition,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  bool failed = false;
  auto fill = [&](Block *block, llvm::function_ref<Value(OpBuilder &)> create) {
    OpBuilder inside = OpBuilder::atBlockEnd(block);
    Value value = create(inside);
    if (!value) {
      failed = true;
      value = ub::PoisonOp::create(inside, loc, moved);
    } else if (moved != type) {
      value = arith::BitcastOp::create(inside, loc, moved, value);
    }
    scf::YieldOp::create(inside, loc, value);
  };
  fill(branch.thenBlock(), then);
  fill(branch.elseBlock(), otherwise);
  if (failed)
    return {};
  Value value = branch.getResult(0);
  if (moved != type)
    value = arith::BitcastOp::create(builder, loc, type, value);
  return value;
}

/// `value` where `condition` holds, else `other`: bf16 as an integer, as above.
static Value emitSelect(OpBuilder &builder, Location loc, Value condition,
                        Value value, Value other) {
  Type type = value.getType();
  if (!type.isBF16())
    return arith::SelectOp::create(builder, loc, condition, value, other);
  Type moved = builder.getI16Type();
  Value bits = arith::SelectOp::create(
      builder, loc, condition,
      arith::BitcastOp::create(builder, loc, moved, value),
      arith::BitcastOp::create(builder, loc, moved, other));
  return arith::BitcastOp::create(builder, loc, type, bits);
}

static Value compare(OpBuilder &builder, Location loc,
                     arith::CmpIPredicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, predicate, a, b);
}

/// The conjunction of conditions; true when there are none.
static Value all(OpBuilder &builder, Location loc, ArrayRef<Value> conditions) {
  Value result;
  for (Value condition : conditions)
    result = result ? arith::AndIOp::create(builder, loc, result, condition)
                    : condition;
  if (!result)
    result = arith::ConstantIntOp::create(builder, loc, builder.getI1Type(), 1);
  return result;
}

Value ElementEmitter::emitOp(OpBuilder &builder, arith::ConstantOp op,
                             OpResult result, ArrayRef<Value> coordinates) {
  if (auto splat = dyn_cast<SplatElementsAttr>(op.getValue()))
    return frame.device().getConstant(
        cast<TypedAttr>(splat.getSplatValue<Attribute>()));
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements) {
    op.emitOpError("in a GPU kernel must be dense: make a tensor of this size "
                   "an operand of the kernel");
    return {};
  }
  Location loc = op.getLoc();
  Type type = elements.getElementType();
  bool boolean = type.isInteger(1);
  Type stored = boolean ? builder.getI8Type() : type;
  Value address = emitAddress(builder, loc, frame.getTable(elements),
                              linearize(builder, result, coordinates), stored);
  Value value = LLVM::LoadOp::create(builder, loc, stored, address);
  if (boolean)
    value = arith::TruncIOp::create(builder, loc, type, value);
  return value;
}

Value ElementEmitter::emitOp(OpBuilder &builder, tensor::EmptyOp op, OpResult,
                             ArrayRef<Value>) {
  return ub::PoisonOp::create(builder, op.getLoc(),
                              op.getType().getElementType());
}

Value ElementEmitter::emitOp(OpBuilder &builder, tensor::FromElementsOp op,
                             OpResult result, ArrayRef<Value> coordinates) {
  Value position = linearize(builder, result, coordinates), chosen;
  for (auto [i, element] : llvm::enumerate(op.getElements())) {
    Value value = frame.device().getScalar(element);
    if (!value)
      return {};
    if (!chosen) {
      chosen = value;
      continue;
    }
    Value here =
        compare(builder, op.getLoc(), arith::CmpIPredicate::eq, position,
                frame.device().getConstant(static_cast<int64_t>(i)));
    chosen = arith::SelectOp::create(builder, op.getLoc(), here, value, chosen);
  }
  return chosen;
}

Value ElementEmitter::emitOp(OpBuilder &builder, tensor::CastOp op, OpResult,
                             ArrayRef<Value> coordinates) {
  return emit(builder, op.getSource(), coordinates);
}

Value ElementEmitter::emitOp(OpBuilder &builder, tensor::SplatOp op, OpResult,
                             ArrayRef<Value>) {
  return frame.device().getScalar(op.getInput());
}

SmallVector<Value>
ElementEmitter::getExpandSource(OpBuilder &builder, tensor::ExpandShapeOp op,
                                ArrayRef<Value> coordinates) {
  Location loc = op.getLoc();
  SmallVector<Value> source;
  for (ReassociationIndices group : op.getReassociationIndices()) {
    Value linear = frame.device().getConstant(0);
    for (int64_t dim : group) {
      Value size = frame.device().getDim(op.getResult(), dim);
      // A dimension of size 1 has coordinate 0.
      if (isConstantIntValue(size, 1))
        continue;
      linear = addIndex(builder, loc, mulIndex(builder, loc, linear, size),
                        coordinates[static_cast<size_t>(dim)]);
    }
    source.push_back(linear);
  }
  return source;
}

Value ElementEmitter::emitOp(OpBuilder &builder, tensor::ExpandShapeOp op,
                             OpResult, ArrayRef<Value> coordinates) {
  return emit(builder, op.getSrc(), getExpandSource(builder, op, coordinates));
}

SmallVector<Value>
ElementEmitter::getCollapseSource(OpBuilder &builder,
                                  tensor::CollapseShapeOp op,
                                  ArrayRef<Value> coordinates) {
  SmallVector<Value> source;
  for (auto [group, coordinate] :
       llvm::zip_equal(op.getReassociationIndices(), coordinates)) {
    SmallVector<Value> sizes;
    for (int64_t dim : group)
      sizes.push_back(frame.device().getDim(op.getSrc(), dim));
    llvm::append_range(source,
                       delinearize(builder, op.getLoc(), coordinate, sizes));
  }
  // A collapse to rank 0 has dimensions of size 1 alone.
  auto rank = static_cast<size_t>(op.getSrcType().getRank());
  while (source.size() < rank)
    source.push_back(frame.device().getConstant(0));
  return source;
}

Value ElementEmitter::emitOp(OpBuilder &builder, tensor::CollapseShapeOp op,
                             OpResult, ArrayRef<Value> coordinates) {
  return emit(builder, op.getSrc(),
              getCollapseSource(builder, op, coordinates));
}

Value ElementEmitter::emitOp(OpBuilder &builder, tensor::ExtractSliceOp op,
                             OpResult, ArrayRef<Value> coordinates) {
  Location loc = op.getLoc();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<Value> source;
  size_t next = 0;
  for (auto [dim, offset, stride] :
       llvm::enumerate(op.getMixedOffsets(), op.getMixedStrides())) {
    Value coordinate = frame.device().getIndex(offset);
    if (!coordinate)
      return {};
    if (!dropped.test(static_cast<unsigned>(dim))) {
      Value step = frame.device().getIndex(stride);
      if (!step)
        return {};
      coordinate = addIndex(builder, loc, coordinate,
                            mulIndex(builder, loc, coordinates[next++], step));
    }
    source.push_back(coordinate);
  }
  return emit(builder, op.getSource(), source);
}

Value ElementEmitter::emitOp(OpBuilder &builder, tensor::InsertSliceOp op,
                             OpResult, ArrayRef<Value> coordinates) {
  Location loc = op.getLoc();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<Value> inner, conditions;
  for (auto [dim, offset, size, stride] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    Value begin = frame.device().getIndex(offset);
    Value extent = frame.device().getIndex(size);
    Value step = frame.device().getIndex(stride);
    if (!begin || !extent || !step)
      return {};
    Value coordinate = coordinates[dim];
    conditions.push_back(
        compare(builder, loc, arith::CmpIPredicate::sge, coordinate, begin));
    Value distance = arith::SubIOp::create(builder, loc, coordinate, begin);
    Value position = divIndex(builder, loc, distance, step);
    conditions.push_back(
        compare(builder, loc, arith::CmpIPredicate::ult, position, extent));
    if (!isConstantIntValue(step, 1))
      conditions.push_back(compare(builder, loc, arith::CmpIPredicate::eq,
                                   remIndex(builder, loc, distance, step),
                                   frame.device().getConstant(0)));
    if (!dropped.test(static_cast<unsigned>(dim)))
      inner.push_back(position);
  }
  return emitIf(
      builder, loc, all(builder, loc, conditions),
      op.getType().getElementType(),
      [&](OpBuilder &inside) { return emit(inside, op.getSource(), inner); },
      [&](OpBuilder &inside) {
        return emit(inside, op.getDest(), coordinates);
      });
}

Value ElementEmitter::emitOp(OpBuilder &builder, tensor::PadOp op, OpResult,
                             ArrayRef<Value> coordinates) {
  Location loc = op.getLoc();
  SmallVector<Value> inner, conditions;
  SmallVector<OpFoldResult> low = op.getMixedLowPad();
  SmallVector<OpFoldResult> high = op.getMixedHighPad();
  for (auto [dim, coordinate] : llvm::enumerate(coordinates)) {
    Value before = frame.device().getIndex(low[dim]);
    if (!before)
      return {};
    bool noLow = isConstantIntValue(before, 0);
    bool noHigh = isZeroInteger(high[dim]);
    Value position = subIndex(builder, loc, coordinate, before);
    inner.push_back(position);
    if (noLow && noHigh)
      continue;
    // A negative position is a large unsigned number.
    conditions.push_back(compare(
        builder, loc, arith::CmpIPredicate::ult, position,
        frame.device().getDim(op.getSource(), static_cast<int64_t>(dim))));
  }
  auto padding = [&](OpBuilder &inside) -> Value {
    SmallVector<Value> values =
        inlineRegion(inside, op.getRegion(), coordinates);
    return values.empty() ? Value() : values.front();
  };
  Value exists = all(builder, loc, conditions);
  // Lanes of one row are all there or none: they read together, at the
  // beginning where they are not, instead of each behind a branch of its own.
  auto source = cast<RankedTensorType>(op.getSource().getType());
  if (!lanes.empty() && isa<BlockArgument>(op.getSource()) &&
      !conditions.empty() && source.hasStaticShape() &&
      source.getNumElements() > 0 && inner.back() == coordinates.back() &&
      isZeroInteger(high.back())) {
    Value zero = frame.device().getConstant(0);
    for (Value &position : MutableArrayRef(inner).drop_back())
      position = arith::SelectOp::create(builder, loc, exists, position, zero);
    Value value = emit(builder, op.getSource(), inner),
          other = padding(builder);
    if (!value || !other)
      return {};
    return emitSelect(builder, loc, exists, value, other);
  }
  return emitIf(
      builder, loc, exists, op.getType().getElementType(),
      [&](OpBuilder &inside) { return emit(inside, op.getSource(), inner); },
      padding);
}

Value ElementEmitter::emitOp(OpBuilder &builder, tensor::ConcatOp op, OpResult,
                             ArrayRef<Value> coordinates) {
  Location loc = op.getLoc();
  auto dim = static_cast<size_t>(op.getDim());
  // Operand `i` where the coordinate is below its end, else the ones after it.
  auto choose = [&](auto &self, OpBuilder &inside, unsigned i,
                    Value begin) -> Value {
    Value input = op.getInputs()[i];
    Value size = frame.device().getDim(input, static_cast<int64_t>(dim));
    auto take = [&](OpBuilder &b) {
      SmallVector<Value> source(coordinates);
      source[dim] = subIndex(b, loc, coordinates[dim], begin);
      return emit(b, input, source);
    };
    if (i + 1 == op.getInputs().size())
      return take(inside);
    Value end = addIndex(inside, loc, begin, size);
    Value here =
        compare(inside, loc, arith::CmpIPredicate::slt, coordinates[dim], end);
    return emitIf(inside, loc, here, op.getType().getElementType(), take,
                  [&](OpBuilder &b) { return self(self, b, i + 1, end); });
  };
  return choose(choose, builder, 0, frame.device().getConstant(0));
}
