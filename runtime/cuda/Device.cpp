//===- Device.cpp - One GPU --------------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/Device.h"
#include "runtime/cuda/DeviceScope.h"

#include "runtime/support/Failure.h"

#include <cstring>

using namespace ourc::cuda;

/// Dynamic shared memory that a kernel may have without asking for more.
static constexpr uint32_t defaultSharedBytes = 48 * 1024;

__thread const Device *Device::entered = nullptr;

uint64_t ourc::cuda::hashContent(const void *data, size_t bytes) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (size_t i = 0; i < bytes; ++i) {
    hash ^= static_cast<const unsigned char *>(data)[i];
    hash *= 0x100000001b3ull;
  }
  return hash;
}

namespace {
class Lock {
public:
  explicit Lock(pthread_mutex_t &mutex) : mutex(mutex) {
    pthread_mutex_lock(&mutex);
  }
  ~Lock() { pthread_mutex_unlock(&mutex); }

private:
  pthread_mutex_t &mutex;
};
} // namespace

int32_t Device::open(const char *driverPath, int wanted) {
  if (int32_t status = driver.open(driverPath))
    return status;
  opened = true;
  int count = 0;
  if (Result code = driver.cuDeviceGetCount(&count))
    return driver.fail("cuDeviceGetCount", code, "looking for GPUs");
  if (wanted < 0 || wanted >= count)
    return runtime::fail(OURC_ERROR_ARGUMENT,
                         "there is no GPU %d: the driver has %d", wanted,
                         count);
  if (Result code = driver.cuDeviceGet(&ordinal, wanted))
    return driver.fail("cuDeviceGet", code, "opening GPU %d", wanted);
  int major = 0, minor = 0;
  Result code = driver.cuDeviceGetAttribute(&major, computeCapabilityMajor,
                                            wantedOrdinal);
  if (!code)
    code = driver.cuDeviceGetAttribute(&minor, computeCapabilityMinor,
                                       wantedOrdinal);
  if (code)
    return driver.fail("cuDeviceGetAttribute", code,
                       "asking for the architecture of GPU %d", wanted);
  architecture = 10 * major + minor;
  Context retained = nullptr;
  if (Result failed = driver.cuDevicePrimaryCtxRetain(&retained, ordinal))
    return driver.fail("cuDevicePrimaryCtxRetain", failed,
                       "making the context of GPU %d", wanted);
  context = retained;
  wantedOrdinal = wanted;
  return openPool();
}

/// A pool of this library's own, which keeps what was freed: the default one
/// gives it back whenever the process waits for the GPU.
int32_t Device::openPool() {
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  PoolProperties properties = {};
  properties.allocationType = pinnedAllocation;
  properties.locationType = onDevice;
  properties.locationId = ordinal;
  if (Result code = driver.cuMemPoolCreate(&pool, &properties))
    return driver.fail("cuMemPoolCreate", code,
                       "making the memory pool of GPU %d", wantedOrdinal);
  uint64_t threshold = UINT64_MAX;
  if (Result code =
          driver.cuMemPoolSetAttribute(pool, poolReleaseThreshold, &threshold))
    return driver.fail("cuMemPoolSetAttribute", code,
                       "setting up the memory pool of GPU %d", wantedOrdinal);
  return OURC_OK;
}

void Device::close() {
  if (context) {
    {
      Scope scope(*this, /*isRelease=*/true);
      for (LoadedModule &loaded : modules)
        driver.cuModuleUnload(loaded.module);
      if (pool)
        driver.cuMemPoolDestroy(pool);
    }
    driver.cuDevicePrimaryCtxRelease_v2(ordinal);
  }
  modules.clear();
  functions.clear();
  context = nullptr;
  pool = nullptr;
  if (opened)
    driver.close();
  opened = false;
}

int32_t Device::createStream(Stream *stream) {
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuStreamCreate(stream, nonBlockingStream))
    return driver.fail("cuStreamCreate", code, "making a stream");
  return OURC_OK;
}

int32_t Device::destroyStream(Stream stream) {
  Scope scope(*this, /*isRelease=*/true);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuStreamDestroy_v2(stream))
    return driver.fail("cuStreamDestroy", code, "destroying a stream");
  return OURC_OK;
}

