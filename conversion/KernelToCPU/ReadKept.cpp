//===- ReadKept.cpp - Values that are computed once a row -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/LaneLoop.h"
#include "conversion/KernelToCPU/Memory.h"
#include "conversion/KernelToCPU/OperandReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ourc;

void OperandReader::keep(const llvm::SetVector<Value> &tensors, Block *level,
                         Value scratch, bool lanesOutside, Value mask) {
  keptTensors = tensors;
  kept.clear();
  keepLevel = level;
  keepPointer = scratch;
  keepLanesOutside = lanesOutside;
  keepMask = mask;
  if (!scratchBytes)
    scratchBytes = abi.getConstant(0);
}

/// Whether `index` can change while `level` runs once.
static bool changesInside(const LaneIndex &index, Block *level) {
  SmallVector<Value> values;
  index.collectValues(values);
  return llvm::any_of(values, [&](Value value) {
    Block *block = value.getParentBlock();
    if (block == level)
      return false;
    for (Operation *op = block->getParentOp(); op; op = op->getParentOp())
      if (op->getBlock() == level)
        return true;
    return false;
  });
}

FailureOr<Value> OperandReader::readKept(OpBuilder &builder, Location loc,
                                         Value tensor, Indices indices,
                                         Value mask) {
  // A dimension that the lanes run along inside of the level changes there,
  // though its first index is a constant where the loop is one vector long.
  SmallVector<bool> isFree;
  for (const LaneIndex &index : indices)
    isFree.push_back(changesInside(index, keepLevel) || !index.isLinear() ||
                     (!index.isUniform() && !keepLanesOutside));
  bool anyFree = llvm::is_contained(isFree, true);
  bool inside = false;
  for (Operation *op = builder.getInsertionBlock()->getParentOp(); op;
       op = op->getParentOp())
    inside |= op->getBlock() == keepLevel;
  if (!anyFree || !inside)
    return compute(builder, loc, tensor, indices, mask);
  Kept *found = nullptr;
  for (Kept &entry : kept[tensor]) {
    bool same = true;
    for (auto [d, index] : llvm::enumerate(indices))
      same &= llvm::is_contained(entry.free, int64_t(d)) == isFree[d] &&
              (isFree[d] || entry.fixed[d] == index);
    if (same)
      found = &entry;
  }
  if (!found) {
    FailureOr<Kept> filled = fillKept(builder, loc, tensor, indices, isFree);
    if (failed(filled))
      return failure();
    kept[tensor].push_back(*filled);
    found = &kept[tensor].back();
  }
  LaneIndex offset;
  for (auto [d, stride] : llvm::zip(found->free, found->strides))
    offset = offset + scale(builder, loc, indices[d], stride);
  if (found->wide)
    offset = LaneIndex((offset * lanes).emitBase(builder, loc), 1);
  return emitLoad(builder, loc, getElementTypeOrSelf(tensor.getType()),
                  found->pointer, offset, lanes, mask);
}

FailureOr<OperandReader::Kept>
OperandReader::fillKept(OpBuilder &builder, Location loc, Value tensor,
                        Indices indices, ArrayRef<bool> isFree) {
  Kept entry;
  int64_t unit = getUnitDim(tensor);
  entry.wide = false;
  for (auto [d, index] : llvm::enumerate(indices)) {
    entry.fixed.push_back(isFree[d] ? LaneIndex() : index);
    if (isFree[d] && static_cast<int64_t>(d) != unit)
      entry.free.push_back(d);
    entry.wide |= !isFree[d] && !index.isUniform();
  }
  if (unit >= 0 && isFree[unit])
    entry.free.push_back(unit);

  // At the level, before the loop that we are in.
  Operation *around = keepLevel->findAncestorOpInBlock(
      *builder.getInsertionBlock()->getParentOp());
  assert(around && "reads what changes inside of the level");
  OpBuilder at(around);

  // Room behind what is kept already; sizes live at the top of the entry.
  Type element = getElementTypeOrSelf(tensor.getType());
  OpBuilder top = abi.getSizeBuilder();
  Value elements = abi.getConstant(entry.wide ? lanes : 1);
  Value stride = abi.getConstant(1);
  entry.strides.resize(entry.free.size());
  for (int64_t i = entry.free.size() - 1; i >= 0; --i) {
    entry.strides[i] = stride;
    Value size = abi.getDim(tensor, entry.free[i]);
    top = abi.getSizeBuilder();
    stride = top.createOrFold<arith::MulIOp>(loc, stride, size);
  }
  elements = top.createOrFold<arith::MulIOp>(loc, elements, stride);
  Value bytes = top.createOrFold<arith::MulIOp>(
      loc, elements, abi.getConstant(getStorageBytes(element)));
  Value round = abi.getConstant(63), mask64 = abi.getConstant(~int64_t(63));
  top = abi.getSizeBuilder();
  bytes = top.createOrFold<arith::AddIOp>(loc, bytes, round);
  bytes = top.createOrFold<arith::AndIOp>(loc, bytes, mask64);
  entry.pointer = KernelABI::emitAddress(at, loc, keepPointer, scratchBytes,
                                         at.getI8Type());
  scratchBytes = top.createOrFold<arith::AddIOp>(loc, scratchBytes, bytes);

  SmallVector<LaneIndex> where(entry.fixed);
  std::function<LogicalResult(OpBuilder &, unsigned)> fill =
      [&](OpBuilder &b, unsigned depth) -> LogicalResult {
    int64_t dim = entry.free[depth];
    Value size = abi.getDim(tensor, dim);
    auto store = [&](OpBuilder &in, Value mask) -> LogicalResult {
      FailureOr<Value> value = compute(in, loc, tensor, where, mask);
      if (failed(value))
        return failure();
      LaneIndex offset;
      for (auto [d, by] : llvm::zip(entry.free, entry.strides))
        offset = offset + scale(in, loc, where[d], by);
      if (entry.wide) {
        offset = LaneIndex((offset * lanes).emitBase(in, loc), 1);
        value = emitSplat(in, loc, *value, lanes);
      }
      emitStore(in, loc, *value, entry.pointer, offset, lanes, mask);
      return success();
    };
    if (depth + 1 == entry.free.size() && !entry.wide)
      return emitLaneLoop(
          b, loc, abi.getConstant(0), size, lanes,
          [&](OpBuilder &in, const LaneIndex &index, Value mask) {
            where[dim] = index;
            return store(in, mask);
          });
    return emitLaneLoop(b, loc, abi.getConstant(0), size, /*lanes=*/1,
                        [&](OpBuilder &in, const LaneIndex &index, Value) {
                          where[dim] = index;
                          return depth + 1 == entry.free.size()
                                     ? store(in,
                                             entry.wide ? keepMask : Value())
                                     : fill(in, depth + 1);
                        });
  };
  if (failed(fill(at, 0)))
    return failure();
  return entry;
}
