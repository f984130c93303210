//===- Device.h - One GPU ----------------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CUDA_DEVICE_H
#define OURC_RUNTIME_CUDA_DEVICE_H

#include "runtime/cuda/Driver.h"
#include "runtime/support/Vec.h"

#include <pthread.h>

namespace ourc::cuda {

/// Machine code for GPUs of one architecture: 80 runs on 8.0 to 8.9.
struct Binary {
  int architecture;
  const void *data;
  size_t bytes;
};

/// The code of a GPU module: binaries, and PTX that the driver compiles where
/// none of them fits (null: none).
struct Image {
  const Binary *binaries;
  int64_t numBinaries;
  const char *ptx;
};

/// FNV-1a, by which equal code is known.
uint64_t hashContent(const void *data, size_t bytes);

/// A GPU's primary context, which other libraries of the process share, and
/// what was made in it. Functions return OURC_OK or a status after
/// runtime::fail. Any number of threads may call; each stream is in order.
class Device {
public:
  /// `driverPath`: see Driver::open.
  int32_t open(const char *driverPath, int ordinal);
  /// Unloads modules and lets go of the context. Also after a failed open.
  void close();

  int getArchitecture() const { return architecture; }

  int32_t createStream(Stream *stream);
  int32_t destroyStream(Stream stream);
  int32_t synchronize(Stream stream);

  /// From the stream-ordered pool: valid for work of `stream` from here on.
  int32_t allocate(size_t bytes, Stream stream, Address *address);
  int32_t release(Address address, Stream stream);
  int32_t copyToDevice(Address to, const void *from, size_t bytes,
                       Stream stream);
  int32_t copyToHost(void *to, Address from, size_t bytes, Stream stream);

  /// Launches kernel `name` of `image` on the caller's stream. Modules are
  /// loaded once for equal code. `sharedBytes` is dynamic shared memory; above
  /// 48 KB the kernel's attribute is raised.
  int32_t launch(const Image &image, const char *name, const uint32_t grid[3],
                 const uint32_t block[3], uint32_t sharedBytes, Stream stream,
                 void **arguments);

  int64_t getNumModules() const { return modules.size(); }

private:
  struct LoadedModule {
    uint64_t hash;
    size_t bytes;
    Module module;
  };
  struct LoadedFunction {
    Module module;
    uint64_t nameHash;
    Function function;
    uint32_t sharedBytes; ///< dynamic, that it may have
  };

  /// Makes the context current for a call.
  class Scope;
  /// With the lock held.
  int32_t findModule(const Image &image, Module *found);
  int32_t findFunction(Module module, const char *name, LoadedFunction **found);
  int32_t prepare(const Image &image, const char *name, uint32_t sharedBytes,
                  Function *function);

  Driver driver = {};
  bool opened = false;
  DeviceOrdinal ordinal = 0;
  Context context = nullptr;
  int architecture = 0;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  runtime::Vec<LoadedModule> modules;
  runtime::Vec<LoadedFunction> functions;
};

} // namespace ourc::cuda

#endif // OURC_RUNTIME_CUDA_DEVICE_H
