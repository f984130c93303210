//===- ElementEmitter.cpp - The value of one tensor element ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/ElementEmitter.h"

#include "conversion/common/ScalarOps.h"
#include "strategy/gpu/ResultDims.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Value gpucodegen::emitFloatCast(OpBuilder &builder, Location loc, Value value,
                                Type type) {
  if (value.getType() == type)
    return value;
  if (value.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

SmallVector<Value> gpucodegen::emitLoopNest(
    OpBuilder &builder, Location loc, KernelFrame &frame, ArrayRef<Value> sizes,
    ValueRange init,
    llvm::function_ref<SmallVector<Value>(OpBuilder &, ArrayRef<Value>,
                                          ValueRange)>
        body) {
  SmallVector<Value> state(init), iteration;
  SmallVector<scf::ForOp> loops;
  OpBuilder inner = builder;
  Value zero = frame.device().getConstant(0);
  Value one = frame.device().getConstant(1);
  for (Value size : sizes) {
    if (isConstantIntValue(size, 1)) {
      iteration.push_back(zero);
      continue;
    }
    auto loop = scf::ForOp::create(inner, loc, zero, size, one, state);
    // Without values to carry the builder makes the terminator itself.
    if (!loop.getBody()->empty() &&
        loop.getBody()->back().hasTrait<OpTrait::IsTerminator>())
      loop.getBody()->back().erase();
    loops.push_back(loop);
    iteration.push_back(loop.getInductionVar());
    state.assign(loop.getRegionIterArgs().begin(),
                 loop.getRegionIterArgs().end());
    inner.setInsertionPointToEnd(loop.getBody());
  }
  SmallVector<Value> result = body(inner, iteration, state);
  bool failed = result.empty() && !init.empty();
  if (failed)
    result.assign(state.begin(), state.end());
  for (scf::ForOp loop : llvm::reverse(loops)) {
    inner.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(inner, loc, result);
    result.assign(loop.getResults().begin(), loop.getResults().end());
  }
  if (failed)
    return {};
  return result;
}

SmallVector<Value> ElementEmitter::applyMap(OpBuilder &builder, AffineMap map,
                                            ArrayRef<Value> operands) {
  SmallVector<Value> results;
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      results.push_back(operands[dim.getPosition()]);
    else if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      results.push_back(frame.device().getConstant(constant.getValue()));
    else
      results.push_back(affine::expandAffineExpr(builder, frame.getLoc(), expr,
                                                 operands, ValueRange()));
  }
  return results;
}

Value ElementEmitter::linearize(OpBuilder &builder, Value tensor,
                                ArrayRef<Value> coordinates) {
  Location loc = frame.getLoc();
  Value linear = frame.device().getConstant(0);
  for (auto [dim, coordinate] : llvm::enumerate(coordinates)) {
    Value size = frame.device().getDim(tensor, static_cast<int64_t>(dim));
    linear = addIndex(builder, loc, mulIndex(builder, loc, linear, size),
                      coordinate);
  }
  return linear;
}

//===----------------------------------------------------------------------===//
// What is known already
//===----------------------------------------------------------------------===//

/// Whether a value made in `definition` can be used at the end of `use`.
static bool isVisible(Value value, Block *use) {
  Block *definition = value.getParentBlock();
  for (Block *block = use; block;) {
    if (block == definition)
      return true;
    Operation *parent = block->getParentOp();
    block = parent ? parent->getBlock() : nullptr;
  }
  return false;
}

bool gpucodegen::isSameIndex(Value a, Value b) {
  if (a == b)
    return true;
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  return x && y && *x == *y;
}

Value ElementEmitter::lookUp(OpBuilder &builder, Value tensor,
                             ArrayRef<Value> coordinates) {
  auto found = known.find(tensor);
  if (found == known.end())
    return {};
  for (const Known &entry : llvm::reverse(found->second))
    if (llvm::equal(entry.coordinates, coordinates, isSameIndex) &&
        isVisible(entry.value, builder.getInsertionBlock()))
      return entry.value;
  return {};
}

void ElementEmitter::supply(Value tensor, ArrayRef<Value> coordinates,
                            Value value) {
  known[tensor].push_back({SmallVector<Value, 4>(coordinates), value});
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value ElementEmitter::emit(OpBuilder &builder, Value tensor,
                           ArrayRef<Value> coordinates) {
  if (Value value = lookUp(builder, tensor, coordinates))
    return value;
  Value value = compute(builder, tensor, coordinates);
  if (value && !lookUp(builder, tensor, coordinates))
    supply(tensor, coordinates, value);
  return value;
}

Value ElementEmitter::compute(OpBuilder &builder, Value tensor,
                              ArrayRef<Value> coordinates) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return load(builder, argument, coordinates);
  auto result = cast<OpResult>(tensor);
  return llvm::TypeSwitch<Operation *, Value>(result.getOwner())
      .Case<linalg::GenericOp, kernel::CoupledReduceOp, kernel::AttentionOp,
            arith::ConstantOp, tensor::EmptyOp, tensor::FromElementsOp,
            tensor::CastOp, tensor::SplatOp, tensor::ExpandShapeOp,
            tensor::CollapseShapeOp, tensor::ExtractSliceOp,
            tensor::InsertSliceOp, tensor::PadOp, tensor::ConcatOp>(
          [&](auto op) { return emitOp(builder, op, result, coordinates); })
      .Default([](Operation *op) -> Value {
        op->emitOpError("cannot be part of a GPU kernel");
        return {};
      });
}

Value ElementEmitter::load(OpBuilder &builder, BlockArgument argument,
                           ArrayRef<Value> coordinates) {
  Location loc = frame.getLoc();
  Type type = cast<RankedTensorType>(argument.getType()).getElementType();
  if (findInTile)
    if (Value address = findInTile(builder, argument, coordinates))
      return LLVM::LoadOp::create(builder, loc, type, address);
  if (Value value = loadLanes(builder, argument, coordinates))
    return value;
  Value address = emitAddress(builder, loc, frame.getPointer(argument),
                              linearize(builder, argument, coordinates), type);
  return LLVM::LoadOp::create(builder, loc, type, address);
}

void ElementEmitter::checkIndex(OpBuilder &builder, Location loc, Value index,
                                Value size) {
  auto known = getConstantIntValue(index), limit = getConstantIntValue(size);
  if (known && limit && *known >= 0 && *known < *limit)
    return;
  Value outside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                        index, size);
  auto guard = scf::IfOp::create(builder, loc, outside, /*withElse=*/false);
  OpBuilder inside = guard.getThenBodyBuilder();
  auto trap = LLVM::Trap::create(inside, loc);
  trap->setAttr("kernel.reason", inside.getStringAttr("index out of range"));
}

