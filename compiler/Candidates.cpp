//===- Candidates.cpp - The schedules that a program's kernels may have ---===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Candidates.h"

#include "compiler/CompileRegistry.h"
#include "compiler/CompileTarget.h"
#include "compiler/Diagnostics.h"
#include "compiler/Pipelines.h"
#include "strategy/ScheduleFile.h"
#include "strategy/Strategies.h"
#include "transforms/buffer/ProgramFunctions.h"
#include "transforms/kernel/Passes.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace ourc;

llvm::Expected<std::vector<KernelCandidates>>
ourc::listCandidates(StringRef text, const CompileOptions &options) {
  llvm::Expected<CompileTarget> target = CompileTarget::parse(options.target);
  if (!target)
    return target.takeError();
  MLIRContext context(compileRegistry(), MLIRContext::Threading::DISABLED);
  DiagnosticCollector diagnostics(context);
  auto fail = [&](StringRef otherwise) {
    return llvm::createStringError(diagnostics.errorText(otherwise));
  };
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context), options.source);
  if (!module)
    return fail("the text is not a module");
  if (failed(verifyProgram(*module)))
    return fail("not a program");
  PassManager form(&context);
  GraphPipelineOptions graph;
  graph.target = target->name;
  graph.strict = options.strict;
  buildTensorPipeline(form, graph);
  buildFormationPipeline(form, target->name);
  if (failed(form.run(*module)))
    return fail("kernels could not be formed");

  // What the compiler chooses by itself.
  OwningOpRef<ModuleOp> assigned(module->clone());
  PassManager assign(&context);
  AssignStrategiesOptions assignOptions;
  assignOptions.target = target->name;
  assignOptions.pack = options.pack;
  assignOptions.strict = options.strict;
  assign.addPass(createAssignStrategies(assignOptions));
  if (failed(assign.run(*assigned)))
    return fail("kernels could not be scheduled");

  std::string error;
  auto strategies = createStrategies(target->name, error);
  if (!error.empty())
    return llvm::createStringError(error);
  std::vector<KernelCandidates> all;
  llvm::StringSet<> seen;
  SymbolTable chosen(*assigned);
  for (kernel::FuncOp kernel : module->getOps<kernel::FuncOp>()) {
    if (kernel.getSchedule())
      continue; // a user's
    KernelCandidates candidates;
    candidates.key = getKernelKey(kernel);
    if (!seen.insert(candidates.key).second)
      continue;
    candidates.name = kernel.getSymName().str();
    auto add = [&](Attribute schedule) {
      std::string printed = debugString(schedule);
      if (!llvm::is_contained(candidates.schedules, printed))
        candidates.schedules.push_back(std::move(printed));
    };
    kernel::ScheduleAttrInterface own =
        chosen.lookup<kernel::FuncOp>(kernel.getSymName()).getScheduleAttr();
    add(own);
    for (const std::unique_ptr<Strategy> &strategy : strategies) {
      // What the compiler has left out for the program's sake stays out.
      bool isOwn = strategy->getName() == own.getStrategy();
      if ((!isOwn &&
           (strategy->needsFrozenOperands() || strategy->isApproximate())) ||
          failed(strategy->match(kernel)))
        continue;
      SmallVector<kernel::ScheduleAttrInterface> schedules;
      strategy->enumerate(kernel, schedules);
      for (kernel::ScheduleAttrInterface schedule : schedules)
        add(schedule);
    }
    all.push_back(std::move(candidates));
  }
  return all;
}
