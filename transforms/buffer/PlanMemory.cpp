//===- PlanMemory.cpp - Intermediate buffers share one arena --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/buffer/Passes.h"

#include "runtime/core/MemoryPlan.h"
#include "transforms/buffer/ProgramFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#define DEBUG_TYPE "ourc-plan-memory"

namespace ourc {
#define GEN_PASS_DEF_PLANMEMORY
#include "transforms/buffer/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

namespace {

/// An allocation and when it lives.
struct Buffer {
  memref::AllocOp alloc;
  OurcBufferDesc lifetime;
};

class PlanMemoryPass : public ourc::impl::PlanMemoryBase<PlanMemoryPass> {
public:
  void runOnOperation() override {
    if (failed(verifyProgram(getOperation())))
      return signalPassFailure();
    for (func::FuncOp func : programFunctions(getOperation()))
      if (failed(func.getName() == kMainName ? planMain(func) : planInit(func)))
        return signalPassFailure();
  }

private:
  LogicalResult findBuffers(func::FuncOp func, SmallVector<Buffer> &buffers);
  LogicalResult planMain(func::FuncOp func);
  LogicalResult planInit(func::FuncOp func);
};

} // namespace

/// Whether the op reads or writes memory when it runs.
static bool touchesMemory(Operation &op) {
  return !isMemoryEffectFree(&op) && !isa<memref::AllocOp>(op) &&
         !op.hasTrait<OpTrait::IsTerminator>();
}

LogicalResult PlanMemoryPass::findBuffers(func::FuncOp func,
                                          SmallVector<Buffer> &buffers) {
  DenseMap<Operation *, int32_t> position;
  int32_t count = 0;
  for (Operation &op : func.getBody().front())
    if (touchesMemory(op))
      position[&op] = count++;
  for (auto alloc : func.getBody().front().getOps<memref::AllocOp>()) {
    if (!hasStorableElements(alloc.getType()))
      return alloc.emitError("holds elements of ")
             << alloc.getType().getElementType()
             << ", which have no size in a program's memory";
    Buffer buffer{alloc, {INT32_MAX, -1}};
    SmallVector<Value> aliases{alloc.getResult()};
    while (!aliases.empty()) {
      for (Operation *user : aliases.pop_back_val().getUsers()) {
        if (isa<ViewLikeOpInterface>(user)) {
          llvm::append_range(aliases, user->getResults());
          continue;
        }
        auto at = position.find(user);
        if (at == position.end())
          return user->emitError("lets a buffer escape; cannot plan memory");
        buffer.lifetime.firstUse =
            std::min(buffer.lifetime.firstUse, at->second);
        buffer.lifetime.lastUse = std::max(buffer.lifetime.lastUse, at->second);
      }
    }
    if (buffer.lifetime.lastUse >= 0)
      buffers.push_back(buffer);
  }
  // Unused ones need no place.
  SmallVector<memref::AllocOp> all(
      func.getBody().front().getOps<memref::AllocOp>());
  for (memref::AllocOp alloc : all)
    if (alloc->use_empty())
      alloc.erase();
  return success();
}

/// The type of an arena.
static MemRefType bytesType(MLIRContext *context) {
  return MemRefType::get({ShapedType::kDynamic}, IntegerType::get(context, 8));
}

static int64_t elementBytes(MemRefType type) {
  return llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// Replaces an allocation by its place in the arena.
static void place(Buffer buffer, Value arena, Value offset) {
  OpBuilder b(buffer.alloc);
  auto view =
      memref::ViewOp::create(b, buffer.alloc.getLoc(), buffer.alloc.getType(),
                             arena, offset, buffer.alloc.getDynamicSizes());
  buffer.alloc.replaceAllUsesWith(view.getResult());
  buffer.alloc.erase();
}

LogicalResult PlanMemoryPass::planMain(func::FuncOp func) {
  SmallVector<Buffer> buffers;
  if (failed(findBuffers(func, buffers)))
    return failure();
  OpBuilder b(func);
  unsigned arenaNumber = func.getNumArguments();
  if (failed(func.insertArgument(
          arenaNumber, bytesType(&getContext()),
          b.getDictionaryAttr(b.getNamedAttr(kArenaAttrName, b.getUnitAttr())),
          func.getLoc())))
    return failure();
  for (Buffer &buffer : buffers) {
    MemRefType type = buffer.alloc.getType();
    b.setInsertionPoint(buffer.alloc);
    OpFoldResult bytes = b.getIndexAttr(elementBytes(type));
    for (OpFoldResult size : buffer.alloc.getMixedSizes())
      bytes = multiplySizes(b, buffer.alloc.getLoc(), bytes, size);
    Value value = dyn_cast<Value>(bytes);
    if (!value)
      value = arith::ConstantIndexOp::create(b, buffer.alloc.getLoc(),
                                             *getConstantIntValue(bytes));
    unsigned number;
    if (failed(appendToShapes(getOperation(), value, number)))
      return buffer.alloc.emitError(
          "the buffer's size depends on data of the program, which is not "
          "supported: it must follow from the inputs' sizes");
    unsigned argument = func.getNumArguments();
    auto lifetime = b.getDenseI64ArrayAttr(
        {buffer.lifetime.firstUse, buffer.lifetime.lastUse});
    if (failed(func.insertArgument(
            argument, b.getIndexType(),
            b.getDictionaryAttr(b.getNamedAttr(kLifetimeAttrName, lifetime)),
            buffer.alloc.getLoc())))
      return failure();
    place(buffer, func.getArgument(arenaNumber), func.getArgument(argument));
    ++numPlanned;
  }
  return success();
}

LogicalResult PlanMemoryPass::planInit(func::FuncOp func) {
  SmallVector<Buffer> buffers;
  if (failed(findBuffers(func, buffers)))
    return failure();
  SmallVector<OurcBufferDesc> lifetimes;
  SmallVector<int64_t> bytes;
  for (Buffer &buffer : buffers) {
    MemRefType type = buffer.alloc.getType();
    if (!type.hasStaticShape())
      return buffer.alloc.emitError(
          "the size of a weight's preparation must be static");
    lifetimes.push_back(buffer.lifetime);
    bytes.push_back(type.getNumElements() * elementBytes(type));
  }
  SmallVector<int64_t> offsets(buffers.size());
  runtime::MemoryPlan plan;
  if (runtime::planMemory(lifetimes.data(), bytes.data(), bytes.size(),
                          runtime::PlanEffort::quick, offsets.data(),
                          plan) != runtime::PlanStatus::ok)
    return func.emitError("the memory of its buffers could not be planned");
  OpBuilder b(func);
  unsigned arenaNumber = func.getNumArguments();
  if (failed(func.insertArgument(
          arenaNumber, bytesType(&getContext()),
          b.getDictionaryAttr(b.getNamedAttr(kArenaAttrName, b.getUnitAttr())),
          func.getLoc())))
    return failure();
  func->setAttr(kScratchBytesAttrName, b.getI64IntegerAttr(plan.arenaBytes));
  for (auto [buffer, offset] : llvm::zip(buffers, offsets)) {
    b.setInsertionPoint(buffer.alloc);
    Value value =
        arith::ConstantIndexOp::create(b, buffer.alloc.getLoc(), offset);
    place(buffer, func.getArgument(arenaNumber), value);
    ++numPlanned;
  }
  return success();
}
