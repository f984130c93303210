//===- OperandCopy.cpp - Copying tiles of operands to shared memory ----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/OperandCopy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

/// Bytes of what is copied at a time.
static constexpr int64_t chunkBytes = 16;

OperandCopy::OperandCopy(KernelFrame &frame, ElementEmitter &elements,
                         Value tensor, AffineMap map, ArrayRef<unsigned> free,
                         ArrayRef<unsigned> k, ArrayRef<Value> sizes)
    : frame(frame), elements(elements), tensor(tensor), map(map),
      freeLoops(free), kLoops(k), sizes(sizes) {
  freeSize = frame.device().getProduct(pick(freeLoops));
  kSize = frame.device().getProduct(pick(kLoops));
  auto type = cast<RankedTensorType>(tensor.getType());
  elementBytes = type.getElementTypeBitWidth() / 8;
  // Chunks run along the operand's last dimension.
  rowsAlongK = false;
  async = false;
  if (map.getNumResults() == 0)
    return;
  AffineExpr last = map.getResults().back();
  auto isLast = [&](ArrayRef<unsigned> loops) {
    return !loops.empty() && last.isFunctionOfDim(loops.back());
  };
  rowsAlongK = isLast(freeLoops);
  async = isa<AffineDimExpr>(last) && (rowsAlongK || isLast(kLoops)) &&
          findSource();
  if (!async)
    return;
  // Buffers of the arena are; a caller's tensor may begin anywhere.
  OpBuilder body = frame.getBodyBuilder();
  Location loc = frame.getLoc();
  auto constant = [&](int64_t value) {
    return frame.device().getConstant(body.getI64IntegerAttr(value));
  };
  Value address = LLVM::PtrToIntOp::create(body, loc, body.getI64Type(),
                                           frame.getPointer(source));
  Value low =
      arith::AndIOp::create(body, loc, address, constant(chunkBytes - 1));
  aligned = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq, low,
                                  constant(0));
}

/// Whether a pad is of zeros, which is what a copy writes beyond its source,
/// and leaves the last dimension as it is.
static bool isZeroPad(tensor::PadOp pad) {
  Value value = pad.getConstantPaddingValue();
  return value && matchPattern(value, m_PosZeroFloat()) &&
         !ShapedType::isDynamicShape(pad.getStaticLow()) &&
         isZeroInteger(pad.getMixedLowPad().back()) &&
         isZeroInteger(pad.getMixedHighPad().back());
}

/// Whether a loop nest repeats its one input along new dimensions, or permutes
/// it, with the last one as it is.
static bool isRepeat(linalg::GenericOp op) {
  Block &body = op.getRegion().front();
  if (op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
      body.getTerminator()->getOperand(0) != body.getArgument(0) ||
      !isa<RankedTensorType>(op.getInputs().front().getType()))
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  return maps[1].isIdentity() && maps[0].isProjectedPermutation() &&
         maps[0].getNumResults() > 0 &&
         maps[0].getResults().back() == maps[1].getResults().back();
}

bool OperandCopy::findSource() {
  Value value = tensor;
  while (true) {
    // A size that chunks divide keeps them whole, and aligned.
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getRank() == 0)
      return false;
    int64_t size = type.getShape().back();
    if (ShapedType::isDynamic(size) || size % (chunkBytes / elementBytes) != 0)
      return false;
    if ((source = dyn_cast<BlockArgument>(value)))
      return true;
    if (auto view = value.getDefiningOp<tensor::CastOp>())
      value = view.getSource();
    else if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>())
      value = expand.getSrc();
    else if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>())
      value = collapse.getSrc();
    else if (auto pad = value.getDefiningOp<tensor::PadOp>();
             pad && isZeroPad(pad))
      value = pad.getSource();
    else if (auto repeat = value.getDefiningOp<linalg::GenericOp>();
             repeat && isRepeat(repeat))
      value = repeat.getInputs().front();
    else
      return false;
  }
}

