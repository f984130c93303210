//===- CompileTarget.cpp - What a program is compiled for -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/CompileTarget.h"

#include "conversion/GPUToCUDA/Assembler.h"
#include "target/gpu/GPUDescription.h"

using namespace ourc;

llvm::Expected<CompileTarget> CompileTarget::parse(llvm::StringRef name) {
  std::string error;
  bool onCPU = name.starts_with("cpu:"), onGPU = name.starts_with("cuda:");
  if (onGPU && !GPUDescription::parse(name, error))
    return llvm::createStringError(error);
  if (!onCPU && !onGPU && name != "simt")
    return llvm::createStringError(
        "unknown target '" + name +
        "'; valid ones are 'cpu:native', 'cpu:x86-64-v3', 'cpu:x86-64-v4', "
        "another 'cpu:<name>' that LLVM knows, 'cuda:sm_80', 'cuda:sm_89', "
        "'cuda:sm_90', 'cuda:sm_100', and 'simt'");
  std::optional<cpu::MachineDescription> machine =
      cpu::MachineDescription::parse(onCPU ? name : "cpu:native", error);
  if (!machine)
    return llvm::createStringError(error);
  CompileTarget target{onCPU   ? Kind::cpu
                       : onGPU ? Kind::cuda
                               : Kind::simt,
                       name.str(), *machine, ""};
  if (onGPU)
    target.assembler = Assembler::find().getIdentity();
  return target;
}
