//===- Memory.cpp - Loads and stores of lanes -----------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Memory.h"
#include "conversion/KernelToCPU/KernelABI.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ourc;

int64_t ourc::getStorageBytes(Type element) {
  return (element.getIntOrFloatBitWidth() + 7) / 8;
}

static Value emitBitcast(OpBuilder &builder, Location loc, Value value,
                         Type element) {
  Type type = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(element);
  return builder.createOrFold<arith::BitcastOp>(loc, type, value);
}

Value ourc::toBits(OpBuilder &builder, Location loc, Value value) {
  if (!getElementTypeOrSelf(value.getType()).isBF16())
    return value;
  return emitBitcast(builder, loc, value, builder.getIntegerType(16));
}

Value ourc::fromBits(OpBuilder &builder, Location loc, Value value,
                     Type element) {
  if (!element.isBF16() || getElementTypeOrSelf(value.getType()).isBF16())
    return value;
  return emitBitcast(builder, loc, value, element);
}

Value ourc::emitSplat(OpBuilder &builder, Location loc, Value value,
                      int64_t lanes) {
  if (lanes == 1 || isa<VectorType>(value.getType()))
    return value;
  auto type = VectorType::get({lanes}, value.getType());
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type, Attribute(constant.getValue())));
  if (value.getType().isBF16())
    return fromBits(builder, loc,
                    emitSplat(builder, loc, toBits(builder, loc, value), lanes),
                    value.getType());
  return vector::BroadcastOp::create(builder, loc, type, value);
}

static Value emitAllOn(OpBuilder &builder, Location loc, int64_t lanes) {
  auto type = VectorType::get({lanes}, builder.getI1Type());
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, true));
}

/// The addresses of the lanes.
static Value emitAddresses(OpBuilder &builder, Location loc, Type element,
                           Value pointer, const LaneIndex &offset,
                           int64_t lanes) {
  Type type = VectorType::get({lanes}, pointer.getType());
  Value offsets = offset.emitVector(builder, loc, lanes);
  return LLVM::GEPOp::create(builder, loc, type, element, pointer,
                             ArrayRef<LLVM::GEPArg>{offsets},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value ourc::emitLoad(OpBuilder &builder, Location loc, Type element,
                     Value pointer, const LaneIndex &offset, int64_t lanes,
                     Value mask) {
  if (element.isInteger(1)) {
    Value bytes = emitLoad(builder, loc, builder.getI8Type(), pointer, offset,
                           lanes, mask);
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(bytes.getType()));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, bytes,
                                 zero);
  }
  if (element.isBF16())
    return fromBits(builder, loc,
                    emitLoad(builder, loc, builder.getIntegerType(16), pointer,
                             offset, lanes, mask),
                    element);
  unsigned alignment = getStorageBytes(element);
  if (offset.isUniform() || lanes == 1) {
    Value address = KernelABI::emitAddress(
        builder, loc, pointer, offset.emitBase(builder, loc), element);
    return LLVM::LoadOp::create(builder, loc, element, address, alignment);
  }
  Type type = VectorType::get({lanes}, element);
  if (offset.isLinear() && offset.getStep() == 1) {
    Value address = KernelABI::emitAddress(
        builder, loc, pointer, offset.emitBase(builder, loc), element);
    if (!mask)
      return LLVM::LoadOp::create(builder, loc, type, address, alignment);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    return LLVM::MaskedLoadOp::create(builder, loc, type, address, mask, zero,
                                      alignment);
  }
  if (!mask)
    mask = emitAllOn(builder, loc, lanes);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Value addresses =
      emitAddresses(builder, loc, element, pointer, offset, lanes);
  return LLVM::masked_gather::create(builder, loc, type, addresses, mask,
                                     ValueRange{zero}, alignment);
}

void ourc::emitStore(OpBuilder &builder, Location loc, Value value,
                     Value pointer, const LaneIndex &offset, int64_t lanes,
                     Value mask) {
  value = toBits(builder, loc, value);
  Type element = getElementTypeOrSelf(value.getType());
  if (element.isInteger(1)) {
    Type bytes = builder.getI8Type();
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      bytes = vector.clone(bytes);
    value = arith::ExtUIOp::create(builder, loc, bytes, value);
    element = builder.getI8Type();
  }
  unsigned alignment = getStorageBytes(element);
  if (offset.isUniform() || lanes == 1) {
    Value address = KernelABI::emitAddress(
        builder, loc, pointer, offset.emitBase(builder, loc), element);
    LLVM::StoreOp::create(builder, loc, value, address, alignment);
    return;
  }
  value = emitSplat(builder, loc, value, lanes);
  if (offset.isLinear() && offset.getStep() == 1) {
    Value address = KernelABI::emitAddress(
        builder, loc, pointer, offset.emitBase(builder, loc), element);
    if (mask)
      LLVM::MaskedStoreOp::create(builder, loc, value, address, mask,
                                  alignment);
    else
      LLVM::StoreOp::create(builder, loc, value, address, alignment);
    return;
  }
  if (!mask)
    mask = emitAllOn(builder, loc, lanes);
  Value addresses =
      emitAddresses(builder, loc, element, pointer, offset, lanes);
  LLVM::masked_scatter::create(builder, loc, value, addresses, mask, alignment);
}

Value ourc::emitMask(OpBuilder &builder, Location loc, const LaneIndex &index,
                     Value bound, int64_t lanes) {
  // Compared in i32, which has as many lanes as the data's f32: the distance
  // to the bound is clamped to the number of lanes first.
  Value base = index.emitBase(builder, loc);
  Value left = arith::SubIOp::create(builder, loc, bound, base);
  Value most = arith::ConstantIntOp::create(builder, loc, lanes, 64);
  left = arith::MinSIOp::create(builder, loc, left, most);
  left = arith::TruncIOp::create(builder, loc, builder.getI32Type(), left);
  auto type = VectorType::get({lanes}, builder.getI32Type());
  SmallVector<int32_t> numbers;
  for (int32_t l = 0; l < lanes; ++l)
    numbers.push_back(l);
  Value iota = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef(numbers)));
  Value splat = vector::BroadcastOp::create(builder, loc, type, left);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, iota,
                               splat);
}
