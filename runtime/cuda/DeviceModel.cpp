//===- DeviceModel.cpp - A model on a GPU ---------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/DeviceModel.h"

#include "runtime/core/Context.h"
#include "runtime/cuda/DeviceScope.h"
#include "runtime/cuda/DeviceTable.h"
#include "runtime/support/Failure.h"

#include <new>

using namespace ourc::cuda;
using namespace ourc::runtime;

/// Every buffer begins at a multiple of this.
static constexpr int64_t alignment = 256;

static int64_t align(int64_t bytes) {
  return (bytes + alignment - 1) & -alignment;
}
static void *toPointer(Address address) {
  return reinterpret_cast<void *>(address);
}
static Address toAddress(const void *pointer) {
  return reinterpret_cast<Address>(pointer);
}

DeviceModel::~DeviceModel() {
  if (!device)
    return;
  {
    Device::Scope scope(*device, /*isRelease=*/true);
    device->synchronizeAll();
    graph.close(*device);
    transfers.close(*device);
    for (const Constant &constant : constants)
      device->release(constant.address, nullptr);
    release(uploaded);
    release(prepared);
    release(scratch);
    release(kept);
  }
  DeviceTable::letGo(device);
}

int32_t DeviceModel::choose(int32_t ordinal) {
  if (device ? device->getOrdinal() != ordinal
             : wantedOrdinal >= 0 && wantedOrdinal != ordinal)
    return fail(OURC_ERROR_ARGUMENT,
                "a tensor is on CUDA device %d, but the model is on CUDA "
                "device %d: all must be on one",
                ordinal, device ? device->getOrdinal() : wantedOrdinal);
  wantedOrdinal = ordinal;
  return OURC_OK;
}