SmallVector<Value>
OperandCopy::followToSource(OpBuilder &builder, ArrayRef<Value> coordinates,
                            SmallVectorImpl<Value> &conditions) {
  Location loc = frame.getLoc();
  SmallVector<Value> place(coordinates);
  Value value = tensor;
  while (value != source) {
    if (auto view = value.getDefiningOp<tensor::CastOp>()) {
      value = view.getSource();
    } else if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>()) {
      place = elements.getExpandSource(builder, expand, place);
      value = expand.getSrc();
    } else if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>()) {
      place = elements.getCollapseSource(builder, collapse, place);
      value = collapse.getSrc();
    } else if (auto repeat = value.getDefiningOp<linalg::GenericOp>()) {
      place =
          elements.applyMap(builder, repeat.getIndexingMapsArray()[0], place);
      value = repeat.getInputs().front();
    } else {
      auto pad = cast<tensor::PadOp>(value.getDefiningOp());
      SmallVector<OpFoldResult> low = pad.getMixedLowPad();
      SmallVector<OpFoldResult> high = pad.getMixedHighPad();
      for (size_t dim = 0; dim < place.size(); ++dim) {
        if (isZeroInteger(low[dim]) && isZeroInteger(high[dim]))
          continue;
        place[dim] = subIndex(builder, loc, place[dim],
                              frame.device().getIndex(low[dim]));
        // A negative position is a large unsigned number.
        conditions.push_back(arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, place[dim],
            frame.device().getDim(pad.getSource(), static_cast<int64_t>(dim))));
      }
      value = pad.getSource();
    }
  }
  return place;
}

SmallVector<Value> OperandCopy::pick(ArrayRef<unsigned> loops) const {
  SmallVector<Value> picked;
  for (unsigned loop : loops)
    picked.push_back(sizes[loop]);
  return picked;
}

SharedTile OperandCopy::getTile(int64_t freeTile, int64_t kTile,
                                int64_t offset) const {
  return {rowsAlongK ? kTile : freeTile, rowsAlongK ? freeTile : kTile,
          rowsAlongK, offset, elementBytes};
}

SmallVector<Value> OperandCopy::getCoordinates(OpBuilder &builder,
                                               ArrayRef<Value> iteration,
                                               const Place &free,
                                               const Place &k) {
  Location loc = frame.getLoc();
  SmallVector<Value> full(iteration);
  auto set = [&](ArrayRef<unsigned> loops, const Place &place) {
    SmallVector<Value> shape = pick(loops);
    // Where steps divide the last size all of a step differ in it alone.
    auto last =
        shape.empty() ? std::nullopt : getConstantIntValue(shape.back());
    bool apart = shape.size() > 1 && last && *last % place.step == 0;
    SmallVector<Value> coordinates =
        delinearize(builder, loc, apart ? place.base : place.linear, shape);
    if (apart)
      coordinates.back() =
          addIndex(builder, loc, coordinates.back(), place.offset);
    for (auto [loop, coordinate] : llvm::zip_equal(loops, coordinates))
      full[loop] = coordinate;
  };
  set(freeLoops, free);
  set(kLoops, k);
  return elements.applyMap(builder, map, full);
}

void OperandCopy::emitAsync(OpBuilder &builder, Value address,
                            ArrayRef<Value> iteration, const Place &free,
                            const Place &k) {
  Location loc = frame.getLoc();
  SmallVector<Value> conditions{
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                            free.linear, freeSize),
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, k.linear,
                            kSize)};
  SmallVector<Value> place = followToSource(
      builder, getCoordinates(builder, iteration, free, k), conditions);
  Value inside = conditions.front();
  for (Value condition : llvm::drop_begin(conditions))
    inside = arith::AndIOp::create(builder, loc, inside, condition);
  auto constant = [&](int32_t value) {
    return frame.device().getConstant(builder.getI32IntegerAttr(value));
  };
  // Beyond the operand nothing is read, and zeros are written.
  Value bytes = arith::SelectOp::create(builder, loc, inside,
                                        constant(chunkBytes), constant(0));
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  Value linear = elements.linearize(builder, source, place);
  Value from =
      emitAddress(builder, loc, frame.getPointer(source), linear, element);
  NVVM::CpAsyncOp::create(builder, loc, address, from, chunkBytes,
                          NVVM::LoadCacheModifierKind::CG, bytes);
}

