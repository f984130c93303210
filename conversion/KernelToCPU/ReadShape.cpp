//===- ReadShape.cpp - Reads through operations that move elements --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Memory.h"
#include "conversion/KernelToCPU/OperandReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ourc;

/// The elements inside of all bounds from `inside`, the others from `outside`.
FailureOr<Value> OperandReader::readWindow(OpBuilder &builder, Location loc,
                                           Type element, ArrayRef<Bound> bounds,
                                           Value mask, bool uniform,
                                           Part inside, Part outside) {
  Value guard, lanesIn;
  auto conjoin = [&](Value &into, Value condition) {
    into =
        into ? arith::AndIOp::create(builder, loc, into, condition).getResult()
             : condition;
  };
  for (const Bound &bound : bounds) {
    Value index = bound.index.emit(builder, loc, lanes);
    Value &into = bound.index.isUniform() ? guard : lanesIn;
    if (bound.low) {
      Value zero = arith::ConstantOp::create(
          builder, loc, builder.getZeroAttr(index.getType()));
      conjoin(into, arith::CmpIOp::create(
                        builder, loc, arith::CmpIPredicate::sge, index, zero));
    }
    if (bound.high) {
      Value high = bound.index.isUniform()
                       ? bound.high
                       : emitSplat(builder, loc, bound.high, lanes);
      conjoin(into, arith::CmpIOp::create(
                        builder, loc, arith::CmpIPredicate::slt, index, high));
    }
  }
  Value inMask = mask;
  if (lanesIn) {
    inMask =
        mask ? arith::AndIOp::create(builder, loc, mask, lanesIn).getResult()
             : lanesIn;
    conjoin(guard, vector::ReductionOp::create(
                       builder, loc, vector::CombiningKind::OR, inMask));
  }
  if (!guard)
    return inside(builder, mask);
  Type storage = element.isBF16() ? builder.getIntegerType(16) : element;
  Type type = uniform ? storage : Type(VectorType::get({lanes}, storage));
  auto splat = [&](OpBuilder &b, Value value) {
    return toBits(b, loc, uniform ? value : emitSplat(b, loc, value, lanes));
  };
  FailureOr<Value> other;
  if (lanesIn) {
    other = outside(builder, mask);
    if (failed(other))
      return failure();
    *other = splat(builder, *other);
  }
  auto choose = scf::IfOp::create(builder, loc, type, guard,
                                  /*withElseRegion=*/true);
  OpBuilder in = choose.getThenBodyBuilder();
  FailureOr<Value> value = inside(in, inMask);
  if (failed(value))
    return failure();
  Value chosen = splat(in, *value);
  if (lanesIn)
    chosen = arith::SelectOp::create(in, loc, lanesIn, chosen, *other);
  scf::YieldOp::create(in, loc, chosen);
  OpBuilder out = choose.getElseBodyBuilder();
  if (!lanesIn) {
    other = outside(out, mask);
    if (failed(other))
      return failure();
    *other = splat(out, *other);
  }
  scf::YieldOp::create(out, loc, *other);
  return fromBits(builder, loc, choose.getResult(0), element);
}

static bool isUniform(ArrayRef<LaneIndex> indices) {
  return llvm::all_of(indices, [](auto &index) { return index.isUniform(); });
}

static bool isZero(OpFoldResult value) { return isConstantIntValue(value, 0); }

