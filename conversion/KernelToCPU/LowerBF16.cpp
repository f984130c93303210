//===- LowerBF16.cpp - bf16 by instructions or without --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Passes.h"
#include "conversion/KernelToCPU/TargetOption.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

#define DEBUG_TYPE "ourc-lower-bf16"

namespace ourc {
#define GEN_PASS_DEF_LOWERBF16
#include "conversion/KernelToCPU/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

namespace {
/// Builds on vectors, or scalars, of the type of one value.
class BitBuilder {
public:
  explicit BitBuilder(Operation *op) : builder(op), loc(op->getLoc()) {}

  Type like(Type shape, Type element) {
    if (auto vector = dyn_cast<VectorType>(shape))
      return vector.clone(element);
    return element;
  }
  Value cast(Value value, Type element) {
    return arith::BitcastOp::create(builder, loc,
                                    like(value.getType(), element), value);
  }
  Value constant(Type type, int64_t value) {
    TypedAttr attr = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(builder, loc, attr);
  }

  Value roundByBits(Value x);
  Value multiplyPairs(Value sum, Value a, Value b);

  OpBuilder builder;
  Location loc;
};
} // namespace

/// Rounds f32 to the nearest bf16, to even between two. Not by AVX512-BF16's
/// instruction: it makes zero of denormals, and a value that is only moved or
/// negated must stay what it is.
Value BitBuilder::roundByBits(Value x) {
  // Half of the dropped bits' weight, a little less for a tie at an even
  // number, carries into the kept ones.
  Type i32 = like(x.getType(), builder.getI32Type());
  Value sixteen = constant(i32, 16);
  Value bits = cast(x, builder.getI32Type());
  Value odd = arith::AndIOp::create(
      builder, loc, arith::ShRUIOp::create(builder, loc, bits, sixteen),
      constant(i32, 1));
  Value rounded = arith::AddIOp::create(
      builder, loc, bits,
      arith::AddIOp::create(builder, loc, odd, constant(i32, 0x7FFF)));
  Value nan =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, x, x);
  rounded = arith::SelectOp::create(builder, loc, nan,
                                    constant(i32, 0x7FC00000), rounded);
  rounded = arith::ShRUIOp::create(builder, loc, rounded, sixteen);
  Value narrow = arith::TruncIOp::create(
      builder, loc, like(i32, builder.getIntegerType(16)), rounded);
  return cast(narrow, builder.getBF16Type());
}

/// sum[i] + a[2i+1] * b[2i+1], then + a[2i] * b[2i], by f32 multiply-adds.
Value BitBuilder::multiplyPairs(Value sum, Value a, Value b) {
  auto type = mlir::cast<VectorType>(sum.getType());
  Type i32 = type.clone(builder.getI32Type());
  auto second = [&](Value pairs) -> Value {
    Value bits = vector::BitCastOp::create(builder, loc, i32, pairs);
    bits = arith::AndIOp::create(builder, loc, bits,
                                 constant(i32, int32_t(0xFFFF0000)));
    return cast(bits, builder.getF32Type());
  };
  auto first = [&](Value pairs) -> Value {
    Value bits = vector::BitCastOp::create(builder, loc, i32, pairs);
    bits = arith::ShLIOp::create(builder, loc, bits, constant(i32, 16));
    return cast(bits, builder.getF32Type());
  };
  sum = vector::FMAOp::create(builder, loc, second(a), second(b), sum);
  return vector::FMAOp::create(builder, loc, first(a), first(b), sum);
}

namespace {
struct LowerBF16Pass : ourc::impl::LowerBF16Base<LowerBF16Pass> {
  using LowerBF16Base::LowerBF16Base;

  void runOnOperation() override {
    FailureOr<cpu::MachineDescription> machine =
        parseTargetOption(getOperation(), target);
    if (failed(machine))
      return signalPassFailure();
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<arith::TruncFOp, x86vector::DotBF16Op>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      Value lowered = isa<arith::TruncFOp>(op)
                          ? lowerRounding(op)
                          : lowerPairs(op, machine->multipliesPairs);
      if (!lowered)
        continue;
      op->getResult(0).replaceAllUsesWith(lowered);
      op->erase();
    }
  }

  Value lowerRounding(Operation *op) {
    Value source = op->getOperand(0);
    if (!getElementTypeOrSelf(source.getType()).isF32() ||
        !getElementTypeOrSelf(op->getResult(0).getType()).isBF16())
      return {};
    ++numRoundings;
    return BitBuilder(op).roundByBits(source);
  }

  Value lowerPairs(Operation *op, bool byInstruction) {
    if (byInstruction)
      return {};
    auto dot = cast<x86vector::DotBF16Op>(op);
    ++numPairs;
    return BitBuilder(op).multiplyPairs(dot.getSrc(), dot.getA(), dot.getB());
  }
};
} // namespace
