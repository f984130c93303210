//===- TestProgram.h - A program for a GPU, without a compiler ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TEST_RUNTIME_CUDA_TESTPROGRAM_H
#define OURC_TEST_RUNTIME_CUDA_TESTPROGRAM_H

#include "runtime/abi/ProgramABI.h"

namespace ourc::test {

/// sum = 2 * x + 2 * w, copy = x, table = {5, 6}, count = n, for x of n
/// numbers (f32), n from 1 to 64. `w` has 64 and 2 * w is prepared.
const OurcProgram *makeGPUProgram();

} // namespace ourc::test

#endif // OURC_TEST_RUNTIME_CUDA_TESTPROGRAM_H
