//===- OurcRun.cpp - Runs a compiled model on arrays in files -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Json.h"
#include "runtime/io/Npy.h"
#include "runtime/support/DType.h"
#include "runtime/support/Failure.h"
#include "tools/ourc-run/LoadedModel.h"
#include "tools/ourc-run/Options.h"
#include "tools/ourc-run/Profile.h"

#include <algorithm>
#include <ctime>
#include <new>

using namespace ourc;
using namespace ourc::run;
using runtime::NpyArray;
using runtime::Vec;

namespace {

/// The tensors of a call. Fixed once made: DLTensors point into it.
class Call {
public:
  Call(const Options &options, LoadedModel &loaded)
      : options(options), loaded(loaded), program(*loaded.program) {}
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;
  ~Call();

  bool readInputs();
  bool makeResults();
  bool run();
  bool writeOutputs();

private:
  bool assign(const Vec<const char *> &arguments, const char *what,
              const OurcTensorDesc *descs, int64_t count,
              Vec<const char *> &files);
  bool readInput(int64_t index, const char *file);

  const Options &options;
  LoadedModel &loaded;
  const OurcProgram &program;
  Vec<const char *> inputFiles, outputFiles;
  Vec<NpyArray *> arrays;
  Vec<DLTensor> inputs, results;
  Vec<const DLTensor *> inputAddresses;
  Vec<DLTensor *> resultAddresses;
  Vec<int64_t> shapes;
  Vec<void *> memory;
};

Call::~Call() {
  for (NpyArray *array : arrays)
    if (array) {
      array->~NpyArray();
      std::free(array);
    }
  for (void *block : memory)
    std::free(block);
}

/// Which file belongs to which tensor: files[i] is null where there is none.
bool Call::assign(const Vec<const char *> &arguments, const char *what,
                  const OurcTensorDesc *descs, int64_t count,
                  Vec<const char *> &files) {
  files.resize(count);
  int64_t next = 0;
  for (const char *argument : arguments) {
    int64_t index = -1;
    const char *file = argument;
    // "name=file" if there is such a name; file names may have '=' in them.
    const char *equals = std::strchr(argument, '=');
    for (int64_t i = 0; equals && index < 0 && i < count; ++i) {
      const char *name = descs[i].name;
      uint64_t length = static_cast<uint64_t>(equals - argument);
      if (name && std::strlen(name) == length &&
          !std::strncmp(name, argument, length)) {
        index = i;
        file = equals + 1;
      }
    }
    if (index < 0) {
      while (next < count && files[next])
        ++next;
      index = next;
    }
    if (index == count) {
      std::fprintf(stderr,
                   "ourc-run: %s '%s' is one too many: the model has %lld\n",
                   what, argument, static_cast<long long>(count));
      return false;
    }
    if (files[index]) {
      std::fprintf(stderr, "ourc-run: %s '%s' is given twice\n", what,
                   descs[index].name);
      return false;
    }
    files[index] = file;
  }
  return true;
}

bool Call::readInput(int64_t index, const char *file) {
  void *block = std::malloc(sizeof(NpyArray));
  if (!block)
    runtime::outOfMemory(sizeof(NpyArray));
  NpyArray &array = *new (block) NpyArray;
  arrays[index] = &array;
  if (array.open(file)) {
    std::fprintf(stderr, "ourc-run: %s\n", ourc_last_error());
    return false;
  }
  const OurcTensorDesc &desc = program.inputs[index];
  int32_t dtype = array.dtype;
  if (array.rawTwoBytes && desc.dtype == OURC_BF16)
    dtype = OURC_BF16;
  if (dtype < 0) {
    std::fprintf(stderr,
                 "ourc-run: input '%s': '%s' has elements of type '%s', must "
                 "be %s\n",
                 desc.name ? desc.name : "", file, array.descr,
                 runtime::dtypeName(desc.dtype));
    return false;
  }
  DLTensor &tensor = inputs[index];
  tensor = {};
  tensor.data = array.data;
  tensor.device.device_type = kDLCPU;
  tensor.ndim = array.rank;
  tensor.dtype = runtime::toDLPack(dtype);
  tensor.shape = array.shape;
  tensor.strides = array.strides;
  inputAddresses[index] = &tensor;
  return true;
}

bool Call::readInputs() {
  if (!assign(options.inputs, "input", program.inputs, program.numInputs,
              inputFiles) ||
      !assign(options.outputs, "output", program.results, program.numResults,
              outputFiles))
    return false;
  arrays.resize(program.numInputs);
  inputs.resize(program.numInputs);
  inputAddresses.resize(program.numInputs);
  for (int64_t i = 0; i < program.numInputs; ++i) {
    if (!inputFiles[i]) {
      const char *name = program.inputs[i].name;
      std::fprintf(stderr,
                   "ourc-run: no file for input %lld%s%s%s of %lld: give "
                   "--input\n",
                   static_cast<long long>(i), name ? " ('" : "",
                   name ? name : "", name ? "')" : "",
                   static_cast<long long>(program.numInputs));
      return false;
    }
    if (!readInput(i, inputFiles[i]))
      return false;
  }
  return true;
}

bool Call::makeResults() {
  int64_t numSizes = 0;
  for (int64_t i = 0; i < program.numResults; ++i)
    numSizes += program.results[i].rank;
  shapes.resize(numSizes);
  if (!loaded.good(loaded.resultShapes(loaded.model, inputAddresses.data(),
                                       program.numInputs, shapes.data())))
    return false;
  results.resize(program.numResults);
  int64_t *shape = shapes.data();
  for (int64_t i = 0; i < program.numResults; ++i) {
    const OurcTensorDesc &desc = program.results[i];
    DLTensor &tensor = results[i];
    tensor.device.device_type = kDLCPU;
    tensor.ndim = desc.rank;
    tensor.dtype = runtime::toDLPack(desc.dtype);
    tensor.shape = shape;
    resultAddresses.push(&tensor);
    int64_t bytes = runtime::dtypeBytes(desc.dtype);
    bool overflow = false;
    for (int32_t d = 0; d < desc.rank; ++d)
      overflow |= __builtin_mul_overflow(bytes, *shape++, &bytes);
    if (desc.layout) {
      for (int32_t d = 0; d < desc.rank; ++d)
        if (desc.layout[d] != d) {
          std::fprintf(stderr,
                       "ourc-run: result %lld is not row-major in memory: "
                       "such models are for programs, not for files\n",
                       static_cast<long long>(i));
          return false;
        }
    }
    if (desc.updates >= 0) {
      tensor.data = inputs[desc.updates].data;
      tensor.strides = inputs[desc.updates].strides;
      continue;
    }
    if (overflow || posix_memalign(&tensor.data, 64,
                                   static_cast<uint64_t>(bytes ? bytes : 1))) {
      tensor.data = nullptr;
      std::fprintf(stderr, "ourc-run: no memory for result %lld\n",
                   static_cast<long long>(i));
      return false;
    }
    memory.push(tensor.data);
  }
  return true;
}

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

/// The number "sharing_a_core" of "threads" in the model's description.
int64_t threadsSharingACore(const char *description) {
  runtime::JsonReader json(description,
                           static_cast<int64_t>(std::strlen(description)));
  runtime::Text key;
  int64_t sharing = 0;
  json.beginObject();
  while (json.nextKey(key)) {
    if (std::strcmp(key.c_str(), "threads") != 0) {
      json.skipValue();
      continue;
    }
    json.beginObject();
    while (json.nextKey(key)) {
      if (!std::strcmp(key.c_str(), "sharing_a_core"))
        json.readInteger(sharing);
      else
        json.skipValue();
    }
  }
  return sharing;
}

bool Call::run() {
  Vec<double> times;
  times.reserve(options.repeat < 1'000'000 ? options.repeat : 1'000'000);
  OurcMemoryStats first = {}, last = {};
  Profile profile(loaded);
  if (options.profile && !profile.begin())
    return false;
  for (int64_t i = 0; i < options.repeat; ++i) {
    double start = now();
    if (!loaded.good(loaded.run(loaded.model, inputAddresses.data(),
                                program.numInputs, resultAddresses.data(),
                                program.numResults)))
      return false;
    times.push(now() - start);
    if (options.profile && !profile.takeCall())
      return false;
    if (i == 0 && !loaded.good(loaded.memory(loaded.model, &first)))
      return false;
  }
  if (options.profile && !profile.print())
    return false;
  if (options.repeat == 1)
    return true;
  if (!loaded.good(loaded.memory(loaded.model, &last)))
    return false;
  double firstTime = times[0];
  std::sort(times.begin(), times.end());
  std::printf("%lld runs: first %.3f ms, median %.3f ms, fastest %.3f ms, "
              "slowest %.3f ms; %lld allocations after the first run\n",
              static_cast<long long>(options.repeat), firstTime * 1e3,
              times[times.size() / 2] * 1e3, times[0] * 1e3, times.back() * 1e3,
              static_cast<long long>(last.allocations - first.allocations));
  const char *description = loaded.describe(loaded.model);
  int64_t sharing = description ? threadsSharingACore(description) : 0;
  if (sharing)
    std::fprintf(stderr,
                 "ourc-run: warning: %lld threads share a core, so times are "
                 "too long: set OMP_PROC_BIND=true, or a smaller "
                 "OMP_NUM_THREADS\n",
                 static_cast<long long>(sharing));
  return true;
}

bool Call::writeOutputs() {
  for (int64_t i = 0; i < program.numResults; ++i) {
    const DLTensor &tensor = results[i];
    if (outputFiles[i] &&
        runtime::writeNpy(outputFiles[i], program.results[i].dtype, tensor.ndim,
                          tensor.shape, tensor.data)) {
      std::fprintf(stderr, "ourc-run: %s\n", ourc_last_error());
      return false;
    }
  }
  return true;
}

/// Every core's own thread, unless the user says how: the scheduler sometimes
/// wakes two threads on one core, and each loop then waits for milliseconds.
/// The OpenMP runtime reads it when a model loads it.
void bindThreads() {
  const char *const settings[] = {"OMP_PROC_BIND", "OMP_PLACES",
                                  "OMP_NUM_THREADS", "GOMP_CPU_AFFINITY",
                                  "KMP_AFFINITY"};
  for (const char *setting : settings)
    if (std::getenv(setting))
      return;
  setenv("OMP_PROC_BIND", "true", /*overwrite=*/0);
}

bool runTool(int argc, const char *const *argv) {
  Options options;
  if (!parseOptions(argc, argv, options))
    return false;
  if (options.help)
    return std::fputs(usage, stdout) >= 0;
  bindThreads();
  LoadedModel loaded;
  if (!loaded.load(options.model))
    return false;
  bool runs = !options.describe || options.profile || !options.inputs.empty();
  if (runs ? !loaded.create(options.model, options.weights)
           : !loaded.createBare())
    return false;
  if (runs) {
    Call call(options, loaded);
    if (!call.readInputs() || !call.makeResults() || !call.run() ||
        !call.writeOutputs())
      return false;
  }
  if (options.describe) {
    const char *text = loaded.describe(loaded.model);
    if (!loaded.good(text ? OURC_OK : OURC_ERROR_ARGUMENT))
      return false;
    std::printf("%s\n", text);
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  bool good = runTool(argc, argv);
  if (std::fflush(stdout) != 0 && good) {
    std::fprintf(stderr, "ourc-run: cannot write to the standard output\n");
    good = false;
  }
  return good ? 0 : 1;
}
