//===- ourc-tune.cpp - Measures the machine, and schedules ----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/ParallelFor.h"
#include "runtime/measure/Peaks.h"
#include "target/cpu/MachineDescription.h"
#include "tools/ourc-tune/ModelTuner.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ToolOutputFile.h"
#include <unistd.h>

using namespace ourc;
namespace cl = llvm::cl;

static cl::OptionCategory category("ourc-tune options");
static cl::SubCommand
    machineCommand("machine",
                   "Measure this machine in some seconds: peaks, bandwidths of "
                   "its caches, the cost of a parallel loop");
static cl::opt<std::string> output(
    "o", cl::init("-"), cl::value_desc("file"),
    cl::desc("Where the result goes, - for stdout (default): a description "
             "of the machine, which the compiler reads where "
             "$OURC_MACHINE names it, or a file of schedules, for "
             "ourc-compile --schedules"),
    cl::cat(category), cl::sub(machineCommand),
    cl::sub(cl::SubCommand::getTopLevel()));

static cl::opt<std::string>
    input(cl::Positional, cl::value_desc("model.mlir"),
          cl::desc("<model.mlir: measure the schedules of its kernels>"),
          cl::cat(category));
static cl::opt<std::string>
    target("target", cl::init("cpu:native"), cl::value_desc("name"),
           cl::desc("What to compile for, as in ourc-compile"),
           cl::cat(category));
static cl::opt<bool> strict("strict", cl::desc("As in ourc-compile"),
                            cl::cat(category));
static cl::list<std::string> dims("dims", cl::CommaSeparated,
                                  cl::value_desc("name=n"),
                                  cl::desc("The sizes of the model's symbols"),
                                  cl::cat(category));
static cl::opt<unsigned> calls("calls", cl::init(20), cl::value_desc("n"),
                               cl::desc("Calls of a measurement (default 20)"),
                               cl::cat(category));
static cl::opt<std::string>
    schedules("schedules", cl::value_desc("file"),
              cl::desc("With --times: schedules for the kernels that the file "
                       "names"),
              cl::cat(category));
static cl::opt<bool>
    list("list",
         cl::desc("Measure nothing: print each kernel's key and candidates"),
         cl::cat(category));
static cl::opt<bool>
    times("times", cl::desc("Choose nothing: print the seconds of each kernel"),
          cl::cat(category));

static int fail(const llvm::Twine &message) {
  llvm::errs() << "ourc-tune: " << message << "\n";
  return 1;
}

static int write(llvm::json::Value value) {
  std::error_code code;
  llvm::ToolOutputFile file(output, code, llvm::sys::fs::OF_Text);
  if (code)
    return fail("cannot write '" + output + "': " + code.message());
  file.os() << llvm::formatv("{0:2}", value) << "\n";
  file.keep();
  return 0;
}

