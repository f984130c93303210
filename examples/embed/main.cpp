//===- main.cpp - A C++ program that embeds ourc
//------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Registers ourc's dialects, parses a module, runs a named pipeline and prints
// the result. Built outside of ourc's tree against an installed prefix:
//
//   scripts/install /opt/ourc
//   examples/embed/build.sh /opt/ourc embed
//   ./embed module.mlir ourc-graph-pipeline
//
//===----------------------------------------------------------------------===//

#include "tools/registration/Registration.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: embed MODULE.mlir PIPELINE\n";
    return 2;
  }
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  ourc::registerAllDialects(registry);
  ourc::registerAllPasses();
  ourc::registerAllPipelines();

  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  mlir::PassManager manager(&context);
  if (failed(mlir::parsePassPipeline(argv[2], manager)) ||
      failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
