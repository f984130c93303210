//===- ModelCall.h - Calls of the program of the tests --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TEST_RUNTIME_CUDA_MODELCALL_H
#define OURC_TEST_RUNTIME_CUDA_MODELCALL_H

#include "DoubleAccess.h"
#include "TestProgram.h"

#include "runtime/abi/Model.h"
#include "test/runtime/TestTensors.h"

namespace ourc::test {

/// A tensor of the GPU.
class GPUTensor {
public:
  GPUTensor(int64_t count, DLDataType type, int32_t device = 0)
      : shape{count}, bytes(static_cast<uint64_t>(count) * type.bits / 8),
        address(fake().allocate(bytes)) {
    dl.data = reinterpret_cast<void *>(address);
    dl.device = {kDLCUDA, device};
    dl.ndim = 1;
    dl.dtype = type;
    dl.shape = shape;
  }
  ~GPUTensor() { fake().release(address); }
  GPUTensor(const GPUTensor &) = delete;
  GPUTensor &operator=(const GPUTensor &) = delete;
  template <typename T> std::vector<T> read() const {
    std::vector<T> values(bytes / sizeof(T));
    fake().peek(values.data(), address, bytes);
    return values;
  }
  template <typename T> void write(const std::vector<T> &values) {
    fake().poke(address, values.data(), bytes);
  }
  DLTensor *operator&() { return &dl; }

  DLTensor dl = {};

private:
  int64_t shape[1];
  uint64_t bytes, address;
};

/// One set of results in the GPU's memory, and an input.
struct GPUTensors {
  explicit GPUTensors(int64_t n, float first = 0, int32_t device = 0)
      : x(n, dtypeOf<float>(), device), sum(n, dtypeOf<float>(), device),
        copy(n, dtypeOf<float>(), device), table(2, dtypeOf<float>(), device),
        count(1, dtypeOf<int64_t>(), device) {
    count.dl.ndim = 0;
    std::vector<float> values;
    for (int64_t i = 0; i < n; ++i)
      values.push_back(first + static_cast<float>(i));
    x.write(values);
  }
  int32_t run(OurcModel *model, void *stream = nullptr) {
    const DLTensor *inputs[] = {&x};
    DLTensor *results[] = {&sum, &copy, &table, &count};
    return ourc_model_run_on_stream(model, stream, inputs, 1, results, 4);
  }
  /// Whether the results are those of weights that are all 10.
  bool areRight() const {
    std::vector<float> in = x.read<float>(), out = sum.read<float>();
    for (size_t i = 0; i < in.size(); ++i)
      if (out[i] != 2 * in[i] + 20)
        return false;
    return copy.read<float>() == in &&
           table.read<float>() == std::vector<float>({5, 6}) &&
           count.read<int64_t>()[0] == static_cast<int64_t>(in.size());
  }

  GPUTensor x, sum, copy, table, count;
};

/// The same in the CPU's memory.
struct CPUTensors {
  explicit CPUTensors(int64_t n)
      : x({n}), sum({n}), copy({n}), table({2}), count({}) {
    for (size_t i = 0; i < x.values.size(); ++i)
      x.values[i] = static_cast<float>(i);
  }
  int32_t run(OurcModel *model, void *stream = nullptr) {
    const DLTensor *inputs[] = {&x};
    DLTensor *results[] = {&sum, &copy, &table, &count};
    return ourc_model_run_on_stream(model, stream, inputs, 1, results, 4);
  }
  bool areRight() const {
    for (size_t i = 0; i < x.values.size(); ++i)
      if (sum.values[i] != 2 * x.values[i] + 20)
        return false;
    return copy.values == x.values &&
           table.values == std::vector<float>({5, 6}) &&
           count.values[0] == static_cast<int64_t>(x.values.size());
  }

  Tensor<float> x, sum, copy, table;
  Tensor<int64_t> count;
};

/// A model of the test program with weights of 10 in the CPU's memory.
struct GPUModel {
  GPUModel() : weights({64}, std::vector<float>(64, 10)) {}
  ~GPUModel() { ourc_model_destroy(model); }
  int32_t create() {
    if (int32_t status =
            ourc_model_create_from_program(makeGPUProgram(), &model))
      return status;
    const DLTensor *parameters[] = {&weights};
    return ourc_model_bind(model, parameters, 1);
  }

  Tensor<float> weights;
  OurcModel *model = nullptr;
};

} // namespace ourc::test

#endif // OURC_TEST_RUNTIME_CUDA_MODELCALL_H