static int measureMachine() {
  // The file that is to be replaced must not stand in the way.
  unsetenv("OURC_MACHINE");
  std::string error;
  std::optional<cpu::MachineDescription> machine =
      cpu::MachineDescription::parse("cpu:native", error);
  if (!machine)
    return fail(error);
  int64_t threads = runtime::threadsInfo().maxThreads;
  if (runtime::threadsSharingACore())
    return fail("threads share a core, which falsifies all times: set "
                "OMP_PROC_BIND=true or a smaller OMP_NUM_THREADS");
  llvm::json::Object object{{"cpu", machine->cpu},
                            {"threads", threads},
                            {"l1_bytes", machine->l1Bytes},
                            {"l2_bytes", machine->l2Bytes}};
  object["flops"] = runtime::measureFlops(threads);
  object["flops16"] = runtime::measureFlops16(threads);
  object["bandwidth"] = runtime::measureReadBandwidth(threads);
  // What a core reads from half of each cache.
  object["l1_bandwidth"] =
      runtime::measureReadBandwidthOf(machine->l1Bytes / 2);
  object["l2_bandwidth"] =
      runtime::measureReadBandwidthOf(machine->l2Bytes / 2);
  if (long l3 = sysconf(_SC_LEVEL3_CACHE_SIZE); l3 > 0) {
    object["l3_bytes"] = l3;
    // Of the part that every core may count on.
    object["l3_bandwidth"] = runtime::measureReadBandwidthOf(
        std::max<int64_t>(2 * machine->l2Bytes, l3 / (2 * threads)));
  }
  object["parallel_for_seconds"] = runtime::measureParallelFor(threads);

  return write(std::move(object));
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

static llvm::Expected<tune::Sizes> parseSizes() {
  tune::Sizes sizes;
  for (llvm::StringRef text : dims) {
    auto [name, number] = text.split('=');
    int64_t size;
    if (name.empty() || number.getAsInteger(10, size) || size < 0)
      return llvm::createStringError("--dims takes name=n, not '" + text + "'");
    sizes[name] = size;
  }
  return sizes;
}

static llvm::json::Value toJSON(llvm::ArrayRef<KernelCandidates> kernels) {
  llvm::json::Array all;
  for (const KernelCandidates &kernel : kernels)
    all.push_back(llvm::json::Object{
        {"kernel", kernel.key},
        {"name", kernel.name},
        {"candidates", llvm::json::Array(kernel.schedules)}});
  return llvm::json::Object{{"kernels", std::move(all)}};
}

static llvm::json::Value toJSON(const tune::Times &taken) {
  llvm::json::Object kernels;
  for (const auto &[name, seconds] : taken.kernels)
    kernels[name] = seconds;
  return llvm::json::Object{{"kernels", std::move(kernels)},
                            {"call", taken.call}};
}

/// Runs this program with --times.
static llvm::Expected<tune::Times> measureApart(const std::string &program,
                                                llvm::StringRef file) {
  llvm::Expected<llvm::sys::fs::TempFile> result = tune::createTempFile();
  if (!result)
    return result.takeError();
  std::vector<std::string> arguments{program,
                                     input,
                                     "--times",
                                     "-o=" + result->TmpName,
                                     "--target=" + target,
                                     "--calls=" + std::to_string(calls)};
  if (strict)
    arguments.push_back("--strict");
  for (const std::string &size : dims)
    arguments.push_back("--dims=" + size);
  if (!file.empty())
    arguments.push_back("--schedules=" + file.str());
  llvm::SmallVector<llvm::StringRef> references(arguments.begin(),
                                                arguments.end());
  std::string message;
  int code = llvm::sys::ExecuteAndWait(program, references, std::nullopt, {},
                                       /*SecondsToWait=*/0, /*MemoryLimit=*/0,
                                       &message);
  auto buffer = llvm::MemoryBuffer::getFile(result->TmpName);
  llvm::consumeError(result->discard());
  if (code != 0)
    return llvm::createStringError(
        "a measurement ended with status " + llvm::Twine(code) +
        (message.empty() ? llvm::Twine() : ": " + llvm::Twine(message)));
  if (!buffer)
    return llvm::createStringError("a measurement wrote nothing: " +
                                   buffer.getError().message());
  llvm::Expected<llvm::json::Value> value =
      llvm::json::parse((*buffer)->getBuffer());
  if (!value)
    return value.takeError();
  tune::Times taken;
  const llvm::json::Object *object = value->getAsObject();
  taken.call = object->getNumber("call").value_or(0);
  for (const auto &[name, seconds] : *object->getObject("kernels"))
    taken.kernels[name.str()] = seconds.getAsNumber().value_or(0);
  return taken;
}

static int tuneModel(const std::string &program) {
  auto text = llvm::MemoryBuffer::getFile(input, /*IsText=*/false);
  if (!text)
    return fail("cannot read '" + input + "': " + text.getError().message());
  CompileOptions options;
  options.target = target;
  options.strict = strict;
  options.schedules = schedules;
  options.source = input;
  llvm::StringRef content = (*text)->getBuffer();
  auto failWith = [&](llvm::Error error) {
    return fail("'" + input + "': " + llvm::toString(std::move(error)));
  };
  llvm::Expected<tune::Sizes> sizes = parseSizes();
  if (!sizes)
    return fail(llvm::toString(sizes.takeError()));
  if (!schedules.empty() && !times)
    return fail("--schedules is for --times");
  if (calls == 0)
    return fail("--calls must be at least 1");
  if (times) {
    llvm::Expected<tune::Times> taken =
        tune::measure(content, options, *sizes, calls);
    return taken ? write(toJSON(*taken)) : failWith(taken.takeError());
  }
  llvm::Expected<std::vector<KernelCandidates>> kernels =
      listCandidates(content, options);
  if (!kernels)
    return failWith(kernels.takeError());
  if (list)
    return write(toJSON(*kernels));
  // Before minutes are spent.
  if (output != "-") {
    std::error_code code;
    llvm::raw_fd_ostream probe(output, code, llvm::sys::fs::CD_OpenAlways,
                               llvm::sys::fs::FA_Write,
                               llvm::sys::fs::OF_Append);
    if (code)
      return fail("cannot write '" + output + "': " + code.message());
  }
  llvm::Expected<llvm::json::Value> tuned =
      tune::tuneModel(*kernels, [&](llvm::StringRef file) {
        return measureApart(program, file);
      });
  return tuned ? write(std::move(*tuned)) : failWith(tuned.takeError());
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category, machineCommand);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Measures what the compiler decides by\n");
  if (machineCommand)
    return measureMachine();
  if (input.empty())
    return fail("say what to measure: ourc-tune machine, or ourc-tune "
                "model.mlir");
  return tuneModel(llvm::sys::fs::getMainExecutable(
      argv[0], reinterpret_cast<void *>(&tuneModel)));
}
