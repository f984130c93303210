//===- RowTiles.cpp - Rows that a block keeps in shared memory ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/RowTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

static constexpr int64_t pieceBytes = 16;

static Type getElementType(BlockArgument argument) {
  return cast<RankedTensorType>(argument.getType()).getElementType();
}

/// Bytes of an element, which is a whole number of them.
static int64_t getBytes(Type element) {
  return element.getIntOrFloatBitWidth() / 8;
}

/// What moves: integers, since CPUs that play the kernel convert 16-bit floats.
static Type getMovedType(Type element) {
  return IntegerType::get(element.getContext(),
                          element.getIntOrFloatBitWidth());
}

bool RowTiles::canHold(Type element) const {
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0 &&
         rows * length * getBytes(element) % pieceBytes == 0;
}

int64_t RowTiles::reserve(Type element) {
  return frame.shared.reserve(rows * length * getBytes(element), pieceBytes);
}

Value RowTiles::getAddress(OpBuilder &builder, int64_t tile, Type element,
                           Value row, Value position) {
  Location loc = frame.getLoc();
  Value number =
      addIndex(builder, loc,
               mulIndex(builder, loc, row, frame.device().getConstant(length)),
               position);
  return emitAddress(builder, loc,
                     emitByteAddress(builder, loc, frame.getSharedBase(), tile),
                     number, element);
}

Value RowTiles::getInput(OpBuilder &builder, BlockArgument argument, Value row,
                         Value position) {
  Type element = getElementType(argument);
  auto found = inputs.find(argument);
  if (found == inputs.end()) {
    found = inputs.insert({argument, reserve(element)}).first;
    OpBuilder before(copies);
    copy(before, argument, found->second, /*toShared=*/true);
  }
  return getAddress(builder, found->second, element, row, position);
}

Value RowTiles::getResult(OpBuilder &builder, BlockArgument argument, Value row,
                          Value position) {
  Type element = getElementType(argument);
  auto found = results.find(argument);
  if (found == results.end())
    found = results.insert({argument, reserve(element)}).first;
  return getAddress(builder, found->second, element, row, position);
}

void RowTiles::writeResults(OpBuilder &builder) {
  for (auto [argument, tile] : results)
    copy(builder, cast<BlockArgument>(argument), tile, /*toShared=*/false);
}

void RowTiles::copy(OpBuilder &builder, BlockArgument argument, int64_t tile,
                    bool toShared) {
  Location loc = frame.getLoc();
  SizeValues &sizes = frame.device();
  Type moved = getMovedType(getElementType(argument));
  int64_t each = pieceBytes / getBytes(moved);
  auto piece = VectorType::get({each}, moved);
  Value shared = emitByteAddress(builder, loc, frame.getSharedBase(), tile);
  Value global = emitAddress(
      builder, loc, frame.getPointer(argument),
      mulIndex(builder, loc, firstRow, sizes.getConstant(length)), moved);
  // Elements of the rows that exist; whole pieces, then what is left.
  Value elements = mulIndex(builder, loc, count, sizes.getConstant(length));
  Value pieces = divIndex(builder, loc, elements, sizes.getConstant(each));
  Value whole = mulIndex(builder, loc, pieces, sizes.getConstant(each));
  auto move = [&](OpBuilder &inner, Type type, Value first, unsigned bytes) {
    Value source =
        emitAddress(inner, loc, toShared ? global : shared, first, moved);
    Value target =
        emitAddress(inner, loc, toShared ? shared : global, first, moved);
    Value value = LLVM::LoadOp::create(inner, loc, type, source, bytes);
    LLVM::StoreOp::create(inner, loc, value, target, bytes);
  };
  auto loop = scf::ForOp::create(builder, loc, frame.getThreadId(), pieces,
                                 sizes.getConstant(frame.getNumThreads()));
  OpBuilder inner(loop.getBody()->getTerminator());
  move(inner, piece,
       mulIndex(inner, loc, loop.getInductionVar(), sizes.getConstant(each)),
       pieceBytes);
  if (each == 1)
    return;
  Value rest = addIndex(builder, loc, whole, frame.getThreadId());
  Value isLeft = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       rest, elements);
  auto guard = scf::IfOp::create(builder, loc, isLeft, /*withElse=*/false);
  OpBuilder inside = guard.getThenBodyBuilder();
  move(inside, moved, rest, static_cast<unsigned>(getBytes(moved)));
}
