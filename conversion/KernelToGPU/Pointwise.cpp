//===- Pointwise.cpp - One thread a few output elements ----------------===//
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

namespace {
class PointwiseEmitter {
public:
  PointwiseEmitter(kernel::FuncOp kernel, kernel::GPUPointwiseAttr schedule)
      : kernel(kernel), schedule(schedule),
        frame(kernel, schedule.getThreads()), elements(frame),
        loc(kernel.getLoc()) {}

  LogicalResult emit();

private:
  /// Results of one shape, whose elements a thread makes together.
  using Family = SmallVector<unsigned>;

  SmallVector<Value> getShape(BlockArgument destination);
  /// Whether `width` neighbours of these results are always all there or none.
  bool hasLanes(const Family &family);
  /// The element `element` of each of the results, where it is one.
  LogicalResult emitElement(OpBuilder &builder, const Family &family,
                            Value element);
  /// `width` elements of each, from element `first` on, where they are.
  LogicalResult emitLanes(OpBuilder &builder, const Family &family,
                          Value first);
  LogicalResult emitFamily(OpBuilder &builder, const Family &family,
                           bool lanes);

  kernel::FuncOp kernel;
  kernel::GPUPointwiseAttr schedule;
  KernelFrame frame;
  ElementEmitter elements;
  Location loc;
};
} // namespace

SmallVector<Value> PointwiseEmitter::getShape(BlockArgument destination) {
  SmallVector<Value> shape;
  for (int64_t dim = 0;
       dim < cast<RankedTensorType>(destination.getType()).getRank(); ++dim)
    shape.push_back(frame.device().getDim(destination, dim));
  return shape;
}

bool PointwiseEmitter::hasLanes(const Family &family) {
  auto type =
      cast<RankedTensorType>(kernel.getDestination(family.front()).getType());
  if (type.getRank() == 0)
    return false;
  int64_t last = type.getShape().back();
  if (!ShapedType::isDynamic(last) && last % schedule.getWidth() == 0)
    return true;
  return type.hasStaticShape() &&
         type.getNumElements() % schedule.getWidth() == 0;
}

LogicalResult PointwiseEmitter::emitElement(OpBuilder &builder,
                                            const Family &family,
                                            Value element) {
  BlockArgument first = kernel.getDestination(family.front());
  Value inside =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, element,
                            frame.device().getNumElements(first));
  auto guard = scf::IfOp::create(builder, loc, inside, /*withElse=*/false);
  OpBuilder guarded = guard.getThenBodyBuilder();
  SmallVector<Value> coordinates =
      delinearize(guarded, loc, element, getShape(first));
  for (unsigned i : family) {
    Value value =
        elements.emit(guarded, kernel.getReturnOp().getOperand(i), coordinates);
    if (!value)
      return failure();
    elements.store(guarded, kernel.getDestination(i), coordinates, value);
  }
  return success();
}

LogicalResult PointwiseEmitter::emitLanes(OpBuilder &builder,
                                          const Family &family, Value first) {
  BlockArgument destination = kernel.getDestination(family.front());
  Value inside =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, first,
                            frame.device().getNumElements(destination));
  auto guard = scf::IfOp::create(builder, loc, inside, /*withElse=*/false);
  OpBuilder guarded = guard.getThenBodyBuilder();
  Lanes group;
  group.shape = getShape(destination);
  group.linear = first;
  auto last = getConstantIntValue(group.shape.back());
  group.alongLast = last && *last % schedule.getWidth() == 0;
  SmallVector<Value> begin;
  if (group.alongLast)
    begin = delinearize(guarded, loc, first, group.shape);
  for (int64_t lane = 0; lane < schedule.getWidth(); ++lane) {
    Value offset = frame.device().getConstant(lane);
    if (!group.alongLast) {
      group.points.push_back(delinearize(
          guarded, loc, addIndex(guarded, loc, first, offset), group.shape));
      continue;
    }
    group.points.push_back(begin);
    group.points.back().back() = addIndex(guarded, loc, begin.back(), offset);
  }
  elements.addLanes(group);
  // A window that the neighbours share is gone over once for all of them.
  for (auto nest : kernel.getBody().front().getOps<linalg::GenericOp>()) {
    auto type = cast<RankedTensorType>(nest->getResult(0).getType());
    AffineMap map = nest.getIndexingMapMatchingResult(nest->getResult(0));
    if (nest.getNumReductionLoops() == 0 || !map.isProjectedPermutation() ||
        type.getShape() !=
            cast<RankedTensorType>(destination.getType()).getShape())
      continue;
    if (failed(elements.reduceLanes(guarded, nest, group.points)))
      return failure();
  }
  SmallVector<SmallVector<Value>> values(family.size());
  for (const SmallVector<Value> &point : group.points)
    for (auto [i, number] : llvm::enumerate(family)) {
      values[i].push_back(elements.emit(
          guarded, kernel.getReturnOp().getOperand(number), point));
      if (!values[i].back())
        return failure();
    }
  for (auto [i, number] : llvm::enumerate(family))
    elements.storeLanes(guarded, kernel.getDestination(number), group,
                        group.points, values[i]);
  elements.clearLanes();
  return success();
}

