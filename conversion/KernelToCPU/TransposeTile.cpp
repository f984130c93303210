//===- TransposeTile.cpp - Square tiles of transposed operands ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/TransposeTile.h"
#include "conversion/KernelToCPU/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ourc;

/// Turns a square of vectors: swaps blocks of half the size, then of a quarter,
/// and so on.
static void transpose(OpBuilder &builder, Location loc,
                      MutableArrayRef<Value> rows) {
  int64_t size = rows.size();
  for (int64_t half = size / 2; half >= 1; half /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t l = 0; l < size; ++l) {
      bool right = l & half;
      low.push_back(right ? size + l - half : l);
      high.push_back(right ? size + l : l + half);
    }
    for (int64_t r = 0; r < size; ++r) {
      if (r & half)
        continue;
      Value a = rows[r], b = rows[r + half];
      rows[r] = vector::ShuffleOp::create(builder, loc, a, b, low);
      rows[r + half] = vector::ShuffleOp::create(builder, loc, a, b, high);
    }
  }
}

/// Whether `index` uses a value that `loop` computes.
static bool changesIn(const LaneIndex &index, scf::ForOp loop) {
  SmallVector<Value> values;
  index.collectValues(values);
  return llvm::any_of(values, [&](Value value) {
    return loop.getRegion().isAncestor(value.getParentRegion());
  });
}

std::optional<unsigned>
TransposeTile::getLaneDim(Value tensor, OperandReader::Indices indices,
                          bool guarded) {
  auto type = cast<RankedTensorType>(tensor.getType());
  unsigned last = indices.size() - 1;
  // The last index is the loop's, at a constant distance that is not negative.
  LaneIndex base = indices[last] + LaneIndex(loop.getInductionVar()) * -1;
  if (!base.isUniform() || changesIn(base, loop))
    return std::nullopt;
  std::optional<int64_t> distance = (base + first * -1).getConstant();
  if (!distance || *distance < 0)
    return std::nullopt;
  std::optional<unsigned> laneDim;
  for (unsigned d = 0; d < last; ++d) {
    if (changesIn(indices[d], loop) || !indices[d].isLinear())
      return std::nullopt;
    if (!indices[d].isUniform()) {
      if (laneDim || indices[d].getStep() != 1)
        return std::nullopt;
      laneDim = d;
    }
  }
  // Behind a condition, indices may be anywhere, and there may be no element.
  if (guarded && (!type.hasStaticShape() || type.getNumElements() == 0))
    return std::nullopt;
  return laneDim;
}

Value TransposeTile::fill(Location loc, Value tensor,
                          OperandReader::Indices indices, unsigned laneDim,
                          bool clamp) {
  OpBuilder builder(loop);
  KernelABI &abi = reader.getABI();
  int64_t lanes = reader.getLanes();
  auto type = cast<RankedTensorType>(tensor.getType());
  unsigned last = indices.size() - 1;
  auto clampTo = [&](const LaneIndex &index, unsigned dim) -> LaneIndex {
    Value at = index.emitBase(builder, loc);
    Value zero = abi.getConstant(0), one = abi.getConstant(1);
    Value most =
        arith::SubIOp::create(builder, loc, abi.getDim(tensor, dim), one);
    at = arith::MinSIOp::create(builder, loc, at, most);
    return LaneIndex(
        arith::MaxSIOp::create(builder, loc, at, zero).getResult());
  };

  SmallVector<LaneIndex> at(indices);
  if (clamp)
    for (unsigned d = 0; d < last; ++d)
      if (d != laneDim)
        at[d] = clampTo(at[d], d);
  // Lanes beyond the operand are off; rows beyond it repeat its last one.
  LaneIndex start = at[last];
  int64_t columns = type.getDimSize(last);
  Value mask;
  if (ShapedType::isDynamic(columns) || columns % lanes != 0 ||
      start.getDivisor() % lanes != 0)
    mask = emitMask(builder, loc, start, abi.getDim(tensor, last), lanes);
  at[last] = LaneIndex(start.emitBase(builder, loc), 1);
  LaneIndex row = indices[laneDim].getBase();
  int64_t rows = type.getDimSize(laneDim);
  bool whole = !ShapedType::isDynamic(rows) && rows % lanes == 0 &&
               row.getDivisor() % lanes == 0 && !clamp;
  SmallVector<Value> square;
  for (int64_t r = 0; r < lanes; ++r) {
    if (!ShapedType::isDynamic(rows) && r >= rows) {
      square.push_back(ub::PoisonOp::create(builder, loc, square[0].getType()));
      continue;
    }
    LaneIndex place = row + LaneIndex(r);
    at[laneDim] = whole ? place : clampTo(place, laneDim);
    LaneIndex offset = reader.linearize(builder, loc, tensor, at);
    Value value =
        emitLoad(builder, loc, type.getElementType(),
                 abi.getPointer(cast<BlockArgument>(getStorage(tensor))),
                 offset, lanes, mask);
    square.push_back(toBits(builder, loc, value));
  }
  transpose(builder, loc, square);

  // One buffer for all squares of this operand.
  Operation *function = loop->getParentOfType<func::FuncOp>();
  OpBuilder top = OpBuilder::atBlockBegin(&function->getRegion(0).front());
  Value count = arith::ConstantIntOp::create(top, loc, lanes * lanes, 64);
  Type stored = getElementTypeOrSelf(square[0].getType());
  Value buffer = LLVM::AllocaOp::create(
      top, loc, LLVM::LLVMPointerType::get(builder.getContext()), stored, count,
      /*alignment=*/64);
  for (auto [r, value] : llvm::enumerate(square))
    emitStore(builder, loc, value, buffer,
              LaneIndex(abi.getConstant(r * lanes), 1), lanes, {});
  return buffer;
}

FailureOr<Value> TransposeTile::read(OpBuilder &builder, Location loc,
                                     Value tensor,
                                     OperandReader::Indices indices,
                                     Value mask) {
  // Only loops and branches of this loop are between it and the read.
  bool guarded = builder.getInsertionBlock() != loop.getBody();
  bool inside =
      loop.getRegion().isAncestor(builder.getInsertionBlock()->getParent());
  std::optional<unsigned> laneDim;
  if (inside)
    laneDim = getLaneDim(tensor, indices, guarded);
  if (!laneDim)
    return reader.readMemory(builder, loc, tensor, indices, mask);

  SmallVector<LaneIndex> start(indices);
  start.back() = start.back() + LaneIndex(loop.getInductionVar()) * -1;
  Value buffer;
  for (const Square &square : squares)
    if (square.tensor == tensor && square.indices == start)
      buffer = square.buffer;
  if (!buffer) {
    buffer = fill(loc, tensor, start, *laneDim, guarded);
    squares.push_back({tensor, start, buffer});
  }
  int64_t lanes = reader.getLanes();
  LaneIndex offset(
      (LaneIndex(loop.getInductionVar()) * lanes).emitBase(builder, loc), 1);
  return emitLoad(builder, loc, getElementTypeOrSelf(tensor.getType()), buffer,
                  offset, lanes, {});
}