int32_t DeviceModel::open() {
  if (device)
    return OURC_OK;
  int32_t ordinal = wantedOrdinal < 0 ? 0 : wantedOrdinal;
  return DeviceTable::take(ordinal, &device);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void DeviceModel::release(KeptMemory &memory) {
  device->release(memory.address, nullptr);
  memory = KeptMemory();
}

int32_t DeviceModel::grow(KeptMemory &memory, int64_t bytes, Stream on) {
  if (memory.bytes >= bytes)
    return OURC_OK;
  // Earlier calls may still use it, on any stream.
  if (memory.address)
    if (int32_t status = device->synchronizeAll())
      return status;
  release(memory);
  if (int32_t status =
          device->allocate(static_cast<uint64_t>(bytes), on, &memory.address))
    return status;
  memory.bytes = bytes;
  __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
  // So that calls on other streams may use it.
  return device->synchronize(on);
}

int32_t DeviceModel::bind(const DeviceOperand *bound, int64_t count) {
  parameters.clear();
  for (int64_t i = 0; i < count; ++i)
    parameters.push(bound[i]);
  areParametersStale = true;
  return OURC_OK;
}

/// Copies parameters from the CPU; those of the GPU are used where they are.
int32_t DeviceModel::uploadParameters() {
  if (!areParametersStale)
    return OURC_OK;
  int64_t total = 0;
  for (const DeviceOperand &parameter : parameters)
    if (!parameter.onDevice)
      total += align(parameter.bytes);
  if (total) {
    // Earlier calls read what is overwritten.
    if (int32_t status = device->synchronizeAll())
      return status;
    if (int32_t status = grow(uploaded, total, nullptr))
      return status;
  }
  int64_t offset = 0;
  for (DeviceOperand &parameter : parameters) {
    if (parameter.onDevice)
      continue;
    Address to = uploaded.address + static_cast<uint64_t>(offset);
    if (int32_t status = transfers.upload(*device, to, parameter.address,
                                          parameter.bytes, nullptr))
      return status;
    offset += align(parameter.bytes);
  }
  if (total)
    if (int32_t status = transfers.finish(*device, nullptr))
      return status;
  // Only now: after an error all are copied again.
  offset = 0;
  for (DeviceOperand &parameter : parameters) {
    if (parameter.onDevice)
      continue;
    parameter.address =
        toPointer(uploaded.address + static_cast<uint64_t>(offset));
    parameter.onDevice = true;
    offset += align(parameter.bytes);
  }
  areParametersStale = false;
  return OURC_OK;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

int32_t DeviceModel::prepare(OurcContext &context, const int64_t *offsets,
                             int64_t bytes) {
  if (int32_t status = open())
    return status;
  Device::Scope scope(*device);
  if (scope.status)
    return scope.status;
  transfers.forget();
  if (int32_t status = uploadParameters())
    return status;
  // Earlier calls may still read the old weights.
  if (int32_t status = device->synchronizeAll())
    return status;
  if (int32_t status = grow(prepared, bytes, nullptr))
    return status;
  if (int32_t status = grow(scratch, program.initScratchBytes, nullptr))
    return status;
  operands.clear();
  preparedAddresses.clear();
  for (const DeviceOperand &parameter : parameters)
    operands.push(parameter.address);
  for (int64_t i = 0; i < program.numPrepared; ++i) {
    preparedAddresses.push(
        toPointer(prepared.address + static_cast<uint64_t>(offsets[i])));
    operands.push(preparedAddresses.back());
  }
  stream = nullptr;
  isWatched = context.watch != nullptr;
  context.device = this;
  int32_t code =
      program.init(&context, operands.data(), toPointer(scratch.address));
  context.device = nullptr;
  if (!code && context.errorState == 0)
    if (int32_t status = device->synchronize(nullptr))
      return status;
  release(scratch);
  return code;
}

int32_t DeviceModel::execute(OurcContext &context, const DeviceCall &call,
                             Address arena) {
  context.device = this;
  int32_t code = program.run(&context, operands.data(), call.symbols,
                             toPointer(arena), call.offsets);
  context.device = nullptr;
  return code;
}

int32_t DeviceModel::runPlain(OurcContext &context, const DeviceCall &call) {
  // One block: copies of what is on the CPU, then the arena.
  int64_t total = 0;
  bool anyHost = false;
  auto addCopy = [&](const DeviceOperand &operand) {
    if (operand.onDevice || operand.sameAs >= 0)
      return;
    total += align(operand.bytes);
    anyHost = true;
  };
  for (int64_t i = 0; i < program.numInputs; ++i)
    addCopy(call.inputs[i]);
  for (int64_t i = 0; i < program.numResults; ++i)
    addCopy(call.results[i]);
  Address block = 0;
  if (__builtin_add_overflow(total, call.arenaBytes, &total))
    return fail(OURC_ERROR_MEMORY, "a call takes more than 2^63 bytes");
  if (int32_t status =
          device->allocate(static_cast<uint64_t>(total), stream, &block))
    return status;

  int64_t firstResult = operands.size() - program.numResults, used = 0;
  auto place = [&](const DeviceOperand &operand, int64_t position) -> int32_t {
    if (operand.sameAs >= 0) {
      operands[position] = operands[operand.sameAs];
      return OURC_OK;
    }
    if (operand.onDevice)
      return OURC_OK;
    Address at = block + static_cast<uint64_t>(used);
    used += align(operand.bytes);
    operands[position] = toPointer(at);
    if (operand.isWritten)
      return OURC_OK;
    return transfers.upload(*device, at, operand.address, operand.bytes,
                            stream);
  };
  int32_t status = OURC_OK;
  for (int64_t i = 0; !status && i < program.numInputs; ++i)
    status = place(call.inputs[i], i);
  for (int64_t i = 0; !status && i < program.numResults; ++i)
    status = place(call.results[i], firstResult + i);
  if (!status)
    status = execute(context, call, block + static_cast<uint64_t>(used));
  for (int64_t i = 0; !status && i < program.numResults; ++i) {
    const DeviceOperand &result = call.results[i];
    if (!result.onDevice)
      status = transfers.download(*device, result.address,
                                  toAddress(operands[firstResult + i]),
                                  result.bytes, stream);
  }
  if (!status && anyHost)
    status = transfers.finish(*device, stream);
  // Even after an error; the first one is told.
  int32_t released = device->release(block, stream);
  return status ? status : released;
}

int32_t DeviceModel::run(OurcContext &context, const DeviceCall &call) {
  if (int32_t status = open())
    return status;
  Device::Scope scope(*device);
  if (scope.status)
    return scope.status;
  transfers.forget();
  if (int32_t status = uploadParameters())
    return status;
  stream = static_cast<Stream>(call.stream);
  isWatched = call.isWatched;
  operands.clear();
  for (int64_t i = 0; i < program.numInputs; ++i)
    operands.push(call.inputs[i].address);
  for (const DeviceOperand &parameter : parameters)
    operands.push(parameter.address);
  for (void *address : preparedAddresses)
    operands.push(address);
  for (int64_t i = 0; i < program.numResults; ++i)
    operands.push(call.results[i].address);
  if (graph.isOn()) {
    bool isDone = false;
    int32_t status = runGraph(context, call, isDone);
    if (status || isDone)
      return status;
  }
  int32_t status = runPlain(context, call);
  hasRun |= !status && context.errorState == 0;
  return status;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

void DeviceModel::useGraphs(bool on) { graph.turn(on); }

void DeviceModel::describe(Text &text) const { graph.describe(text); }

int32_t DeviceModel::runGraph(OurcContext &context, const DeviceCall &call,
                              bool &isDone) {
  for (int64_t i = 0; i < program.numInputs; ++i)
    if (!call.inputs[i].onDevice) {
      char why[256];
      const char *name = program.inputs[i].name;
      std::snprintf(why, sizeof(why), "input '%s' is in CPU memory",
                    name ? name : "");
      graph.refuse(why);
      return OURC_OK;
    }
  for (int64_t i = 0; i < program.numResults; ++i)
    if (!call.results[i].onDevice) {
      char why[256];
      std::snprintf(why, sizeof(why), "result %lld is in CPU memory",
                    static_cast<long long>(i));
      graph.refuse(why);
      return OURC_OK;
    }
  if (isWatched) {
    graph.refuse("launches are timed or observed");
    return OURC_OK;
  }
  bool isCapturing;
  if (int32_t status = device->isCapturing(stream, &isCapturing))
    return status;
  if (isCapturing) {
    graph.refuse("the caller captures the stream: launches go into its graph");
    return OURC_OK;
  }
  if (int32_t status = grow(kept, call.arenaBytes, stream))
    return status;

  Vec<uint64_t> key;
  for (void *operand : operands)
    key.push(toAddress(operand));
  key.push(kept.address);
  for (int64_t i = 0; i < program.numSymbols; ++i)
    key.push(static_cast<uint64_t>(call.symbols[i]));
  if (!graph.matches(key)) {
    // Modules are loaded and constants copied in a call of its own: neither can
    // be captured.
    if (!hasRun) {
      graph.refuse("first call: it loads the kernels");
      return OURC_OK;
    }
    Stream callers = stream;
    bool isReady;
    int32_t status = graph.capture(
        *device, key,
        [&](Stream captured) {
          stream = captured;
          return execute(context, call, kept.address);
        },
        isReady);
    stream = callers;
    if (status) {
      graph.refuse(context.errorState == 2 ? context.message
                                           : ourc_last_error());
      return status;
    }
    if (!isReady)
      return OURC_OK;
  }
  isDone = true;
  return graph.replay(*device, stream);
}

//===----------------------------------------------------------------------===//
// What generated code calls
//===----------------------------------------------------------------------===//

int32_t DeviceModel::launch(const OurcDeviceKernel &kernel, void **arguments,
                            const int64_t *grid, const int64_t *block,
                            int64_t sharedBytes) {
  KnownKernel *known = nullptr;
  for (KnownKernel &candidate : kernels)
    if (candidate.kernel == &kernel)
      known = &candidate;
  if (!known || known->sharedBytes < sharedBytes) {
    Function function;
    if (int32_t status = device->prepare(
            kernel, static_cast<uint32_t>(sharedBytes), &function))
      return status;
    if (!known) {
      kernels.push({&kernel, function, sharedBytes});
      known = &kernels.back();
    }
    known->sharedBytes = sharedBytes;
  }
  if (int32_t status = device->launch(known->function, kernel.name, grid, block,
                                      sharedBytes, stream, arguments))
    return status;
  return isWatched ? device->synchronize(stream) : OURC_OK;
}

int32_t DeviceModel::copy(void *to, const void *from, int64_t bytes) {
  return device->copyOnDevice(toAddress(to), toAddress(from),
                              static_cast<uint64_t>(bytes), stream);
}

int32_t DeviceModel::store(void *to, int64_t value, int64_t bytes) {
  // As two halves: values of 4 bytes are what the driver writes by itself.
  Address at = toAddress(to);
  if (int32_t status = device->fill(at, static_cast<uint32_t>(value), stream))
    return status;
  if (bytes <= 4)
    return OURC_OK;
  return device->fill(at + 4,
                      static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32),
                      stream);
}

int32_t DeviceModel::findConstant(const void *data, int64_t bytes,
                                  void **found) {
  for (const Constant &constant : constants)
    if (constant.data == data) {
      *found = toPointer(constant.address);
      return OURC_OK;
    }
  Address address;
  if (int32_t status = device->allocate(
          static_cast<uint64_t>(bytes > 0 ? bytes : 1), stream, &address))
    return status;
  __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
  int32_t status =
      device->copyToDevice(address, data, static_cast<uint64_t>(bytes), stream);
  // Other streams may read it in later calls.
  if (!status)
    status = device->synchronize(stream);
  if (status) {
    device->release(address, stream);
    return status;
  }
  constants.push({data, address});
  *found = toPointer(address);
  return OURC_OK;
}

//===----------------------------------------------------------------------===//
// The table and the functions that refer to a call's model
//===----------------------------------------------------------------------===//

static DeviceModel &modelOf(void *state) {
  return *static_cast<DeviceModel *>(state);
}

static int32_t create(const OurcProgram *program, int64_t *allocations,
                      void **state) {
  void *memory = std::malloc(sizeof(DeviceModel));
  if (!memory)
    return fail(OURC_ERROR_MEMORY, "no memory for the model");
  *state = new (memory) DeviceModel(*program, *allocations);
  return OURC_OK;
}
static void destroy(void *state) {
  modelOf(state).~DeviceModel();
  std::free(state);
}
static int32_t choose(void *state, int32_t ordinal) {
  return modelOf(state).choose(ordinal);
}
static int32_t bind(void *state, const DeviceOperand *parameters,
                    int64_t count) {
  return modelOf(state).bind(parameters, count);
}
static int32_t prepare(void *state, OurcContext *context,
                       const int64_t *offsets, int64_t bytes) {
  return modelOf(state).prepare(*context, offsets, bytes);
}
static int32_t run(void *state, OurcContext *context, const DeviceCall *call) {
  return modelOf(state).run(*context, *call);
}
static void useGraphs(void *state, bool on) { modelOf(state).useGraphs(on); }
static void describe(void *state, Text *text) {
  modelOf(state).describe(*text);
}

extern "C" const OurcDeviceRuntime ourc_cuda_runtime;
const OurcDeviceRuntime ourc_cuda_runtime = {
    create, destroy, choose, bind, prepare, run, useGraphs, describe};

/// A failing call's message goes to the model that runs.
static int32_t tell(OurcContext *context, int32_t status) {
  if (status)
    recordError(*context, status, ourc_last_error());
  return status;
}

int32_t ourc_device_launch(OurcContext *ctx, const OurcDeviceKernel *kernel,
                           void **args, const int64_t *grid,
                           const int64_t *block, int64_t sharedBytes) {
  return tell(
      ctx,
      modelOf(ctx->device).launch(*kernel, args, grid, block, sharedBytes));
}

int32_t ourc_device_copy(OurcContext *ctx, void *to, const void *from,
                         int64_t bytes) {
  return tell(ctx, modelOf(ctx->device).copy(to, from, bytes));
}

int32_t ourc_device_store(OurcContext *ctx, void *to, int64_t value,
                          int64_t bytes) {
  return tell(ctx, modelOf(ctx->device).store(to, value, bytes));
}

void *ourc_device_constant(OurcContext *ctx, const void *data, int64_t bytes) {
  void *found = nullptr;
  if (tell(ctx, modelOf(ctx->device).findConstant(data, bytes, &found)))
    return nullptr;
  return found;
}
