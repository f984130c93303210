//===- PassDestinations.cpp - Results become destination arguments --------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/buffer/Passes.h"

#include "dialects/kernel/KernelDialect.h"
#include "dialects/ourc/OurcDialect.h"
#include "transforms/buffer/ProgramFunctions.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "ourc-pass-destinations"

namespace ourc {
#define GEN_PASS_DEF_PASSDESTINATIONS
#include "transforms/buffer/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;
using kernel::LaunchOp;

/// The values that a size is computed from lie in front of every launch: a
/// graph's sizes depend on symbols alone. Moves the computation of `value` to
/// the start of its block; false where it depends on something else.
static bool hoistSize(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isPure(op) || op->getNumRegions() != 0)
    return false;
  for (Value operand : op->getOperands())
    if (!hoistSize(operand))
      return false;
  Block *block = op->getBlock();
  // Operands moved before: placing each op after them keeps dominance.
  Operation *after = nullptr;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (def && def->getBlock() == block &&
        (!after || after->isBeforeInBlock(def)))
      after = def;
  }
  if (after) {
    if (!op->isBeforeInBlock(after) && op != after->getNextNode())
      op->moveAfter(after);
  } else if (op != &block->front()) {
    op->moveBefore(&block->front());
  }
  return true;
}

namespace {

class PassDestinationsPass
    : public ourc::impl::PassDestinationsBase<PassDestinationsPass> {
public:
  void runOnOperation() override {
    if (failed(verifyProgram(getOperation())))
      return signalPassFailure();
    for (func::FuncOp func : programFunctions(getOperation()))
      if (failed(passDestinations(func)))
        return signalPassFailure();
  }

private:
  LogicalResult passDestinations(func::FuncOp func);
  LogicalResult describeDestination(func::FuncOp func, RankedTensorType type,
                                    ArrayRef<OpFoldResult> sizes, Location loc,
                                    ArrayAttr &description);
  bool writeInPlace(Value result, Value destination);
};

} // namespace

/// The sizes of a graph value; ops are created where the builder stands.
static FailureOr<SmallVector<OpFoldResult>> sizesOf(OpBuilder &b, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> sizes;
  if (type.hasStaticShape()) {
    for (int64_t size : type.getShape())
      sizes.push_back(b.getIndexAttr(size));
    return sizes;
  }
  if (auto launch = value.getDefiningOp<LaunchOp>())
    return sizesOf(
        b, launch.getOutputs()[cast<OpResult>(value).getResultNumber()]);
  if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
    return empty.getMixedSizes();
  if (auto cast = value.getDefiningOp<tensor::CastOp>())
    return sizesOf(b, cast.getSource());
  if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>())
    return getMixedValues(expand.getStaticOutputShape(),
                          expand.getOutputShape(), b);
  if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [i, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(i))
        sizes.push_back(size);
    return sizes;
  }
  if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>()) {
    auto source = sizesOf(b, collapse.getSrc());
    if (failed(source))
      return failure();
    for (const ReassociationIndices &group :
         collapse.getReassociationIndices()) {
      OpFoldResult product = b.getIndexAttr(1);
      for (int64_t i : group)
        product = multiplySizes(b, value.getLoc(), product, (*source)[i]);
      sizes.push_back(product);
    }
    return sizes;
  }
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto func = dyn_cast<func::FuncOp>(arg.getOwner()->getParentOp());
    if (!func)
      return failure();
    auto shape = func.getArgAttrOfType<ArrayAttr>(arg.getArgNumber(),
                                                  kernel::kShapeAttrName);
    if (!shape)
      return failure();
    for (auto [i, dim] : llvm::enumerate(shape)) {
      if (auto symbol = dyn_cast<FlatSymbolRefAttr>(dim))
        sizes.push_back(
            DimOp::create(b, value.getLoc(), b.getIndexType(), symbol)
                .getResult());
      else
        sizes.push_back(b.getIndexAttr(type.getDimSize(i)));
    }
    return sizes;
  }
  return failure();
}

LogicalResult PassDestinationsPass::describeDestination(
    func::FuncOp func, RankedTensorType type, ArrayRef<OpFoldResult> sizes,
    Location loc, ArrayAttr &description) {
  Builder b(func);
  SmallVector<Attribute> dims;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (!type.isDynamicDim(i)) {
      dims.push_back(b.getI64IntegerAttr(type.getDimSize(i)));
      continue;
    }
    if (std::optional<int64_t> known = getConstantIntValue(size)) {
      dims.push_back(b.getI64IntegerAttr(*known));
      continue;
    }
    Value value = cast<Value>(size);
    if (auto dim = value.getDefiningOp<DimOp>()) {
      dims.push_back(dim.getSymbolAttr());
      continue;
    }
    if (func.getName() != kMainName)
      return emitError(loc)
             << "dimension " << i << " of a prepared weight is not static";
    unsigned number = 0;
    if (failed(appendToShapes(getOperation(), value, number)))
      return emitError(loc)
             << "dimension " << i
             << " of a result depends on the data of the program, which is "
                "not supported: it must follow from the inputs' sizes";
    dims.push_back(b.getIndexAttr(number));
  }
  description = b.getArrayAttr(dims);
  return success();
}

