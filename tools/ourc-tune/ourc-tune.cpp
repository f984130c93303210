//===- ourc-tune.cpp - Measures the machine -------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/ParallelFor.h"
#include "runtime/measure/Peaks.h"
#include "target/cpu/MachineDescription.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/ToolOutputFile.h"
#include <unistd.h>

using namespace ourc;
namespace cl = llvm::cl;

static cl::OptionCategory category("ourc-tune options");
static cl::SubCommand
    machineCommand("machine",
                   "Measure this machine in some seconds: peaks, bandwidths of "
                   "its caches, the cost of a parallel loop");
static cl::opt<std::string>
    output("o", cl::init("-"), cl::value_desc("file"),
           cl::desc("Where the description goes, - for stdout (default); the "
                    "compiler reads the file that $OURC_MACHINE names"),
           cl::cat(category), cl::sub(machineCommand));

static int fail(const llvm::Twine &message) {
  llvm::errs() << "ourc-tune: " << message << "\n";
  return 1;
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

  std::error_code code;
  llvm::ToolOutputFile file(output, code, llvm::sys::fs::OF_Text);
  if (code)
    return fail("cannot write '" + output + "': " + code.message());
  file.os() << llvm::formatv("{0:2}", llvm::json::Value(std::move(object)))
            << "\n";
  file.keep();
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category, machineCommand);
  cl::ParseCommandLineOptions(argc, argv,
                              "Measures what the compiler decides by\n");
  if (machineCommand)
    return measureMachine();
  return fail("say what to measure: ourc-tune machine");
}
