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
//   ourc-tensor-pipeline   ATen calls or ourc to linalg on tensors, by way of
//                          ourc-graph-pipeline, which stays in ourc
//   ourc-kernel-pipeline   linalg on tensors to kernels and their launches
//   ourc-buffer-pipeline   launches on tensors to an OurcProgram
//   ourc-code-pipeline     the module of one kernel to the LLVM dialect
//
// ourc-compile-pipeline runs all of them.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_COMPILER_PIPELINES_H
#define OURC_COMPILER_PIPELINES_H

#include "compiler/CompileTarget.h"
#include "compiler/GraphPipeline.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace ourc {

/// Options of ourc-kernel-pipeline.
struct KernelPipelineOptions
    : public mlir::PassPipelineOptions<KernelPipelineOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("Whose strategies make the kernels: cpu:native, "
                     "cpu:x86-64-v3, …, simt, cuda:sm_90, …"),
      llvm::cl::init("cpu:native")};
  Option<bool> pack{
      *this, "pack",
      llvm::cl::desc("Copy weights into packed layouts, and compute what "
                     "depends on frozen weights alone once; costs memory."),
      llvm::cl::init(true)};
  Option<bool> strict{
      *this, "strict",
      llvm::cl::desc("Use no algorithm that changes results by more than the "
                     "order of additions: no Winograd convolution."),
      llvm::cl::init(false)};
  Option<std::string> schedules{
      *this, "schedules",
      llvm::cl::desc("A file of schedules for the kernels that it names.")};
};

/// Forms kernels: the part of the kernel pipeline before schedules.
void buildFormationPipeline(mlir::OpPassManager &manager,
                            llvm::StringRef target);

/// Forms kernels, decides how each is made, and hoists what depends on frozen
/// weights alone.
void buildKernelPipeline(mlir::OpPassManager &manager,
                         const KernelPipelineOptions &options);

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

/// Options of ourc-code-pipeline.
struct CodePipelineOptions
    : public mlir::PassPipelineOptions<CodePipelineOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("What the kernel was scheduled for: cpu:…, simt, "
                     "cuda:sm_90, …"),
      llvm::cl::init("cpu:native")};
  Option<std::string> dumpStem{
      *this, "dump-stem",
      llvm::cl::desc("Write a GPU kernel's PTX and machine code to files of "
                     "this name with .ptx and .cubin.")};
};

/// Lowers the module of one kernel to the LLVM dialect.
void buildCodePipeline(mlir::OpPassManager &manager,
                       const CodePipelineOptions &options);

/// Options of ourc-compile-pipeline.
struct CompilePipelineOptions
    : public mlir::PassPipelineOptions<CompilePipelineOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("cpu:native, cpu:x86-64-v3, …, simt, cuda:sm_90, …"),
      llvm::cl::init("cpu:native")};
  Option<bool> pack{*this, "pack",
                    llvm::cl::desc("As in ourc-kernel-pipeline."),
                    llvm::cl::init(true)};
  Option<bool> strict{*this, "strict",
                      llvm::cl::desc("As in ourc-tensor-pipeline and "
                                     "ourc-kernel-pipeline."),
                      llvm::cl::init(false)};
  Option<std::string> schedules{*this, "schedules",
                                llvm::cl::desc("As in ourc-kernel-pipeline.")};
};

/// All of a compilation up to the LLVM dialect.
void buildCompilePipeline(mlir::OpPassManager &manager,
                          const CompilePipelineOptions &options);

/// Registers all of them.
void registerCompilerPipelines();

} // namespace ourc

#endif // OURC_COMPILER_PIPELINES_H