LogicalResult PointwiseEmitter::emitFamily(OpBuilder &builder,
                                           const Family &family, bool lanes) {
  SizeValues &sizes = frame.device();
  Value threads = sizes.getConstant(schedule.getThreads());
  Value block = frame.getBlockId(gpu::Dimension::x);
  Value width = sizes.getConstant(schedule.getWidth());
  if (lanes && hasLanes(family)) {
    Value number =
        addIndex(builder, loc, mulIndex(builder, loc, block, threads),
                 frame.getThreadId());
    return emitLanes(builder, family, mulIndex(builder, loc, number, width));
  }
  // Neighbouring threads make neighbours, `width` times.
  Value begin = addIndex(
      builder, loc,
      mulIndex(builder, loc, mulIndex(builder, loc, block, threads), width),
      frame.getThreadId());
  LogicalResult result = success();
  emitLoopNest(builder, loc, frame, {width}, {},
               [&](OpBuilder &inner, ArrayRef<Value> round,
                   ValueRange) -> SmallVector<Value> {
                 Value element =
                     addIndex(inner, loc, begin,
                              mulIndex(inner, loc, round[0], threads));
                 result = emitElement(inner, family, element);
                 return {};
               });
  return result;
}

LogicalResult PointwiseEmitter::emit() {
  OpBuilder body = frame.getBodyBuilder();
  // Results of one shape share a guard, and with it what they compute.
  SmallVector<Family> families;
  for (unsigned i = 0; i < kernel.getReturnOp().getNumOperands(); ++i) {
    auto *family = llvm::find_if(families, [&](const Family &other) {
      return hasSameSizes(frame.device(), kernel.getDestination(other.front()),
                          kernel.getDestination(i));
    });
    if (family == families.end())
      families.push_back({i});
    else
      family->push_back(i);
  }
  auto emitAll = [&](OpBuilder &builder, bool lanes) {
    for (const Family &family : families)
      if (failed(emitFamily(builder, family, lanes)))
        return failure();
    return success();
  };
  if (schedule.getWidth() == 1 ||
      !llvm::any_of(families, [&](auto &family) { return hasLanes(family); })) {
    if (failed(emitAll(body, /*lanes=*/false)))
      return failure();
  } else {
    auto branch = scf::IfOp::create(body, loc, frame.areOperandsAligned(),
                                    /*withElse=*/true);
    OpBuilder together = branch.getThenBodyBuilder();
    OpBuilder apart = branch.getElseBodyBuilder();
    if (failed(emitAll(together, /*lanes=*/true)) ||
        failed(emitAll(apart, /*lanes=*/false)))
      return failure();
  }

  SizeValues &host = frame.host();
  OpBuilder entry = frame.getEntryBuilder();
  Value most = host.getConstant(0);
  for (const Family &family : families)
    most = arith::MaxSIOp::create(
        entry, loc, most,
        host.getNumElements(kernel.getDestination(family.front())));
  Value blocks = ceilDivIndex(
      entry, loc, most,
      host.getConstant(schedule.getThreads() * schedule.getWidth()));
  Value one = host.getConstant(1);
  frame.finish({blocks, one, one});
  return success();
}

LogicalResult gpucodegen::emitPointwise(kernel::FuncOp kernel,
                                        kernel::GPUPointwiseAttr schedule) {
  return PointwiseEmitter(kernel, schedule).emit();
}
