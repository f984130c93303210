//===- CheckAccess.cpp - Calls before accesses to memory ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/NVVMToSIMT/SimtRuntime.h"
#include "runtime/simt/SimtOps.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ourc::simt;

/// The widest access of a GPU: what is wider is made in parts.
static constexpr uint64_t maxAccessBytes = 16;

/// OurcSimtOrder of an operation.
int32_t ourc::simt::getOrder(LLVM::AtomicOrdering ordering,
                             std::optional<StringRef> scope) {
  int32_t order = scope == "block" ? OURC_SIMT_SCOPE_BLOCK : 0;
  switch (ordering) {
  case LLVM::AtomicOrdering::acquire:
    return order | OURC_SIMT_ACQUIRE;
  case LLVM::AtomicOrdering::release:
    return order | OURC_SIMT_RELEASE;
  case LLVM::AtomicOrdering::acq_rel:
  case LLVM::AtomicOrdering::seq_cst:
    return order | OURC_SIMT_ACQUIRE | OURC_SIMT_RELEASE;
  default:
    return order;
  }
}

std::optional<MemoryAccess> MemoryAccess::of(Operation *op) {
  auto make = [&](Value pointer, Type type, int32_t kind,
                  std::optional<uint64_t> alignment) {
    DataLayout data = DataLayout::closest(op);
    MemoryAccess access;
    access.pointer = pointer;
    access.bytes = data.getTypeSize(type).getFixedValue();
    access.kind = kind;
    uint64_t natural = std::min(
        llvm::bit_floor(std::max<uint64_t>(1, access.bytes)), maxAccessBytes);
    // A smaller alignment than the natural one makes several accesses of it.
    access.alignment = std::min(natural, alignment.value_or(natural));
    return access;
  };
  return llvm::TypeSwitch<Operation *, std::optional<MemoryAccess>>(op)
      .Case<LLVM::LoadOp>([&](LLVM::LoadOp load) {
        // PTX treats volatile accesses as relaxed ones.
        bool atomic = load.getOrdering() != LLVM::AtomicOrdering::not_atomic ||
                      load.getVolatile_();
        MemoryAccess access =
            make(load.getAddr(), load.getType(),
                 atomic ? OURC_SIMT_ATOMIC_LOAD : OURC_SIMT_LOAD,
                 load.getAlignment());
        access.order = getOrder(load.getOrdering(), load.getSyncscope());
        return access;
      })
      .Case<LLVM::StoreOp>([&](LLVM::StoreOp store) {
        bool atomic = store.getOrdering() != LLVM::AtomicOrdering::not_atomic ||
                      store.getVolatile_();
        MemoryAccess access =
            make(store.getAddr(), store.getValue().getType(),
                 atomic ? OURC_SIMT_ATOMIC_STORE : OURC_SIMT_STORE,
                 store.getAlignment());
        access.order = getOrder(store.getOrdering(), store.getSyncscope());
        return access;
      })
      .Case<LLVM::AtomicRMWOp>([&](LLVM::AtomicRMWOp atomic) {
        MemoryAccess access = make(atomic.getPtr(), atomic.getVal().getType(),
                                   OURC_SIMT_ATOMIC, std::nullopt);
        access.order = getOrder(atomic.getOrdering(), atomic.getSyncscope());
        return access;
      })
      .Case<LLVM::AtomicCmpXchgOp>([&](LLVM::AtomicCmpXchgOp atomic) {
        MemoryAccess access = make(atomic.getPtr(), atomic.getVal().getType(),
                                   OURC_SIMT_ATOMIC, std::nullopt);
        access.order =
            getOrder(atomic.getSuccessOrdering(), atomic.getSyncscope());
        return access;
      })
      .Default([](Operation *) { return std::nullopt; });
}

uint64_t ourc::simt::getGranule(Operation *op) {
  if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op))
    return copy.getCpSize() ? 4 : copy.getSize();
  if (auto access = MemoryAccess::of(op))
    return access->alignment;
  return maxAccessBytes;
}

