//===- Model.cpp - The C ABI of a compiled model --------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model owns all that changes: bound parameters, prepared weights, the arena,
// copies of strided inputs, plans. Its calls take turns, so one of each is
// enough.
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Arguments.h"
#include "runtime/core/Block.h"
#include "runtime/core/Context.h"
#include "runtime/core/Describe.h"
#include "runtime/core/DeviceRuntime.h"
#include "runtime/core/LaunchWatch.h"
#include "runtime/core/Operands.h"
#include "runtime/core/PlanCache.h"
#include "runtime/core/ProgramCheck.h"
#include "runtime/io/SafeTensors.h"
#include "runtime/support/DType.h"
#include "runtime/support/Failure.h"
#include "runtime/support/TileRegisters.h"

#include <new>
#include <pthread.h>

using namespace ourc::runtime;

struct OurcModel {
  explicit OurcModel(const OurcProgram &program);
  ~OurcModel() {
    if (deviceState)
      program.device->destroy(deviceState);
    pthread_mutex_destroy(&mutex);
  }
  /// The rest of construction, which can fail.
  int32_t openDevice() {
    return program.device
               ? program.device->create(&program, &allocations, &deviceState)
               : OURC_OK;
  }

  int32_t bindCaller(const DLTensor *const *tensors, int64_t count);
  int32_t bindFile(const char *path);
  int32_t prepare();
  int32_t run(void *stream, const DLTensor *const *inputs, int64_t numInputs,
              DLTensor *const *results, int64_t numResults);
  int32_t useGraphs(bool on);
  int32_t resultShapes(const DLTensor *const *inputs, int64_t numInputs,
                       int64_t *shapes);
  void memory(OurcMemoryStats &stats) const;
  /// Runs `change` on what watches the launches.
  template <typename Change> void changeWatch(Change change) {
    change(watch);
    context.watch = watch.isOn() ? &watch : nullptr;
  }
  const LaunchWatch &getWatch() const { return watch; }
  /// Prints what became of CUDA graphs; false: there are none.
  bool describeGraphs(Text &text) {
    if (deviceState)
      program.device->describe(deviceState, &text);
    return deviceState != nullptr;
  }

  const OurcProgram &program;
  pthread_mutex_t mutex;
  Text description;

private:
  int32_t bind(const DLTensor *const *tensors, int64_t count);
  int32_t solve(const DLTensor *const *inputs, int64_t numInputs,
                bool needData);
  void resultShape(int64_t index, const Plan &plan, int64_t *shape) const;
  int32_t takeResults(DLTensor *const *results, const DLTensor *const *inputs,
                      const Plan &plan, void **slots);
  int32_t checkCode(int32_t code, const char *what);
  int32_t readParameters(void **slots);
  int32_t alignWeights(Vec<DLTensor> &tensors, Block &copies);
  int32_t chooseDevice(Place place, const DLTensor &tensor);
  int32_t checkPlacement(Place place, const DLTensor &tensor);
  int32_t bindToDevice();
  int32_t prepareOnDevice();
  int32_t runOnDevice(void *stream, const DLTensor *const *inputs,
                      DLTensor *const *results, const Plan &plan,
                      void *const *inputSlots, void *const *resultSlots);
  void beginCall();

  int64_t allocations = 0;
  OurcContext context;
  LaunchWatch watch;
  Symbols symbols;
  PlanCache plans;
  Operands operands;
  Vec<void *> pointers; // the operands of a call
  Vec<Extent> extents;
  Block arena;
  MemoryPlan lastPlan = {0, 0, 0};

  bool bound = false, stale = true, symbolicParameters = false;
  Vec<DLTensor> parameters;    // of the caller, or of `weights`
  Vec<int64_t> parameterSizes; // their shapes and strides
  SafeTensors weights;
  Block alignedWeights; // those that are not aligned in the file
  Block prepared;
  Vec<int64_t> preparedOffsets;
  int64_t preparedBytes = 0;

  // With a device: what of it this model has, and whether it has the
  // parameters.
  void *deviceState = nullptr;
  bool isDeviceBound = false;
  Vec<DeviceOperand> deviceOperands;
};

