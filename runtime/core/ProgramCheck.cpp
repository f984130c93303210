//===- ProgramCheck.cpp - Is a program well formed? -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/ProgramCheck.h"

#include "runtime/support/DType.h"
#include "runtime/support/Failure.h"

#include <cstdarg>

using namespace ourc::runtime;

namespace {

/// A group of described tensors and what its dimensions may be.
struct Group {
  const char *what;
  const OurcTensorDesc *descs;
  int64_t count;
  bool symbols, computed;
};

class Checker {
public:
  explicit Checker(const OurcProgram &program) : program(program) {}
  int32_t check();

private:
  __attribute__((format(printf, 2, 3))) int32_t bad(const char *format, ...);
  int32_t checkArrays();
  int32_t checkSymbols();
  int32_t checkTensor(const Group &group, int64_t index);
  bool isDim(const Group &group, const OurcDim &dim);
  int32_t checkUpdates(int64_t index);
  bool isNamed(int32_t symbol, const OurcTensorDesc *descs, int64_t count);

  const OurcProgram &program;
};

int32_t Checker::bad(const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  return fail(OURC_ERROR_VERSION, "malformed program '%s': %s",
              program.name ? program.name : "", text);
}

long long number(int64_t value) { return value; }

int32_t Checker::checkArrays() {
  struct {
    const char *what;
    int64_t count;
    const void *array;
  } const arrays[] = {
      {"symbols", program.numSymbols, program.symbols},
      {"inputs", program.numInputs, program.inputs},
      {"parameters", program.numParameters, program.parameters},
      {"prepared weights", program.numPrepared, program.prepared},
      {"results", program.numResults, program.results},
      {"buffers", program.numBuffers, program.buffers}};
  for (const auto &array : arrays) {
    // Tables are indexed by int32_t and sized by products of small structs.
    if (array.count < 0 || array.count > INT32_MAX)
      return bad("it has %lld %s", number(array.count), array.what);
    if (array.count && !array.array)
      return bad("its %s are null", array.what);
  }
  if (program.numComputedDims < 0 || program.numComputedDims > INT32_MAX)
    return bad("it has %lld computed dimensions",
               number(program.numComputedDims));
  return OURC_OK;
}

bool Checker::isNamed(int32_t symbol, const OurcTensorDesc *descs,
                      int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    for (int32_t d = 0; d < descs[i].rank; ++d)
      if (descs[i].dims[d].symbol == symbol)
        return true;
  return false;
}

int32_t Checker::checkSymbols() {
  for (int32_t i = 0; i < program.numSymbols; ++i) {
    const OurcSymbol &symbol = program.symbols[i];
    if (!symbol.name)
      return bad("symbol %d has no name", i);
    if (symbol.min < 0 || symbol.max < symbol.min || symbol.multipleOf < 1)
      return bad(
          "symbol '%s' has bounds %lld to %lld and is a multiple of %lld",
          symbol.name, number(symbol.min), number(symbol.max),
          number(symbol.multipleOf));
    if (!isNamed(i, program.inputs, program.numInputs) &&
        !isNamed(i, program.parameters, program.numParameters))
      return bad("no input has a dimension '%s' that gives the symbol's value",
                 symbol.name);
  }
  return OURC_OK;
}

bool Checker::isDim(const Group &group, const OurcDim &dim) {
  if (dim.symbol == OURC_DIM_STATIC)
    return dim.size >= 0;
  if (dim.symbol == OURC_DIM_COMPUTED)
    return group.computed && dim.size >= 0 &&
           dim.size < program.numComputedDims;
  return group.symbols && dim.symbol >= 0 && dim.symbol < program.numSymbols;
}

int32_t Checker::checkTensor(const Group &group, int64_t index) {
  const OurcTensorDesc &desc = group.descs[index];
  const char *what = group.what;
  if (!isDType(desc.dtype))
    return bad("%s %lld has the element type %d", what, number(index),
               desc.dtype);
  if (desc.rank < 0 || desc.rank > OURC_MAX_RANK)
    return bad("%s %lld has rank %d, must be at most %d", what, number(index),
               desc.rank, OURC_MAX_RANK);
  if (desc.rank && !desc.dims)
    return bad("the dimensions of %s %lld are null", what, number(index));
  int64_t bytes = dtypeBytes(desc.dtype);
  for (int32_t i = 0; i < desc.rank; ++i) {
    const OurcDim &dim = desc.dims[i];
    if (!isDim(group, dim))
      return bad("dimension %d of %s %lld has symbol %d and size %lld", i, what,
                 number(index), dim.symbol, number(dim.size));
    if (dim.symbol == OURC_DIM_STATIC &&
        __builtin_mul_overflow(bytes, dim.size ? dim.size : 1, &bytes))
      return bad("%s %lld has more than 2^63 bytes", what, number(index));
  }
  if (desc.layout) {
    uint64_t seen = 0;
    for (int32_t i = 0; i < desc.rank; ++i)
      if (desc.layout[i] >= 0 && desc.layout[i] < desc.rank)
        seen |= uint64_t(1) << desc.layout[i];
    if (seen != (uint64_t(1) << desc.rank) - 1)
      return bad("the layout of %s %lld is no order of its %d dimensions", what,
                 number(index), desc.rank);
  }
  return OURC_OK;
}

int32_t Checker::checkUpdates(int64_t index) {
  const OurcTensorDesc &result = program.results[index];
  if (result.updates == -1)
    return OURC_OK;
  if (result.updates < 0 || result.updates >= program.numInputs)
    return bad("result %lld updates input %d, but there are %lld inputs",
               number(index), result.updates, number(program.numInputs));
  const OurcTensorDesc &input = program.inputs[result.updates];
  bool same = result.rank == input.rank && result.dtype == input.dtype;
  for (int32_t i = 0; same && i < result.rank; ++i) {
    same = result.dims[i].symbol == input.dims[i].symbol &&
           (result.dims[i].symbol >= 0 ||
            result.dims[i].size == input.dims[i].size) &&
           (result.layout ? result.layout[i] : i) ==
               (input.layout ? input.layout[i] : i);
  }
  for (int64_t other = 0; same && other < index; ++other)
    if (program.results[other].updates == result.updates)
      return bad("results %lld and %lld both update input %d", number(other),
                 number(index), result.updates);
  return same ? OURC_OK
              : bad("result %lld updates input %d but has another type",
                    number(index), result.updates);
}

int32_t Checker::check() {
  if (int32_t status = checkArrays())
    return status;
  const Group groups[] = {
      {"input", program.inputs, program.numInputs, true, false},
      {"parameter", program.parameters, program.numParameters, true, false},
      {"prepared weight", program.prepared, program.numPrepared, false, false},
      {"result", program.results, program.numResults, true, true}};
  for (const Group &group : groups)
    for (int64_t i = 0; i < group.count; ++i)
      if (int32_t status = checkTensor(group, i))
        return status;
  if (int32_t status = checkSymbols())
    return status;
  for (int64_t i = 0; i < program.numResults; ++i)
    if (int32_t status = checkUpdates(i))
      return status;
  for (int64_t i = 0; i < program.numParameters; ++i)
    if (!program.parameters[i].name)
      return bad("parameter %lld has no name", number(i));
  for (int64_t i = 0; i < program.numBuffers; ++i)
    if (program.buffers[i].firstUse > program.buffers[i].lastUse)
      return bad("buffer %lld ends (%d) before it begins (%d)", number(i),
                 program.buffers[i].lastUse, program.buffers[i].firstUse);
  if (!program.run)
    return bad("it has no function 'run'");
  if (program.numPrepared && !program.init)
    return bad("it has prepared weights but no function 'init'");
  if (program.initScratchBytes < 0)
    return bad("'init' needs %lld bytes of scratch",
               number(program.initScratchBytes));
  if ((program.numBuffers || program.numComputedDims) && !program.shapes)
    return bad("it has no function 'shapes'");
  return OURC_OK;
}

} // namespace

int32_t ourc::runtime::checkProgram(const OurcProgram *program) {
  if (!program)
    return fail(OURC_ERROR_ARGUMENT, "the program is null");
  if (program->abiVersion != OURC_ABI_VERSION)
    return fail(OURC_ERROR_VERSION,
                "the program has ABI version %u, this runtime reads version "
                "%d: compile it again",
                program->abiVersion, OURC_ABI_VERSION);
  return Checker(*program).check();
}
