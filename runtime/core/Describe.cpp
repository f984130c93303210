//===- Describe.cpp - A model in JSON -------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Describe.h"

#include "runtime/core/ParallelFor.h"
#include "runtime/io/Json.h"
#include "runtime/support/DType.h"

using namespace ourc::runtime;

static void field(const char *name, Text &text) {
  printJsonString(name, text);
  text.append(": ");
}

static void field(const char *name, int64_t value, Text &text) {
  field(name, text);
  text.print("%lld", static_cast<long long>(value));
}

static void field(const char *name, const char *value, Text &text) {
  field(name, text);
  if (value)
    printJsonString(value, text);
  else
    text.append("null");
}

static void describeTensor(const OurcProgram &program,
                           const OurcTensorDesc &desc, bool isResult,
                           Text &text) {
  text.append('{');
  field("name", desc.name, text);
  text.append(", ");
  field("dtype", dtypeName(desc.dtype), text);
  text.append(", ");
  field("shape", text);
  text.append('[');
  bool rowMajor = true;
  for (int32_t i = 0; i < desc.rank; ++i) {
    const OurcDim &dim = desc.dims[i];
    if (i)
      text.append(", ");
    if (dim.symbol >= 0)
      printJsonString(program.symbols[dim.symbol].name, text);
    else if (dim.symbol == OURC_DIM_COMPUTED)
      text.append("null");
    else
      text.print("%lld", static_cast<long long>(dim.size));
    rowMajor &= !desc.layout || desc.layout[i] == i;
  }
  text.append(']');
  if (!rowMajor) {
    text.append(", \"layout\": [");
    for (int32_t i = 0; i < desc.rank; ++i)
      text.print(i ? ", %d" : "%d", desc.layout[i]);
    text.append(']');
  }
  if (isResult && desc.updates >= 0) {
    text.append(", ");
    field("updates", desc.updates, text);
  }
  text.append('}');
}

static void describeTensors(const OurcProgram &program, const char *name,
                            const OurcTensorDesc *descs, int64_t count,
                            bool areResults, Text &text) {
  field(name, text);
  text.append('[');
  for (int64_t i = 0; i < count; ++i) {
    if (i)
      text.append(", ");
    describeTensor(program, descs[i], areResults, text);
  }
  text.append("], ");
}

void ourc::runtime::describe(const OurcProgram &program,
                             const OurcMemoryStats &memory, Text &text,
                             const char *graphs) {
  text.append('{');
  field("name", program.name, text);
  text.append(", ");
  field("target", program.target, text);
  text.append(", ");
  field("abi_version", program.abiVersion, text);
  text.append(", \"symbols\": [");
  for (int64_t i = 0; i < program.numSymbols; ++i) {
    const OurcSymbol &symbol = program.symbols[i];
    text.append(i ? ", {" : "{");
    field("name", symbol.name, text);
    text.append(", ");
    field("min", symbol.min, text);
    text.append(", ");
    field("max", symbol.max, text);
    text.append(", ");
    field("multiple_of", symbol.multipleOf, text);
    text.append('}');
  }
  text.append("], ");
  describeTensors(program, "inputs", program.inputs, program.numInputs, false,
                  text);
  describeTensors(program, "parameters", program.parameters,
                  program.numParameters, false, text);
  describeTensors(program, "prepared", program.prepared, program.numPrepared,
                  false, text);
  describeTensors(program, "results", program.results, program.numResults, true,
                  text);
  text.append("\"memory\": {");
  field("arena_bytes", memory.arenaBytes, text);
  text.append(", ");
  field("sum_of_buffers", memory.sumOfBuffers, text);
  text.append(", ");
  field("lower_bound", memory.lowerBound, text);
  text.append(", ");
  field("prepared_bytes", memory.preparedBytes, text);
  text.append(", ");
  field("allocations", memory.allocations, text);
  text.append(", ");
  field("buffers", program.numBuffers, text);
  ThreadsInfo threads = threadsInfo();
  text.append("}, \"threads\": {");
  field("library", threads.library, text);
  text.append(", ");
  field("max", threads.maxThreads, text);
  text.append(", ");
  field("sharing_a_core", threadsSharingACore(), text);
  text.append("}, ");
  if (graphs) {
    field("graphs", text);
    text.append(graphs);
    text.append(", ");
  }
  field("report", text);
  const char *report = program.report;
  if (report) {
    // It goes in as it is, so it must be JSON.
    JsonReader json(report, static_cast<int64_t>(std::strlen(report)));
    json.skipValue();
    json.expectEnd();
    if (json.failed())
      printJsonString(report, text);
    else
      text.append(report);
  } else {
    text.append("null");
  }
  text.append('}');
}
