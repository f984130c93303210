//===- Session.cpp - One compilation from text to code --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Session.h"

#include "compiler/CompileRegistry.h"
#include "compiler/Diagnostics.h"
#include "compiler/Linker.h"
#include "compiler/Pipelines.h"
#include "transforms/buffer/ProgramFunctions.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace ourc;

llvm::Expected<std::unique_ptr<Session>>
Session::compile(llvm::StringRef text, const CompileOptions &options) {
  llvm::Expected<CompileTarget> target = CompileTarget::parse(options.target);
  if (!target)
    return target.takeError();
  std::unique_ptr<Session> session(new Session(std::move(*target)));
  CodeCache cache(options, session->target);
  std::string key;
  if (cache.isOn()) {
    key = session->reporter.time("cache", [&] {
      return cache.getKey("program", options.getContentKey() + text.str());
    });
    bool taken = session->reporter.time("cache", [&] {
      std::optional<std::string> entry = cache.load(key);
      return entry && session->takeCached(*entry);
    });
    if (taken) {
      session->reportCache(cache);
      return session;
    }
  }
  if (llvm::Error error = session->run(text, options, cache, compileRegistry()))
    return error;
  if (cache.isOn())
    session->reporter.time("cache", [&] {
      cache.store(key, session->makeEntry());
      cache.prune();
    });
  session->reportCache(cache);
  return session;
}

void Session::reportCache(const CodeCache &cache) {
  reporter.target = target.name;
  if (cache.isOn())
    reporter.cache = llvm::json::Object{{"hits", cache.getNumHits()},
                                        {"misses", cache.getNumMisses()}};
}

//===----------------------------------------------------------------------===//
// Code of an earlier compilation
//===----------------------------------------------------------------------===//

// An entry is a row of parts, each after its length: the report, the graph's
// code, then name and code of each kernel.

static void addPart(std::string &entry, llvm::StringRef part) {
  char length[8];
  llvm::support::endian::write64le(length, part.size());
  entry.append(length, sizeof(length));
  entry += part;
}

static std::optional<llvm::StringRef> takePart(llvm::StringRef &entry) {
  if (entry.size() < 8)
    return std::nullopt;
  uint64_t length = llvm::support::endian::read64le(entry.data());
  entry = entry.drop_front(8);
  if (entry.size() < length)
    return std::nullopt;
  llvm::StringRef part = entry.take_front(length);
  entry = entry.drop_front(length);
  return part;
}

std::string Session::makeEntry() const {
  auto codeOf = [](const ObjectCode &code) {
    return llvm::StringRef(code.data(), code.size());
  };
  std::string entry;
  addPart(entry, reporter.save());
  addPart(entry, codeOf(graph));
  for (const KernelJob &kernel : kernels) {
    addPart(entry, kernel.name);
    addPart(entry, codeOf(kernel.object));
  }
  return entry;
}

bool Session::takeCached(llvm::StringRef entry) {
  std::optional<llvm::StringRef> report = takePart(entry),
                                 graphCode = takePart(entry);
  if (!report || !graphCode || !reporter.restore(*report))
    return false;
  graph.assign(graphCode->begin(), graphCode->end());
  while (!entry.empty()) {
    std::optional<llvm::StringRef> name = takePart(entry),
                                   code = takePart(entry);
    if (!name || !code) {
      kernels.clear();
      return false;
    }
    KernelJob job;
    job.name = name->str();
    job.object.assign(code->begin(), code->end());
    kernels.push_back(std::move(job));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

llvm::Error Session::run(llvm::StringRef text, const CompileOptions &options,
                         CodeCache &cache, const DialectRegistry &registry) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  DiagnosticCollector diagnostics(context);
  reporter.target = target.name;
  auto fail = [&](llvm::StringRef otherwise) {
    return llvm::createStringError(diagnostics.errorText(otherwise));
  };

  OwningOpRef<ModuleOp> module = reporter.time("parse", [&] {
    return parseSourceString<ModuleOp>(text, ParserConfig(&context),
                                       options.source);
  });
  if (!module)
    return fail("the text is not a module");
  if (failed(verifyProgram(*module)))
    return fail("not a program");
  reporter.countOps(*module);

  collectRemarks(context, reporter.remarks);
  auto runStage = [&](llvm::StringRef name,
                      llvm::function_ref<void(PassManager &)> build) {
    return reporter.time(name, [&] {
      PassManager manager(&context);
      build(manager);
      return manager.run(*module);
    });
  };
  if (failed(runStage("tensors", [&](PassManager &manager) {
        GraphPipelineOptions graphOptions;
        graphOptions.target = target.name;
        graphOptions.strict = options.strict;
        buildTensorPipeline(manager, graphOptions);
      })))
    return fail("the program could not be lowered to loops");
  if (failed(runStage("kernels", [&](PassManager &manager) {
        KernelPipelineOptions kernelOptions;
        kernelOptions.target = target.name;
        kernelOptions.pack = options.pack;
        kernelOptions.strict = options.strict;
        kernelOptions.schedules = options.schedules;
        buildKernelPipeline(manager, kernelOptions);
      })))
    return fail("kernels could not be formed");
  if (failed(runStage("buffers", buildPlanPipeline)))
    return fail("the graph's buffers could not be made");
  reporter.describePlanned(*module);
  if (failed(runStage("buffers", [&](PassManager &manager) {
        buildProgramPipeline(manager, target.name);
      })))
    return fail("the graph could not be lowered");

  kernels = reporter.time("split", [&] { return takeKernels(*module); });
  return reporter.time("code", [&]() -> llvm::Error {
    llvm::Expected<CodeGenerator> generator =
        CodeGenerator::create(target.machine);
    if (!generator)
      return generator.takeError();
    if (llvm::Error error =
            compileKernels(kernels, registry, target, options.threads,
                           options.dumpKernels, cache))
      return error;
    llvm::Expected<ObjectCode> code = generator->generate(*module);
    if (!code)
      return fail(llvm::toString(code.takeError()));
    graph = std::move(*code);
    return llvm::Error::success();
  });
}

llvm::SmallVector<const ObjectCode *> Session::objects() const {
  llvm::SmallVector<const ObjectCode *> all{&graph};
  for (const KernelJob &job : kernels)
    all.push_back(&job.object);
  return all;
}

llvm::Expected<const OurcProgram *> Session::load() {
  if (!loaded) {
    auto program =
        reporter.time("load", [&] { return LoadedProgram::load(objects()); });
    if (!program)
      return program.takeError();
    loaded = std::move(*program);
  }
  return loaded->getProgram();
}

llvm::Error Session::write(llvm::StringRef path) {
  return reporter.time("link", [&] { return linkArtifact(objects(), path); });
}
