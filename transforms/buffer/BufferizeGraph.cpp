//===- BufferizeGraph.cpp - The graph's tensors become buffers ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/buffer/Passes.h"

#include "dialects/kernel/KernelDialect.h"
#include "transforms/buffer/ProgramFunctions.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#define DEBUG_TYPE "ourc-bufferize-graph"

namespace ourc {
#define GEN_PASS_DEF_BUFFERIZEGRAPH
#include "transforms/buffer/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

/// What a view of a tensor is a view of, through launches' destinations.
static Value tensorRoot(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto launch = dyn_cast<kernel::LaunchOp>(op))
      value = launch.getTiedOpOperand(cast<OpResult>(value))->get();
    else if (auto copy =
                 dyn_cast<bufferization::MaterializeInDestinationOp>(op))
      value = copy.getDest();
    else if (isa<tensor::CastOp, tensor::ExpandShapeOp,
                 tensor::CollapseShapeOp>(op))
      value = op->getOperand(0);
    else
      break;
  }
  return value;
}

namespace {

class BufferizeGraphPass
    : public ourc::impl::BufferizeGraphBase<BufferizeGraphPass> {
public:
  void runOnOperation() override {
    if (failed(verifyProgram(getOperation())))
      return signalPassFailure();
    for (func::FuncOp func : programFunctions(getOperation()))
      if (failed(bufferizeSignature(func)) || failed(bufferizeBody(func)))
        return signalPassFailure();
  }

private:
  LogicalResult bufferizeSignature(func::FuncOp func);
  LogicalResult bufferizeBody(func::FuncOp func);
  void reportCopiedUpdates(func::FuncOp func);
};

} // namespace

/// Tensor arguments become row-major buffers, results disappear: each is in
/// its destination.
LogicalResult BufferizeGraphPass::bufferizeSignature(func::FuncOp func) {
  Block &entry = func.getBody().front();
  auto ret = cast<func::ReturnOp>(entry.getTerminator());
  SmallVector<BlockArgument> destinations;
  for (BlockArgument arg : func.getArguments())
    if (func.getArgAttr(arg.getArgNumber(), kDestinationAttrName))
      destinations.push_back(arg);
  if (destinations.size() != ret.getNumOperands())
    return func.emitError("has ")
           << ret.getNumOperands() << " results but " << destinations.size()
           << " destinations; run ourc-pass-destinations first";
  SmallVector<BlockArgument> updated;
  for (BlockArgument &destination : destinations)
    if (auto number = func.getArgAttrOfType<IntegerAttr>(
            destination.getArgNumber(), kUpdatedArgAttrName)) {
      destination = func.getArgument(number.getInt());
      updated.push_back(destination);
    }
  for (auto [i, result] : llvm::enumerate(ret.getOperands()))
    if (tensorRoot(result) != destinations[i])
      return emitError(result.getLoc())
             << "result " << i << " is not in its destination";

  OpBuilder b = OpBuilder::atBlockBegin(&entry);
  SmallVector<Type> types;
  for (BlockArgument arg : func.getArguments()) {
    auto tensor = dyn_cast<RankedTensorType>(arg.getType());
    if (!tensor) {
      types.push_back(arg.getType());
      continue;
    }
    auto memref = MemRefType::get(tensor.getShape(), tensor.getElementType());
    arg.setType(memref);
    bool writable = func.getArgAttr(arg.getArgNumber(), kDestinationAttrName) ||
                    llvm::is_contained(updated, arg);
    auto view = bufferization::ToTensorOp::create(b, arg.getLoc(), tensor, arg,
                                                  /*restrict=*/true, writable);
    arg.replaceAllUsesExcept(view.getResult(), view);
    types.push_back(memref);
  }
  ret->setOperands({});
  func.setType(b.getFunctionType(types, {}));
  func.removeResAttrsAttr();
  return success();
}

/// Memory through views.
static Value memoryRoot(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

static std::string describeSize(MemRefType type) {
  if (!type.hasStaticShape())
    return "all of it";
  int64_t bytes = type.getNumElements() *
                  llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  return std::to_string(bytes) + " bytes";
}

/// Copies of memory to itself go. Others from or to an argument that is updated
/// are made because the update cannot happen in place: the user is told.
void BufferizeGraphPass::reportCopiedUpdates(func::FuncOp func) {
  llvm::SmallPtrSet<Value, 8> updated;
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
    if (auto number =
            func.getArgAttrOfType<IntegerAttr>(i, kUpdatedArgAttrName))
      updated.insert(func.getArgument(number.getInt()));
  if (updated.empty())
    return;
  SmallVector<memref::CopyOp> copies;
  func.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  for (memref::CopyOp copy : copies) {
    Value source = memoryRoot(copy.getSource());
    Value target = memoryRoot(copy.getTarget());
    if (source == target) {
      copy.erase();
      continue;
    }
    for (Value argument : {source, target})
      if (updated.contains(argument)) {
        unsigned number = cast<BlockArgument>(argument).getArgNumber();
        remark::missed(copy.getLoc(), remark::RemarkOpts::name("UpdateCopied")
                                          .category(DEBUG_TYPE)
                                          .function(func.getSymName()))
            << ("argument " + Twine(number) + " is updated by a copy of " +
                describeSize(cast<MemRefType>(copy.getTarget().getType())) +
                ", not in place: what it was before is still read")
                   .str();
      }
  }
}

LogicalResult BufferizeGraphPass::bufferizeBody(func::FuncOp func) {
  bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = false;
  options.unknownTypeConverterFn =
      [](TensorType type, Attribute space,
         const bufferization::BufferizationOptions &) {
        return bufferization::getMemRefTypeWithStaticIdentityLayout(type,
                                                                    space);
      };
  bufferization::BufferizationState state;
  if (failed(bufferization::runOneShotBufferize(func, options, state)))
    return func.emitError("could not be bufferised");

  // Conversions at the boundary have folded; what is left of them is unused.
  bool erased = true;
  while (erased) {
    erased = false;
    SmallVector<Operation *> ops;
    func.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : llvm::reverse(ops)) {
      bool unused = op->use_empty() && (isa<bufferization::ToTensorOp>(op) ||
                                        isOpTriviallyDead(op));
      if (!unused)
        continue;
      op->erase();
      erased = true;
    }
  }
  reportCopiedUpdates(func);
  WalkResult result = func.walk([&](Operation *op) {
    if (isa<memref::AllocOp>(op))
      ++numBuffers;
    if (isa<memref::CopyOp>(op))
      ++numCopies;
    for (Type type : op->getResultTypes())
      if (isa<TensorType>(type)) {
        op->emitError("stays a tensor in the graph; kernels are formed of all "
                      "ops on tensors before buffers are made");
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