/// Makes the launch behind `result` write `destination`; false where another
/// value already lives there or nothing writes it.
bool PassDestinationsPass::writeInPlace(Value result, Value destination) {
  // From the result back to the launch, the views in between.
  SmallVector<Operation *> views;
  Value value = result;
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
            op))
      break;
    views.push_back(op);
    value = op->getOperand(0);
  }
  auto launch = value.getDefiningOp<LaunchOp>();
  if (!launch)
    return false;
  OpOperand *init = launch.getTiedOpOperand(cast<OpResult>(value));
  auto empty = init->get().getDefiningOp<tensor::EmptyOp>();
  if (!empty)
    return false;

  // The destination seen with the launch's shape.
  OpBuilder b(launch);
  auto isKnownAtLaunch = [&](OpFoldResult size) {
    auto value = dyn_cast<Value>(size);
    Operation *def = value ? value.getDefiningOp() : nullptr;
    return !def || def->isBeforeInBlock(launch);
  };
  for (Operation *view : views) {
    auto source = cast<RankedTensorType>(view->getOperand(0).getType());
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(view)) {
      destination = tensor::CollapseShapeOp::create(
          b, launch.getLoc(), source, destination,
          expand.getReassociationIndices());
      continue;
    }
    if (isa<tensor::CastOp>(view)) {
      destination =
          tensor::CastOp::create(b, launch.getLoc(), source, destination);
      continue;
    }
    auto collapse = cast<tensor::CollapseShapeOp>(view);
    FailureOr<SmallVector<OpFoldResult>> sizes = sizesOf(b, collapse.getSrc());
    if (failed(sizes) || !llvm::all_of(*sizes, isKnownAtLaunch))
      return false;
    destination = tensor::ExpandShapeOp::create(
        b, launch.getLoc(), source, destination,
        collapse.getReassociationIndices(), *sizes);
  }
  launch->setOperand(init->getOperandNumber(), destination);
  if (empty->use_empty())
    empty.erase();
  return true;
}

/// What a program may ask for at its boundary, but this compiler does not do.
static LogicalResult checkBoundary(func::FuncOp func) {
  auto isOrdered = [](Attribute layout) {
    auto order = dyn_cast_or_null<DenseI64ArrayAttr>(layout);
    return !order || llvm::is_sorted(order.asArrayRef());
  };
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
    if (!isOrdered(func.getArgAttr(i, kLayoutAttrName)))
      return func.emitError("argument ")
             << i << ": '" << kLayoutAttrName
             << "' must be applied first: run ourc-apply-layouts";
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i) {
    if (!isOrdered(func.getResultAttr(i, kLayoutAttrName)))
      return func.emitError("result ")
             << i << ": '" << kLayoutAttrName
             << "' must be applied first: run ourc-apply-layouts";
    auto updated = func.getResultAttrOfType<IntegerAttr>(i, kUpdatesAttrName);
    if (updated && func.getArgAttr(updated.getInt(), kParameterAttrName))
      return func.emitError("result ")
             << i << ": '" << kUpdatesAttrName << "' names argument "
             << updated.getInt()
             << ", a parameter, which is prepared and not written: make it an "
                "input";
  }
  return success();
}

LogicalResult PassDestinationsPass::passDestinations(func::FuncOp func) {
  if (failed(checkBoundary(func)))
    return failure();
  auto ret = cast<func::ReturnOp>(func.getBody().front().getTerminator());
  Builder b(func);
  for (unsigned i = 0, e = ret.getNumOperands(); i < e; ++i) {
    Value result = ret.getOperand(i);
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      return ret.emitError("result ")
             << i << " must be a ranked tensor, but is " << result.getType();
    OpBuilder builder(ret);
    FailureOr<SmallVector<OpFoldResult>> sizes = sizesOf(builder, result);
    if (failed(sizes))
      return emitError(result.getLoc())
             << "the size of result " << i
             << " is not known from the inputs' sizes: inputs with dynamic "
                "dimensions need 'ourc.shape'";
    ArrayAttr description;
    if (failed(describeDestination(func, type, *sizes, result.getLoc(),
                                   description)))
      return failure();
    SmallVector<NamedAttribute> attrs;
    BlockArgument updated;
    if (DictionaryAttr given = func.getResultAttrDict(i))
      for (NamedAttribute attr : given) {
        if (attr.getName() != kUpdatesAttrName) {
          attrs.push_back(attr);
          continue;
        }
        attrs.push_back(b.getNamedAttr(kUpdatedArgAttrName, attr.getValue()));
        updated = func.getArgument(cast<IntegerAttr>(attr.getValue()).getInt());
      }
    attrs.push_back(b.getNamedAttr(kDestinationAttrName, description));
    unsigned number = func.getNumArguments();
    if (failed(func.insertArgument(number, type, b.getDictionaryAttr(attrs),
                                   result.getLoc())))
      return failure();
    Value destination = updated ? updated : func.getArgument(number);
    if (result == destination)
      continue; // it is what it was
    // Sizes that a destination's view may need come before the launches.
    for (OpFoldResult size : *sizes)
      if (auto value = dyn_cast<Value>(size))
        hoistSize(value);
    bool isDirect = writeInPlace(result, destination);
    if (isDirect)
      ++numDirect;
    if (isDirect && !updated)
      continue;
    // What updates an argument may not be able to stay in it, since others may
    // read the old value: bufferisation sees to that. Where it can, this is a
    // copy of memory to itself, which goes.
    LDBG() << "result " << i << " is copied to its destination";
    builder.setInsertionPoint(ret);
    auto copy = bufferization::MaterializeInDestinationOp::create(
        builder, result.getLoc(), result, destination);
    ret.setOperand(i, copy.getResult());
    if (!updated)
      ++numCopied;
  }
  return success();
}