FailureOr<Value> OperandReader::readShaped(OpBuilder &builder, Location loc,
                                           Operation *op, Indices indices,
                                           Value mask) {
  auto readAt = [&](Value source, Indices at) {
    return read(builder, loc, source, at, mask);
  };
  Type element = getElementTypeOrSelf(op->getResult(0).getType());

  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return readAt(cast.getSource(), indices);
  if (isa<tensor::EmptyOp>(op))
    // Nobody may rely on the elements.
    return abi.getConstant(builder.getZeroAttr(element));
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return readScalar(builder, loc, splat.getInput());
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op);
      elements && elements.getElements().size() == 1)
    return readScalar(builder, loc, elements.getElements()[0]);

  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<LaneIndex> at;
    for (const ReassociationIndices &group : expand.getReassociationIndices()) {
      LaneIndex index;
      for (int64_t d : group) {
        index = scale(builder, loc, index, abi.getDim(expand.getResult(), d));
        index = index + indices[d];
      }
      at.push_back(index);
    }
    return readAt(expand.getSrc(), at);
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    auto source = collapse.getSrc();
    SmallVector<LaneIndex> at(source.getType().getRank());
    for (auto [i, group] :
         llvm::enumerate(collapse.getReassociationIndices())) {
      LaneIndex rest = indices[i];
      for (int64_t d : llvm::reverse(ArrayRef(group).drop_front())) {
        std::tie(rest, at[d]) =
            emitDivRem(builder, loc, rest, abi.getDim(source, d), lanes);
      }
      at[group.front()] = rest;
    }
    return readAt(source, at);
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<LaneIndex> at;
    unsigned next = 0;
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
    SmallVector<OpFoldResult> strides = slice.getMixedStrides();
    for (unsigned d = 0; d < offsets.size(); ++d) {
      LaneIndex index(abi.getIndex(offsets[d]));
      if (!dropped.test(d))
        index = index +
                scale(builder, loc, indices[next++], abi.getIndex(strides[d]));
      at.push_back(index);
    }
    return readAt(slice.getSource(), at);
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (!insert.hasUnitStride() ||
        insert.getSourceType().getRank() != insert.getType().getRank()) {
      op->emitError("only slices of unit stride and full rank can be inserted "
                    "in a kernel");
      return failure();
    }
    SmallVector<LaneIndex> at;
    SmallVector<Bound> bounds;
    for (auto [d, index] : llvm::enumerate(indices)) {
      LaneIndex offset(abi.getIndex(insert.getMixedOffsets()[d]));
      at.push_back(index + offset * -1);
      bounds.push_back({at.back(), true, abi.getDim(insert.getSource(), d)});
    }
    return readWindow(
        builder, loc, element, bounds, mask, isUniform(indices),
        [&](OpBuilder &b, Value m) {
          return read(b, loc, insert.getSource(), at, m);
        },
        [&](OpBuilder &b, Value m) {
          return read(b, loc, insert.getDest(), indices, m);
        });
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    auto yield = cast<tensor::YieldOp>(pad.getRegion().front().getTerminator());
    SmallVector<LaneIndex> at;
    SmallVector<Bound> bounds;
    SmallVector<OpFoldResult> low = pad.getMixedLowPad();
    SmallVector<OpFoldResult> high = pad.getMixedHighPad();
    for (auto [d, index] : llvm::enumerate(indices)) {
      LaneIndex offset(abi.getIndex(low[d]));
      at.push_back(index + offset * -1);
      if (isZero(low[d]) && isZero(high[d]))
        continue;
      bounds.push_back(
          {at.back(), !isZero(low[d]),
           isZero(high[d]) ? Value() : abi.getDim(pad.getSource(), d)});
    }
    return readWindow(
        builder, loc, element, bounds, mask, isUniform(indices),
        [&](OpBuilder &b, Value m) {
          return read(b, loc, pad.getSource(), at, m);
        },
        [&](OpBuilder &b, Value) {
          return readScalar(b, loc, yield.getValue());
        });
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    // Inputs end where the next begins: the first that does not end before the
    // index has the element.
    int64_t dim = concat.getDim();
    std::function<FailureOr<Value>(OpBuilder &, Value, unsigned, LaneIndex)>
        readFrom = [&](OpBuilder &b, Value m, unsigned input,
                       LaneIndex index) -> FailureOr<Value> {
      Value source = concat.getInputs()[input];
      SmallVector<LaneIndex> at(indices);
      at[dim] = index;
      if (input + 1 == concat.getInputs().size())
        return read(b, loc, source, at, m);
      Value size = abi.getDim(source, dim);
      // An index that has passed earlier inputs is negative in their lanes; the
      // later value is discarded there, but must not be read.
      return readWindow(
          b, loc, element, {{index, false, size}}, m, isUniform(indices),
          [&](OpBuilder &in, Value im) {
            return read(in, loc, source, at, im);
          },
          [&](OpBuilder &out, Value om) -> FailureOr<Value> {
            LaneIndex rest = index + LaneIndex(size) * -1;
            if (index.isUniform())
              return readFrom(out, om, input + 1, rest);
            return readWindow(
                out, loc, element, {{rest, true, Value()}}, om,
                isUniform(indices),
                [&](OpBuilder &in, Value im) {
                  return readFrom(in, im, input + 1, rest);
                },
                [&](OpBuilder &, Value) -> FailureOr<Value> {
                  return abi.getConstant(builder.getZeroAttr(element));
                });
          });
    };
    return readFrom(builder, mask, 0, indices[dim]);
  }
  if (auto pack = dyn_cast<linalg::PackOp>(op)) {
    auto source = cast<RankedTensorType>(pack.getSource().getType());
    int64_t rank = source.getRank();
    SmallVector<LaneIndex> at(rank);
    ArrayRef<int64_t> perm = pack.getOuterDimsPerm();
    for (int64_t d = 0; d < rank; ++d)
      at[perm.empty() ? d : perm[d]] = indices[d];
    SmallVector<Bound> bounds;
    SmallVector<OpFoldResult> tiles = pack.getMixedTiles();
    for (auto [i, d] : llvm::enumerate(pack.getInnerDimsPos())) {
      at[d] = scale(builder, loc, at[d], abi.getIndex(tiles[i])) +
              indices[rank + i];
      if (pack.getPaddingValue())
        bounds.push_back({at[d], false, abi.getDim(pack.getSource(), d)});
    }
    return readWindow(
        builder, loc, element, bounds, mask, isUniform(indices),
        [&](OpBuilder &b, Value m) {
          return read(b, loc, pack.getSource(), at, m);
        },
        [&](OpBuilder &b, Value) {
          return readScalar(b, loc, pack.getPaddingValue());
        });
  }
  if (auto unpack = dyn_cast<linalg::UnPackOp>(op)) {
    int64_t rank = unpack.getDestRank();
    SmallVector<LaneIndex> outer(indices), inner;
    SmallVector<OpFoldResult> tiles = unpack.getMixedTiles();
    for (auto [i, d] : llvm::enumerate(unpack.getInnerDimsPos())) {
      auto [q, r] =
          emitDivRem(builder, loc, outer[d], abi.getIndex(tiles[i]), lanes);
      outer[d] = q;
      inner.push_back(r);
    }
    ArrayRef<int64_t> perm = unpack.getOuterDimsPerm();
    SmallVector<LaneIndex> at;
    for (int64_t d = 0; d < rank; ++d)
      at.push_back(outer[perm.empty() ? d : perm[d]]);
    at.append(inner);
    return readAt(unpack.getSource(), at);
  }
  op->emitError("elements of this result cannot be computed in this kernel");
  return failure();
}
