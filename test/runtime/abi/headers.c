//===- headers.c - The ABI's headers are C --------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/Model.h"

// Sizes as C sees them, for AbiTest.cpp to compare with C++'s.
const size_t ourc_test_sizes[] = {sizeof(DLTensor),
                                  sizeof(DLManagedTensor),
                                  sizeof(struct OurcSymbol),
                                  sizeof(struct OurcTensorDesc),
                                  sizeof(struct OurcDim),
                                  sizeof(struct OurcProgram),
                                  sizeof(struct OurcMemoryStats)};