int32_t Device::synchronize(Stream stream) {
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuStreamSynchronize(stream))
    return driver.fail("cuStreamSynchronize", code,
                       "waiting for the work of a stream");
  return OURC_OK;
}

int32_t Device::allocate(size_t bytes, Stream stream, Address *address) {
  *address = 0;
  if (!bytes)
    return OURC_OK;
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  if (Result code =
          driver.cuMemAllocFromPoolAsync(address, bytes, pool, stream)) {
    *address = 0;
    return driver.fail("cuMemAllocFromPoolAsync", code,
                       "allocating %zu bytes on GPU %d", bytes, wantedOrdinal);
  }
  return OURC_OK;
}

int32_t Device::release(Address address, Stream stream) {
  if (!address)
    return OURC_OK;
  Scope scope(*this, /*isRelease=*/true);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuMemFreeAsync(address, stream))
    return driver.fail("cuMemFreeAsync", code, "releasing memory of GPU %d",
                       ordinal);
  return OURC_OK;
}

template <typename Call>
int32_t Device::copy(size_t bytes, const char *function, const char *direction,
                     Call call) {
  if (!bytes)
    return OURC_OK;
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  if (Result code = call())
    return driver.fail(function, code, "copying %zu bytes %s GPU %d", bytes,
                       direction, wantedOrdinal);
  return OURC_OK;
}

int32_t Device::copyToDevice(Address to, const void *from, size_t bytes,
                             Stream stream) {
  return copy(bytes, "cuMemcpyHtoDAsync", "to", [&] {
    return driver.cuMemcpyHtoDAsync_v2(to, from, bytes, stream);
  });
}

int32_t Device::copyToHost(void *to, Address from, size_t bytes,
                           Stream stream) {
  return copy(bytes, "cuMemcpyDtoHAsync", "from", [&] {
    return driver.cuMemcpyDtoHAsync_v2(to, from, bytes, stream);
  });
}

int32_t Device::copyOnDevice(Address to, Address from, size_t bytes,
                             Stream stream) {
  return copy(bytes, "cuMemcpyDtoDAsync", "on", [&] {
    return driver.cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
  });
}

int32_t Device::fill(Address to, uint32_t value, Stream stream) {
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuMemsetD32Async(to, value, 1, stream))
    return driver.fail("cuMemsetD32Async", code, "storing a value on GPU %d",
                       wantedOrdinal);
  return OURC_OK;
}

int32_t Device::allocatePinned(size_t bytes, void **memory) {
  *memory = nullptr;
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuMemHostAlloc(memory, bytes, 0))
    return driver.fail("cuMemHostAlloc", code,
                       "pinning %zu bytes for copies to GPU %d", bytes,
                       wantedOrdinal);
  return OURC_OK;
}

int32_t Device::releasePinned(void *memory) {
  Scope scope(*this, /*isRelease=*/true);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuMemFreeHost(memory))
    return driver.fail("cuMemFreeHost", code, "releasing pinned memory");
  return OURC_OK;
}

int32_t Device::synchronizeAll() {
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuCtxSynchronize())
    return driver.fail("cuCtxSynchronize", code, "waiting for GPU %d",
                       wantedOrdinal);
  return OURC_OK;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

