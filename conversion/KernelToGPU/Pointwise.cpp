//===- Pointwise.cpp - One thread an output element --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/ElementEmitter.h"
#include "conversion/KernelToGPU/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

/// Whether two results have the same sizes for all that is known.
static bool hasSameSizes(SizeValues &sizes, BlockArgument a, BlockArgument b) {
  auto rank = cast<RankedTensorType>(a.getType()).getRank();
  if (rank != cast<RankedTensorType>(b.getType()).getRank())
    return false;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (sizes.getDim(a, dim) != sizes.getDim(b, dim))
      return false;
  return true;
}

LogicalResult gpucodegen::emitPointwise(kernel::FuncOp kernel,
                                        kernel::GPUPointwiseAttr schedule) {
  KernelFrame frame(kernel, schedule.getThreads());
  ElementEmitter elements(frame);
  Location loc = frame.getLoc();
  OpBuilder body = frame.getBodyBuilder();
  SizeValues &sizes = frame.device();
  Value element =
      addIndex(body, loc,
               mulIndex(body, loc, frame.getBlockId(gpu::Dimension::x),
                        sizes.getConstant(schedule.getThreads())),
               frame.getThreadId());

  // Results of one shape share a guard, and with it what they compute.
  OperandRange results = kernel.getReturnOp().getOperands();
  SmallVector<bool> done(results.size(), false);
  for (unsigned i = 0; i < results.size(); ++i) {
    if (done[i])
      continue;
    BlockArgument first = kernel.getDestination(i);
    Value inside = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult,
                                         element, sizes.getNumElements(first));
    auto guard = scf::IfOp::create(body, loc, inside, /*withElse=*/false);
    OpBuilder guarded = guard.getThenBodyBuilder();
    SmallVector<Value> shape;
    for (int64_t dim = 0;
         dim < cast<RankedTensorType>(first.getType()).getRank(); ++dim)
      shape.push_back(sizes.getDim(first, dim));
    SmallVector<Value> coordinates = delinearize(guarded, loc, element, shape);
    for (unsigned j = i; j < results.size(); ++j) {
      BlockArgument destination = kernel.getDestination(j);
      if (done[j] || !hasSameSizes(sizes, first, destination))
        continue;
      Value value = elements.emit(guarded, results[j], coordinates);
      if (!value)
        return failure();
      elements.store(guarded, destination, coordinates, value);
      done[j] = true;
    }
  }

  SizeValues &host = frame.host();
  OpBuilder entry = frame.getEntryBuilder();
  Value most = host.getConstant(0);
  for (unsigned i = 0; i < results.size(); ++i)
    most = arith::MaxSIOp::create(
        entry, loc, most, host.getNumElements(kernel.getDestination(i)));
  Value blocks =
      ceilDivIndex(entry, loc, most, host.getConstant(schedule.getThreads()));
  Value one = host.getConstant(1);
  frame.finish({blocks, one, one});
  return success();
}
