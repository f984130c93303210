//===- KernelCompiler.cpp - Kernels to object code, in parallel -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/KernelCompiler.h"

#include "compiler/Diagnostics.h"
#include "compiler/Pipelines.h"
#include "dialects/kernel/KernelDialect.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <atomic>
#include <thread>

using namespace mlir;
using namespace ourc;

std::vector<KernelJob> ourc::takeKernels(ModuleOp program) {
  std::vector<KernelJob> jobs;
  for (auto nested : llvm::make_early_inc_range(program.getOps<ModuleOp>())) {
    KernelJob job;
    job.name = nested.getSymName().value_or("kernel").str();
    llvm::raw_string_ostream os(job.bytecode);
    (void)writeBytecodeToFile(nested, os);
    jobs.push_back(std::move(job));
    nested.erase();
  }
  return jobs;
}

static llvm::Error writeText(const llvm::Twine &path, llvm::StringRef text) {
  std::error_code code;
  llvm::raw_fd_ostream os(path.str(), code);
  if (code)
    return llvm::createStringError("cannot write '" + path +
                                   "': " + code.message());
  os << text;
  return llvm::Error::success();
}

/// Compiles one kernel; an error is left in the job.
static llvm::Error compileKernel(KernelJob &job,
                                 const DialectRegistry &registry,
                                 const CompileTarget &target,
                                 CodeGenerator &generator,
                                 llvm::StringRef dumpFolder, CodeCache &cache) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  DiagnosticCollector diagnostics(context);
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(job.bytecode, config, job.name);
  if (!module)
    return llvm::createStringError(
        diagnostics.errorText("its bytecode cannot be read"));
  std::string key;
  if (cache.isOn()) {
    // Printed without locations: code does not depend on where its operations
    // came from.
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    key = cache.getKey("kernel", text);
    if (std::optional<std::string> known = cache.load(key)) {
      job.object.assign(known->begin(), known->end());
      return llvm::Error::success();
    }
  }
  llvm::SmallString<128> stem(dumpFolder);
  llvm::sys::path::append(stem, job.name);
  if (!dumpFolder.empty()) {
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    if (llvm::Error error = writeText(stem + ".mlir", text))
      return error;
  }
  PassManager manager(&context);
  CodePipelineOptions code;
  code.target = target.name;
  buildCodePipeline(manager, code);
  if (failed(manager.run(*module)))
    return llvm::createStringError(
        diagnostics.errorText("its lowering failed"));
  for (auto left : module->getOps<kernel::FuncOp>())
    left.emitError("is scheduled for another target than '")
        << target.name << "'";
  if (diagnostics.hasErrors())
    return llvm::createStringError(diagnostics.errorText(""));
  std::string assembly;
  llvm::Expected<ObjectCode> object =
      generator.generate(*module, dumpFolder.empty() ? nullptr : &assembly);
  if (!object)
    return llvm::createStringError(
        diagnostics.errorText(llvm::toString(object.takeError())));
  job.object = std::move(*object);
  if (!key.empty())
    cache.store(key, llvm::StringRef(job.object.data(), job.object.size()));
  if (!dumpFolder.empty())
    return writeText(stem + ".s", assembly);
  return llvm::Error::success();
}

llvm::Error ourc::compileKernels(std::vector<KernelJob> &jobs,
                                 const DialectRegistry &registry,
                                 const CompileTarget &target, unsigned threads,
                                 llvm::StringRef dumpFolder, CodeCache &cache) {
  if (!dumpFolder.empty())
    if (std::error_code code = llvm::sys::fs::create_directories(dumpFolder))
      return llvm::createStringError("cannot make the folder '" + dumpFolder +
                                     "': " + code.message());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    llvm::Expected<CodeGenerator> generator =
        CodeGenerator::create(target.machine);
    std::string broken = generator ? "" : llvm::toString(generator.takeError());
    for (size_t i = next++; i < jobs.size(); i = next++) {
      if (!broken.empty()) {
        jobs[i].error = broken;
        continue;
      }
      if (llvm::Error error = compileKernel(jobs[i], registry, target,
                                            *generator, dumpFolder, cache))
        jobs[i].error = llvm::toString(std::move(error));
      jobs[i].bytecode.clear();
    }
  };
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  threads = std::min<size_t>(threads, jobs.size());
  std::vector<std::thread> workers;
  for (unsigned i = 1; i < threads; ++i)
    workers.emplace_back(work);
  work();
  for (std::thread &worker : workers)
    worker.join();

  std::string errors;
  for (const KernelJob &job : jobs)
    if (!job.error.empty())
      errors += (errors.empty() ? "" : "\n") + ("kernel '" + job.name + "': ") +
                job.error;
  if (!errors.empty())
    return llvm::createStringError(errors);
  return llvm::Error::success();
}
