//===- ReductionParts.cpp - Reductions that threads share -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/ReductionParts.h"
#include "conversion/KernelToCPU/Memory.h"
#include "conversion/KernelToCPU/Reduction.h"
#include "strategy/cpu/Loops.h"
#include "strategy/cpu/PartialReductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ourc;

using Values = SmallVector<Value>;

Value ReductionParts::allocate(int64_t bytes, Value rows) {
  Value at = used;
  Value each = abi.getConstant(bytes);
  OpBuilder top = abi.getSizeBuilder();
  Value size = top.createOrFold<arith::MulIOp>(abi.getLoc(), rows, each);
  used = top.createOrFold<arith::AddIOp>(abi.getLoc(), used, size);
  Value workspace = abi.getWorkspace();
  top = abi.getSizeBuilder();
  return KernelABI::emitAddress(top, abi.getLoc(), workspace, at,
                                top.getI8Type());
}

void ReductionParts::bind(OperandReader &reader, Block *home) const {
  for (auto [tensor, pointer] : results)
    reader.bind(
        tensor,
        [&reader, tensor = tensor, pointer = pointer](
            OpBuilder &builder, Location loc, OperandReader::Indices indices,
            Value mask) -> FailureOr<Value> {
          LaneIndex at = reader.linearize(builder, loc, tensor, indices);
          return emitLoad(builder, loc, getElementTypeOrSelf(tensor.getType()),
                          pointer, at, reader.getLanes(), mask);
        },
        home);
}

