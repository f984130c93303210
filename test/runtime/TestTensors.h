//===- TestTensors.h - Tensors and programs for tests ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TEST_RUNTIME_TESTTENSORS_H
#define OURC_TEST_RUNTIME_TESTTENSORS_H

#include "runtime/abi/Model.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace ourc::test {

template <typename T> DLDataType dtypeOf();
template <> inline DLDataType dtypeOf<float>() { return {kDLFloat, 32, 1}; }
template <> inline DLDataType dtypeOf<double>() { return {kDLFloat, 64, 1}; }
template <> inline DLDataType dtypeOf<int64_t>() { return {kDLInt, 64, 1}; }
template <> inline DLDataType dtypeOf<int32_t>() { return {kDLInt, 32, 1}; }
template <> inline DLDataType dtypeOf<uint8_t>() { return {kDLUInt, 8, 1}; }

/// A row-major tensor that owns its memory. Fields of `dl` may be changed to
/// make a wrong one.
template <typename T> class Tensor {
public:
  explicit Tensor(std::vector<int64_t> shape, std::vector<T> values = {})
      : shape(std::move(shape)), values(std::move(values)) {
    int64_t count = 1;
    for (int64_t size : this->shape)
      count *= size;
    this->values.resize(static_cast<size_t>(count));
    dl.data = this->values.data();
    dl.device = {kDLCPU, 0};
    dl.ndim = static_cast<int32_t>(this->shape.size());
    dl.dtype = dtypeOf<T>();
    dl.shape = this->shape.data();
  }
  Tensor(const Tensor &) = delete;
  Tensor &operator=(const Tensor &) = delete;
  DLTensor *operator&() { return &dl; }

  std::vector<int64_t> shape, strides;
  std::vector<T> values;
  DLTensor dl = {};
};

/// The arrays of an OurcProgram.
class Program {
public:
  Program() { program.abiVersion = OURC_ABI_VERSION; }
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  static OurcDim size(int64_t size) { return {OURC_DIM_STATIC, size}; }
  static OurcDim symbol(int32_t index) { return {index, 0}; }
  static OurcDim computed(int64_t index) { return {OURC_DIM_COMPUTED, index}; }

  OurcTensorDesc desc(const char *name, int32_t dtype,
                      std::vector<OurcDim> dims,
                      std::vector<int32_t> layout = {}) {
    OurcTensorDesc desc = {};
    desc.name = name;
    desc.dtype = dtype;
    desc.rank = static_cast<int32_t>(dims.size());
    desc.updates = -1;
    allDims.push_back(std::make_unique<std::vector<OurcDim>>(std::move(dims)));
    desc.dims = allDims.back()->data();
    if (!layout.empty()) {
      layouts.push_back(
          std::make_unique<std::vector<int32_t>>(std::move(layout)));
      desc.layout = layouts.back()->data();
    }
    return desc;
  }
  const OurcProgram *get() {
    program.name = "test";
    program.target = "cpu";
    auto set = [](auto &from, int64_t &count, auto &array) {
      count = static_cast<int64_t>(from.size());
      array = from.data();
    };
    set(symbols, program.numSymbols, program.symbols);
    set(inputs, program.numInputs, program.inputs);
    set(parameters, program.numParameters, program.parameters);
    set(prepared, program.numPrepared, program.prepared);
    set(results, program.numResults, program.results);
    set(buffers, program.numBuffers, program.buffers);
    return &program;
  }

  std::vector<OurcSymbol> symbols;
  std::vector<OurcTensorDesc> inputs, parameters, prepared, results;
  std::vector<OurcBufferDesc> buffers;
  OurcProgram program = {};

private:
  std::vector<std::unique_ptr<std::vector<OurcDim>>> allDims;
  std::vector<std::unique_ptr<std::vector<int32_t>>> layouts;
};

/// A model that is destroyed.
class Model {
public:
  explicit Model(const OurcProgram *program) {
    status = ourc_model_create_from_program(program, &model);
  }
  ~Model() { ourc_model_destroy(model); }
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;
  operator OurcModel *() { return model; }

  int32_t bind(std::vector<const DLTensor *> tensors) {
    return ourc_model_bind(model, tensors.data(),
                           static_cast<int64_t>(tensors.size()));
  }
  int32_t run(std::vector<const DLTensor *> inputs,
              std::vector<DLTensor *> results) {
    return ourc_model_run(model, inputs.data(),
                          static_cast<int64_t>(inputs.size()), results.data(),
                          static_cast<int64_t>(results.size()));
  }
  OurcMemoryStats memory() {
    OurcMemoryStats stats = {};
    ourc_model_memory(model, &stats);
    return stats;
  }
  int32_t status;

private:
  OurcModel *model = nullptr;
};

/// A file in the test's own folder.
inline std::string temporaryFile(const std::string &name) {
  const char *folder = std::getenv("TEST_TMPDIR");
  return std::string(folder ? folder : "/tmp") + "/" + name;
}

inline void writeFile(const std::string &path, const std::string &bytes) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size())
    std::abort();
  std::fclose(file);
}

inline std::string readFile(const std::string &path) {
  std::string bytes;
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return bytes;
  char block[4096];
  while (size_t count = std::fread(block, 1, sizeof(block), file))
    bytes.append(block, count);
  std::fclose(file);
  return bytes;
}

} // namespace ourc::test

#endif // OURC_TEST_RUNTIME_TESTTENSORS_H
