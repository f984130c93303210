//===- ElementLanes.cpp - Elements that lie side by side ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load of one lane's element is a load of the piece of 16 bytes around it,
// whose other elements are supplied to the other lanes. Pieces begin at
// multiples of their length and end with a row or with the tensor at the
// latest, so what one lane may read all of them may.
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

static constexpr unsigned pieceBytes = 16;

/// What elements of `type` are in a vector in memory: 16-bit floats as
/// integers, since CPUs that play the kernel would convert them. Null: have
/// none.
static Type getPieceElement(Type type) {
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() % 8 != 0)
    return {};
  if (type.isF16() || type.isBF16())
    return IntegerType::get(type.getContext(), 16);
  return type;
}

/// Whether `value` may be another one where `lane` is.
static bool dependsOn(Value value, Value lane,
                      llvm::SmallDenseSet<Operation *> &seen) {
  if (value == lane)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(op).second)
    return false;
  if (op->getNumRegions() > 0)
    return true;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return dependsOn(operand, lane, seen);
  });
}

bool ElementEmitter::isPoint(const Lanes &group, size_t lane,
                             BlockArgument argument,
                             ArrayRef<Value> coordinates) {
  if (!llvm::equal(coordinates, group.points[lane], isSameIndex))
    return false;
  for (auto [dim, size] : llvm::enumerate(group.shape))
    if (!isSameIndex(frame.device().getDim(argument, static_cast<int64_t>(dim)),
                     size))
      return false;
  return true;
}

Value ElementEmitter::findPiece(
    OpBuilder &builder, BlockArgument argument, const Lanes &group, size_t lane,
    llvm::function_ref<ArrayRef<Value>(size_t)> coordinatesOf, size_t &first,
    size_t &length) {
  auto type = cast<RankedTensorType>(argument.getType());
  length = 1;
  Type element = getPieceElement(type.getElementType());
  if (!element || group.points.size() == 1)
    return {};
  size_t bytes = element.getIntOrFloatBitWidth() / 8;
  size_t most = std::min(group.points.size(), pieceBytes / bytes);
  first = lane / most * most;
  ArrayRef<Value> own = coordinatesOf(lane);
  if (isPoint(group, lane, argument, own)) {
    length = most;
    return addIndex(builder, frame.getLoc(), group.linear,
                    frame.device().getConstant(static_cast<int64_t>(first)));
  }
  // A row of another tensor, by the coordinate in which the lanes differ.
  if (!group.alongLast || own.empty() ||
      own.back() != group.points[lane].back())
    return {};
  int64_t size = type.getShape().back();
  if (ShapedType::isDynamic(size) ||
      size % static_cast<int64_t>(group.points.size()) != 0)
    return {};
  llvm::SmallDenseSet<Operation *> seen;
  if (llvm::any_of(own.drop_back(), [&](Value coordinate) {
        return dependsOn(coordinate, own.back(), seen);
      }))
    return {};
  SmallVector<Value> beginning(own);
  beginning.back() = group.points[first].back();
  length = most;
  return linearize(builder, argument, beginning);
}

Value ElementEmitter::loadLanes(OpBuilder &builder, BlockArgument argument,
                                ArrayRef<Value> coordinates) {
  Location loc = frame.getLoc();
  Type type = cast<RankedTensorType>(argument.getType()).getElementType();
  for (const Lanes &group : lanes)
    for (size_t lane = 0; lane < group.points.size(); ++lane) {
      size_t first, length;
      Value begin = findPiece(
          builder, argument, group, lane, [&](size_t) { return coordinates; },
          first, length);
      if (length == 1)
        continue;
      Type element = getPieceElement(type);
      auto piece = VectorType::get({static_cast<int64_t>(length)}, element);
      Value address =
          emitAddress(builder, loc, frame.getPointer(argument), begin, element);
      unsigned bytes =
          static_cast<unsigned>(length) * element.getIntOrFloatBitWidth() / 8;
      Value all = LLVM::LoadOp::create(builder, loc, piece, address, bytes);
      bool whole = isPoint(group, lane, argument, coordinates);
      Value result;
      for (size_t i = 0; i < length; ++i) {
        Value position = frame.device().getConstant(
            builder.getI32IntegerAttr(static_cast<int32_t>(i)));
        Value value =
            LLVM::ExtractElementOp::create(builder, loc, all, position);
        if (element != type)
          value = arith::BitcastOp::create(builder, loc, type, value);
        SmallVector<Value> point(coordinates);
        if (whole)
          point = group.points[first + i];
        else
          point.back() = group.points[first + i].back();
        supply(argument, point, value);
        if (first + i == lane)
          result = value;
      }
      return result;
    }
  return {};
}

