//===- WarpTile.cpp - What a warp computes of a tile -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/WarpTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

//===----------------------------------------------------------------------===//
// LaneMath
//===----------------------------------------------------------------------===//

Value LaneMath::constant(int64_t value) {
  return frame.device().getConstant(
      builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value LaneMath::add(Value a, Value b) {
  return arith::AddIOp::create(builder, frame.getLoc(), a, b);
}

Value LaneMath::mul(Value a, int64_t b) {
  return b == 1 ? a
                : Value(arith::MulIOp::create(builder, frame.getLoc(), a,
                                              constant(b)));
}

Value LaneMath::bitAnd(Value a, int64_t b) {
  return arith::AndIOp::create(builder, frame.getLoc(), a, constant(b));
}

Value LaneMath::bitXor(Value a, Value b) {
  return arith::XOrIOp::create(builder, frame.getLoc(), a, b);
}

Value LaneMath::shiftRight(Value a, int64_t b) {
  return b == 0 ? a
                : Value(arith::ShRUIOp::create(builder, frame.getLoc(), a,
                                               constant(b)));
}

Value LaneMath::fromIndex(Value value) {
  return arith::IndexCastOp::create(builder, frame.getLoc(),
                                    builder.getI32Type(), value);
}

Value LaneMath::toIndex(Value value) {
  return arith::IndexCastOp::create(builder, frame.getLoc(),
                                    builder.getIndexType(), value);
}

//===----------------------------------------------------------------------===//
// SharedTile
//===----------------------------------------------------------------------===//

Value SharedTile::getSwizzle(LaneMath &math, Value row) const {
  // Eight chunks of 16 bytes fill the 32 banks once: with four chunks a row two
  // rows share a line of 128 bytes, with eight and more each has its own.
  int64_t chunks = std::min<int64_t>(getChunksPerRow(), 8);
  return math.bitAnd(math.shiftRight(row, llvm::Log2_64(8 / chunks)),
                     chunks - 1);
}

Value SharedTile::getOffset(LaneMath &math, Value row, Value chunk) const {
  Value place = math.bitXor(chunk, getSwizzle(math, row));
  return math.add(math.mul(row, getRowBytes()), math.mul(place, 16));
}

//===----------------------------------------------------------------------===//
// FragmentLoader
//===----------------------------------------------------------------------===//

FragmentLoader::FragmentLoader(LaneMath &math, const SharedTile &tile,
                               bool isLeft, Value lane, Value free)
    : tile(tile),
      // mma wants a's rows along k and b's columns along k: both are what
      // ldmatrix gives when k is inside of the rows.
      transposed(tile.rowsAlongK) {
  // Lanes 8i .. 8i + 7 give the rows of matrix i. Matrices 0..3 are, for a,
  // (m, k), (m + 8, k), (m, k + 8), (m + 8, k + 8); for b, (k, n), (k + 8, n),
  // (k, n + 8), (k + 8, n + 8).
  Value low = math.bitAnd(lane, 7);
  Value first = math.bitAnd(math.shiftRight(lane, 3), 1);
  Value second = math.shiftRight(lane, 4);
  Value freeEight = isLeft ? first : second;
  Value kEight = isLeft ? second : first;
  if (tile.rowsAlongK) {
    row = math.add(low, math.mul(kEight, 8));
    chunk = math.add(math.shiftRight(free, 3), freeEight);
  } else {
    row = math.add(free, math.add(low, math.mul(freeEight, 8)));
    chunk = kEight;
  }
}

SmallVector<Value> FragmentLoader::load(OpBuilder &builder, LaneMath &math,
                                        KernelFrame &frame, Value base,
                                        int64_t freeStep, int64_t kStep) const {
  Location loc = frame.getLoc();
  int64_t rowStep = (tile.rowsAlongK ? kStep : freeStep) * 16;
  int64_t chunkStep = (tile.rowsAlongK ? freeStep : kStep) * 2;
  // Rows advance by 16, which the swizzle does not see; chunks by 2, which is
  // an exclusive or since the lane's own is even or odd below it.
  Value place = math.bitXor(math.bitXor(chunk, tile.getSwizzle(math, row)),
                            math.constant(chunkStep));
  Value offset =
      math.add(math.mul(row, tile.getRowBytes()), math.mul(place, 16));
  Value address = emitByteAddress(builder, loc, base, offset);
  address = emitByteAddress(builder, loc, address,
                            tile.offset + rowStep * tile.getRowBytes());
  Type i32 = builder.getI32Type();
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                               SmallVector<Type>(4, i32));
  Value registers = NVVM::LdMatrixOp::create(
      builder, loc, type, address, /*num=*/4,
      transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(builder.getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
  SmallVector<Value> result;
  for (int64_t i = 0; i < 4; ++i)
    result.push_back(LLVM::ExtractValueOp::create(builder, loc, registers, i));
  return result;
}