void ElementEmitter::store(OpBuilder &builder, BlockArgument destination,
                           ArrayRef<Value> coordinates, Value value) {
  Location loc = frame.getLoc();
  Type type = cast<RankedTensorType>(destination.getType()).getElementType();
  Value address =
      emitAddress(builder, loc, frame.getPointer(destination),
                  linearize(builder, destination, coordinates), type);
  LLVM::StoreOp::create(builder, loc, value, address);
}

LogicalResult
ElementEmitter::storeResults(OpBuilder &builder,
                             ArrayRef<SmallVector<int64_t>> resultDims,
                             ArrayRef<Value> coordinates) {
  Location loc = frame.getLoc();
  kernel::FuncOp kernel = frame.getKernel();
  for (auto [i, returned] :
       llvm::enumerate(kernel.getReturnOp().getOperands())) {
    Value result = peelReshapes(returned);
    SmallVector<Value> place(coordinates.size());
    for (auto [dim, coordinate] : llvm::zip_equal(resultDims[i], coordinates))
      place[static_cast<size_t>(dim)] = coordinate;
    Value value = emit(builder, result, place);
    if (!value)
      return failure();
    // The destination has the elements in the same order.
    Value address = emitAddress(
        builder, loc,
        frame.getPointer(kernel.getDestination(static_cast<unsigned>(i))),
        linearize(builder, result, place), value.getType());
    LLVM::StoreOp::create(builder, loc, value, address);
  }
  return success();
}

