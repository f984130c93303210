//===- DriverDouble.cpp - A libcuda.so.1 for tests ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverDouble.h"

#include "runtime/cuda/Device.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

using ourc::cuda::Address;
using ourc::cuda::Context;
using ourc::cuda::Function;
using ourc::cuda::Module;
using ourc::cuda::Result;
using ourc::cuda::Stream;

namespace {

constexpr Result invalidValue = 1, outOfMemory = 2, invalidContext = 201,
                 invalidHandle = 400, notFound = 500, launchFailed = 719;

struct LoadedCode {
  uint64_t hash;
};
struct Kernel {
  OurcSimtKernelFn twin;
  std::string name;
  uint32_t sharedLimit = 48 * 1024;
};

/// Everything that the double knows. One lock for all of it.
struct State {
  std::recursive_mutex mutex;
  int architecture = 90;
  std::vector<std::string> calls;
  int64_t failAt = -1;
  int failWith = 0;
  std::string misuse;
  std::map<std::pair<uint64_t, std::string>, OurcSimtKernelFn> twins;
  int contexts = 0;
  std::set<void *> streams, modules;
  std::map<void *, Kernel *> kernels;
  std::map<Address, size_t> memory;
};
State &state() {
  static State *all = new State;
  return *all;
}
thread_local std::vector<void *> contextStack;
char primaryContext;

/// Records a call; its result where one was ordered.
Result begin(const char *name, bool needsContext) {
  State &s = state();
  s.calls.push_back(name);
  if (s.failAt >= 0 && s.failAt-- == 0)
    return s.failWith;
  if (needsContext && contextStack.empty())
    return invalidContext;
  return 0;
}

void misuse(const std::string &what) {
  if (state().misuse.empty())
    state().misuse = what;
}

bool isStream(void *stream) { return !stream || state().streams.count(stream); }

/// Whether [address, address + bytes) lies in one allocation.
bool isMemory(Address address, size_t bytes) {
  auto it = state().memory.upper_bound(address);
  if (it == state().memory.begin())
    return false;
  --it;
  return address - it->first + bytes <= it->second;
}

} // namespace

#define OURC_BEGIN(needsContext)                                               \
  std::lock_guard<std::recursive_mutex> lock(state().mutex);                   \
  if (Result code = begin(__func__, needsContext))                             \
    return code;