/// The values that a block argument takes, from all branches to its block;
/// false where one is unknown.
static bool getIncoming(BlockArgument argument,
                        SmallVectorImpl<Value> &values) {
  Block *block = argument.getOwner();
  if (block->isEntryBlock())
    return false;
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    if (!branch)
      return false;
    Value value = branch.getSuccessorOperands(
        it.getSuccessorIndex())[argument.getArgNumber()];
    if (!value)
      return false;
    values.push_back(value);
  }
  return true;
}

Value ourc::simt::findRoot(Value pointer) {
  Value root;
  llvm::DenseSet<Value> seen;
  SmallVector<Value> open{pointer};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (!argument.getOwner()->isEntryBlock()) {
        if (!getIncoming(argument, open))
          return {};
        continue;
      }
    } else {
      Operation *op = value.getDefiningOp();
      if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
        open.push_back(gep.getBase());
        continue;
      }
      if (isa<LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op)) {
        open.push_back(op->getOperand(0));
        continue;
      }
      if (auto select = dyn_cast<LLVM::SelectOp>(op)) {
        open.push_back(select.getTrueValue());
        open.push_back(select.getFalseValue());
        continue;
      }
      if (!isa<LLVM::AllocaOp, LLVM::AddressOfOp>(op))
        return {};
    }
    if (root && root != value)
      return {};
    root = value;
  }
  return root;
}

int32_t BufferRoots::find(Value pointer) const {
  Value root = findRoot(pointer);
  if (auto argument = dyn_cast_if_present<BlockArgument>(root))
    return isKernel ? static_cast<int32_t>(argument.getArgNumber()) : -1;
  if (root)
    if (auto address = root.getDefiningOp<LLVM::AddressOfOp>()) {
      auto it = tables.find(address.getGlobalNameAttr().getAttr());
      if (it != tables.end())
        return it->second;
    }
  return -1;
}

bool ourc::simt::checkAccess(Operation *op, RuntimeCalls &runtime,
                             const BufferRoots &roots) {
  std::optional<MemoryAccess> access = MemoryAccess::of(op);
  if (!access)
    return false;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto i64 = [&](uint64_t value) -> Value {
    return LLVM::ConstantOp::create(
        builder, loc, builder.getI64IntegerAttr(static_cast<int64_t>(value)));
  };
  auto i32 = [&](int64_t value) {
    return RuntimeCalls::constant(builder, loc, static_cast<int32_t>(value));
  };
  auto space =
      cast<LLVM::LLVMPointerType>(access->pointer.getType()).getAddressSpace();
  Value root = findRoot(access->pointer);
  if (auto local = root ? root.getDefiningOp<LLVM::AllocaOp>() : nullptr) {
    auto count = local.getArraySize().getDefiningOp<LLVM::ConstantOp>();
    if (!count)
      return false;
    uint64_t size =
        DataLayout::closest(op).getTypeSize(local.getElemType()) *
        cast<IntegerAttr>(count.getValue()).getValue().getZExtValue();
    runtime.call(
        builder, loc, "ourc_simt_check_local", {},
        {runtime.getSite(builder, op), access->pointer, i64(access->bytes),
         i32(static_cast<int64_t>(access->alignment)), local, i64(size)});
    return true;
  }
  SmallVector<Value> arguments{runtime.getSite(builder, op),
                               access->pointer,
                               i64(access->bytes),
                               i32(access->kind),
                               i32(space),
                               i32(static_cast<int64_t>(access->alignment)),
                               i32(roots.find(access->pointer))};
  if (access->kind >= OURC_SIMT_ATOMIC) {
    arguments.push_back(i32(access->order));
    runtime.call(builder, loc, "ourc_simt_atomic", {}, arguments);
    return true;
  }
  runtime.call(builder, loc, "ourc_simt_access", {}, arguments);
  return true;
}
