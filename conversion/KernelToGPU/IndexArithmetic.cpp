//===- IndexArithmetic.cpp - Folding arithmetic on index values --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/KernelFrame.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

/// Sizes and coordinates never overflow: they count bytes that exist.
static constexpr auto noWrap = arith::IntegerOverflowFlags::nsw;

static Value emit(OpBuilder &builder, Location loc, Value a, Value b,
                  int64_t (*fold)(int64_t, int64_t),
                  llvm::function_ref<Value()> create) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return arith::ConstantIndexOp::create(builder, loc, fold(*x, *y));
  return create();
}

Value gpucodegen::addIndex(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isConstantIntValue(a, 0))
    return b;
  if (isConstantIntValue(b, 0))
    return a;
  return emit(
      builder, loc, a, b, [](int64_t x, int64_t y) { return x + y; },
      [&]() -> Value {
        return arith::AddIOp::create(builder, loc, a, b, noWrap);
      });
}

Value gpucodegen::mulIndex(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isConstantIntValue(a, 1))
    return b;
  if (isConstantIntValue(b, 1))
    return a;
  return emit(
      builder, loc, a, b, [](int64_t x, int64_t y) { return x * y; },
      [&]() -> Value {
        return arith::MulIOp::create(builder, loc, a, b, noWrap);
      });
}

Value gpucodegen::subIndex(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isConstantIntValue(b, 0))
    return a;
  return emit(
      builder, loc, a, b, [](int64_t x, int64_t y) { return x - y; },
      [&]() -> Value {
        return arith::SubIOp::create(builder, loc, a, b, noWrap);
      });
}

Value gpucodegen::divIndex(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isConstantIntValue(b, 1))
    return a;
  return emit(
      builder, loc, a, b, [](int64_t x, int64_t y) { return y ? x / y : 0; },
      [&]() -> Value { return arith::DivUIOp::create(builder, loc, a, b); });
}

Value gpucodegen::remIndex(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isConstantIntValue(b, 1))
    return arith::ConstantIndexOp::create(builder, loc, 0);
  return emit(
      builder, loc, a, b, [](int64_t x, int64_t y) { return y ? x % y : 0; },
      [&]() -> Value { return arith::RemUIOp::create(builder, loc, a, b); });
}

Value gpucodegen::ceilDivIndex(OpBuilder &builder, Location loc, Value a,
                               Value b) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  return divIndex(builder, loc,
                  addIndex(builder, loc, a, subIndex(builder, loc, b, one)), b);
}

SmallVector<Value> gpucodegen::delinearize(OpBuilder &builder, Location loc,
                                           Value linear,
                                           ArrayRef<Value> sizes) {
  SmallVector<Value> coordinates(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    // The outermost dimension that is not 1 needs no remainder.
    bool outermost = llvm::all_of(sizes.take_front(i), [](Value size) {
      return isConstantIntValue(size, 1);
    });
    if (isConstantIntValue(sizes[i], 1)) {
      coordinates[i] = arith::ConstantIndexOp::create(builder, loc, 0);
      continue;
    }
    if (outermost) {
      coordinates[i] = linear;
      linear = arith::ConstantIndexOp::create(builder, loc, 0);
      continue;
    }
    coordinates[i] = remIndex(builder, loc, linear, sizes[i]);
    linear = divIndex(builder, loc, linear, sizes[i]);
  }
  return coordinates;
}

Value gpucodegen::emitAddress(OpBuilder &builder, Location loc, Value pointer,
                              Value elements, Type type) {
  Value offset =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), elements);
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), type, pointer,
                             ArrayRef<LLVM::GEPArg>{offset});
}

Value gpucodegen::emitByteAddress(OpBuilder &builder, Location loc,
                                  Value pointer, int64_t bytes) {
  if (bytes == 0)
    return pointer;
  return LLVM::GEPOp::create(
      builder, loc, pointer.getType(), builder.getI8Type(), pointer,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
}

Value gpucodegen::emitByteAddress(OpBuilder &builder, Location loc,
                                  Value pointer, Value bytes) {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{bytes});
}
