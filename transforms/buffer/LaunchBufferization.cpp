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

using namespace mlir;
using namespace mlir::bufferization;
using ourc::kernel::KernelDialect;
using ourc::kernel::LaunchOp;

namespace {

/// A launch reads its inputs and overwrites its destinations.
struct LaunchModel
    : public DstBufferizableOpInterfaceExternalModel<LaunchModel, LaunchOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return operand.getOperandNumber() < cast<LaunchOp>(op).getInputs().size();
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
