//===- Scatter.cpp - Writes at computed places -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread owns one position of the dimensions that are not indexed, and runs
// over the indices in order: what is written last stays, and no two threads
// write to one place.
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/ElementEmitter.h"
#include "conversion/KernelToGPU/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

static int64_t getRank(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getRank();
}

namespace {
class ScatterEmitter {
public:
  ScatterEmitter(kernel::FuncOp kernel, kernel::ScatterOp scatter,
                 kernel::GPUScatterAttr schedule)
      : scatter(scatter), destination(kernel.getDestination(0)),
        frame(kernel, schedule.getThreads()), elements(frame),
        loc(kernel.getLoc()) {}

  LogicalResult emit();

private:
  /// The sizes of the dimensions that are not indexed.
  SmallVector<Value> getFreeSizes(SizeValues &sizes);
  /// The update at one position of the indices.
  LogicalResult emitUpdate(OpBuilder &builder, ArrayRef<Value> at,
                           ArrayRef<Value> free);

  kernel::ScatterOp scatter;
  BlockArgument destination;
  KernelFrame frame;
  ElementEmitter elements;
  Location loc;
};
} // namespace

SmallVector<Value> ScatterEmitter::getFreeSizes(SizeValues &sizes) {
  SmallVector<Value> result;
  for (int64_t dim : scatter.getFreeDims())
    result.push_back(sizes.getDim(destination, dim));
  return result;
}

LogicalResult ScatterEmitter::emit() {
  OpBuilder body = frame.getBodyBuilder();
  Value threads = frame.device().getConstant(frame.getNumThreads());
  Value position = addIndex(
      body, loc,
      mulIndex(body, loc, frame.getBlockId(gpu::Dimension::x), threads),
      frame.getThreadId());
  SmallVector<Value> freeSizes = getFreeSizes(frame.device());
  Value inside =
      arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult, position,
                            frame.device().getProduct(freeSizes));
  auto guard = scf::IfOp::create(body, loc, inside, /*withElse=*/false);
  OpBuilder guarded = guard.getThenBodyBuilder();
  SmallVector<Value> free = delinearize(guarded, loc, position, freeSizes);

  Value indices = scatter.getIndices().front();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < getRank(indices); ++dim)
    sizes.push_back(frame.device().getDim(indices, dim));
  LogicalResult result = success();
  emitLoopNest(guarded, loc, frame, sizes, {},
               [&](OpBuilder &inner, ArrayRef<Value> at,
                   ValueRange) -> SmallVector<Value> {
                 result = emitUpdate(inner, at, free);
                 return {};
               });
  if (failed(result))
    return failure();

  OpBuilder entry = frame.getEntryBuilder();
  SizeValues &host = frame.host();
  Value one = host.getConstant(1);
  Value blocks = ceilDivIndex(entry, loc, host.getProduct(getFreeSizes(host)),
                              host.getConstant(frame.getNumThreads()));
  frame.finish({blocks, one, one});
  return success();
}

LogicalResult ScatterEmitter::emitUpdate(OpBuilder &builder, ArrayRef<Value> at,
                                         ArrayRef<Value> free) {
  SmallVector<Value> place(static_cast<size_t>(getRank(destination)));
  for (auto [dim, coordinate] : llvm::zip_equal(scatter.getFreeDims(), free))
    place[static_cast<size_t>(dim)] = coordinate;
  for (auto [axis, tensor] :
       llvm::zip_equal(scatter.getAxes(), scatter.getIndices())) {
    Value index = elements.emit(builder, tensor, at);
    if (!index)
      return failure();
    index =
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(), index);
    elements.checkIndex(builder, loc, index,
                        frame.device().getDim(destination, axis));
    place[static_cast<size_t>(axis)] = index;
  }
  SmallVector<Value> source(at);
  llvm::append_range(source, free);
  Value update = elements.emit(builder, scatter.getUpdates(), source);
  if (!update)
    return failure();
  // What is not looked at may be anything.
  Value old = scatter.readsElements()
                  ? elements.load(builder, destination, place)
                  : update;
  SmallVector<Value> value =
      elements.inlineRegion(builder, scatter.getCombine(), {old, update});
  if (value.empty())
    return failure();
  elements.store(builder, destination, place, value.front());
  return success();
}

LogicalResult gpucodegen::emitScatter(kernel::FuncOp kernel,
                                      kernel::GPUScatterAttr schedule) {
  auto scatters = kernel.getBody().front().getOps<kernel::ScatterOp>();
  if (!llvm::hasSingleElement(scatters) ||
      kernel.getFunctionType().getNumResults() != 1 ||
      !kernel.updatesDestination(0))
    return kernel.emitOpError("must return one kernel.scatter into its "
                              "destination to have the schedule ")
           << schedule;
  return ScatterEmitter(kernel, *scatters.begin(), schedule).emit();
}
