//===- GraphPipeline.h - The pipeline over the ourc dialect ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_GRAPHPIPELINE_H
#define OURC_COMPILER_GRAPHPIPELINE_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace ourc {

/// Options of ourc-graph-pipeline and ourc-tensor-pipeline.
struct GraphPipelineOptions
    : public mlir::PassPipelineOptions<GraphPipelineOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("Which composites stay whole: those that the target's "
                     "kernels make (cpu:native, simt, …)."),
      llvm::cl::init("cpu:native")};
  Option<bool> strict{
      *this, "strict",
      llvm::cl::desc("Round f16 and bf16 after each operation, not once for a "
                     "chain of them that is fused."),
      llvm::cl::init(false)};
};

/// Optimises a program of the ourc dialect as a graph; it stays in the dialect.
void buildGraphPipeline(mlir::OpPassManager &manager,
                        const GraphPipelineOptions &options);

/// Lowers an imported program, optimised as a graph, to linalg on tensors.
void buildTensorPipeline(mlir::OpPassManager &manager,
                         const GraphPipelineOptions &options);

/// Registers both.
void registerGraphPipelines();

} // namespace ourc

#endif // OURC_COMPILER_GRAPHPIPELINE_H
