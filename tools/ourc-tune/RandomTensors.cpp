//===- RandomTensors.cpp - Tensors to measure a program with --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ourc-tune/RandomTensors.h"

#include "runtime/support/DType.h"

#include <cstring>
#include <limits>

using namespace ourc;
using namespace ourc::tune;

static void fill(void *data, int64_t count, int32_t dtype) {
  uint32_t state = 1;
  auto next = [&] {
    state = state * 1664525u + 1013904223u; // Knuth's, by Numerical Recipes
    return static_cast<float>(static_cast<int32_t>(state)) * 0x1p-31f;
  };
  auto fillAs = [&](auto element) {
    auto *elements = static_cast<decltype(element) *>(data);
    for (int64_t i = 0; i < count; ++i)
      elements[i] = static_cast<decltype(element)>(next());
  };
  switch (dtype) {
  case OURC_F32:
    return fillAs(float());
  case OURC_F64:
    return fillAs(double());
  case OURC_F16:
    return fillAs(_Float16());
  case OURC_BF16: {
    auto *elements = static_cast<uint16_t *>(data);
    for (int64_t i = 0; i < count; ++i) {
      float value = next();
      uint32_t bits;
      std::memcpy(&bits, &value, sizeof(bits));
      elements[i] = static_cast<uint16_t>(bits >> 16);
    }
    return;
  }
  default:
    std::memset(data, dtype == OURC_BOOL, count * runtime::dtypeBytes(dtype));
  }
}

bool RandomTensors::add(const OurcTensorDesc &desc,
                        llvm::ArrayRef<int64_t> shape) {
  auto owned = std::make_unique<Owned>();
  owned->shape.assign(shape.begin(), shape.end());
  owned->strides.resize(shape.size());
  int64_t count = 1;
  for (int64_t d = static_cast<int64_t>(shape.size()) - 1; d >= 0; --d) {
    int64_t dim = desc.layout ? desc.layout[d] : d;
    owned->strides[dim] = count;
    if (__builtin_mul_overflow(count, shape[dim], &count))
      return false;
  }
  int64_t bytes;
  if (__builtin_mul_overflow(count, runtime::dtypeBytes(desc.dtype), &bytes) ||
      bytes > std::numeric_limits<int64_t>::max() - 64)
    return false;
  void *memory = nullptr;
  if (posix_memalign(&memory, 64, bytes ? bytes : 1))
    return false;
  owned->memory.reset(memory);
  fill(memory, count, desc.dtype);
  DLTensor &tensor = owned->tensor;
  tensor.data = memory;
  tensor.device.device_type = kDLCPU;
  tensor.ndim = desc.rank;
  tensor.dtype = runtime::toDLPack(desc.dtype);
  tensor.shape = owned->shape.data();
  tensor.strides = owned->strides.data();
  tensors.push_back(std::move(owned));
  return true;
}

std::vector<DLTensor *> RandomTensors::addresses() {
  std::vector<DLTensor *> all;
  for (const std::unique_ptr<Owned> &owned : tensors)
    all.push_back(&owned->tensor);
  return all;
}
