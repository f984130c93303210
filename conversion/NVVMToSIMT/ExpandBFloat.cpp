//===- ExpandBFloat.cpp - bf16 arithmetic in f32 and integers ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CPUs have no bf16 arithmetic, and what they have of conversions takes
// denormals for zero or is a function of a support library. GPUs round to
// nearest even and keep denormals: so do these.
//
//===----------------------------------------------------------------------===//

#include "conversion/NVVMToSIMT/SimtRuntime.h"

using namespace mlir;
using namespace ourc::simt;

namespace {
/// Emits before one operation.
class BFloatBuilder {
public:
  explicit BFloatBuilder(Operation *op) : b(op), loc(op->getLoc()) {}

  Value toFloat(Value value) {
    Value bits = bitcast(value, b.getI16Type());
    bits = LLVM::ZExtOp::create(b, loc, b.getI32Type(), bits);
    bits = LLVM::ShlOp::create(b, loc, bits, constant(16));
    return bitcast(bits, b.getF32Type());
  }

  /// Rounds f32 to nearest even; a NaN stays one.
  Value fromFloat(Value value) {
    Value bits = bitcast(value, b.getI32Type());
    Value high = LLVM::LShrOp::create(b, loc, bits, constant(16));
    Value odd = LLVM::AndOp::create(b, loc, high, constant(1));
    Value up = LLVM::AddOp::create(b, loc, odd, constant(0x7fff));
    Value rounded = LLVM::LShrOp::create(
        b, loc, LLVM::AddOp::create(b, loc, bits, up), constant(16));
    Value quiet = LLVM::OrOp::create(b, loc, high, constant(0x40));
    Value isNaN =
        LLVM::FCmpOp::create(b, loc, LLVM::FCmpPredicate::uno, value, value);
    Value chosen = LLVM::SelectOp::create(b, loc, isNaN, quiet, rounded);
    return bitcast(LLVM::TruncOp::create(b, loc, b.getI16Type(), chosen),
                   b.getBF16Type());
  }

  /// f64 to f32 so that rounding the result again is one rounding: inexact
  /// values get an odd last bit.
  Value roundToOdd(Value value) {
    Value nearest = LLVM::FPTruncOp::create(b, loc, b.getF32Type(), value);
    Value back = LLVM::FPExtOp::create(b, loc, b.getF64Type(), nearest);
    auto compare = [&](LLVM::FCmpPredicate predicate, Value x, Value y) {
      return LLVM::FCmpOp::create(b, loc, predicate, x, y);
    };
    auto magnitude = [&](Value x) {
      return LLVM::FAbsOp::create(b, loc, b.getF64Type(), x);
    };
    Value inexact = compare(LLVM::FCmpPredicate::one, back, value);
    Value over =
        compare(LLVM::FCmpPredicate::ogt, magnitude(back), magnitude(value));
    Value bits = bitcast(nearest, b.getI32Type());
    Value down = LLVM::SubOp::create(
        b, loc, bits, LLVM::ZExtOp::create(b, loc, b.getI32Type(), over));
    Value odd = LLVM::OrOp::create(b, loc, down, constant(1));
    return bitcast(LLVM::SelectOp::create(b, loc, inexact, odd, bits),
                   b.getF32Type());
  }

  OpBuilder b;
  Location loc;

private:
  Value bitcast(Value value, Type type) {
    return LLVM::BitcastOp::create(b, loc, type, value);
  }
  Value constant(int32_t value) {
    return RuntimeCalls::constant(b, loc, value);
  }
};
} // namespace

static bool hasBFloat(TypeRange types) {
  return llvm::any_of(types, [](Type type) { return type.isBF16(); });
}

/// Replaces the only result of `op`, and `op`.
static void replace(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

void ourc::simt::expandBFloat(Operation *op) {
  if (op->getNumResults() != 1 ||
      !(hasBFloat(op->getOperandTypes()) || hasBFloat(op->getResultTypes())))
    return;
  BFloatBuilder m(op);
  Type result = op->getResult(0).getType();
  if (isa<LLVM::FPExtOp>(op)) {
    Value value = m.toFloat(op->getOperand(0));
    if (result != value.getType())
      value = LLVM::FPExtOp::create(m.b, m.loc, result, value);
    return replace(op, value);
  }
  if (isa<LLVM::FPTruncOp>(op)) {
    Value value = op->getOperand(0);
    if (value.getType().isF64())
      value = m.roundToOdd(value);
    return replace(op, m.fromFloat(value));
  }
  // An integer is exact in f64 as far as bf16 can tell; then as above.
  bool fromInteger = isa<LLVM::SIToFPOp, LLVM::UIToFPOp>(op);
  if (!fromInteger &&
      !isa<LLVM::FAddOp, LLVM::FSubOp, LLVM::FMulOp, LLVM::FDivOp, LLVM::FRemOp,
           LLVM::FNegOp, LLVM::FCmpOp, LLVM::FMAOp, LLVM::MaxNumOp,
           LLVM::MinNumOp, LLVM::MaximumOp, LLVM::MinimumOp, LLVM::FPToSIOp,
           LLVM::FPToUIOp>(op))
    return;
  Operation *wide = m.b.clone(*op);
  m.b.setInsertionPoint(wide);
  for (OpOperand &operand : wide->getOpOperands())
    if (operand.get().getType().isBF16())
      operand.set(m.toFloat(operand.get()));
  m.b.setInsertionPointAfter(wide);
  Value value = wide->getResult(0);
  if (result.isBF16()) {
    value.setType(fromInteger ? m.b.getF64Type() : m.b.getF32Type());
    Value narrow = fromInteger ? m.roundToOdd(value) : value;
    value = m.fromFloat(narrow);
  }
  replace(op, value);
}