extern "C" {

void ourc_report_error(OurcContext *, const char *message, int64_t) {
  misuse(message);
}
void ourc_parallel_for(OurcContext *, OurcTaskFn task, void *args, int64_t n,
                       int64_t) {
  task(args, 0, n);
}

void ourc_double_reset(int architecture) {
  State &s = state();
  s.architecture = architecture;
  s.calls.clear();
  s.failAt = -1;
  s.misuse.clear();
  s.twins.clear();
  // What a failed release left behind is not the next test's.
  s.contexts = 0;
  for (void *stream : s.streams)
    std::free(stream);
  s.streams.clear();
  for (void *module : s.modules)
    delete static_cast<LoadedCode *>(module);
  s.modules.clear();
  for (auto &allocation : s.memory)
    std::free(reinterpret_cast<void *>(allocation.first));
  s.memory.clear();
  contextStack.clear();
}
void ourc_double_add_twin(uint64_t hash, const char *name,
                          OurcSimtKernelFn twin) {
  state().twins[{hash, name}] = twin;
}
void ourc_double_fail_at(int64_t call, int code) {
  state().failAt = call;
  state().failWith = code;
}
int64_t ourc_double_num_calls() {
  return static_cast<int64_t>(state().calls.size());
}
const char *ourc_double_call(int64_t index) {
  return state().calls[static_cast<size_t>(index)].c_str();
}
int64_t ourc_double_num_live() {
  State &s = state();
  return s.contexts + static_cast<int64_t>(s.streams.size() + s.modules.size() +
                                           s.memory.size());
}
const char *ourc_double_misuse() {
  return state().misuse.empty() ? nullptr : state().misuse.c_str();
}

Result cuInit(unsigned) {
  OURC_BEGIN(false)
  return 0;
}
Result cuGetErrorName(Result code, const char **name) {
  switch (code) {
  case invalidValue:
    *name = "CUDA_ERROR_INVALID_VALUE";
    break;
  case outOfMemory:
    *name = "CUDA_ERROR_OUT_OF_MEMORY";
    break;
  case launchFailed:
    *name = "CUDA_ERROR_LAUNCH_FAILED";
    break;
  default:
    *name = "CUDA_ERROR_OTHER";
    break;
  }
  return 0;
}
Result cuGetErrorString(Result code, const char **text) {
  *text = code == outOfMemory ? "out of memory" : "an error";
  return 0;
}
Result cuDeviceGetCount(int *count) {
  OURC_BEGIN(false)
  *count = 1;
  return 0;
}
Result cuDeviceGet(int *device, int ordinal) {
  OURC_BEGIN(false)
  *device = ordinal;
  return ordinal == 0 ? 0 : invalidValue;
}
Result cuDeviceGetAttribute(int *value, int attribute, int) {
  OURC_BEGIN(false)
  *value = attribute == ourc::cuda::computeCapabilityMajor
               ? state().architecture / 10
               : state().architecture % 10;
  return 0;
}
Result cuDevicePrimaryCtxRetain(Context *context, int) {
  OURC_BEGIN(false)
  ++state().contexts;
  *context = reinterpret_cast<Context>(&primaryContext);
  return 0;
}
Result cuDevicePrimaryCtxRelease_v2(int) {
  OURC_BEGIN(false)
  if (state().contexts == 0)
    misuse("the context is released more often than retained");
  else
    --state().contexts;
  return 0;
}
Result cuCtxPushCurrent_v2(Context context) {
  OURC_BEGIN(false)
  if (reinterpret_cast<char *>(context) != &primaryContext)
    return invalidContext;
  contextStack.push_back(context);
  return 0;
}
Result cuCtxPopCurrent_v2(Context *context) {
  OURC_BEGIN(true)
  *context = static_cast<Context>(contextStack.back());
  contextStack.pop_back();
  return 0;
}
Result cuStreamCreate(Stream *stream, unsigned) {
  OURC_BEGIN(true)
  *stream = static_cast<Stream>(std::malloc(1));
  state().streams.insert(*stream);
  return 0;
}
Result cuStreamDestroy_v2(Stream stream) {
  OURC_BEGIN(true)
  if (!state().streams.erase(stream))
    return invalidHandle;
  std::free(stream);
  return 0;
}
Result cuStreamSynchronize(Stream stream) {
  OURC_BEGIN(true)
  return isStream(stream) ? 0 : invalidHandle;
}
Result cuMemAllocAsync(Address *address, size_t bytes, Stream stream) {
  OURC_BEGIN(true)
  if (!bytes || !isStream(stream))
    return invalidValue;
  void *memory = nullptr;
  if (posix_memalign(&memory, 256, bytes))
    return outOfMemory;
  std::memset(memory, 0xff, bytes);
  *address = reinterpret_cast<Address>(memory);
  state().memory[*address] = bytes;
  return 0;
}
Result cuMemFreeAsync(Address address, Stream stream) {
  OURC_BEGIN(true)
  if (!state().memory.erase(address) || !isStream(stream))
    return invalidValue;
  std::free(reinterpret_cast<void *>(address));
  return 0;
}
Result cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes,
                            Stream stream) {
  OURC_BEGIN(true)
  if (!isMemory(to, bytes) || !isStream(stream))
    return invalidValue;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return 0;
}
Result cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes,
                            Stream stream) {
  OURC_BEGIN(true)
  if (!isMemory(from, bytes) || !isStream(stream))
    return invalidValue;
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return 0;
}
Result cuModuleLoadDataEx(Module *module, const void *code, unsigned numOptions,
                          int *options, void **values) {
  OURC_BEGIN(true)
  // Code of the tests is text: "cubin 90 …" or PTX.
  auto *text = static_cast<const char *>(code);
  if (std::strncmp(text, "cubin broken", 12) == 0)
    return ourc::cuda::noBinaryForGPU;
  if (std::strncmp(text, "ptx broken", 10) == 0) {
    for (unsigned i = 0; i < numOptions; ++i)
      if (options[i] == ourc::cuda::jitErrorLog)
        std::strcpy(static_cast<char *>(values[i]), "line 1: not PTX");
    return ourc::cuda::unsupportedPTX;
  }
  auto *loaded =
      new LoadedCode{ourc::cuda::hashContent(code, std::strlen(text))};
  state().modules.insert(loaded);
  *module = reinterpret_cast<Module>(loaded);
  return 0;
}
Result cuModuleUnload(Module module) {
  OURC_BEGIN(true)
  if (!state().modules.erase(module))
    return invalidHandle;
  delete reinterpret_cast<LoadedCode *>(module);
  return 0;
}
Result cuModuleGetFunction(Function *function, Module module,
                           const char *name) {
  OURC_BEGIN(true)
  if (!state().modules.count(module))
    return invalidHandle;
  auto twin =
      state().twins.find({reinterpret_cast<LoadedCode *>(module)->hash, name});
  if (twin == state().twins.end())
    return notFound;
  auto *kernel = new Kernel{twin->second, name};
  state().kernels[kernel] = kernel;
  *function = reinterpret_cast<Function>(kernel);
  return 0;
}
Result cuFuncSetAttribute(Function function, int attribute, int value) {
  OURC_BEGIN(true)
  auto it = state().kernels.find(function);
  if (it == state().kernels.end())
    return invalidHandle;
  if (attribute != ourc::cuda::maxDynamicShared || value > 227 * 1024)
    return invalidValue;
  it->second->sharedLimit = static_cast<uint32_t>(value);
  return 0;
}
Result cuLaunchKernel(Function function, unsigned gx, unsigned gy, unsigned gz,
                      unsigned bx, unsigned by, unsigned bz, unsigned shared,
                      Stream stream, void **arguments, void **) {
  OURC_BEGIN(true)
  auto it = state().kernels.find(function);
  if (it == state().kernels.end() || !isStream(stream))
    return invalidHandle;
  if (shared > it->second->sharedLimit)
    return invalidValue;
  int64_t grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
  return ourc_simt_launch(nullptr, it->second->name.c_str(), it->second->twin,
                          arguments, grid, block, shared, nullptr, 0, 1)
             ? launchFailed
             : 0;
}

} // extern "C"
