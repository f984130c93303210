//===- CompileRegistry.cpp - The dialects of a compilation ----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/CompileRegistry.h"

#include "tools/registration/Registration.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

using namespace mlir;

const DialectRegistry &ourc::compileRegistry() {
  static const DialectRegistry *registry = [] {
    auto *all = new DialectRegistry;
    mlir::registerAllDialects(*all);
    mlir::registerAllExtensions(*all);
    mlir::registerBuiltinDialectTranslation(*all);
    mlir::registerLLVMDialectTranslation(*all);
    ourc::registerAllDialects(*all);
    return all;
  }();
  return *registry;
}