void ElementEmitter::storeLanes(OpBuilder &builder, BlockArgument destination,
                                const Lanes &group,
                                ArrayRef<SmallVector<Value>> coordinates,
                                ArrayRef<Value> values) {
  Location loc = frame.getLoc();
  Type type = cast<RankedTensorType>(destination.getType()).getElementType();
  for (size_t lane = 0; lane < group.points.size();) {
    size_t first, length;
    Value begin = findPiece(
        builder, destination, group, lane,
        [&](size_t i) { return ArrayRef<Value>(coordinates[i]); }, first,
        length);
    if (length == 1) {
      store(builder, destination, coordinates[lane], values[lane]);
      ++lane;
      continue;
    }
    Type element = getPieceElement(type);
    auto piece = VectorType::get({static_cast<int64_t>(length)}, element);
    Value all = LLVM::PoisonOp::create(builder, loc, piece);
    for (size_t i = 0; i < length; ++i) {
      Value value = values[first + i];
      if (element != type)
        value = arith::BitcastOp::create(builder, loc, element, value);
      Value position = frame.device().getConstant(
          builder.getI32IntegerAttr(static_cast<int32_t>(i)));
      all = LLVM::InsertElementOp::create(builder, loc, all, value, position);
    }
    Value address = emitAddress(builder, loc, frame.getPointer(destination),
                                begin, element);
    unsigned bytes =
        static_cast<unsigned>(length) * element.getIntOrFloatBitWidth() / 8;
    LLVM::StoreOp::create(builder, loc, all, address, bytes);
    lane = first + length;
  }
}

LogicalResult ElementEmitter::reduceLanes(OpBuilder &builder,
                                          linalg::GenericOp op,
                                          ArrayRef<SmallVector<Value>> points) {
  AffineMap map = op.getIndexingMapMatchingResult(op->getResult(0));
  SmallVector<SmallVector<Value>> iterations;
  for (const SmallVector<Value> &point : points) {
    SmallVector<Value> &iteration = iterations.emplace_back();
    iteration.resize(op.getNumLoops());
    for (auto [expr, coordinate] : llvm::zip_equal(map.getResults(), point))
      iteration[cast<AffineDimExpr>(expr).getPosition()] = coordinate;
  }
  SmallVector<unsigned> reductions;
  SmallVector<Value> sizes, loopSizes = getLoopSizes(op), init;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (iterations.front()[loop])
      continue;
    reductions.push_back(loop);
    sizes.push_back(loopSizes[loop]);
  }
  for (const SmallVector<Value> &iteration : iterations)
    for (OpOperand &operand : op.getDpsInitsMutable()) {
      AffineMap own = op.getMatchingIndexingMap(&operand);
      init.push_back(
          emit(builder, operand.get(), applyMap(builder, own, iteration)));
      if (!init.back())
        return failure();
    }
  size_t each = op.getNumDpsInits();
  SmallVector<Value> results = emitLoopNest(
      builder, op.getLoc(), frame, sizes, init,
      [&](OpBuilder &inner, ArrayRef<Value> window,
          ValueRange state) -> SmallVector<Value> {
        SmallVector<Value> next;
        for (auto [lane, iteration] : llvm::enumerate(iterations)) {
          SmallVector<Value> full(iteration), arguments;
          for (auto [loop, value] : llvm::zip_equal(reductions, window))
            full[loop] = value;
          if (failed(emitInputs(inner, op, full, arguments)))
            return {};
          llvm::append_range(arguments, state.slice(lane * each, each));
          SmallVector<Value> own =
              inlineRegion(inner, op.getRegion(), arguments, full);
          if (own.empty())
            return {};
          llvm::append_range(next, own);
        }
        return next;
      });
  if (results.empty())
    return failure();
  for (auto [lane, iteration] : llvm::enumerate(iterations))
    for (size_t i = 0; i < each; ++i) {
      AffineMap own = op.getIndexingMapMatchingResult(op->getResult(i));
      supply(op->getResult(i), applyMap(builder, own, iteration),
             results[lane * each + i]);
    }
  return success();
}
