//===- CompileTarget.cpp - What a program is compiled for -----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/CompileTarget.h"

using namespace ourc;

llvm::Expected<CompileTarget> CompileTarget::parse(llvm::StringRef name) {
  bool simt = name == "simt";
  if (!simt && !name.starts_with("cpu:"))
    return llvm::createStringError(
        "unknown target '" + name +
        "'; valid ones are 'cpu:native', 'cpu:x86-64-v3', 'cpu:x86-64-v4', "
        "another 'cpu:<name>' that LLVM knows, and 'simt'");
  std::string error;
  std::optional<cpu::MachineDescription> machine =
      cpu::MachineDescription::parse(simt ? "cpu:native" : name, error);
  if (!machine)
    return llvm::createStringError(error);
  return CompileTarget{simt ? Kind::simt : Kind::cpu, name.str(), *machine};
}
