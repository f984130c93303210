//===- Scatter.cpp - Emits the strategy scatter ---------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Emitters.h"
#include "conversion/KernelToCPU/LaneLoop.h"
#include "conversion/KernelToCPU/Memory.h"
#include "conversion/KernelToCPU/OperandReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;

static int64_t rankOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getRank();
}

namespace {
class ScatterEmitter {
public:
  ScatterEmitter(KernelABI &abi, kernel::ScatterOp scatter,
                 kernel::CPUScatterAttr schedule)
      : abi(abi), scatter(scatter), schedule(schedule), loc(abi.getLoc()),
        freeDims(scatter.getFreeDims()), rank(rankOf(scatter.getOutput())),
        indexRank(rankOf(scatter.getIndices()[0])),
        hasLanes(!freeDims.empty() && freeDims.back() == rank - 1),
        reader(abi, hasLanes ? schedule.getLanes() : 1) {}

  LogicalResult emit();

private:
  /// The dimensions that tasks share: all that are not indexed but the lanes'.
  ArrayRef<int64_t> taskDims() {
    return hasLanes ? ArrayRef(freeDims).drop_back() : ArrayRef(freeDims);
  }
  LogicalResult emitTask(OpBuilder &builder, Value number);
  LogicalResult emitIndices(OpBuilder &builder, int64_t dim);
  LogicalResult emitUpdate(OpBuilder &builder);
  LogicalResult emitElements(OpBuilder &builder, Value mask);
  Value getGrain();

  KernelABI &abi;
  kernel::ScatterOp scatter;
  kernel::CPUScatterAttr schedule;
  Location loc;
  SmallVector<int64_t> freeDims;
  int64_t rank, indexRank;
  bool hasLanes;
  OperandReader reader;
  SmallVector<LaneIndex> at;    ///< of the updates
  SmallVector<LaneIndex> place; ///< in the destination
};
} // namespace

/// Tasks that make enough elements.
Value ScatterEmitter::getGrain() {
  Value perTask = abi.getConstant(1), one = perTask;
  auto fold = [&](auto create, Value a, Value b) {
    OpBuilder top = abi.getSizeBuilder();
    return create(top, a, b);
  };
  auto multiply = [&](OpBuilder &b, Value x, Value y) {
    return b.createOrFold<arith::MulIOp>(loc, x, y);
  };
  auto divide = [&](OpBuilder &b, Value x, Value y) {
    return b.createOrFold<arith::DivSIOp>(loc, x, y);
  };
  auto atLeast = [&](OpBuilder &b, Value x, Value y) {
    return b.createOrFold<arith::MaxSIOp>(loc, x, y);
  };
  for (int64_t d = 0; d < indexRank; ++d)
    perTask = fold(multiply, perTask, abi.getDim(scatter.getIndices()[0], d));
  if (hasLanes)
    perTask =
        fold(multiply, perTask, abi.getDim(scatter.getOutput(), rank - 1));
  perTask = fold(atLeast, perTask, one);
  Value grain = fold(divide, abi.getConstant(schedule.getGrain()), perTask);
  return fold(atLeast, grain, one);
}

LogicalResult ScatterEmitter::emit() {
  Value count = abi.getConstant(1);
  for (int64_t dim : taskDims()) {
    Value size = abi.getDim(scatter.getOutput(), dim);
    OpBuilder top = abi.getSizeBuilder();
    count = top.createOrFold<arith::MulIOp>(loc, count, size);
  }
  Value grain = getGrain();
  OpBuilder builder = abi.getBodyBuilder();
  LogicalResult result = success();
  abi.emitParallelFor(
      builder, count, grain, [&](OpBuilder &task, Value begin, Value end) {
        Value step = arith::ConstantIntOp::create(task, loc, 1, 64);
        auto loop = scf::ForOp::create(task, loc, begin, end, step);
        OpBuilder inside(loop.getBody()->getTerminator());
        result = emitTask(inside, loop.getInductionVar());
      });
  return result;
}

/// One position of the dimensions that tasks share.
LogicalResult ScatterEmitter::emitTask(OpBuilder &builder, Value number) {
  at.assign(indexRank + freeDims.size(), LaneIndex());
  place.assign(rank, LaneIndex());
  LaneIndex rest(number);
  ArrayRef<int64_t> dims = taskDims();
  for (int64_t i = dims.size() - 1; i >= 0; --i) {
    LaneIndex index = rest;
    if (i > 0)
      std::tie(rest, index) = emitDivRem(
          builder, loc, rest, abi.getDim(scatter.getOutput(), dims[i]),
          reader.getLanes());
    at[indexRank + i] = place[dims[i]] = index;
  }
  return emitIndices(builder, 0);
}

