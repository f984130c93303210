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

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

/// Elements and bytes of what is copied at a time.
static constexpr int64_t chunkElements = 8, chunkBytes = 16;

OperandCopy::OperandCopy(KernelFrame &frame, ElementEmitter &elements,
                         linalg::GenericOp op, unsigned operand,
                         ArrayRef<unsigned> free, ArrayRef<unsigned> k,
                         ArrayRef<Value> sizes)
    : frame(frame), elements(elements), tensor(op.getInputs()[operand]),
      map(op.getIndexingMapsArray()[operand]), freeLoops(free), kLoops(k),
      sizes(sizes) {
  freeSize = frame.device().getProduct(pick(freeLoops));
  kSize = frame.device().getProduct(pick(kLoops));
  // Chunks run along the operand's last dimension.
  auto type = cast<RankedTensorType>(tensor.getType());
  rowsAlongK = false;
  async = false;
  if (map.getNumResults() == 0)
    return;
  unsigned last = cast<AffineDimExpr>(map.getResults().back()).getPosition();
  bool isFree = !freeLoops.empty() && freeLoops.back() == last;
  bool isK = kLoops.back() == last;
  rowsAlongK = isFree;
  // A size that chunks divide keeps them whole, and aligned.
  int64_t size = type.getShape().back();
  async = isa<BlockArgument>(tensor) && (isFree || isK) &&
          !ShapedType::isDynamic(size) && size % chunkElements == 0;
  if (!async)
    return;
  // Buffers of the arena are; a caller's tensor may begin anywhere.
  OpBuilder body = frame.getBodyBuilder();
  Location loc = frame.getLoc();
  auto constant = [&](int64_t value) {
    return frame.device().getConstant(body.getI64IntegerAttr(value));
  };
  Value address =
      LLVM::PtrToIntOp::create(body, loc, body.getI64Type(),
                               frame.getPointer(cast<BlockArgument>(tensor)));
  Value low =
      arith::AndIOp::create(body, loc, address, constant(chunkBytes - 1));
  aligned = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq, low,
                                  constant(0));
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
          rowsAlongK, offset};
}

SmallVector<Value> OperandCopy::getCoordinates(OpBuilder &builder,
                                               ArrayRef<Value> iteration,
                                               Value free, Value k) {
  Location loc = frame.getLoc();
  SmallVector<Value> full(iteration);
  auto place = [&](ArrayRef<unsigned> loops, Value linear) {
    for (auto [loop, coordinate] :
         llvm::zip_equal(loops, delinearize(builder, loc, linear, pick(loops))))
      full[loop] = coordinate;
  };
  place(freeLoops, free);
  place(kLoops, k);
  return elements.applyMap(builder, map, full);
}

void OperandCopy::emitAsync(OpBuilder &builder, Value address,
                            ArrayRef<Value> iteration, Value free, Value k) {
  Location loc = frame.getLoc();
  Value inside = arith::AndIOp::create(
      builder, loc,
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, free,
                            freeSize),
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, k, kSize));
  auto constant = [&](int32_t value) {
    return frame.device().getConstant(builder.getI32IntegerAttr(value));
  };
  // Beyond the operand nothing is read, and zeros are written.
  Value bytes = arith::SelectOp::create(builder, loc, inside,
                                        constant(chunkBytes), constant(0));
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  Value linear = elements.linearize(
      builder, tensor, getCoordinates(builder, iteration, free, k));
  Value source =
      emitAddress(builder, loc, frame.getPointer(cast<BlockArgument>(tensor)),
                  linear, element);
  NVVM::CpAsyncOp::create(builder, loc, address, source, chunkBytes,
                          NVVM::LoadCacheModifierKind::CG, bytes);
}

LogicalResult OperandCopy::emitElements(OpBuilder &builder, Value address,
                                        ArrayRef<Value> iteration, bool alongK,
                                        Value free, Value k) {
  Location loc = frame.getLoc();
  // As integers: a machine without 16-bit floats would convert them to move
  // them, and lose denormals.
  Type bits = builder.getI16Type();
  Value zero = frame.device().getConstant(builder.getZeroAttr(bits));
  auto type = VectorType::get({chunkElements}, bits);
  Value chunk = LLVM::PoisonOp::create(builder, loc, type);
  for (int64_t i = 0; i < chunkElements; ++i) {
    Value step = frame.device().getConstant(i);
    Value f = alongK ? free : addIndex(builder, loc, free, step);
    Value c = alongK ? addIndex(builder, loc, k, step) : k;
    Value inside = arith::AndIOp::create(
        builder, loc,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, f,
                              freeSize),
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, c,
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
  for (int64_t first = 0; first < chunks; first += frame.getNumThreads()) {
    Value number = math.add(thread, math.constant(first));
    Value row = math.shiftRight(number, llvm::Log2_64(perRow));
    Value chunk = math.bitAnd(number, perRow - 1);
    Value offset = tile.getOffset(math, row, chunk);
    Value address =
        LLVM::GEPOp::create(builder, loc, stage.getType(), builder.getI8Type(),
                            stage, ArrayRef<LLVM::GEPArg>{offset});
    address = emitByteAddress(builder, loc, address, tile.offset);
    Value across = math.toIndex(row);
    Value along = math.toIndex(math.mul(chunk, chunkElements));
    Value free = addIndex(builder, loc, freeBase, rowsAlongK ? along : across);
    Value k = addIndex(builder, loc, kBase, rowsAlongK ? across : along);
    OpBuilder slow = builder;
    if (async) {
      auto choice = scf::IfOp::create(builder, loc, aligned,
                                      /*withElse=*/true);
      OpBuilder fast = choice.getThenBodyBuilder();
      emitAsync(fast, address, iteration, free, k);
      slow = choice.getElseBodyBuilder();
    }
    if (failed(emitElements(slow, address, iteration, !rowsAlongK, free, k)))
      return failure();
  }
  return success();
}
