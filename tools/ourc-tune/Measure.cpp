//===- Measure.cpp - Times of a program's kernels -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ourc-tune/Measure.h"

#include "compiler/Session.h"
#include "runtime/abi/Model.h"
#include "tools/ourc-tune/RandomTensors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

using namespace ourc;
using namespace ourc::tune;

static double median(std::vector<double> &values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The shape of an input or a parameter.
static llvm::Expected<std::vector<int64_t>> getShape(const OurcProgram &program,
                                                     const OurcTensorDesc &desc,
                                                     const Sizes &sizes) {
  std::vector<int64_t> shape;
  for (int32_t d = 0; d < desc.rank; ++d) {
    const OurcDim &dim = desc.dims[d];
    if (dim.symbol < 0) {
      shape.push_back(dim.size);
      continue;
    }
    llvm::StringRef name = program.symbols[dim.symbol].name;
    auto given = sizes.find(name);
    if (given == sizes.end())
      return llvm::createStringError(
          "the size '" + name + "' is not known: give --dims=" + name + "=<n>");
    shape.push_back(given->second);
  }
  return shape;
}

static llvm::Error addAll(const OurcProgram &program,
                          const OurcTensorDesc *descs, int64_t count,
                          const Sizes &sizes, RandomTensors &tensors) {
  for (int64_t i = 0; i < count; ++i) {
    llvm::Expected<std::vector<int64_t>> shape =
        getShape(program, descs[i], sizes);
    if (!shape)
      return shape.takeError();
    if (!tensors.add(descs[i], *shape))
      return llvm::createStringError("there is no memory for '" +
                                     llvm::Twine(descs[i].name) + "'");
  }
  return llvm::Error::success();
}

/// Names of the kernels of a call's launches.
static std::vector<std::string> getSequence(llvm::StringRef report) {
  std::vector<std::string> names;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(report);
  if (!value) {
    llvm::consumeError(value.takeError());
    return names;
  }
  const llvm::json::Object *object = value->getAsObject();
  const llvm::json::Array *kernels = object->getArray("kernels");
  const llvm::json::Array *sequence = object->getArray("sequence");
  if (!kernels || !sequence)
    return names;
  for (const llvm::json::Value &launch : *sequence) {
    int64_t kernel = launch.getAsObject()->getInteger("kernel").value_or(0);
    names.push_back(
        (*kernels)[kernel].getAsObject()->getString("name").value_or("").str());
  }
  return names;
}

llvm::Expected<Times> tune::measure(llvm::StringRef text,
                                    const CompileOptions &options,
                                    const Sizes &sizes, int64_t calls) {
  llvm::Expected<std::unique_ptr<Session>> session =
      Session::compile(text, options);
  if (!session)
    return session.takeError();
  llvm::Expected<const OurcProgram *> loaded = (*session)->load();
  if (!loaded)
    return loaded.takeError();
  const OurcProgram &program = **loaded;

  OurcModel *model = nullptr;
  auto check = [](int32_t code) {
    return code ? llvm::createStringError(ourc_last_error())
                : llvm::Error::success();
  };
  if (llvm::Error error =
          check(ourc_model_create_from_program(&program, &model)))
    return error;
  std::unique_ptr<OurcModel, void (*)(OurcModel *)> owner(model,
                                                          ourc_model_destroy);
  RandomTensors parameters, inputs, results;
  if (llvm::Error error = addAll(program, program.parameters,
                                 program.numParameters, sizes, parameters))
    return error;
  if (llvm::Error error =
          addAll(program, program.inputs, program.numInputs, sizes, inputs))
    return error;
  std::vector<DLTensor *> parameterAddresses = parameters.addresses(),
                          inputAddresses = inputs.addresses();
  if (llvm::Error error = check(ourc_model_bind(
          model, parameterAddresses.data(), parameterAddresses.size())))
    return error;
  int64_t numSizes = 0;
  for (int64_t i = 0; i < program.numResults; ++i)
    numSizes += program.results[i].rank;
  std::vector<int64_t> shapes(numSizes);
  if (llvm::Error error = check(ourc_model_result_shapes(
          model, inputAddresses.data(), inputAddresses.size(), shapes.data())))
    return error;
  const int64_t *shape = shapes.data();
  std::vector<DLTensor *> resultAddresses;
  for (int64_t i = 0; i < program.numResults; ++i) {
    const OurcTensorDesc &desc = program.results[i];
    llvm::ArrayRef<int64_t> dims(shape, desc.rank);
    shape += desc.rank;
    if (desc.updates >= 0) {
      resultAddresses.push_back(inputAddresses[desc.updates]);
      continue;
    }
    if (!results.add(desc, dims))
      return llvm::createStringError("there is no memory for the results");
    resultAddresses.push_back(results[results.size() - 1]);
  }

  if (llvm::Error error = check(ourc_model_time_launches(model, 1)))
    return error;
  std::vector<std::string> sequence = getSequence((*session)->report());
  std::vector<std::vector<double>> samples(sequence.size());
  std::vector<double> wholes;
  for (int64_t call = 0; call <= calls; ++call) {
    if (llvm::Error error = check(
            ourc_model_run(model, inputAddresses.data(), inputAddresses.size(),
                           resultAddresses.data(), resultAddresses.size())))
      return error;
    const OurcLaunchTime *times = nullptr;
    int64_t count = 0;
    if (llvm::Error error =
            check(ourc_model_launch_times(model, &times, &count)))
      return error;
    if (call == 0) // weights are prepared, caches are cold
      continue;
    int64_t first = 0, last = 0;
    for (const OurcLaunchTime &time : llvm::ArrayRef(times, count)) {
      if (time.launch < 0 || time.launch >= int64_t(samples.size()))
        continue;
      first = first ? first : time.begin;
      last = time.end;
      samples[time.launch].push_back(1e-9 * (time.end - time.begin));
    }
    wholes.push_back(1e-9 * (last - first));
  }
  Times taken;
  taken.call = median(wholes);
  std::map<std::string, int64_t> launches;
  for (auto [name, ofLaunch] : llvm::zip(sequence, samples)) {
    if (ofLaunch.empty())
      continue;
    taken.kernels[name] += median(ofLaunch);
    ++launches[name];
  }
  for (auto &[name, seconds] : taken.kernels)
    seconds /= launches[name];
  return taken;
}