/// The loops over the indices, one after the other.
LogicalResult ScatterEmitter::emitIndices(OpBuilder &builder, int64_t dim) {
  if (dim == indexRank)
    return emitUpdate(builder);
  Value size = abi.getDim(scatter.getIndices()[0], dim);
  APInt known;
  if (matchPattern(size, m_ConstantInt(&known)) && known == 1)
    return emitIndices(builder, dim + 1);
  auto loop = scf::ForOp::create(builder, loc, abi.getConstant(0), size,
                                 abi.getConstant(1));
  OpBuilder inside(loop.getBody()->getTerminator());
  at[dim] = LaneIndex(loop.getInductionVar());
  return emitIndices(inside, dim + 1);
}

/// The updates of one position of the indices, where they are in range.
LogicalResult ScatterEmitter::emitUpdate(OpBuilder &builder) {
  Value allInside, outlier;
  for (auto [axis, index] :
       llvm::zip(scatter.getAxes(), scatter.getIndices())) {
    FailureOr<Value> read =
        reader.read(builder, loc, index, ArrayRef(at).take_front(indexRank));
    if (failed(read))
      return failure();
    Value value = *read;
    if (!value.getType().isInteger(64))
      value = arith::ExtSIOp::create(builder, loc, builder.getI64Type(), value);
    place[axis] = LaneIndex(value);
    Value size = abi.getDim(scatter.getOutput(), axis);
    Value inside = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, value, size);
    // The first index that is out of range is the one to report.
    outlier = outlier ? arith::SelectOp::create(builder, loc, allInside, value,
                                                outlier)
                            .getResult()
                      : value;
    allInside =
        allInside
            ? arith::AndIOp::create(builder, loc, allInside, inside).getResult()
            : inside;
  }
  auto branch =
      scf::IfOp::create(builder, loc, allInside, /*withElseRegion=*/true);
  OpBuilder outside = branch.getElseBodyBuilder();
  abi.emitReportError(outside, "index out of range", outlier);
  OpBuilder inside = branch.getThenBodyBuilder();
  if (!hasLanes)
    return emitElements(inside, {});
  Value size = abi.getDim(scatter.getOutput(), rank - 1);
  return emitLaneLoop(inside, loc, abi.getConstant(0), size, reader.getLanes(),
                      [&](OpBuilder &b, const LaneIndex &lane, Value mask) {
                        at.back() = place.back() = lane;
                        return emitElements(b, mask);
                      });
}

LogicalResult ScatterEmitter::emitElements(OpBuilder &builder, Value mask) {
  FailureOr<Value> update =
      reader.read(builder, loc, scatter.getUpdates(), at, mask);
  if (failed(update))
    return failure();
  Value destination = scatter.getOutput();
  LaneIndex offset = reader.linearize(builder, loc, destination, place);
  Value pointer = abi.getPointer(cast<BlockArgument>(getStorage(destination)));
  Type element = getElementTypeOrSelf(destination.getType());
  Value old;
  if (scatter.readsElements())
    old = emitLoad(builder, loc, element, pointer, offset, reader.getLanes(),
                   mask);
  FailureOr<SmallVector<Value>> value =
      reader.emitBody(builder, scatter.getCombine().front(), {old, *update},
                      /*loops=*/{}, mask);
  if (failed(value))
    return failure();
  emitStore(builder, loc, value->front(), pointer, offset, reader.getLanes(),
            mask);
  return success();
}

LogicalResult ourc::emitScatter(KernelABI &abi,
                                kernel::CPUScatterAttr schedule) {
  kernel::FuncOp kernel = abi.getKernel();
  auto scatters = kernel.getBody().front().getOps<kernel::ScatterOp>();
  if (!llvm::hasSingleElement(scatters) ||
      kernel.getFunctionType().getNumResults() != 1 ||
      !kernel.updatesDestination(0))
    return kernel.emitOpError("must return one kernel.scatter into its "
                              "destination to have the schedule ")
           << schedule;
  return ScatterEmitter(abi, *scatters.begin(), schedule).emit();
}
