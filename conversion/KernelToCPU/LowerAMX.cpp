//===- LowerAMX.cpp - AMX tiles by instructions or in memory --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/AMXTile.h"
#include "conversion/KernelToCPU/Passes.h"
#include "conversion/KernelToCPU/TargetOption.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSwitch.h"

#define DEBUG_TYPE "ourc-lower-amx"

namespace ourc {
#define GEN_PASS_DEF_LOWERAMX
#include "conversion/KernelToCPU/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

namespace {
/// One call of an intrinsic, as loops over the rows of tiles in memory.
class TileLoops {
public:
  TileLoops(LLVM::CallIntrinsicOp call, StringRef target)
      : call(call), target(target), builder(call), loc(call.getLoc()) {}

  /// The tile that the call makes, if it makes one; failure where the call is
  /// none of those that are known.
  FailureOr<Value> emit();

private:
  Value constant(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }
  Value at(Value pointer, Value row, Value stride) {
    Value bytes = arith::MulIOp::create(builder, loc, row, stride);
    return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                               builder.getI8Type(), pointer, bytes);
  }
  VectorType vectorOf(Type element) {
    return VectorType::get(
        {amx::kRowBytes * 8 / int64_t(element.getIntOrFloatBitWidth())},
        element);
  }
  Value load(Value pointer, Type type) {
    return LLVM::LoadOp::create(builder, loc, type, pointer, /*alignment=*/1);
  }
  void store(Value value, Value pointer) {
    LLVM::StoreOp::create(builder, loc, value, pointer, /*alignment=*/1);
  }
  void forEachRow(Value rows, function_ref<void(Value row)> body);
  Value makeTile();
  Value getRows() {
    return arith::ExtUIOp::create(builder, loc, builder.getI64Type(),
                                  call.getArgs()[0]);
  }

  void copy(Value from, Value fromStride, Value to, Value toStride);
  void multiply(Value sums, Value a, Value b);

  LLVM::CallIntrinsicOp call;
  StringRef target;
  OpBuilder builder;
  Location loc;
};
} // namespace

void TileLoops::forEachRow(Value rows, function_ref<void(Value row)> body) {
  auto loop = scf::ForOp::create(builder, loc, constant(0), rows, constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

Value TileLoops::makeTile() {
  OpBuilder::InsertionGuard guard(builder);
  auto function = call->getParentOfType<FunctionOpInterface>();
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  return LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      builder.getI8Type(), constant(amx::kRows * amx::kRowBytes),
      /*alignment=*/64);
}

void TileLoops::copy(Value from, Value fromStride, Value to, Value toStride) {
  forEachRow(getRows(), [&](Value row) {
    store(load(at(from, row, fromStride), vectorOf(builder.getI8Type())),
          at(to, row, toStride));
  });
}

void TileLoops::multiply(Value sums, Value a, Value b) {
  Value stride = constant(amx::kRowBytes), pairBytes = constant(4);
  Type i32 = builder.getI32Type();
  VectorType f32s = vectorOf(builder.getF32Type());
  VectorType pairs = vectorOf(builder.getBF16Type());
  forEachRow(getRows(), [&](Value row) {
    Value rowOfA = at(a, row, stride), rowOfSums = at(sums, row, stride);
    forEachRow(constant(amx::kPairs), [&](Value pair) {
      Value x = vector::BroadcastOp::create(
          builder, loc, vectorOf(i32), load(at(rowOfA, pair, pairBytes), i32));
      x = vector::BitCastOp::create(builder, loc, pairs, x);
      Value y = load(at(b, pair, stride), pairs);
      Value sum = x86vector::DotBF16Op::create(builder, loc, f32s,
                                               load(rowOfSums, f32s), x, y);
      store(sum, rowOfSums);
    });
  });
}

FailureOr<Value> TileLoops::emit() {
  enum class Kind { Zero, Load, Store, Multiply, Unknown };
  Kind kind = llvm::StringSwitch<Kind>(call.getIntrin())
                  .Case(amx::kZeroName, Kind::Zero)
                  .Case(amx::kLoadName, Kind::Load)
                  .Case(amx::kStoreName, Kind::Store)
                  .Case(amx::kMultiplyName, Kind::Multiply)
                  .Default(Kind::Unknown);
  OperandRange args = call.getArgs();
  Value stride = constant(amx::kRowBytes);
  switch (kind) {
  case Kind::Zero: {
    Value tile = makeTile();
    Value zeros = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(vectorOf(builder.getI8Type())));
    forEachRow(getRows(),
               [&](Value row) { store(zeros, at(tile, row, stride)); });
    return tile;
  }
  case Kind::Load: {
    Value tile = makeTile();
    copy(args[2], args[3], tile, stride);
    return tile;
  }
  case Kind::Store:
    copy(args[4], stride, args[2], args[3]);
    return Value();
  case Kind::Multiply:
    // Sums are used once, so the new ones may take their place.
    if (!args[3].hasOneUse())
      return call.emitError("adds to a tile that is used again, which only the "
                            "instruction can");
    multiply(args[3], args[4], args[5]);
    return args[3];
  case Kind::Unknown:
    break;
  }
  return call.emitError("is an operation on AMX tiles that the target '")
         << target << "' cannot make: " << call.getIntrin();
}

namespace {
struct LowerAMXPass : ourc::impl::LowerAMXBase<LowerAMXPass> {
  using LowerAMXBase::LowerAMXBase;

  void runOnOperation() override {
    FailureOr<cpu::MachineDescription> machine =
        parseTargetOption(getOperation(), target);
    if (failed(machine))
      return signalPassFailure();
    if (machine->multipliesTiles)
      return;
    auto isTile = [](Value value) {
      return isa<LLVM::LLVMX86AMXType>(value.getType());
    };
    SmallVector<LLVM::CallIntrinsicOp> calls;
    getOperation()->walk([&](LLVM::CallIntrinsicOp call) {
      if (llvm::any_of(call->getOperands(), isTile) ||
          llvm::any_of(call->getResults(), isTile))
        calls.push_back(call);
    });
    if (calls.empty())
      return;
    for (LLVM::CallIntrinsicOp call : calls) {
      FailureOr<Value> tile = TileLoops(call, target).emit();
      if (failed(tile))
        return signalPassFailure();
      if (*tile)
        call->getResult(0).replaceAllUsesWith(*tile);
      call->erase();
      ++numTiles;
    }
    // Tiles that loops carry are pointers now.
    Type pointer = LLVM::LLVMPointerType::get(&getContext());
    getOperation()->walk([&](Block *block) {
      for (BlockArgument argument : block->getArguments())
        if (isTile(argument))
          argument.setType(pointer);
    });
    getOperation()->walk([&](Operation *op) {
      for (Value result : op->getResults())
        if (isTile(result))
          result.setType(pointer);
    });
  }
};
} // namespace
