//===- LaunchBufferization.cpp - Bufferisation of kernel.launch -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/buffer/LaunchBufferization.h"

#include "dialects/kernel/KernelDialect.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::bufferization;
using ourc::kernel::FuncOp;
using ourc::kernel::KernelDialect;
using ourc::kernel::LaunchOp;

/// Whether each element of `input` is only read to compute the same element of
/// results, so that a kernel may write one of them over it. All of what is
/// computed from the input must be so; where the kernel reduces too, results
/// are not written in one loop, and a single result may depend on the input.
static bool readsSameElements(FuncOp callee, unsigned input, unsigned result) {
  llvm::SetVector<Value> reached;
  reached.insert(callee.getBody().getArgument(input));
  llvm::SmallBitVector returned(callee.getFunctionType().getNumResults());
  for (unsigned i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      if (isa<ourc::kernel::ReturnOp>(use.getOwner())) {
        returned.set(use.getOperandNumber());
        continue;
      }
      auto loops = dyn_cast<linalg::LinalgOp>(use.getOwner());
      if (!loops || loops.getNumReductionLoops() != 0 ||
          !loops.isDpsInput(&use) ||
          !loops.getMatchingIndexingMap(&use).isIdentity())
        return false;
      for (OpOperand &init : loops.getDpsInitsMutable())
        if (!loops.getMatchingIndexingMap(&init).isIdentity())
          return false;
      reached.insert(use.getOwner()->result_begin(),
                     use.getOwner()->result_end());
    }
  bool reduces = llvm::any_of(callee.getBody().front(), [](Operation &op) {
    auto loops = dyn_cast<linalg::LinalgOp>(op);
    return isa<ourc::kernel::CoupledReduceOp>(op) ||
           (loops && loops.getNumReductionLoops() != 0);
  });
  if (reduces && returned.count() != 1)
    return false;
  for (unsigned i : returned.set_bits())
    if (callee.getResultTypes()[i] != callee.getArgumentTypes()[input])
      return false;
  return returned.test(result);
}

namespace {

/// A launch reads its inputs and overwrites its destinations.
struct LaunchModel
    : public DstBufferizableOpInterfaceExternalModel<LaunchModel, LaunchOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    auto launch = cast<LaunchOp>(op);
    if (operand.getOperandNumber() < launch.getInputs().size())
      return true;
    if (!launch.isDpsInit(&operand))
      return false;
    auto callee = SymbolTable::lookupNearestSymbolFrom<FuncOp>(
        launch, launch.getCalleeAttr());
    return callee && callee.updatesDestination(operand.getOperandNumber() -
                                               launch.getInputs().size());
  }

  bool bufferizesToElementwiseAccess(Operation *op, const AnalysisState &,
                                     ArrayRef<OpOperand *> operands) const {
    auto launch = cast<LaunchOp>(op);
    auto callee = SymbolTable::lookupNearestSymbolFrom<FuncOp>(
        launch, launch.getCalleeAttr());
    if (!callee || operands.size() != 2)
      return false;
    unsigned numInputs = launch.getInputs().size();
    for (OpOperand *read : operands)
      for (OpOperand *written : operands) {
        if (read == written || !launch.isDpsInit(written))
          continue;
        return read->getOperandNumber() < numInputs &&
               readsSameElements(callee, read->getOperandNumber(),
                                 written->getOperandNumber() - numInputs);
      }
    return false;
  }

  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand,
                               const AnalysisState &) const {
    return operand.getOperandNumber() >= cast<LaunchOp>(op).getInputs().size();
  }

  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    auto launch = cast<LaunchOp>(op);
    // The workspace is written, but no result is in it.
    if (!launch.isDpsInit(&operand))
      return {};
    return {{launch.getTiedOpResult(&operand), BufferRelation::Equivalent}};
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto launch = cast<LaunchOp>(op);
    auto buffersOf = [&](ValueRange tensors,
                         SmallVectorImpl<Value> &buffers) -> LogicalResult {
      for (Value tensor : tensors) {
        FailureOr<Value> buffer = getBuffer(rewriter, tensor, options, state);
        if (failed(buffer))
          return failure();
        buffers.push_back(*buffer);
      }
      return success();
    };
    rewriter.setInsertionPoint(op);
    SmallVector<Value> inputs, outputs, workspace;
    if (failed(buffersOf(launch.getInputs(), inputs)) ||
        failed(buffersOf(launch.getOutputs(), outputs)))
      return failure();
    if (launch.getWorkspace() &&
        failed(buffersOf(launch.getWorkspace(), workspace)))
      return failure();
    LaunchOp::create(rewriter, op->getLoc(), TypeRange(),
                     launch.getCalleeAttr(), inputs, outputs,
                     workspace.empty() ? Value() : workspace.front());
    replaceOpWithBufferizedValues(rewriter, op, outputs);
    return success();
  }
};

} // namespace

void ourc::registerLaunchBufferization(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, KernelDialect *) {
    LaunchOp::attachInterface<LaunchModel>(*context);
  });
}
