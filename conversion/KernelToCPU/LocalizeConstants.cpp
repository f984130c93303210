//===- LocalizeConstants.cpp - Constants beside loops full of sums --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM moves vectors of constants out of all loops, where each takes a register
// in every one of them, and its register allocator then spills sums of the
// innermost loop rather than make the constants again.
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Passes.h"
#include "conversion/KernelToCPU/TargetOption.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#define DEBUG_TYPE "ourc-localize-constants"

namespace ourc {
#define GEN_PASS_DEF_LOCALIZECONSTANTS
#include "conversion/KernelToCPU/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

/// A value that LLVM does not know, so it stays where it is.
static Value hide(OpBuilder &builder, Location loc, Value scalar) {
  return LLVM::InlineAsmOp::create(
             builder, loc, scalar.getType(), scalar, /*asm_string=*/"",
             /*constraints=*/"=x,0", /*has_side_effects=*/true,
             /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
             LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

namespace {
struct LocalizeConstantsPass
    : ourc::impl::LocalizeConstantsBase<LocalizeConstantsPass> {
  using LocalizeConstantsBase::LocalizeConstantsBase;

  void runOnOperation() override {
    FailureOr<cpu::MachineDescription> machine =
        parseTargetOption(getOperation(), target);
    if (failed(machine))
      return signalPassFailure();
    numRegisters = machine->numVectorRegisters;
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) {
      if (llvm::any_of(*block, [&](Operation &op) { return isFull(op); }))
        blocks.push_back(block);
    });
    for (Block *block : blocks)
      localize(block);
  }

  /// Loops whose sums take half of the registers leave no room.
  bool isFull(Operation &op) const {
    auto loop = dyn_cast<scf::ForOp>(op);
    return loop &&
           llvm::count_if(loop.getResultTypes(), llvm::IsaPred<VectorType>) *
                   2 >=
               numRegisters;
  }

  void localize(Block *block) {
    DenseMap<Attribute, Value> local;
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      // No constant is live across a full loop.
      if (isFull(op))
        local.clear();
      op.walk([&](Operation *user) {
        for (OpOperand &operand : user->getOpOperands()) {
          SplatElementsAttr splat = getSplat(operand.get());
          // What is of this block already is near enough.
          if (!splat || operand.get().getParentBlock() == block)
            continue;
          Value &value = local[splat];
          if (!value) {
            OpBuilder builder(&op);
            Location loc = operand.get().getLoc();
            Value scalar = arith::ConstantOp::create(
                builder, loc, splat.getSplatValue<TypedAttr>());
            value = vector::BroadcastOp::create(builder, loc, splat.getType(),
                                                hide(builder, loc, scalar));
            ++numLocalized;
          }
          operand.set(value);
        }
      });
      if (isFull(op))
        local.clear();
    }
  }

  /// The elements of a constant vector of floats. Zero takes no load: the
  /// allocator makes it again.
  static SplatElementsAttr getSplat(Value value) {
    SplatElementsAttr splat;
    auto type = dyn_cast<VectorType>(value.getType());
    if (!type || !type.getElementType().isF32() ||
        !matchPattern(value, m_Constant(&splat)) ||
        splat.getSplatValue<APFloat>().isPosZero())
      return {};
    return splat;
  }

  int64_t numRegisters = 0;
};
} // namespace