/// An operation whose result would be open, or that would trap, for some
/// operands: what the emitters of all targets make of it. Null for others.
static Value emitDefined(OpBuilder &builder, Operation &op,
                         const IRMapping &mapping) {
  auto operand = [&](unsigned i) { return mapping.lookup(op.getOperand(i)); };
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    return emitConversion(builder, &op, operand(0));
  if (isa<math::IPowIOp>(op))
    return emitIntegerPower(builder, op.getLoc(), operand(0), operand(1));
  if (op.getNumOperands() == 2 && op.getResult(0).getType().isIntOrIndex())
    return emitDivision(builder, &op, operand(0), operand(1));
  return {};
}

SmallVector<Value> ElementEmitter::inlineRegion(OpBuilder &builder,
                                                Region &region,
                                                ValueRange arguments,
                                                ArrayRef<Value> iteration) {
  Block &block = region.front();
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  auto map = [&](Value value) -> Value {
    if (Value mapped = mapping.lookupOrNull(value))
      return mapped;
    Value scalar = frame.device().getScalar(value);
    if (scalar)
      mapping.map(value, scalar);
    return scalar;
  };
  for (Operation &op : block.without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      mapping.map(index.getResult(), iteration[index.getDim()]);
      continue;
    }
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      SmallVector<Value> coordinates;
      for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
        coordinates.push_back(map(index));
        if (!coordinates.back())
          return {};
        // A loop's own index is in range; what is computed may not be.
        if (index.getDefiningOp<linalg::IndexOp>())
          continue;
        Value size = frame.device().getDim(extract.getTensor(),
                                           static_cast<int64_t>(dim));
        if (!size)
          return {};
        checkIndex(builder, op.getLoc(), coordinates.back(), size);
      }
      Value element = emit(builder, extract.getTensor(), coordinates);
      if (!element)
        return {};
      mapping.map(extract.getResult(), element);
      continue;
    }
    if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      Value size = frame.device().getScalar(dim.getResult());
      if (!size)
        return {};
      mapping.map(dim.getResult(), size);
      continue;
    }
    Attribute constant;
    if (matchPattern(&op, m_Constant(&constant))) {
      mapping.map(op.getResult(0),
                  frame.device().getConstant(cast<TypedAttr>(constant)));
      continue;
    }
    if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op)) {
      op.emitOpError("cannot be part of the scalar body of a GPU kernel");
      return {};
    }
    for (Value operand : op.getOperands())
      if (!map(operand))
        return {};
    if (Value value = emitDefined(builder, op, mapping)) {
      mapping.map(op.getResult(0), value);
      continue;
    }
    Operation *clone = builder.clone(op, mapping);
    clone->setLoc(op.getLoc());
  }
  SmallVector<Value> results;
  for (Value value : block.getTerminator()->getOperands()) {
    results.push_back(map(value));
    if (!results.back())
      return {};
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> ElementEmitter::getLoopSizes(linalg::GenericOp op) {
  SmallVector<Value> sizes(op.getNumLoops());
  // A loop's size is that of any operand dimension which it alone indexes.
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        if (!sizes[loop.getPosition()])
          sizes[loop.getPosition()] =
              frame.device().getDim(operand.get(), static_cast<int64_t>(dim));
  }
  return sizes;
}

LogicalResult ElementEmitter::emitInputs(OpBuilder &builder,
                                         linalg::GenericOp op,
                                         ArrayRef<Value> iteration,
                                         SmallVectorImpl<Value> &inputs) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Value value;
    if (isa<RankedTensorType>(operand->get().getType()))
      value = emit(
          builder, operand->get(),
          applyMap(builder, op.getMatchingIndexingMap(operand), iteration));
    else
      value = frame.device().getScalar(operand->get());
    if (!value)
      return failure();
    inputs.push_back(value);
  }
  return success();
}

