//===- ourc-compile.cpp - From MLIR text to a shared object ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Session.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace ourc;
namespace cl = llvm::cl;

static cl::OptionCategory category("ourc-compile options");
static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("<model.mlir, - for stdin>"),
                                  cl::cat(category));
static cl::opt<std::string>
    output("o", cl::Required, cl::value_desc("model.so"),
           cl::desc("The shared object to write; its weights are read from a "
                    ".safetensors file when it is run"),
           cl::cat(category));
static cl::opt<std::string>
    target("target", cl::init("cpu:native"), cl::value_desc("name"),
           cl::desc("cpu:native (default), cpu:x86-64-v3, cpu:x86-64-v4, "
                    "another cpu:<name>, cuda:sm_80, cuda:sm_89, cuda:sm_90, "
                    "cuda:sm_100, or simt"),
           cl::cat(category));
static cl::opt<bool>
    pack("pack", cl::init(true),
         cl::desc("Copy weights into the layouts that kernels read fastest "
                  "(default true; costs their size in memory once more)"),
         cl::cat(category));
static cl::opt<bool> strict(
    "strict",
    cl::desc("Use no algorithm that changes results by more than the "
             "order of additions (Winograd's convolution), and round f16 "
             "and bf16 after each operation"),
    cl::cat(category));
static cl::opt<unsigned>
    jobs("jobs", cl::init(0), cl::value_desc("n"),
         cl::desc("Kernels compiled at once (default 0: one for each core)"),
         cl::cat(category));
static cl::opt<std::string>
    dumpKernels("dump-kernels", cl::value_desc("folder"),
                cl::desc("Write each kernel's IR and assembly into a folder"),
                cl::cat(category));
static cl::opt<std::string>
    cache("cache", cl::value_desc("folder"),
          cl::desc("Where compiled code is kept from one compilation to the "
                   "next, or off (default: $OURC_CACHE_DIR, else "
                   "~/.cache/ourc/code)"),
          cl::cat(category));
static cl::opt<std::string>
    schedules("schedules", cl::value_desc("file"),
              cl::desc("Schedules for the kernels that the file names, as "
                       "ourc-tune writes them"),
              cl::cat(category));
static cl::opt<std::string> report(
    "report", cl::value_desc("file"),
    cl::desc("Write the report of the compilation as JSON, - for stdout"),
    cl::cat(category));

static int fail(const llvm::Twine &message) {
  llvm::errs() << "ourc-compile: " << message << "\n";
  return 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Compiles a tensor program to a shared object\n");
  auto text = llvm::MemoryBuffer::getFileOrSTDIN(input, /*IsText=*/false);
  if (!text)
    return fail("cannot read '" + input + "': " + text.getError().message());
  CompileOptions options;
  options.target = target;
  options.pack = pack;
  options.strict = strict;
  options.schedules = schedules;
  options.threads = jobs;
  options.dumpKernels = dumpKernels;
  options.cache = cache;
  options.source = input == "-" ? "<stdin>" : input.getValue();
  llvm::Expected<std::unique_ptr<Session>> session =
      Session::compile((*text)->getBuffer(), options);
  if (!session)
    return fail("cannot compile '" + input + "':\n" +
                llvm::toString(session.takeError()));
  if (llvm::Error error = (*session)->write(output))
    return fail(llvm::toString(std::move(error)));
  if (report.empty())
    return 0;
  std::error_code code;
  llvm::ToolOutputFile file(report, code, llvm::sys::fs::OF_Text);
  if (code)
    return fail("cannot write '" + report + "': " + code.message());
  file.os() << (*session)->report() << "\n";
  file.keep();
  return 0;
}