/// sum + bytes, rounded up; INT64_MAX, which no allocation grants, beyond that.
static int64_t addAligned(int64_t sum, int64_t bytes) {
  if (__builtin_add_overflow(sum, bytes, &sum) ||
      sum > INT64_MAX - arenaAlignment)
    return INT64_MAX;
  return (sum + arenaAlignment - 1) & -arenaAlignment;
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

OurcModel::OurcModel(const OurcProgram &program)
    : program(program), symbols(program), plans(program, allocations),
      operands(program, allocations) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  // So that a call from inside a call is an error, not a deadlock.
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  context.allocations = &allocations;
  pointers.resize(program.numInputs + program.numParameters +
                  program.numPrepared + program.numResults);
  bound = program.numParameters == 0;
  stale = program.numPrepared > 0;
  for (int64_t i = 0; i < program.numPrepared; ++i) {
    // checkProgram has seen that each fits; all together may still not.
    preparedOffsets.push(preparedBytes);
    int64_t bytes = dtypeBytes(program.prepared[i].dtype);
    for (int32_t d = 0; d < program.prepared[i].rank; ++d)
      bytes *= program.prepared[i].dims[d].size;
    preparedBytes = addAligned(preparedBytes, bytes);
  }
  for (int64_t i = 0; i < program.numParameters; ++i)
    for (int32_t d = 0; d < program.parameters[i].rank; ++d)
      symbolicParameters |= program.parameters[i].dims[d].symbol >= 0;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

int32_t OurcModel::bind(const DLTensor *const *tensors, int64_t count) {
  if (int32_t status = checkCount(program, Role::parameter, count))
    return status;
  if (count && !tensors)
    return fail(OURC_ERROR_WEIGHTS, "the array of parameters is null");
  int64_t numSizes = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (int32_t status = checkTensor(program, {Role::parameter, i}, tensors[i],
                                     /*needData=*/true))
      return status;
    numSizes += 2 * tensors[i]->ndim;
  }
  // The structs are the caller's and may go: only the data is borrowed.
  parameters.resize(count);
  parameterSizes.resize(numSizes);
  int64_t *sizes = parameterSizes.data();
  for (int64_t i = 0; i < count; ++i) {
    const DLTensor &tensor = *tensors[i];
    parameters[i] = tensor;
    parameters[i].shape = sizes;
    for (int32_t d = 0; d < tensor.ndim; ++d)
      *sizes++ = tensor.shape[d];
    if (!tensor.strides)
      continue;
    parameters[i].strides = sizes;
    for (int32_t d = 0; d < tensor.ndim; ++d)
      *sizes++ = tensor.strides[d];
  }
  if (program.device)
    for (int64_t i = 0; i < count; ++i)
      if (int32_t status =
              checkPlacement({Role::parameter, i}, parameters[i])) {
        bound = false;
        return status;
      }
  bound = true;
  isDeviceBound = false;
  stale = program.numPrepared > 0;
  return OURC_OK;
}

int32_t OurcModel::bindCaller(const DLTensor *const *tensors, int64_t count) {
  if (int32_t status = bind(tensors, count))
    return status;
  // Nothing reads an earlier file any more.
  SafeTensors().swap(weights);
  alignedWeights.release();
  return OURC_OK;
}

/// Kernels may rely on the alignment of an element; a file need not have it.
/// Its data never changes, so one copy does.
int32_t OurcModel::alignWeights(Vec<DLTensor> &tensors, Block &copies) {
  int64_t total = 0;
  for (const DLTensor &tensor : tensors)
    if (!isDense(tensor, nullptr))
      total = addAligned(total, bytesOf(tensor));
  if (!copies.ensure(total, allocations))
    return fail(OURC_ERROR_MEMORY, "no memory to align weights: %lld bytes",
                static_cast<long long>(total));
  int64_t offset = 0;
  for (DLTensor &tensor : tensors) {
    if (isDense(tensor, nullptr))
      continue;
    char *to = copies.data() + offset;
    std::memcpy(to, tensor.data, static_cast<uint64_t>(bytesOf(tensor)));
    tensor.data = to;
    offset = addAligned(offset, bytesOf(tensor));
  }
  return OURC_OK;
}

