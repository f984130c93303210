//===- DriverDouble.cpp - A libcuda.so.1 for tests ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverDouble.h"
#include "DoubleState.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace ourc::cuda;
using namespace ourc::cudadouble;

#define OURC_BEGIN(needsContext, stream)                                       \
  std::lock_guard<std::recursive_mutex> lock(state().mutex);                   \
  if (Result code = begin(__func__, needsContext, stream))                     \
    return code;

// What lets go of something does so and may still return the error of earlier
// work, as a driver does.
#define OURC_BEGIN_RELEASE(needsContext, stream)                               \
  std::lock_guard<std::recursive_mutex> lock(state().mutex);                   \
  Result told = begin(__func__, needsContext, stream);                         \
  if (told == invalidContext)                                                  \
    return told;

extern "C" {

//===----------------------------------------------------------------------===//
// The device and its context
//===----------------------------------------------------------------------===//

Result cuInit(unsigned) {
  OURC_BEGIN(false, nullptr)
  return 0;
}
Result cuGetErrorName(Result code, const char **name) {
  *name = errorName(code);
  return *name ? 0 : invalidValue;
}
Result cuGetErrorString(Result code, const char **text) {
  *text = code == outOfMemory ? "out of memory" : "an error";
  return 0;
}
Result cuDeviceGetCount(int *count) {
  OURC_BEGIN(false, nullptr)
  *count = state().devices;
  return 0;
}
Result cuDeviceGet(int *device, int ordinal) {
  OURC_BEGIN(false, nullptr)
  *device = ordinal;
  return ordinal >= 0 && ordinal < state().devices ? 0 : invalidValue;
}
Result cuDeviceGetAttribute(int *value, int attribute, int) {
  OURC_BEGIN(false, nullptr)
  *value = attribute == computeCapabilityMajor ? state().architecture / 10
                                               : state().architecture % 10;
  return 0;
}
Result cuDevicePrimaryCtxRetain(Context *context, int ordinal) {
  OURC_BEGIN(false, nullptr)
  ++state().contexts;
  *context = reinterpret_cast<Context>(&primaryContexts[ordinal]);
  return 0;
}
Result cuDevicePrimaryCtxRelease_v2(int) {
  OURC_BEGIN_RELEASE(false, nullptr)
  if (state().contexts == 0)
    misuse("the context is released more often than retained");
  else
    --state().contexts;
  return told;
}
Result cuCtxPushCurrent_v2(Context context) {
  OURC_BEGIN(false, nullptr)
  char *place = reinterpret_cast<char *>(context);
  if (place < primaryContexts || place >= primaryContexts + maxDevices)
    return invalidContext;
  contextStack().push_back(context);
  return 0;
}
Result cuCtxPopCurrent_v2(Context *context) {
  OURC_BEGIN_RELEASE(true, nullptr)
  *context = static_cast<Context>(contextStack().back());
  contextStack().pop_back();
  return told;
}
Result cuCtxSynchronize() {
  OURC_BEGIN(true, nullptr)
  if (isAnyCaptured())
    misuse("the context is waited for while a stream is captured");
  return 0;
}

//===----------------------------------------------------------------------===//
// Streams and memory
//===----------------------------------------------------------------------===//

Result cuStreamCreate(Stream *stream, unsigned) {
  OURC_BEGIN(true, nullptr)
  *stream = reinterpret_cast<Stream>(new StreamState);
  state().streams.insert(*stream);
  return 0;
}
Result cuStreamDestroy_v2(Stream stream) {
  OURC_BEGIN_RELEASE(true, stream)
  if (!state().streams.erase(stream))
    return invalidHandle;
  delete reinterpret_cast<StreamState *>(stream);
  return told;
}
Result cuStreamSynchronize(Stream stream) {
  OURC_BEGIN(true, stream)
  if (!isStream(stream))
    return invalidHandle;
  return isCaptured(stream) ? captureUnsupported : 0;
}
Result cuMemPoolCreate(MemoryPool *pool, const PoolProperties *properties) {
  OURC_BEGIN(true, nullptr)
  if (properties->allocationType != pinnedAllocation ||
      properties->locationType != onDevice || properties->handleTypes)
    return invalidValue;
  *pool = static_cast<MemoryPool>(std::malloc(1));
  state().pools.insert(*pool);
  return 0;
}
Result cuMemPoolDestroy(MemoryPool pool) {
  OURC_BEGIN_RELEASE(true, nullptr)
  if (!state().pools.erase(pool))
    return invalidHandle;
  std::free(pool);
  return told;
}
Result cuMemPoolSetAttribute(MemoryPool pool, int attribute, void *) {
  OURC_BEGIN(true, nullptr)
  return state().pools.count(pool) && attribute == poolReleaseThreshold
             ? 0
             : invalidValue;
}
Result cuMemAllocFromPoolAsync(Address *address, size_t bytes, MemoryPool pool,
                               Stream stream) {
  OURC_BEGIN(true, stream)
  if (!bytes || !isStream(stream) || !state().pools.count(pool))
    return invalidValue;
  if (isCaptured(stream))
    misuse("memory is allocated while a stream is captured");
  return (*address = allocate(bytes)) ? 0 : outOfMemory;
}
Result cuMemFreeAsync(Address address, Stream stream) {
  OURC_BEGIN_RELEASE(true, stream)
  if (!state().memory.count(address) || !isStream(stream))
    return invalidValue;
  release(address);
  return told;
}
Result cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  OURC_BEGIN(true, nullptr)
  *memory = std::malloc(bytes);
  state().pinned[static_cast<char *>(*memory)] = bytes;
  return *memory ? 0 : outOfMemory;
}
Result cuMemFreeHost(void *memory) {
  OURC_BEGIN_RELEASE(true, nullptr)
  if (!state().pinned.erase(static_cast<char *>(memory)))
    return invalidValue;
  std::free(memory);
  return told;
}
Result cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes,
                            Stream stream) {
  OURC_BEGIN(true, stream)
  if (!isMemory(to, bytes) || !isStream(stream))
    return invalidValue;
  if (isCaptured(stream))
    return captureUnsupported;
  Unlocked open;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return 0;
}
Result cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes,
                            Stream stream) {
  OURC_BEGIN(true, stream)
  if (!isMemory(from, bytes) || !isStream(stream))
    return invalidValue;
  if (isCaptured(stream))
    return captureUnsupported;
  Unlocked open;
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return 0;
}
Result cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes,
                            Stream stream) {
  OURC_BEGIN(true, stream)
  if (!isMemory(to, bytes) || !isMemory(from, bytes) || !isStream(stream))
    return invalidValue;
  return put(stream, "copy", [=] {
    Unlocked open;
    std::memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
                bytes);
    return 0;
  });
}
Result cuMemsetD32Async(Address to, unsigned value, size_t count,
                        Stream stream) {
  OURC_BEGIN(true, stream)
  if (!isMemory(to, 4 * count) || to % 4 || !isStream(stream))
    return invalidValue;
  return put(stream, "memset", [=] {
    Unlocked open;
    for (size_t i = 0; i < count; ++i)
      reinterpret_cast<unsigned *>(to)[i] = value;
    return 0;
  });
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

Result cuModuleLoadDataEx(Module *module, const void *code, unsigned numOptions,
                          int *options, void **values) {
  OURC_BEGIN(true, nullptr)
  if (isAnyCaptured())
    misuse("code is loaded while a stream is captured");
  // Code is a cubin, PTX, or a text of the tests that says what it is.
  auto *text = static_cast<const char *>(code);
  if (std::strncmp(text, "cubin broken", 12) == 0)
    return noBinaryForGPU;
  if (std::strncmp(text, "ptx broken", 10) == 0) {
    for (unsigned i = 0; i < numOptions; ++i)
      if (options[i] == jitErrorLog)
        std::strcpy(static_cast<char *>(values[i]), "line 1: not PTX");
    return unsupportedPTX;
  }
  size_t bytes = codeBytes(text);
  if (int architecture = cubinArchitecture(text))
    if (architecture / 10 != state().architecture / 10 ||
        architecture > state().architecture)
      return noBinaryForGPU;
  if (int architecture = ptxArchitecture(text))
    if (architecture > state().architecture)
      return noBinaryForGPU;
  auto *loaded = new LoadedCode{hashContent(code, bytes)};
  state().modules.insert(loaded);
  *module = reinterpret_cast<Module>(loaded);
  return 0;
}
Result cuModuleUnload(Module module) {
  OURC_BEGIN_RELEASE(true, nullptr)
  if (!state().modules.erase(module))
    return invalidHandle;
  delete reinterpret_cast<LoadedCode *>(module);
  return told;
}
Result cuModuleGetFunction(Function *function, Module module,
                           const char *name) {
  OURC_BEGIN(true, nullptr)
  if (!state().modules.count(module))
    return invalidHandle;
  auto twin =
      state().twins.find({reinterpret_cast<LoadedCode *>(module)->hash, name});
  if (twin == state().twins.end())
    return notFound;
  state().kernels.push_back(std::make_unique<Kernel>(
      Kernel{twin->second.function, name, twin->second.signature}));
  *function = reinterpret_cast<Function>(state().kernels.back().get());
  return 0;
}
Result cuFuncSetAttribute(Function function, int attribute, int value) {
  OURC_BEGIN(true, nullptr)
  Kernel *kernel = findKernel(function);
  if (!kernel)
    return invalidHandle;
  if (attribute != maxDynamicShared || value > 227 * 1024)
    return invalidValue;
  kernel->sharedLimit = static_cast<uint32_t>(value);
  return 0;
}
Result cuLaunchKernel(Function function, unsigned gx, unsigned gy, unsigned gz,
                      unsigned bx, unsigned by, unsigned bz, unsigned shared,
                      Stream stream, void **arguments, void **) {
  OURC_BEGIN(true, stream)
  Kernel *kernel = findKernel(function);
  if (!kernel || !isStream(stream))
    return invalidHandle;
  if (shared > kernel->sharedLimit || !gx || !gy || !gz || gy > 65535 ||
      gz > 65535 || uint64_t(bx) * by * bz > 1024)
    return invalidValue;
  // Arguments are taken now: the caller's array need not live on.
  std::vector<uint64_t> values;
  for (size_t i = 0; i < kernel->signature.size(); ++i) {
    uint64_t value;
    std::memcpy(&value, arguments[i], sizeof(value));
    values.push_back(value);
    if (kernel->signature[i] == 'p' && value && !isMemory(value, 0)) {
      misuse("argument " + std::to_string(i) + " of kernel '" + kernel->name +
             "' is no address of the GPU");
      return launchFailed;
    }
  }
  return put(stream, kernel->name, [=]() mutable {
    std::vector<void *> addresses;
    for (uint64_t &value : values)
      addresses.push_back(&value);
    int64_t grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
    Unlocked open;
    return kernel->twin(addresses.data(), grid, block, shared) ? launchFailed
                                                               : 0;
  });
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Result cuStreamIsCapturing(Stream stream, int *captures) {
  OURC_BEGIN(true, stream)
  if (!isStream(stream))
    return invalidHandle;
  *captures = isCaptured(stream);
  return 0;
}
Result cuStreamBeginCapture_v2(Stream stream, int mode) {
  OURC_BEGIN(true, stream)
  if (!stream || !isStream(stream) || mode < 0 || mode > 2)
    return captureUnsupported;
  auto *captured = reinterpret_cast<StreamState *>(stream);
  if (captured->graph)
    return captureUnsupported;
  captured->graph = new GraphState;
  return 0;
}
Result cuStreamEndCapture(Stream stream, CapturedGraph *graph) {
  // A failed end leaves no capture behind either.
  GraphState *made = nullptr;
  if (stream && isStream(stream)) {
    auto *captured = reinterpret_cast<StreamState *>(stream);
    made = captured->graph;
    captured->graph = nullptr;
  }
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  if (Result code = begin(__func__, true, stream)) {
    delete made;
    *graph = nullptr;
    return code;
  }
  if (!made)
    return captureUnsupported;
  state().graphs.insert(made);
  *graph = reinterpret_cast<CapturedGraph>(made);
  return 0;
}
Result cuGraphInstantiateWithFlags(GraphExec *exec, CapturedGraph graph,
                                   unsigned long long) {
  OURC_BEGIN(true, nullptr)
  if (!state().graphs.count(graph))
    return invalidHandle;
  auto *made = new GraphState(*reinterpret_cast<GraphState *>(graph));
  state().graphs.insert(made);
  *exec = reinterpret_cast<GraphExec>(made);
  return 0;
}
Result cuGraphExecUpdate_v2(GraphExec exec, CapturedGraph graph,
                            GraphUpdateInfo *info) {
  OURC_BEGIN(true, nullptr)
  if (!state().graphs.count(exec) || !state().graphs.count(graph))
    return invalidHandle;
  auto *old = reinterpret_cast<GraphState *>(exec);
  auto *wanted = reinterpret_cast<GraphState *>(graph);
  info->result = 0;
  bool isSame = old->nodes.size() == wanted->nodes.size();
  for (size_t i = 0; isSame && i < old->nodes.size(); ++i)
    isSame = old->nodes[i].name == wanted->nodes[i].name;
  if (!isSame)
    return graphUpdateFailed;
  *old = *wanted;
  return 0;
}
Result cuGraphLaunch(GraphExec exec, Stream stream) {
  OURC_BEGIN(true, stream)
  if (!state().graphs.count(exec) || !isStream(stream))
    return invalidHandle;
  for (Node &node : reinterpret_cast<GraphState *>(exec)->nodes)
    if (Result code = node.run())
      return code;
  return 0;
}
Result cuGraphExecDestroy(GraphExec exec) {
  OURC_BEGIN_RELEASE(true, nullptr)
  Result code = destroyGraph(exec);
  return code ? code : told;
}
Result cuGraphDestroy(CapturedGraph graph) {
  OURC_BEGIN_RELEASE(true, nullptr)
  Result code = destroyGraph(graph);
  return code ? code : told;
}

} // extern "C"