LogicalResult ReductionParts::emitReduction(Operation *op) {
  Location loc = op->getLoc();
  FailureOr<std::unique_ptr<Reduction>> made = Reduction::create(op);
  if (failed(made))
    return failure();
  Reduction &spec = **made;
  std::optional<SmallVector<unsigned>> places = spec.getResultLoops(0);
  if (!spec.canMerge() || !places)
    return op->emitError("cannot be reduced in parts");
  Value tensor = op->getResult(0);
  NestAnalysis analysis(tensor, [&](Value v) { return isComputed(v); });
  analysis.kept.clear();

  // Sizes, at the top of the entry.
  Value rows = abi.getConstant(1), elements = abi.getConstant(1);
  auto multiply = [&](Value &product, Value by) {
    OpBuilder top = abi.getSizeBuilder();
    product = top.createOrFold<arith::MulIOp>(loc, product, by);
  };
  for (int64_t d = 0; d < cast<RankedTensorType>(tensor.getType()).getRank();
       ++d)
    multiply(rows, abi.getDim(tensor, d));
  for (unsigned loop : spec.reduced)
    multiply(elements, spec.getSize(abi, loop));
  if (analysis.laneDim >= 0)
    multiply(elements, abi.getConstant(options.lanes));
  unsigned cut = getCutLoop(op);
  bool along = analysis.laneDim < 0 && spec.getUnitLoop() == cut;
  int64_t unit = along ? options.lanes * options.unroll : 1;
  Value size = spec.getSize(abi, cut), one = abi.getConstant(1);
  Value most = abi.getConstant(maxParts);
  Value grain = abi.getConstant(kElementGrain);
  Value by = abi.getConstant(unit);
  OpBuilder top = abi.getSizeBuilder();
  Value parts = top.createOrFold<arith::DivSIOp>(loc, elements, grain);
  parts = top.createOrFold<arith::MinSIOp>(loc, parts, most);
  parts = top.createOrFold<arith::MaxSIOp>(loc, parts, one);
  auto ceilDiv = [&](Value x, Value y) {
    Value up = top.createOrFold<arith::SubIOp>(loc, y, one);
    up = top.createOrFold<arith::AddIOp>(loc, x, up);
    return top.createOrFold<arith::DivSIOp>(loc, up, y);
  };
  Value step = ceilDiv(ceilDiv(size, parts), by);
  step = top.createOrFold<arith::MulIOp>(loc, step, by);
  step = top.createOrFold<arith::MaxSIOp>(loc, step, one);
  parts = ceilDiv(size, step);
  parts = top.createOrFold<arith::MaxSIOp>(loc, parts, one);

  OpBuilder scratch = abi.getBodyBuilder();
  FailureOr<Values> neutral = spec.emitNeutral(scratch);
  if (failed(neutral))
    return failure();
  SmallVector<Type> types;
  Values states;
  for (Value value : *neutral) {
    types.push_back(value.getType());
    states.push_back(allocate(getPartsBytes(value.getType(), maxParts), rows));
  }
  auto emitNest = [&](Nest::Body body, Value numParts) {
    Root root{tensor, {}, tensor, 0, LaneIndex()};
    Nest nest(abi, options, root, {}, analysis);
    nest.setPrepare(
        [&](OperandReader &reader, Block *home) { bind(reader, home); });
    nest.setBody(std::move(body), numParts);
    return nest.emit();
  };
  auto isApart = [](OperandReader::Indices indices) {
    return llvm::any_of(indices,
                        [](auto &index) { return !index.isUniform(); });
  };
  /// Row `indices` of `part`.
  auto placeOf = [&](OpBuilder &b, OperandReader &reader,
                     OperandReader::Indices indices, const LaneIndex &part) {
    return reader.linearize(b, loc, tensor, indices) +
           reader.scale(b, loc, part, rows);
  };

  LogicalResult reduced = emitNest(
      [&](OpBuilder &b, OperandReader &reader, ArrayRef<LaneIndex> indices,
          Value part, Value mask) -> LogicalResult {
        SmallVector<LaneIndex> loops(spec.numLoops);
        for (auto [dim, index] : llvm::zip(*places, indices))
          loops[dim] = index;
        Value lower = arith::MulIOp::create(b, loc, part, step);
        Value upper = arith::AddIOp::create(b, loc, lower, step);
        upper = arith::MinSIOp::create(b, loc, upper, size);
        FailureOr<Values> state =
            reader.reducePart(b, op, loops, mask, {cut, lower, upper});
        if (failed(state))
          return failure();
        LaneIndex at = placeOf(b, reader, indices, LaneIndex(part));
        for (auto [value, pointer] : llvm::zip(*state, states))
          emitStore(b, loc, value, pointer, at, reader.getLanes(), mask);
        return success();
      },
      parts);
  if (failed(reduced))
    return failure();

  Values finals;
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    finals.push_back(allocate(kFinalBytes, rows));
  LogicalResult merged = emitNest(
      [&](OpBuilder &b, OperandReader &reader, ArrayRef<LaneIndex> indices,
          Value, Value mask) -> LogicalResult {
        int64_t width = isApart(indices) ? reader.getLanes() : 1;
        auto load = [&](OpBuilder &in, const LaneIndex &part) {
          LaneIndex at = placeOf(in, reader, indices, part);
          Values state;
          for (auto [type, pointer] : llvm::zip(types, states))
            state.push_back(
                emitLoad(in, loc, type, pointer, at, reader.getLanes(), mask));
          return state;
        };
        Values first = load(b, LaneIndex(0));
        for (Value &value : first)
          value = toBits(b, loc, value);
        Value from = arith::ConstantIntOp::create(b, loc, 1, 64);
        auto loop = scf::ForOp::create(b, loc, from, parts, from, first);
        OpBuilder in = OpBuilder::atBlockBegin(loop.getBody());
        Values before;
        for (auto [value, type] : llvm::zip(loop.getRegionIterArgs(), types))
          before.push_back(fromBits(in, loc, value, type));
        FailureOr<Values> next = spec.merge(
            in, before, load(in, LaneIndex(loop.getInductionVar())), width);
        if (failed(next))
          return failure();
        for (Value &value : *next)
          value = toBits(in, loc, value);
        scf::YieldOp::create(in, loc, *next);
        Values whole;
        for (auto [value, type] : llvm::zip(loop.getResults(), types))
          whole.push_back(fromBits(b, loc, value, type));
        SmallVector<LaneIndex> loops(spec.numLoops);
        for (auto [dim, index] : llvm::zip(*places, indices))
          loops[dim] = index;
        FailureOr<Values> finished =
            spec.finish(reader, b, whole, loops, mask, width);
        if (failed(finished))
          return failure();
        LaneIndex at = reader.linearize(b, loc, tensor, indices);
        for (auto [value, pointer] : llvm::zip(*finished, finals)) {
          if (width > 1)
            value = emitSplat(b, loc, value, width);
          emitStore(b, loc, value, pointer, at, reader.getLanes(), mask);
        }
        return success();
      },
      /*numParts=*/{});
  if (failed(merged))
    return failure();
  for (auto [result, pointer] : llvm::zip(op->getResults(), finals))
    results[result] = pointer;
  return success();
}

LogicalResult ReductionParts::emit() {
  kernel::FuncOp kernel = abi.getKernel();
  if (!kernel.getWorkspace())
    return kernel.emitOpError(
        "has a schedule with parts, which need a workspace");
  AffineExpr bytes = getPartsWorkspace(kernel, maxParts);
  auto wanted = dyn_cast_if_present<AffineConstantExpr>(bytes);
  auto given = cast<RankedTensorType>(kernel.getArgumentTypes().back());
  if (wanted && given.hasStaticShape() &&
      given.getDimSize(0) < wanted.getValue())
    return kernel.emitOpError("has a workspace of ")
           << given.getDimSize(0) << " bytes, but the parts of its schedule "
           << "need " << wanted.getValue();
  used = abi.getConstant(0);
  SmallVector<Operation *> reductions;
  for (Operation &op : kernel.getBody().front())
    if (isReduction(&op))
      reductions.push_back(&op);
  for (Operation *op : reductions)
    if (failed(emitReduction(op)))
      return failure();
  return success();
}
