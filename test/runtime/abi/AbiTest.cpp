//===- AbiTest.cpp - The layout of the ABI's structs ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/Model.h"

#include <gtest/gtest.h>

extern "C" const size_t ourc_test_sizes[];

namespace {

// The DLPack specification's struct on a 64-bit machine.
static_assert(sizeof(DLDevice) == 8 && sizeof(DLDataType) == 4, "");
static_assert(offsetof(DLTensor, data) == 0 && offsetof(DLTensor, device) == 8,
              "");
static_assert(offsetof(DLTensor, ndim) == 16 && offsetof(DLTensor, dtype) == 20,
              "");
static_assert(offsetof(DLTensor, shape) == 24 &&
                  offsetof(DLTensor, strides) == 32,
              "");
static_assert(offsetof(DLTensor, byte_offset) == 40 && sizeof(DLTensor) == 48,
              "");
static_assert(offsetof(DLManagedTensor, manager_ctx) == 48 &&
                  offsetof(DLManagedTensor, deleter) == 56,
              "");
static_assert(offsetof(DLManagedTensorVersioned, manager_ctx) == 8 &&
                  offsetof(DLManagedTensorVersioned, flags) == 24 &&
                  offsetof(DLManagedTensorVersioned, dl_tensor) == 32,
              "");
static_assert(kDLCPU == 1 && kDLCUDA == 2 && kDLROCM == 10, "");
static_assert(kDLInt == 0 && kDLUInt == 1 && kDLFloat == 2 && kDLBfloat == 4 &&
                  kDLBool == 6,
              "");

TEST(Abi, CAndCxxAgree) {
  const size_t sizes[] = {sizeof(DLTensor),       sizeof(DLManagedTensor),
                          sizeof(OurcSymbol),     sizeof(OurcTensorDesc),
                          sizeof(OurcDim),        sizeof(OurcProgram),
                          sizeof(OurcMemoryStats)};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); ++i)
    EXPECT_EQ(sizes[i], ourc_test_sizes[i]);
}

} // namespace