Value ElementEmitter::emitOp(OpBuilder &builder, linalg::GenericOp op,
                             OpResult result, ArrayRef<Value> coordinates) {
  AffineMap map = op.getIndexingMapMatchingResult(result);
  if (!map.isProjectedPermutation()) {
    op.emitOpError("of a GPU kernel must write its results through "
                   "permutations, but has ")
        << AffineMapAttr::get(map);
    return {};
  }
  SmallVector<Value> iteration(op.getNumLoops());
  for (auto [i, expr] : llvm::enumerate(map.getResults()))
    iteration[cast<AffineDimExpr>(expr).getPosition()] = coordinates[i];

  // Loops that the result does not determine are reductions.
  SmallVector<unsigned> reductions;
  SmallVector<Value> sizes, loopSizes = getLoopSizes(op);
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (iteration[loop])
      continue;
    if (!loopSizes[loop]) {
      op.emitOpError("has a loop whose size no operand gives");
      return {};
    }
    reductions.push_back(loop);
    sizes.push_back(loopSizes[loop]);
  }

  SmallVector<Value> init;
  Block &block = op.getRegion().front();
  for (OpOperand &operand : op.getDpsInitsMutable()) {
    // An init that the body does not read needs no value.
    Value value;
    BlockArgument argument = block.getArgument(operand.getOperandNumber());
    if (argument.use_empty()) {
      value = ub::PoisonOp::create(builder, op.getLoc(), argument.getType());
    } else {
      // All results of a nest have the same coordinates up to their maps.
      AffineMap own = op.getMatchingIndexingMap(&operand);
      value = emit(builder, operand.get(), applyMap(builder, own, iteration));
    }
    if (!value)
      return {};
    init.push_back(value);
  }

  SmallVector<Value> results = emitLoopNest(
      builder, op.getLoc(), frame, sizes, init,
      [&](OpBuilder &inner, ArrayRef<Value> point,
          ValueRange state) -> SmallVector<Value> {
        SmallVector<Value> full(iteration);
        for (auto [loop, value] : llvm::zip_equal(reductions, point))
          full[loop] = value;
        SmallVector<Value> arguments;
        if (failed(emitInputs(inner, op, full, arguments)))
          return {};
        llvm::append_range(arguments, state);
        return inlineRegion(inner, op.getRegion(), arguments, full);
      });
  if (results.empty())
    return {};
  // The other results come with it.
  for (auto [i, value] : llvm::enumerate(results)) {
    AffineMap own = op.getIndexingMapMatchingResult(op->getResult(i));
    supply(op->getResult(i), applyMap(builder, own, iteration), value);
  }
  return results[result.getResultNumber()];
}

Value ElementEmitter::emitOp(OpBuilder &builder, kernel::CoupledReduceOp op,
                             OpResult result, ArrayRef<Value> coordinates) {
  Value first = op.getInputs().front();
  SmallVector<Value> sizes, iteration;
  int64_t rank = cast<RankedTensorType>(first.getType()).getRank();
  ArrayRef<int64_t> dimensions = op.getDimensions();
  size_t next = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (llvm::is_contained(dimensions, dim)) {
      sizes.push_back(frame.device().getDim(first, dim));
      iteration.push_back({});
    } else {
      iteration.push_back(coordinates[next++]);
    }
  }
  SmallVector<Value> init = inlineRegion(builder, op.getInit(), {});
  if (init.empty())
    return {};
  SmallVector<Value> state = emitLoopNest(
      builder, op.getLoc(), frame, sizes, init,
      [&](OpBuilder &inner, ArrayRef<Value> point,
          ValueRange carried) -> SmallVector<Value> {
        SmallVector<Value> full(iteration);
        for (auto [dim, value] : llvm::zip_equal(dimensions, point))
          full[static_cast<size_t>(dim)] = value;
        SmallVector<Value> arguments(carried);
        for (Value input : op.getInputs()) {
          arguments.push_back(emit(inner, input, full));
          if (!arguments.back())
            return {};
        }
        return inlineRegion(inner, op.getAccumulate(), arguments);
      });
  if (state.empty())
    return {};
  SmallVector<Value> results = inlineRegion(builder, op.getFinish(), state);
  if (results.empty())
    return {};
  for (auto [i, value] : llvm::enumerate(results))
    supply(op->getResult(i), coordinates, value);
  return results[result.getResultNumber()];
}
