//===- DeviceModel.h - A model on a GPU -----------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_CUDA_DEVICEMODEL_H
#define OURC_RUNTIME_CUDA_DEVICEMODEL_H

#include "runtime/core/DeviceRuntime.h"
#include "runtime/cuda/Graph.h"
#include "runtime/cuda/Transfers.h"

namespace ourc::cuda {

/// Memory that a model keeps between calls.
struct KeptMemory {
  Address address = 0;
  int64_t bytes = 0;
};

/// What one model has on its GPU, and the launches of its calls. The state
/// behind `ourc_cuda_runtime`.
class DeviceModel {
public:
  DeviceModel(const OurcProgram &program, int64_t &allocations)
      : program(program), allocations(allocations) {}
  ~DeviceModel();

  int32_t choose(int32_t ordinal);
  int32_t bind(const runtime::DeviceOperand *parameters, int64_t count);
  int32_t prepare(OurcContext &context, const int64_t *offsets, int64_t bytes);
  int32_t run(OurcContext &context, const runtime::DeviceCall &call);
  void useGraphs(bool on);
  void describe(runtime::Text &text) const;

  // What generated code calls, by way of ourc_device_*.
  int32_t launch(const OurcDeviceKernel &kernel, void **arguments,
                 const int64_t *grid, const int64_t *block,
                 int64_t sharedBytes);
  int32_t copy(void *to, const void *from, int64_t bytes);
  int32_t store(void *to, int64_t value, int64_t bytes);
  int32_t findConstant(const void *data, int64_t bytes, void **found);

private:
  struct KnownKernel {
    const OurcDeviceKernel *kernel;
    Function function;
    int64_t sharedBytes;
  };
  struct Constant {
    const void *data;
    Address address;
  };

  int32_t open();
  int32_t uploadParameters();
  int32_t grow(KeptMemory &memory, int64_t bytes, Stream on);
  void release(KeptMemory &memory);
  int32_t runPlain(OurcContext &context, const runtime::DeviceCall &call);
  /// `isDone`: whether a graph ran the call.
  int32_t runGraph(OurcContext &context, const runtime::DeviceCall &call,
                   bool &isDone);
  int32_t capture(OurcContext &context, const runtime::DeviceCall &call);
  /// Runs the program's launches on `stream`.
  int32_t execute(OurcContext &context, const runtime::DeviceCall &call,
                  Address arena);

  const OurcProgram &program;
  int64_t &allocations;
  int32_t wantedOrdinal = -1;
  Device *device = nullptr;
  Stream stream = nullptr; ///< of the call that is under way
  bool isWatched = false;
  bool hasRun = false; ///< so all kernels are loaded
  Transfers transfers;
  runtime::Vec<KnownKernel> kernels;
  runtime::Vec<Constant> constants;
  runtime::Vec<runtime::DeviceOperand> parameters;
  bool areParametersStale = false;
  KeptMemory uploaded, prepared, scratch, kept;
  runtime::Vec<void *> preparedAddresses;
  runtime::Vec<void *> operands;
  Graph graph;
};

} // namespace ourc::cuda

#endif // OURC_RUNTIME_CUDA_DEVICEMODEL_H
