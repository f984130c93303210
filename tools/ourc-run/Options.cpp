//===- Options.cpp - The command line of ourc-run -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ourc-run/Options.h"

#include <cerrno>

using namespace ourc::run;

const char ourc::run::usage[] =
    R"(Runs a compiled model on arrays in files.

  ourc-run model.so [options]

  --input [NAME=]FILE.npy   An input: by name, or the next one in the model's
                            order. Give one for every input.
  --output [NAME=]FILE.npy  Where a result goes: by name, or the next one in the
                            model's order. Results without a file are dropped.
  --weights FILE            The model's weights, a .safetensors file; by default
                            the file beside model.so that is named like it:
                            model.safetensors.
  --repeat N                Run N times and print the times. An input that the
                            model updates in place is updated N times.
  --profile                 Time each launch and print a table of kernels:
                            milliseconds in a call (the median of --repeat, by
                            default 21), the least that the machine's peaks
                            allow, schedule and source lines.
  --describe                Print the model as JSON: inputs, results, symbols,
                            memory, the compiler's report. Without --input
                            nothing is run.
  --help                    Print this text.

NumPy has no bfloat16: such inputs are arrays of two-byte items ('<V2', as the
ml_dtypes package saves them) or uint16, such results are written as '<V2'; read
them by numpy.load(f).view(ml_dtypes.bfloat16).

Loops run on one OpenMP thread a core, each bound to its core; set
OMP_NUM_THREADS or OMP_PROC_BIND to have it otherwise.

Exit status: 0, or 1 after any error.
)";

bool ourc::run::parseOptions(int argc, const char *const *argv,
                             Options &options) {
  auto bad = [](const char *what, const char *argument) {
    std::fprintf(stderr, "ourc-run: %s '%s'; see ourc-run --help\n", what,
                 argument);
    return false;
  };
  for (int i = 1; i < argc; ++i) {
    const char *argument = argv[i];
    // The value of an option, as --name=value or as the next argument.
    const char *value = nullptr;
    auto isOption = [&](const char *name) {
      uint64_t length = std::strlen(name);
      if (std::strncmp(argument, name, length) != 0)
        return false;
      if (argument[length] == '=') {
        value = argument + length + 1;
        return true;
      }
      if (argument[length] != 0)
        return false;
      value = i + 1 < argc ? argv[i + 1] : nullptr;
      ++i;
      return true;
    };
    if (!std::strcmp(argument, "--help") || !std::strcmp(argument, "-h")) {
      options.help = true;
      return true;
    }
    if (!std::strcmp(argument, "--describe")) {
      options.describe = true;
      continue;
    }
    if (!std::strcmp(argument, "--profile")) {
      options.profile = true;
      continue;
    }
    bool isInput = isOption("--input");
    bool isOutput = !isInput && isOption("--output");
    bool isWeights = !isInput && !isOutput && isOption("--weights");
    bool isRepeat = !isInput && !isOutput && !isWeights && isOption("--repeat");
    if (isInput || isOutput || isWeights || isRepeat) {
      if (!value || !*value)
        return bad("no value after", argument);
      if (isInput)
        options.inputs.push(value);
      else if (isOutput)
        options.outputs.push(value);
      else if (isWeights)
        options.weights = value;
      if (!isRepeat)
        continue;
      char *end = nullptr;
      errno = 0;
      options.repeat = std::strtoll(value, &end, 10);
      if (*end || errno || options.repeat < 1)
        return bad("--repeat must be a positive number, not", value);
      continue;
    }
    if (argument[0] == '-')
      return bad("unknown option", argument);
    if (options.model)
      return bad("only one model can be run, what is", argument);
    options.model = argument;
  }
  constexpr int64_t kProfiledCalls = 21;
  if (options.profile && options.repeat == 0)
    options.repeat = kProfiledCalls;
  else if (options.repeat == 0)
    options.repeat = 1;
  if (!options.model) {
    std::fprintf(stderr, "ourc-run: no model.so given; see ourc-run --help\n");
    return false;
  }
  return true;
}