int32_t OurcModel::bindFile(const char *path) {
  if (!path)
    return fail(OURC_ERROR_ARGUMENT, "the path of the weights is null");
  auto inFile = [&](int32_t status) {
    Text why;
    why.append(ourc_last_error());
    return fail(static_cast<OurcStatus>(status), "'%s': %s", path, why.c_str());
  };
  SafeTensors file;
  if (int32_t status = file.open(path))
    return status;
  Text missing;
  int64_t numMissing = 0;
  Vec<DLTensor> tensors;
  for (int64_t i = 0; i < program.numParameters; ++i) {
    const OurcTensorDesc &desc = program.parameters[i];
    const SafeTensor *found = file.find(desc.name);
    if (!found) {
      if (++numMissing <= 8)
        missing.print(numMissing > 1 ? ", '%s'" : "'%s'", desc.name);
      continue;
    }
    if (found->dtype != desc.dtype)
      return fail(OURC_ERROR_WEIGHTS, "'%s': parameter '%s': is %s, must be %s",
                  path, desc.name, found->dtypeName,
                  dtypeSafeTensorsName(desc.dtype));
    DLTensor tensor = {};
    tensor.data = const_cast<char *>(found->data);
    tensor.device.device_type = kDLCPU;
    tensor.dtype = toDLPack(desc.dtype);
    tensor.ndim = found->rank;
    tensor.shape = const_cast<int64_t *>(found->shape);
    // Before anything is read: the file may have another shape.
    if (int32_t status =
            checkTensor(program, {Role::parameter, i}, &tensor, true))
      return inFile(status);
    tensors.push(tensor);
  }
  if (numMissing)
    return fail(OURC_ERROR_WEIGHTS,
                "'%s' lacks %lld of the model's %lld parameters: %s%s", path,
                static_cast<long long>(numMissing),
                static_cast<long long>(program.numParameters), missing.c_str(),
                numMissing > 8 ? ", ..." : "");
  Block copies;
  if (int32_t status = alignWeights(tensors, copies))
    return inFile(status);
  Vec<const DLTensor *> addresses;
  for (const DLTensor &tensor : tensors)
    addresses.push(&tensor);
  if (int32_t status = bind(addresses.data(), addresses.size()))
    return inFile(status);
  weights.swap(file);
  alignedWeights.swap(copies);
  return OURC_OK;
}

/// Fills the slots of parameters; strided ones are copied by finish().
int32_t OurcModel::readParameters(void **slots) {
  if (!bound)
    return fail(OURC_ERROR_WEIGHTS,
                "the model's %lld parameters are not bound: call "
                "ourc_model_bind or ourc_model_bind_file first",
                static_cast<long long>(program.numParameters));
  for (int64_t i = 0; i < program.numParameters; ++i)
    operands.read({Role::parameter, i}, parameters[i], slots + i);
  return OURC_OK;
}

