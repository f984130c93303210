//===- Device.cpp - One GPU --------------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/Device.h"

#include "runtime/support/Failure.h"

#include <cstring>

using namespace ourc::cuda;

/// Dynamic shared memory that a kernel may have without asking for more.
static constexpr uint32_t defaultSharedBytes = 48 * 1024;

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

/// The context that was current before is current again afterwards: the caller
/// may use another one.
class Device::Scope {
public:
  explicit Scope(Device &device) : driver(device.driver) {
    Result code = driver.cuCtxPushCurrent_v2(device.context);
    pushed = code == 0;
    if (!pushed)
      status =
          driver.fail("cuCtxPushCurrent", code, "entering the GPU's context");
  }
  ~Scope() {
    Context old;
    if (pushed)
      driver.cuCtxPopCurrent_v2(&old);
  }
  int32_t status = OURC_OK;

private:
  Driver &driver;
  bool pushed;
};

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
  Result code =
      driver.cuDeviceGetAttribute(&major, computeCapabilityMajor, ordinal);
  if (!code)
    code = driver.cuDeviceGetAttribute(&minor, computeCapabilityMinor, ordinal);
  if (code)
    return driver.fail("cuDeviceGetAttribute", code,
                       "asking for the architecture of GPU %d", wanted);
  architecture = 10 * major + minor;
  Context retained = nullptr;
  if (Result failed = driver.cuDevicePrimaryCtxRetain(&retained, ordinal))
    return driver.fail("cuDevicePrimaryCtxRetain", failed,
                       "making the context of GPU %d", wanted);
  context = retained;
  return OURC_OK;
}

void Device::close() {
  if (context) {
    {
      Scope scope(*this);
      for (LoadedModule &loaded : modules)
        driver.cuModuleUnload(loaded.module);
    }
    driver.cuDevicePrimaryCtxRelease_v2(ordinal);
  }
  modules.clear();
  functions.clear();
  context = nullptr;
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
  Scope scope(*this);
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
  if (Result code = driver.cuMemAllocAsync(address, bytes, stream))
    return driver.fail("cuMemAllocAsync", code,
                       "allocating %zu bytes on GPU %d", bytes, ordinal);
  return OURC_OK;
}

int32_t Device::release(Address address, Stream stream) {
  if (!address)
    return OURC_OK;
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuMemFreeAsync(address, stream))
    return driver.fail("cuMemFreeAsync", code, "releasing memory of GPU %d",
                       ordinal);
  return OURC_OK;
}

int32_t Device::copyToDevice(Address to, const void *from, size_t bytes,
                             Stream stream) {
  if (!bytes)
    return OURC_OK;
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuMemcpyHtoDAsync_v2(to, from, bytes, stream))
    return driver.fail("cuMemcpyHtoDAsync", code, "copying %zu bytes to GPU %d",
                       bytes, ordinal);
  return OURC_OK;
}

int32_t Device::copyToHost(void *to, Address from, size_t bytes,
                           Stream stream) {
  if (!bytes)
    return OURC_OK;
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  if (Result code = driver.cuMemcpyDtoHAsync_v2(to, from, bytes, stream))
    return driver.fail("cuMemcpyDtoHAsync", code,
                       "copying %zu bytes from GPU %d", bytes, ordinal);
  return OURC_OK;
}

int32_t Device::findModule(const Image &image, Module *found) {
  // The newest binary that runs here; a binary runs on later GPUs of its major
  // version.
  const Binary *best = nullptr;
  for (int64_t i = 0; i < image.numBinaries; ++i) {
    const Binary &binary = image.binaries[i];
    if (binary.architecture / 10 == architecture / 10 &&
        binary.architecture <= architecture &&
        (!best || binary.architecture > best->architecture))
      best = &binary;
  }
  if (!best && !image.ptx)
    return runtime::fail(OURC_ERROR_RUNTIME,
                         "no code for a GPU of compute capability %d.%d, and "
                         "no PTX to make it from",
                         architecture / 10, architecture % 10);
  const void *code = best ? best->data : image.ptx;
  size_t bytes = best ? best->bytes : std::strlen(image.ptx);
  uint64_t hash = hashContent(code, bytes);
  for (LoadedModule &loaded : modules)
    if (loaded.hash == hash && loaded.bytes == bytes) {
      *found = loaded.module;
      return OURC_OK;
    }
  char log[1024] = "";
  int options[] = {jitErrorLog, jitErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
  Module module = nullptr;
  Result result = driver.cuModuleLoadDataEx(&module, code, 2, options, values);
  // A binary may be of a format that this driver does not know.
  if (best && image.ptx && (result == noBinaryForGPU || result == invalidImage))
    result = driver.cuModuleLoadDataEx(&module, image.ptx, 2, options, values);
  if (result)
    return driver.fail("cuModuleLoadDataEx", result,
                       "loading the code of a kernel%s%s", log[0] ? ": " : "",
                       log);
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

int32_t Device::prepare(const Image &image, const char *name,
                        uint32_t sharedBytes, Function *function) {
  Lock lock(mutex);
  Module module;
  LoadedFunction *loaded;
  if (int32_t status = findModule(image, &module))
    return status;
  if (int32_t status = findFunction(module, name, &loaded))
    return status;
  if (sharedBytes > loaded->sharedBytes) {
    if (Result code = driver.cuFuncSetAttribute(
            loaded->function, maxDynamicShared, static_cast<int>(sharedBytes)))
      return driver.fail("cuFuncSetAttribute", code,
                         "asking for %u bytes of shared memory for kernel '%s'",
                         sharedBytes, name);
    loaded->sharedBytes = sharedBytes;
  }
  *function = loaded->function;
  return OURC_OK;
}

int32_t Device::launch(const Image &image, const char *name,
                       const uint32_t grid[3], const uint32_t block[3],
                       uint32_t sharedBytes, Stream stream, void **arguments) {
  if (!grid[0] || !grid[1] || !grid[2])
    return OURC_OK; // nothing to compute
  Scope scope(*this);
  if (scope.status)
    return scope.status;
  Function function;
  if (int32_t status = prepare(image, name, sharedBytes, &function))
    return status;
  if (Result code = driver.cuLaunchKernel(
          function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
          sharedBytes, stream, arguments, nullptr))
    return driver.fail("cuLaunchKernel", code,
                       "launching kernel '%s' on %u x %u x %u blocks of %u x "
                       "%u x %u threads with %u bytes of shared memory",
                       name, grid[0], grid[1], grid[2], block[0], block[1],
                       block[2], sharedBytes);
  return OURC_OK;
}
