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
  int32_t getOrdinal() const { return wantedOrdinal; }

  int32_t createStream(Stream *stream);
  int32_t destroyStream(Stream stream);
  int32_t synchronize(Stream stream);
  /// Waits for all work of the context.
  int32_t synchronizeAll();

  /// From the stream-ordered pool: valid for work of `stream` from here on.
  int32_t allocate(size_t bytes, Stream stream, Address *address);
  int32_t release(Address address, Stream stream);
  int32_t copyToDevice(Address to, const void *from, size_t bytes,
                       Stream stream);
  int32_t copyToHost(void *to, Address from, size_t bytes, Stream stream);
  int32_t copyOnDevice(Address to, Address from, size_t bytes, Stream stream);
  /// Writes 4 bytes.
  int32_t fill(Address to, uint32_t value, Stream stream);
  /// Memory of the CPU that the GPU copies from and to by itself.
  int32_t allocatePinned(size_t bytes, void **memory);
  int32_t releasePinned(void *memory);

  /// The function of a kernel, which may then have `sharedBytes` of dynamic
  /// shared memory: above 48 KB its attribute is raised. The newest binary that
  /// runs here is loaded, once for equal code, else the PTX.
  int32_t prepare(const OurcDeviceKernel &kernel, uint32_t sharedBytes,
                  Function *function);
  /// Launches it on the caller's stream. `name` is for messages.
  int32_t launch(Function function, const char *name, const int64_t *grid,
                 const int64_t *block, int64_t sharedBytes, Stream stream,
                 void **arguments);

  /// Whether work that is put into the stream becomes part of a graph.
  int32_t isCapturing(Stream stream, bool *captures);
  int32_t beginCapture(Stream stream);
  /// `graph` may be null after an error inside of the capture.
  int32_t endCapture(Stream stream, CapturedGraph *graph);
  void destroyCaptured(CapturedGraph graph);
  int32_t instantiateGraph(CapturedGraph graph, GraphExec *exec);
  /// Gives the graph the arguments of another one of its form; `updated` is
  /// false, and the status OURC_OK, where it has another form.
  int32_t updateGraph(GraphExec exec, CapturedGraph graph, bool *updated);
  int32_t launchGraph(GraphExec exec, Stream stream);
  void destroyGraph(GraphExec exec);

  /// Makes the context current for a row of calls (DeviceScope.h).
  class Scope;

  int64_t getNumModules() const { return modules.size(); }

private:
  template <typename Call>
  int32_t copy(size_t bytes, const char *function, const char *direction,
               Call call);

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

  /// Whose context the calling thread is in.
  static __thread const Device *entered;
  /// With the lock held.
  int32_t findModule(const OurcDeviceKernel &kernel, Module *found);
  int32_t findFunction(Module module, const char *name, LoadedFunction **found);
  int32_t openPool();

  Driver driver = {};
  bool opened = false;
  DeviceOrdinal ordinal = 0;
  int32_t wantedOrdinal = 0; ///< the caller's number of it
  MemoryPool pool = nullptr;
  Context context = nullptr;
  int architecture = 0;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  runtime::Vec<LoadedModule> modules;
  runtime::Vec<LoadedFunction> functions;
};

} // namespace ourc::cuda

#endif // OURC_RUNTIME_CUDA_DEVICE_H