LogicalResult OperandCopy::emitElements(OpBuilder &builder, Value address,
                                        ArrayRef<Value> iteration,
                                        const Place &free, const Place &k) {
  Location loc = frame.getLoc();
  // As integers: a machine without 16-bit floats would convert them to move
  // them, and lose denormals.
  Type bits = builder.getIntegerType(static_cast<unsigned>(elementBytes * 8));
  Value zero = frame.device().getConstant(builder.getZeroAttr(bits));
  int64_t count = chunkBytes / elementBytes;
  auto type = VectorType::get({count}, bits);
  Value chunk = LLVM::PoisonOp::create(builder, loc, type);
  for (int64_t i = 0; i < count; ++i) {
    Place f = free, c = k;
    Place &along = rowsAlongK ? f : c;
    Value step = frame.device().getConstant(i);
    along.offset = addIndex(builder, loc, along.offset, step);
    along.linear = addIndex(builder, loc, along.linear, step);
    Value inside = arith::AndIOp::create(
        builder, loc,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, f.linear,
                              freeSize),
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, c.linear,
                              kSize));
    auto branch =
        scf::IfOp::create(builder, loc, TypeRange(bits), inside,
                          /*addThenBlock=*/true, /*addElseBlock=*/true);
    OpBuilder then = OpBuilder::atBlockEnd(branch.thenBlock());
    Value value =
        elements.emit(then, tensor, getCoordinates(then, iteration, f, c));
    Value moved = zero;
    if (value)
      moved = arith::BitcastOp::create(then, loc, bits, value);
    scf::YieldOp::create(then, loc, moved);
    OpBuilder otherwise = OpBuilder::atBlockEnd(branch.elseBlock());
    scf::YieldOp::create(otherwise, loc, zero);
    if (!value)
      return failure();
    Value position = frame.device().getConstant(
        builder.getI32IntegerAttr(static_cast<int32_t>(i)));
    chunk = LLVM::InsertElementOp::create(builder, loc, chunk,
                                          branch.getResult(0), position);
  }
  LLVM::StoreOp::create(builder, loc, chunk, address,
                        /*alignment=*/static_cast<unsigned>(chunkBytes));
  return success();
}

LogicalResult OperandCopy::emit(OpBuilder &builder, const SharedTile &tile,
                                Value stage, ArrayRef<Value> iteration,
                                Value freeBase, Value kBase) {
  Location loc = frame.getLoc();
  LaneMath math(builder, frame);
  Value thread = math.fromIndex(frame.getThreadId());
  int64_t chunks = tile.rows * tile.getChunksPerRow();
  int64_t perRow = tile.getChunksPerRow();
  int64_t freeStep = rowsAlongK ? tile.rowElements : tile.rows;
  int64_t kStep = rowsAlongK ? tile.rows : tile.rowElements;
  OpBuilder outer = builder;
  for (int64_t first = 0; first < chunks; first += frame.getNumThreads()) {
    OpBuilder builder = outer;
    LaneMath math(builder, frame);
    // A tile may have fewer chunks than there are threads left.
    if (chunks - first < frame.getNumThreads()) {
      LaneMath outside(outer, frame);
      Value some =
          arith::CmpIOp::create(outer, loc, arith::CmpIPredicate::ult, thread,
                                outside.constant(chunks - first));
      builder = scf::IfOp::create(outer, loc, some, /*withElse=*/false)
                    .getThenBodyBuilder();
    }
    Value number = math.add(thread, math.constant(first));
    Value row = math.shiftRight(number, llvm::Log2_64(perRow));
    Value chunk = math.bitAnd(number, perRow - 1);
    Value offset = tile.getOffset(math, row, chunk);
    Value address = emitByteAddress(builder, loc, stage, offset);
    address = emitByteAddress(builder, loc, address, tile.offset);
    Value across = math.toIndex(row);
    Value along = math.toIndex(math.mul(chunk, tile.getChunkElements()));
    auto makePlace = [&](Value base, Value offset, int64_t step) -> Place {
      return {base, offset, step, addIndex(builder, loc, base, offset)};
    };
    Place free = makePlace(freeBase, rowsAlongK ? along : across, freeStep);
    Place k = makePlace(kBase, rowsAlongK ? across : along, kStep);
    OpBuilder slow = builder;
    if (async) {
      auto choice = scf::IfOp::create(builder, loc, aligned,
                                      /*withElse=*/true);
      OpBuilder fast = choice.getThenBodyBuilder();
      emitAsync(fast, address, iteration, free, k);
      slow = choice.getElseBodyBuilder();
    }
    if (failed(emitElements(slow, address, iteration, free, k)))
      return failure();
  }
  return success();
}
