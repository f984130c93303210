//===- BlockReduction.cpp - Partial results of a block's threads -------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/BlockReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

static constexpr int64_t warpSize = 32;

/// Exchanges a value of any scalar type between the lanes of a warp.
static Value shuffle(OpBuilder &builder, KernelFrame &frame,
                     NVVM::ShflKind kind, Value value, int32_t offset) {
  Location loc = frame.getLoc();
  Type type = value.getType(), i32 = builder.getI32Type();
  auto constant = [&](int32_t x) -> Value {
    return frame.device().getConstant(builder.getI32IntegerAttr(x));
  };
  auto exchange = [&](Value bits) -> Value {
    return NVVM::ShflOp::create(builder, loc, i32, constant(-1), bits,
                                constant(offset), constant(31), kind,
                                UnitAttr());
  };
  // Indices are 64 bits wide on the device.
  Type stored = type.isIndex() ? builder.getI64Type() : type;
  unsigned width = stored.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(width);
  if (type.isIndex())
    value = arith::IndexCastOp::create(builder, loc, stored, value);
  if (stored != integer)
    value = arith::BitcastOp::create(builder, loc, integer, value);
  if (width < 32) {
    value = arith::ExtUIOp::create(builder, loc, i32, value);
    value = exchange(value);
    value = arith::TruncIOp::create(builder, loc, integer, value);
  } else if (width == 32) {
    value = exchange(value);
  } else {
    Value half = frame.device().getConstant(builder.getI64IntegerAttr(32));
    Value low = arith::TruncIOp::create(builder, loc, i32, value);
    Value high = arith::TruncIOp::create(
        builder, loc, i32, arith::ShRUIOp::create(builder, loc, value, half));
    low = arith::ExtUIOp::create(builder, loc, integer, exchange(low));
    high = arith::ExtUIOp::create(builder, loc, integer, exchange(high));
    value = arith::OrIOp::create(
        builder, loc, low, arith::ShLIOp::create(builder, loc, high, half));
  }
  if (stored != integer)
    value = arith::BitcastOp::create(builder, loc, stored, value);
  if (type.isIndex())
    value = arith::IndexCastOp::create(builder, loc, type, value);
  return value;
}

/// Bytes of a component in shared memory: all of them take eight.
static constexpr int64_t slotBytes = 8;

SmallVector<Value> gpucodegen::reduceBlock(OpBuilder &builder,
                                           KernelFrame &frame,
                                           int64_t numThreads, ValueRange init,
                                           MergeFn merge) {
  Location loc = frame.getLoc();
  SmallVector<Value> state(init);
  auto exchange = [&](NVVM::ShflKind kind, int32_t offset) {
    SmallVector<Value> other;
    for (Value value : state)
      other.push_back(shuffle(builder, frame, kind, value, offset));
    return other;
  };
  for (int32_t offset = 16; offset > 0; offset /= 2) {
    state = merge(builder, state, exchange(NVVM::ShflKind::bfly, offset));
    if (state.empty())
      return {};
  }
  int64_t numWarps = numThreads / warpSize;
  if (numWarps == 1)
    // Merging need not be commutative to the last bit: all take lane 0's.
    return exchange(NVVM::ShflKind::idx, 0);

  // Each reduction of a kernel has memory of its own, so one barrier is enough.
  int64_t components = static_cast<int64_t>(state.size());
  int64_t base =
      frame.shared.reserve(numWarps * components * slotBytes, slotBytes);
  Value shared = frame.getSharedBase();
  Value warpLanes = frame.device().getConstant(warpSize);
  Value lane = remIndex(builder, loc, frame.getThreadId(), warpLanes);
  Value warp = divIndex(builder, loc, frame.getThreadId(), warpLanes);
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        lane, frame.device().getConstant(0));
  auto guard = scf::IfOp::create(builder, loc, isFirst, /*withElse=*/false);
  OpBuilder first = guard.getThenBodyBuilder();
  Value slot = mulIndex(first, loc, warp,
                        frame.device().getConstant(components * slotBytes));
  Value own = emitAddress(first, loc, emitByteAddress(first, loc, shared, base),
                          slot, builder.getI8Type());
  for (auto [i, value] : llvm::enumerate(state)) {
    if (value.getType().isIndex())
      value =
          arith::IndexCastOp::create(first, loc, builder.getI64Type(), value);
    LLVM::StoreOp::create(
        first, loc, value,
        emitByteAddress(first, loc, own, static_cast<int64_t>(i) * slotBytes));
  }
  gpu::BarrierOp::create(builder, loc);
  SmallVector<Value> total;
  for (int64_t w = 0; w < numWarps; ++w) {
    SmallVector<Value> part;
    for (int64_t i = 0; i < components; ++i) {
      Value address = emitByteAddress(builder, loc, shared,
                                      base + (w * components + i) * slotBytes);
      Type type = state[static_cast<size_t>(i)].getType();
      Value value = LLVM::LoadOp::create(
          builder, loc, type.isIndex() ? builder.getI64Type() : type, address);
      if (type.isIndex())
        value = arith::IndexCastOp::create(builder, loc, type, value);
      part.push_back(value);
    }
    total = w == 0 ? part : merge(builder, total, part);
    if (total.empty())
      return {};
  }
  return total;
}

SmallVector<Value> gpucodegen::reduceColumns(OpBuilder &builder,
                                             KernelFrame &frame,
                                             int64_t numColumns,
                                             int64_t numSlices, ValueRange init,
                                             MergeFn merge) {
  SmallVector<Value> state(init);
  if (numSlices == 1)
    return state;
  Location loc = frame.getLoc();
  SizeValues &sizes = frame.device();
  Value columns = sizes.getConstant(numColumns);
  Value column = remIndex(builder, loc, frame.getThreadId(), columns);
  // A component of all threads side by side: no two lanes meet in a bank.
  SmallVector<Type> stored;
  SmallVector<Value> bases;
  for (Value value : state) {
    Type type = value.getType();
    stored.push_back(type.isIndex() ? builder.getI64Type() : type);
    int64_t bytes = llvm::divideCeil(stored.back().getIntOrFloatBitWidth(), 8);
    int64_t base =
        frame.shared.reserve(numColumns * numSlices * bytes, slotBytes);
    bases.push_back(emitByteAddress(builder, loc, frame.getSharedBase(), base));
  }
  for (auto [i, value] : llvm::enumerate(state)) {
    if (value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, loc, stored[i], value);
    LLVM::StoreOp::create(
        builder, loc, value,
        emitAddress(builder, loc, bases[i], frame.getThreadId(), stored[i]));
  }
  gpu::BarrierOp::create(builder, loc);
  SmallVector<Value> total;
  for (int64_t slice = 0; slice < numSlices; ++slice) {
    Value at =
        addIndex(builder, loc, column, sizes.getConstant(slice * numColumns));
    SmallVector<Value> part;
    for (auto [i, own] : llvm::enumerate(state)) {
      Value value = LLVM::LoadOp::create(
          builder, loc, stored[i],
          emitAddress(builder, loc, bases[i], at, stored[i]));
      if (own.getType().isIndex())
        value = arith::IndexCastOp::create(builder, loc, own.getType(), value);
      part.push_back(value);
    }
    total = slice == 0 ? part : merge(builder, total, part);
    if (total.empty())
      return {};
  }
  return total;
}