int32_t Device::findModule(const OurcDeviceKernel &kernel, Module *found) {
  // The newest binary that runs here; a binary runs on later GPUs of its major
  // version.
  const OurcDeviceBinary *best = nullptr;
  for (int64_t i = 0; i < kernel.numBinaries; ++i) {
    const OurcDeviceBinary &binary = kernel.binaries[i];
    if (binary.architecture / 10 == architecture / 10 &&
        binary.architecture <= architecture &&
        (!best || binary.architecture > best->architecture))
      best = &binary;
  }
  if (!best && !kernel.ptx)
    return runtime::fail(OURC_ERROR_RUNTIME,
                         "kernel '%s' has no code for a GPU of compute "
                         "capability %d.%d, and no PTX to make it from",
                         kernel.name, architecture / 10, architecture % 10);
  const void *code = best ? best->data : kernel.ptx;
  size_t bytes =
      best ? static_cast<size_t>(best->bytes) : std::strlen(kernel.ptx);
  uint64_t hash = hashContent(code, bytes);
  for (LoadedModule &loaded : modules)
    if (loaded.hash == hash && loaded.bytes == bytes) {
      *found = loaded.module;
      return OURC_OK;
    }
  if (driver.ourc_driver_offer_twin && kernel.twin) {
    driver.ourc_driver_offer_twin(hash, kernel.name, kernel.signature,
                                  kernel.twin);
    if (best && kernel.ptx)
      driver.ourc_driver_offer_twin(
          hashContent(kernel.ptx, std::strlen(kernel.ptx)), kernel.name,
          kernel.signature, kernel.twin);
  }
  char log[1024] = "";
  int options[] = {jitErrorLog, jitErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
  Module module = nullptr;
  Result result = driver.cuModuleLoadDataEx(&module, code, 2, options, values);
  // A binary may be of a format that this driver does not know.
  if (best && kernel.ptx &&
      (result == noBinaryForGPU || result == invalidImage))
    result = driver.cuModuleLoadDataEx(&module, kernel.ptx, 2, options, values);
  if (result) {
    char made[96] = "";
    if (!best)
      std::snprintf(made, sizeof(made),
                    " (its PTX: no binary is for compute capability %d.%d)",
                    architecture / 10, architecture % 10);
    return driver.fail("cuModuleLoadDataEx", result,
                       "loading the code of kernel '%s'%s%s%s", kernel.name,
                       made, log[0] ? ": " : "", log);
  }
  modules.push({hash, bytes, module});
  *found = module;
  return OURC_OK;
}

int32_t Device::findFunction(Module module, const char *name,
                             LoadedFunction **found) {
  uint64_t hash = hashContent(name, std::strlen(name));
  for (LoadedFunction &known : functions)
    if (known.module == module && known.nameHash == hash) {
      *found = &known;
      return OURC_OK;
    }
  Function function = nullptr;
  if (Result code = driver.cuModuleGetFunction(&function, module, name))
    return driver.fail("cuModuleGetFunction", code, "looking for kernel '%s'",
                       name);
  functions.push({module, hash, function, defaultSharedBytes});
  *found = &functions.back();
  return OURC_OK;
}

int32_t Device::prepare(const OurcDeviceKernel &kernel, uint32_t sharedBytes,
                        Function *function) {
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  Lock lock(mutex);
  Module module;
  LoadedFunction *loaded;
  if (int32_t status = findModule(kernel, &module))
    return status;
  if (int32_t status = findFunction(module, kernel.name, &loaded))
    return status;
  if (sharedBytes > loaded->sharedBytes) {
    if (Result code = driver.cuFuncSetAttribute(
            loaded->function, maxDynamicShared, static_cast<int>(sharedBytes)))
      return driver.fail("cuFuncSetAttribute", code,
                         "asking for %u bytes of shared memory for kernel '%s'",
                         sharedBytes, kernel.name);
    loaded->sharedBytes = sharedBytes;
  }
  *function = loaded->function;
  return OURC_OK;
}

int32_t Device::launch(Function function, const char *name, const int64_t *grid,
                       const int64_t *block, int64_t sharedBytes, Stream stream,
                       void **arguments) {
  // What the driver takes: unsigned numbers.
  unsigned sizes[6];
  for (int i = 0; i < 6; ++i) {
    int64_t size = i < 3 ? grid[i] : block[i - 3];
    if (size == 0)
      return OURC_OK; // nothing to compute
    if (size < 0 || size > INT32_MAX)
      return runtime::fail(OURC_ERROR_RUNTIME,
                           "kernel '%s' would take a grid of %lld x %lld x "
                           "%lld blocks, more than a GPU launches",
                           name, static_cast<long long>(grid[0]),
                           static_cast<long long>(grid[1]),
                           static_cast<long long>(grid[2]));
    sizes[i] = static_cast<unsigned>(size);
  }
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuLaunchKernel(
          function, sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5],
          static_cast<unsigned>(sharedBytes), stream, arguments, nullptr))
    return driver.fail("cuLaunchKernel", code,
                       "launching kernel '%s' on %u x %u x %u blocks of %u x "
                       "%u x %u threads with %lld bytes of shared memory",
                       name, sizes[0], sizes[1], sizes[2], sizes[3], sizes[4],
                       sizes[5], static_cast<long long>(sharedBytes));
  return OURC_OK;
}
