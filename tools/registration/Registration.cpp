//===- Registration.cpp - The only list of dialects, passes and pipelines
//-----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/registration/Registration.h"

#include "compiler/Pipelines.h"
#include "conversion/AtenToOurc/Passes.h"
#include "conversion/GPUToCUDA/Passes.h"
#include "conversion/GPUToCUDA/Pipelines.h"
#include "conversion/GraphToLLVM/Passes.h"
#include "conversion/KernelToCPU/Passes.h"
#include "conversion/KernelToGPU/Passes.h"
#include "conversion/KernelToGPU/Pipelines.h"
#include "conversion/NVVMToSIMT/Passes.h"
#include "conversion/OurcToLinalg/Passes.h"
#include "dialects/aten/AtenDialect.h"
#include "dialects/kernel/KernelDialect.h"
#include "dialects/ourc/OurcDialect.h"
#include "transforms/buffer/LaunchBufferization.h"
#include "transforms/buffer/Passes.h"
#include "transforms/gpu/Passes.h"
#include "transforms/graph/Passes.h"
#include "transforms/kernel/Passes.h"

#include "mlir/IR/DialectRegistry.h"

void ourc::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<OurcDialect, aten::AtenDialect, kernel::KernelDialect>();
  registerGraphModels(registry);
  registerScalarBodyModels(registry);
  registerLaunchBufferization(registry);
  registerGPUCodegenInterfaces(registry);
}

void ourc::registerAllPasses() {
  registerAtenToOurcPasses();
  registerBufferPasses();
  registerGPUPasses();
  registerGPUToCUDAPasses();
  registerGraphPasses();
  registerGraphToLLVMPasses();
  registerKernelPasses();
  registerKernelToCPUPasses();
  registerKernelToGPUPasses();
  registerNVVMToSIMTPasses();
  registerOurcToLinalgPasses();
}

void ourc::registerAllPipelines() {
  registerCompilerPipelines();
  registerGPUToCUDAPipelines();
  registerKernelToCPUPipelines();
  registerKernelToGPUPipelines();
}
