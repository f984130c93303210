//===- GraphPipeline.cpp - The pipeline over the ourc dialect -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/GraphPipeline.h"

#include "conversion/AtenToOurc/Passes.h"
#include "conversion/OurcToLinalg/Passes.h"
#include "transforms/graph/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ourc;

void ourc::buildGraphPipeline(OpPassManager &manager,
                              const GraphPipelineOptions &options) {
  OpPassManager &func = manager.nest<func::FuncOp>();
  func.addPass(createApplyLayouts());
  // Sizes first: the passes below compare shapes.
  func.addPass(createSimplifyShapes());
  func.addPass(createCanonicalizerPass());
  func.addPass(createCSEPass());
  // While slices and concatenations are as the program has them.
  func.addPass(createRaiseUpdates());
  // Repeats move with transposes, gathers only by their axes.
  func.addPass(createRaiseRepeats());
  // Transposes cancel, so a batch norm sees its convolution and a contraction
  // its weight as it is stored.
  func.addPass(createPropagateTransposes());
  func.addPass(createFoldBatchNorm());
  // Composites are wanted whole. Linear first: it takes the reshapes around
  // contractions away that would hide an attention.
  func.addPass(createRaiseLinear());
  func.addPass(createRaiseAttention());
  // Masks are computed on their smallest shape, once attention holds them.
  func.addPass(createSimplifyMasks());
  // What nobody wants whole.
  DecomposeOptions decompose;
  if (!StringRef(options.target).starts_with("cpu:"))
    // Tensor cores make those of f16 and bf16 with few features.
    decompose.apart = {"attention:f32", "attention:f64", "attention:f16>128",
                       "attention:bf16>128"};
  func.addPass(createDecompose(decompose));
  // Decompositions and moved reshapes leave sizes and identities behind.
  func.addPass(createSimplifyShapes());
  func.addPass(createCanonicalizerPass());
  func.addPass(createCSEPass());
}

void ourc::buildTensorPipeline(OpPassManager &manager,
                               const GraphPipelineOptions &options) {
  manager.addPass(createAtenToOurc());
  buildGraphPipeline(manager, options);
  OurcToLinalgOptions lowering;
  lowering.contractRoundings = !options.strict;
  manager.addNestedPass<func::FuncOp>(createOurcToLinalg(lowering));
}

void ourc::registerGraphPipelines() {
  PassPipelineRegistration<GraphPipelineOptions>(
      "ourc-graph-pipeline",
      "Optimise a program of the ourc dialect: raise composites, fold batch "
      "norms, move transposes, simplify masks and sizes",
      buildGraphPipeline);
  PassPipelineRegistration<GraphPipelineOptions>(
      "ourc-tensor-pipeline",
      "Lower an imported program, optimised as a graph, to linalg on tensors",
      buildTensorPipeline);
}
