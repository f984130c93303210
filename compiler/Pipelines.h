//===- Pipelines.h - The named pipelines of a compilation -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compilation is these pipelines in this order. Each starts from the printed
// output of the one before, so each is also a stage that ourc-opt runs alone:
//
//   ourc-buffer-pipeline   launches on tensors to an OurcProgram
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_PIPELINES_H
#define OURC_COMPILER_PIPELINES_H

#include "compiler/CompileTarget.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace ourc {

/// Options of ourc-buffer-pipeline.
struct BufferPipelineOptions
    : public mlir::PassPipelineOptions<BufferPipelineOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("The target's name, recorded in the program."),
      llvm::cl::init("cpu:native")};
};

/// Bufferises the graph, plans its memory, lowers it to an OurcProgram and puts
/// each kernel into a module of its own.
void buildBufferPipeline(mlir::OpPassManager &manager,
                         const BufferPipelineOptions &options);

/// Plans the graph's memory: the part of the buffer pipeline before LLVM.
void buildPlanPipeline(mlir::OpPassManager &manager);

/// Lowers a planned graph: the rest of the buffer pipeline.
void buildProgramPipeline(mlir::OpPassManager &manager, llvm::StringRef target);

/// Lowers the module of one kernel to the LLVM dialect.
void buildKernelCodePipeline(mlir::OpPassManager &manager,
                             const CompileTarget &target);

/// Registers all of them.
void registerCompilerPipelines();

} // namespace ourc

#endif // OURC_COMPILER_PIPELINES_H