int32_t OurcModel::prepare() {
  if (!stale)
    return OURC_OK;
  beginCall();
  if (program.device)
    return prepareOnDevice();
  if (int32_t status = readParameters(pointers.data()))
    return status;
  if (int32_t status = operands.finish())
    return status;
  Block scratch;
  if (!prepared.ensure(preparedBytes, allocations) ||
      !scratch.ensure(program.initScratchBytes, allocations))
    return fail(OURC_ERROR_MEMORY,
                "no memory for prepared weights: %lld bytes and %lld to make "
                "them",
                static_cast<long long>(preparedBytes),
                static_cast<long long>(program.initScratchBytes));
  for (int64_t i = 0; i < program.numPrepared; ++i)
    pointers[program.numParameters + i] = prepared.data() + preparedOffsets[i];
  int32_t code = program.init(&context, pointers.data(), scratch.data());
  if (int32_t status = checkCode(code, "preparing the weights"))
    return status;
  stale = false;
  return OURC_OK;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void OurcModel::beginCall() {
  context.errorState = 0;
  operands.clear();
  extents.clear();
}

int32_t OurcModel::checkCode(int32_t code, const char *what) {
  const char *name = program.name ? program.name : "";
  if (const char *message = reportedError(context))
    return fail(static_cast<OurcStatus>(context.errorStatus), "%s of '%s': %s",
                what, name, message);
  if (code)
    return fail(OURC_ERROR_RUNTIME, "%s of '%s' failed with code %d", what,
                name, code);
  return OURC_OK;
}

/// Checks the inputs and takes the values of symbols from them.
int32_t OurcModel::solve(const DLTensor *const *inputs, int64_t numInputs,
                         bool needData) {
  if (int32_t status = checkCount(program, Role::input, numInputs))
    return status;
  if (numInputs && !inputs)
    return fail(OURC_ERROR_ARGUMENT, "the array of inputs is null");
  symbols.clear();
  for (int64_t i = 0; i < numInputs; ++i) {
    Place place = {Role::input, i};
    if (int32_t status = checkTensor(program, place, inputs[i], needData))
      return status;
    if (int32_t status = symbols.solve(place, inputs[i]->shape))
      return status;
  }
  if (!symbolicParameters)
    return OURC_OK;
  if (!bound)
    return readParameters(pointers.data()); // says so
  for (int64_t i = 0; i < program.numParameters; ++i)
    if (int32_t status =
            symbols.solve({Role::parameter, i}, parameters[i].shape))
      return status;
  return OURC_OK;
}

void OurcModel::resultShape(int64_t index, const Plan &plan,
                            int64_t *shape) const {
  const OurcTensorDesc &desc = program.results[index];
  for (int32_t i = 0; i < desc.rank; ++i) {
    const OurcDim &dim = desc.dims[i];
    shape[i] = dim.symbol >= 0                   ? symbols.values()[dim.symbol]
               : dim.symbol == OURC_DIM_COMPUTED ? plan.computedDims[dim.size]
                                                 : dim.size;
  }
}

/// Checks the results and fills their slots and the extents of what is written.
int32_t OurcModel::takeResults(DLTensor *const *results,
                               const DLTensor *const *inputs, const Plan &plan,
                               void **slots) {
  for (int64_t i = 0; i < program.numResults; ++i) {
    Place place = {Role::result, i};
    const DLTensor *result = results[i];
    int32_t updates = program.results[i].updates;
    Place written = place;
    if (updates >= 0) {
      written = {Role::input, updates};
      const DLTensor *input = inputs[updates];
      if (int32_t status = checkDense(program, written, *input,
                                      "the model updates it in place"))
        return status;
      if (!result)
        result = input;
    }
    if (int32_t status = checkTensor(program, place, result, true))
      return status;
    int64_t shape[OURC_MAX_RANK];
    resultShape(i, plan, shape);
    if (int32_t status = checkShape(program, place, *result, shape))
      return status;
    if (int32_t status =
            checkDense(program, place, *result, "the model writes into it"))
      return status;
    if (updates >= 0 && dataOf(*result) != dataOf(*inputs[updates])) {
      Text text;
      printPlace(program, place, text);
      text.append(": must be null or the memory of ");
      printPlace(program, written, text);
      return fail(OURC_ERROR_ARGUMENT, "%s, which it updates", text.c_str());
    }
    slots[i] = dataOf(*result);
    extents.push(
        {dataOf(*result), dataOf(*result) + bytesOf(*result), written});
  }
  return OURC_OK;
}

int32_t OurcModel::run(void *stream, const DLTensor *const *inputs,
                       int64_t numInputs, DLTensor *const *results,
                       int64_t numResults) {
  watch.beginCall();
  if (stream && !program.device)
    return fail(OURC_ERROR_ARGUMENT,
                "a model of target '%s' runs in the calling thread: the stream "
                "must be null",
                program.target ? program.target : "");
  if (int32_t status = solve(inputs, numInputs, /*needData=*/true))
    return status;
  if (int32_t status = checkCount(program, Role::result, numResults))
    return status;
  if (numResults && !results)
    return fail(OURC_ERROR_ARGUMENT, "the array of results is null");
  // Before weights are prepared, somewhere.
  if (program.device) {
    for (int64_t i = 0; i < numInputs; ++i)
      if (int32_t status = checkPlacement({Role::input, i}, *inputs[i]))
        return status;
    for (int64_t i = 0; i < numResults; ++i)
      if (results[i])
        if (int32_t status = chooseDevice({Role::result, i}, *results[i]))
          return status;
  }
  if (int32_t status = prepare())
    return status;
  const Plan *plan;
  if (int32_t status = plans.find(symbols.values(), plan))
    return status;

  beginCall();
  void **inputSlots = pointers.data();
  void **parameterSlots = inputSlots + program.numInputs;
  void **preparedSlots = parameterSlots + program.numParameters;
  void **resultSlots = preparedSlots + program.numPrepared;
  if (int32_t status = takeResults(results, inputs, *plan, resultSlots))
    return status;
  int64_t numWritten = extents.size();
  // What is copied may overlap: it is read before anything is written.
  auto addRead = [&](Place place, const DLTensor &tensor) {
    if (!isDense(tensor, descOf(program, place).layout))
      return;
    for (int64_t i = 0; place.role == Role::input && i < numWritten; ++i)
      if (extents[i].place.role == Role::input &&
          extents[i].place.index == place.index)
        return; // it is there as one that is written
    extents.push({dataOf(tensor), dataOf(tensor) + bytesOf(tensor), place});
  };
  for (int64_t i = 0; i < numInputs; ++i) {
    addRead({Role::input, i}, *inputs[i]);
    operands.read({Role::input, i}, *inputs[i], inputSlots + i);
  }
  // A device has the parameters since they were bound.
  if (program.device) {
    if (int32_t status = bindToDevice())
      return status;
  } else if (int32_t status = readParameters(parameterSlots)) {
    return status;
  }
  for (int64_t i = 0; i < program.numParameters; ++i)
    addRead({Role::parameter, i}, parameters[i]);
  if (int32_t status = checkOverlaps(program, extents, numWritten))
    return status;
  if (int32_t status = operands.finish())
    return status;
  if (program.device)
    return runOnDevice(stream, inputs, results, *plan, inputSlots, resultSlots);
  for (int64_t i = 0; i < program.numPrepared; ++i)
    preparedSlots[i] = prepared.data() + preparedOffsets[i];
  if (!arena.ensure(plan->memory.arenaBytes, allocations))
    return fail(OURC_ERROR_MEMORY,
                "no memory for intermediate results: %lld bytes",
                static_cast<long long>(plan->memory.arenaBytes));
  lastPlan = plan->memory;
  return checkCode(program.run(&context, pointers.data(), symbols.values(),
                               arena.data(), plan->offsets.data()),
                   "the run");
}

//===----------------------------------------------------------------------===//
// Calls on a device
//===----------------------------------------------------------------------===//

/// All tensors of a GPU are on one.
int32_t OurcModel::chooseDevice(Place place, const DLTensor &tensor) {
  if (!isOnDevice(tensor))
    return OURC_OK;
  int32_t status = program.device->choose(deviceState, tensor.device.device_id);
  if (!status)
    return OURC_OK;
  Text text;
  printPlace(program, place, text);
  text.print(": %s", ourc_last_error());
  return fail(static_cast<OurcStatus>(status), "%s", text.c_str());
}

/// A GPU's tensors are used where they are.
int32_t OurcModel::checkPlacement(Place place, const DLTensor &tensor) {
  if (int32_t status = chooseDevice(place, tensor))
    return status;
  return isOnDevice(tensor)
             ? checkDense(program, place, tensor,
                          "a tensor on a CUDA device is used where it is")
             : OURC_OK;
}

/// Tells the device where the parameters are, unless it knows.
int32_t OurcModel::bindToDevice() {
  if (isDeviceBound)
    return OURC_OK;
  if (int32_t status = readParameters(pointers.data() + program.numInputs))
    return status;
  if (int32_t status = operands.finish())
    return status;
  deviceOperands.clear();
  for (int64_t i = 0; i < program.numParameters; ++i)
    deviceOperands.push({pointers[program.numInputs + i],
                         bytesOf(parameters[i]), isOnDevice(parameters[i]),
                         /*isWritten=*/false, /*sameAs=*/-1});
  // Strided ones are in the staging block, which the next call overwrites: all
  // are copied in this one.
  if (int32_t status = program.device->bind(deviceState, deviceOperands.data(),
                                            deviceOperands.size()))
    return status;
  isDeviceBound = true;
  operands.clear();
  return OURC_OK;
}

int32_t OurcModel::prepareOnDevice() {
  if (int32_t status = bindToDevice())
    return status;
  int32_t code = program.device->prepare(deviceState, &context,
                                         preparedOffsets.data(), preparedBytes);
  isDeviceBound = !code; // it may have taken a part of them
  if (code && !reportedError(context))
    return code; // fail() has its message
  if (int32_t status = checkCode(code, "preparing the weights"))
    return status;
  stale = false;
  return OURC_OK;
}

int32_t OurcModel::runOnDevice(void *stream, const DLTensor *const *inputs,
                               DLTensor *const *results, const Plan &plan,
                               void *const *inputSlots,
                               void *const *resultSlots) {
  deviceOperands.clear();
  for (int64_t i = 0; i < program.numInputs; ++i)
    deviceOperands.push({inputSlots[i], bytesOf(*inputs[i]),
                         isOnDevice(*inputs[i]), /*isWritten=*/false,
                         /*sameAs=*/-1});
  for (int64_t i = 0; i < program.numResults; ++i) {
    int32_t updates = program.results[i].updates;
    const DLTensor &result = results[i] ? *results[i] : *inputs[updates];
    deviceOperands.push({resultSlots[i], bytesOf(result), isOnDevice(result),
                         /*isWritten=*/true, updates});
  }
  DeviceCall call = {stream,
                     deviceOperands.data(),
                     deviceOperands.data() + program.numInputs,
                     symbols.values(),
                     plan.memory.arenaBytes,
                     plan.offsets.data(),
                     watch.isOn()};
  lastPlan = plan.memory;
  int32_t code = program.device->run(deviceState, &context, &call);
  isDeviceBound = !code; // it may have taken a part of the parameters
  if (code && !reportedError(context))
    return code; // fail() has its message
  return checkCode(code, "the run");
}

int32_t OurcModel::useGraphs(bool on) {
  if (!program.device)
    return fail(OURC_ERROR_ARGUMENT,
                "a model of target '%s' has no CUDA graphs: compile for "
                "'cuda:sm_90', say",
                program.target ? program.target : "");
  program.device->useGraphs(deviceState, on);
  return OURC_OK;
}

int32_t OurcModel::resultShapes(const DLTensor *const *inputs,
                                int64_t numInputs, int64_t *shapes) {
  if (int32_t status = solve(inputs, numInputs, /*needData=*/false))
    return status;
  const Plan *plan;
  if (int32_t status = plans.find(symbols.values(), plan))
    return status;
  for (int64_t i = 0; i < program.numResults; ++i) {
    if (program.results[i].rank && !shapes)
      return fail(OURC_ERROR_ARGUMENT, "the array of shapes is null");
    resultShape(i, *plan, shapes);
    shapes += program.results[i].rank;
  }
  return OURC_OK;
}

void OurcModel::memory(OurcMemoryStats &stats) const {
  stats = {lastPlan.arenaBytes, lastPlan.sumOfBuffers, lastPlan.lowerBound,
           stale ? 0 : preparedBytes,
           __atomic_load_n(&allocations, __ATOMIC_RELAXED)};
}

//===----------------------------------------------------------------------===//
// The C ABI
//===----------------------------------------------------------------------===//

namespace {
/// A call's turn.
class Turn {
public:
  explicit Turn(OurcModel *model) : model(model) {
    if (!model)
      code = fail(OURC_ERROR_ARGUMENT, "the model is null");
    else if (pthread_mutex_lock(&model->mutex))
      code = fail(OURC_ERROR_ARGUMENT,
                  "the model is called from inside a call of its own");
  }
  ~Turn() {
    if (!code)
      pthread_mutex_unlock(&model->mutex);
  }
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;
  int32_t status() const { return code; }

private:
  OurcModel *model;
  int32_t code = OURC_OK;
};
} // namespace

int32_t ourc_model_create_from_program(const OurcProgram *program,
                                       OurcModel **model) {
  if (!model)
    return fail(OURC_ERROR_ARGUMENT, "the address for the model is null");
  *model = nullptr;
  if (int32_t status = checkProgram(program))
    return status;
  void *memory = std::malloc(sizeof(OurcModel));
  if (!memory)
    return fail(OURC_ERROR_MEMORY, "no memory for the model");
  // Kernels may use them where the machine has them.
  requestTileRegisters();
  auto *made = new (memory) OurcModel(*program);
  if (int32_t status = made->openDevice()) {
    ourc_model_destroy(made);
    return status;
  }
  *model = made;
  return OURC_OK;
}

void ourc_model_destroy(OurcModel *model) {
  if (!model)
    return;
  model->~OurcModel();
  std::free(model);
}

const char *ourc_model_describe(OurcModel *model) {
  Turn turn(model);
  if (turn.status())
    return nullptr;
  OurcMemoryStats stats;
  model->memory(stats);
  model->description.clear();
  Text graphs;
  bool hasGraphs = model->describeGraphs(graphs);
  describe(model->program, stats, model->description,
           hasGraphs ? graphs.c_str() : nullptr);
  return model->description.c_str();
}

int32_t ourc_model_bind(OurcModel *model, const DLTensor *const *parameters,
                        int64_t count) {
  Turn turn(model);
  return turn.status() ? turn.status() : model->bindCaller(parameters, count);
}

int32_t ourc_model_bind_file(OurcModel *model, const char *path) {
  Turn turn(model);
  return turn.status() ? turn.status() : model->bindFile(path);
}

int32_t ourc_model_prepare(OurcModel *model) {
  Turn turn(model);
  return turn.status() ? turn.status() : model->prepare();
}

int32_t ourc_model_run_on_stream(OurcModel *model, void *stream,
                                 const DLTensor *const *inputs,
                                 int64_t numInputs, DLTensor *const *results,
                                 int64_t numResults) {
  Turn turn(model);
  return turn.status()
             ? turn.status()
             : model->run(stream, inputs, numInputs, results, numResults);
}

int32_t ourc_model_run(OurcModel *model, const DLTensor *const *inputs,
                       int64_t numInputs, DLTensor *const *results,
                       int64_t numResults) {
  return ourc_model_run_on_stream(model, nullptr, inputs, numInputs, results,
                                  numResults);
}

int32_t ourc_model_use_graphs(OurcModel *model, int32_t on) {
  Turn turn(model);
  return turn.status() ? turn.status() : model->useGraphs(on != 0);
}

int32_t ourc_model_result_shapes(OurcModel *model,
                                 const DLTensor *const *inputs,
                                 int64_t numInputs, int64_t *shapes) {
  Turn turn(model);
  return turn.status() ? turn.status()
                       : model->resultShapes(inputs, numInputs, shapes);
}

int32_t ourc_model_memory(OurcModel *model, OurcMemoryStats *stats) {
  Turn turn(model);
  if (turn.status())
    return turn.status();
  if (!stats)
    return fail(OURC_ERROR_ARGUMENT, "the address for the numbers is null");
  model->memory(*stats);
  return OURC_OK;
}

int32_t ourc_model_time_launches(OurcModel *model, int32_t on) {
  Turn turn(model);
  if (turn.status())
    return turn.status();
  model->changeWatch([&](LaunchWatch &watch) { watch.keepTimes(on != 0); });
  return OURC_OK;
}

int32_t ourc_model_launch_times(OurcModel *model, const OurcLaunchTime **times,
                                int64_t *count) {
  Turn turn(model);
  if (turn.status())
    return turn.status();
  if (!times || !count)
    return fail(OURC_ERROR_ARGUMENT, "an address for the times is null");
  *times = model->getWatch().getTimes().data();
  *count = model->getWatch().getTimes().size();
  return OURC_OK;
}

int32_t ourc_model_observe(OurcModel *model, OurcLaunchObserver observer,
                           void *data) {
  Turn turn(model);
  if (turn.status())
    return turn.status();
  model->changeWatch(
      [&](LaunchWatch &watch) { watch.observe(observer, data); });
  return OURC_OK;
}
