//===- PairDot.cpp - Sums of products of bf16 pairs -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/PairDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

using namespace mlir;
using namespace ourc;

Value ourc::emitPairDot(OpBuilder &builder, Location loc, Value sum, Value a,
                        Value b) {
  return x86vector::DotBF16Op::create(builder, loc, sum.getType(), sum, a, b);
}

/// vector<N x i32> as vector<2N x bf16>.
static Value castToPairs(OpBuilder &builder, Location loc, Value bits) {
  int64_t lanes = cast<VectorType>(bits.getType()).getDimSize(0);
  return vector::BitCastOp::create(
      builder, loc, VectorType::get({2 * lanes}, builder.getBF16Type()), bits);
}

/// The bits of a bf16, or of a vector of them, in the low half of i32.
static Value extendBits(OpBuilder &builder, Location loc, Value value) {
  auto like = [&](unsigned width) -> Type {
    Type element = builder.getIntegerType(width);
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      return vector.clone(element);
    return element;
  };
  Value bits = arith::BitcastOp::create(builder, loc, like(16), value);
  return arith::ExtUIOp::create(builder, loc, like(32), bits);
}

/// The same moved to the high half.
static Value moveUp(OpBuilder &builder, Location loc, Value bits) {
  TypedAttr sixteen = builder.getI32IntegerAttr(16);
  if (auto vector = dyn_cast<VectorType>(bits.getType()))
    sixteen = DenseElementsAttr::get(vector, Attribute(sixteen));
  return arith::ShLIOp::create(
      builder, loc, bits, arith::ConstantOp::create(builder, loc, sixteen));
}

Value ourc::emitPairs(OpBuilder &builder, Location loc, Value first,
                      Value second) {
  Value low = extendBits(builder, loc, first);
  Value high = moveUp(builder, loc, extendBits(builder, loc, second));
  return castToPairs(builder, loc,
                     arith::OrIOp::create(builder, loc, low, high));
}

Value ourc::loadPairSplat(CodeBuilder &code, Value pointer, PairHalves halves) {
  OpBuilder &builder = code.builder;
  if (halves != PairHalves::Both)
    return loadPairSplat(code, pointer, code.constant(1), halves);
  Value bits = LLVM::LoadOp::create(builder, code.loc, builder.getI32Type(),
                                    pointer, /*alignment=*/2);
  return castToPairs(builder, code.loc, code.broadcast(bits));
}

Value ourc::loadPairSplat(CodeBuilder &code, Value pointer, Value stride,
                          PairHalves halves) {
  OpBuilder &builder = code.builder;
  if (halves == PairHalves::Both && CodeBuilder::getConstant(stride) == 1)
    return loadPairSplat(code, pointer);
  Type bf16 = builder.getBF16Type();
  auto isRead = [&](PairHalves half) {
    return (uint8_t(halves) & uint8_t(half)) != 0;
  };
  Value bits;
  if (isRead(PairHalves::First))
    bits = extendBits(builder, code.loc, code.load(pointer, bf16));
  if (isRead(PairHalves::Second)) {
    Value second = code.load(code.address(pointer, stride, bf16), bf16);
    second = moveUp(builder, code.loc, extendBits(builder, code.loc, second));
    bits =
        bits ? arith::OrIOp::create(builder, code.loc, bits, second) : second;
  }
  assert(bits && "at least one half is read");
  return castToPairs(builder, code.loc, code.broadcast(bits));
}

Value ourc::loadPairs(CodeBuilder &code, Value pointer, Value mask) {
  OpBuilder &builder = code.builder;
  Type i32 = builder.getI32Type();
  Value bits;
  if (mask)
    bits = LLVM::MaskedLoadOp::create(builder, code.loc, code.vectorOf(i32),
                                      pointer, mask, code.zero(i32),
                                      /*alignment=*/2);
  else
    bits = LLVM::LoadOp::create(builder, code.loc, code.vectorOf(i32), pointer,
                                /*alignment=*/2);
  return castToPairs(builder, code.loc, bits);
}

Value ourc::loadPairsStrided(CodeBuilder &code, Value pointer, Value stride,
                             Value mask) {
  OpBuilder &builder = code.builder;
  Type i32 = builder.getI32Type();
  Value offsets = arith::MulIOp::create(builder, code.loc, code.laneNumbers(),
                                        code.broadcast(stride));
  Value addresses = LLVM::GEPOp::create(
      builder, code.loc, VectorType::get({code.lanes}, pointer.getType()),
      builder.getI16Type(), pointer, ArrayRef<LLVM::GEPArg>{offsets});
  Value bits = LLVM::masked_gather::create(
      builder, code.loc, code.vectorOf(i32), addresses,
      mask ? mask : code.allLanes(), ValueRange{code.zero(i32)},
      /*alignment=*/2);
  return castToPairs(builder, code.loc, bits);
}

void ourc::storePairs(CodeBuilder &code, Value pairs, Value pointer) {
  Value bits = vector::BitCastOp::create(
      code.builder, code.loc, code.vectorOf(code.builder.getI32Type()), pairs);
  LLVM::StoreOp::create(code.builder, code.loc, bits, pointer,
                        /*alignment=*/2);
}
